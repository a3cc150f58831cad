import type { CsvColumns } from '../../../platform/http/csv.ts';
import type { ChargeAnswer } from './charge.view.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** A charge as a line of CSV: the fields of the API, nested ones by their path. */
export const CHARGE_COLUMNS: CsvColumns<ChargeAnswer> = {
  id: (charge) => charge.id,
  status: (charge) => charge.status,
  pspRefId: (charge) => charge.pspRefId,
  amount: (charge) => charge.amount,
  currency: (charge) => charge.currency,
  spread: (charge) => charge.spread,
  net: (charge) => charge.net,
  'customer.name': (charge) => charge.customer.name,
  'customer.email': (charge) => charge.customer.email,
  'customer.document': (charge) => charge.customer.document,
  'paymentMethod.type': (charge) => charge.paymentMethod.type,
  'paymentMethod.installments': (charge) => Number(charge.paymentMethod.installments ?? 1),
  'paymentMethod.firstSix': (charge) => textOf(charge.paymentMethod.firstSix),
  'paymentMethod.lastFour': (charge) => textOf(charge.paymentMethod.lastFour),
  merchantId: (charge) => charge.merchantId,
  reference: (charge) => charge.reference,
  metadata: (charge) => json(charge.metadata),
  split: (charge) => json(charge.split),
  failureReason: (charge) => charge.failureReason,
  paidAt: (charge) => charge.paidAt,
  refundedAt: (charge) => charge.refundedAt,
  expiresAt: (charge) => charge.expiresAt,
  createdAt: (charge) => charge.createdAt,
  updatedAt: (charge) => charge.updatedAt,
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
