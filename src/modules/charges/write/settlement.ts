import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { PaymentType } from '../../providers/provider.ts';
import type { Charge } from './charge.ts';

/** Days from payment to settlement where neither the merchant nor the gateway has a setting (decisions 7). */
const DEFAULT_DELAY_DAYS: Readonly<Record<PaymentType, number>> = {
  credit_card: 30,
  pix: 0,
  voucher: 1,
  banktransfer: 1,
  qrcode: 0,
};

const DAY_MS = 86_400_000;
const DAYS_BETWEEN_PARTS = 30;

/** Days by payment method, of the merchant first and of the gateway second; a method may be missing in each. */
export type DelayDays = readonly Readonly<Partial<Record<PaymentType, number>>>[];

/** Fixes at payment when each part of a charge becomes available: a setting that changes later changes nothing. */
export const scheduleSettlement = (decision: Decision<Charge>, configured: DelayDays): Decision<Charge> => {
  const charge = decision.data;
  if (charge.status !== 'paid' || charge.paidAt === null) return decision;
  const method = charge.paymentMethod.type;
  const delayDays =
    configured.map((days) => days[method]).find((days) => days !== undefined) ?? DEFAULT_DELAY_DAYS[method];
  const firstAt = daysAfter(charge.paidAt, delayDays);
  return { ...decision, data: { ...charge, due: { delayDays, firstAt, nextAt: firstAt } } };
};

/** Whether the next part of a charge may be settled at this time: nothing takes a part that a refund takes. */
export const isSettlementDue = (charge: Charge, until: Date): boolean =>
  charge.status === 'paid' &&
  charge.refundId === null &&
  charge.due !== null &&
  charge.due.nextAt !== null &&
  charge.due.nextAt <= timestamp(until);

/** The next part becomes available. Nothing that the merchant sees of the charge changes. */
export const settlePart = (charge: Charge): Decision<Charge> => {
  const { due, settlement } = charge;
  if (due === null || settlement.settled >= settlement.parts)
    throw new Error(`charge ${charge.id} has no part to settle`);
  const settled = settlement.settled + 1;
  const nextAt = settled === settlement.parts ? null : daysAfter(due.firstAt, DAYS_BETWEEN_PARTS * settled);
  return {
    type: 'charge.settled',
    data: { ...charge, settlement: { ...settlement, settled }, due: { ...due, nextAt } },
  };
};

const daysAfter = (at: Timestamp, days: number): Timestamp =>
  timestamp(new Date(Date.parse(at) + days * DAY_MS));
