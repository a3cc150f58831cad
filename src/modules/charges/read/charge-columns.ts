import { columnsOf } from '../../../platform/http/csv.ts';
import type { ChargeAnswer } from './charge.view.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** A charge as a line of CSV: the fields of the API, nested ones by their path. */
export const CHARGE_COLUMNS = columnsOf<ChargeAnswer>(
  ...(['id', 'status', 'pspRefId', 'amount', 'currency', 'spread', 'net'] as const),
  {
    'customer.name': ({ customer }) => customer.name,
    'customer.email': ({ customer }) => customer.email,
    'customer.document': ({ customer }) => customer.document,
    'paymentMethod.type': ({ paymentMethod }) => paymentMethod.type,
    'paymentMethod.installments': ({ paymentMethod }) => Number(paymentMethod.installments ?? 1),
    'paymentMethod.brand': ({ paymentMethod }) => textOf(paymentMethod.brand),
    'paymentMethod.firstSix': ({ paymentMethod }) => textOf(paymentMethod.firstSix),
    'paymentMethod.lastFour': ({ paymentMethod }) => textOf(paymentMethod.lastFour),
    'paymentDetails.endToEndId': ({ paymentDetails }) => textOf(paymentDetails?.endToEndId),
  },
  ...(['merchantId', 'reference'] as const),
  { metadata: ({ metadata }) => json(metadata), split: (charge: ChargeAnswer) => json(charge.split) },
  ...(['failureReason', 'paidAt', 'refundedAt', 'expiresAt', 'createdAt', 'updatedAt'] as const),
  {
    'paymentMethod.dueDate': ({ paymentMethod }: ChargeAnswer) => textOf(paymentMethod.dueDate),
    paidAmount: ({ paidAmount }: ChargeAnswer) => paidAmount ?? null,
  },
);

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
