import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { changed, type Decision } from '../../../kernel/event.ts';
import type { PaymentType } from '../../providers/provider.ts';
import { type Charge, type ChargeEvent, isCollectedByMerchant, type SettlementDue } from './charge.ts';

/** Days from payment to settlement where neither the merchant nor the gateway has a setting. */
const DEFAULT_DELAY_DAYS: Readonly<Record<PaymentType, number>> = {
  credit_card: 30,
  pix: 0,
  voucher: 1,
  banktransfer: 1,
  qrcode: 0,
};

const DAYS_BETWEEN_PARTS = 30;

/** Days by payment method, of the merchant first and of the gateway second; a method may be missing in each. */
export type DelayDays = readonly Readonly<Partial<Record<PaymentType, number>>>[];

/** Fixes at payment when each part of a charge becomes available: a setting that changes later changes nothing. */
export const scheduleSettlement = (
  decision: Decision<Charge, ChargeEvent>,
  configured: DelayDays,
): Decision<Charge, ChargeEvent> => {
  const charge = decision.data;
  // The gateway never settles money that the merchant collects itself.
  if (charge.status !== 'paid' || charge.paidAt === null || isCollectedByMerchant(charge)) return decision;
  const method = charge.paymentMethod.type;
  const delayDays =
    configured.map((days) => days[method]).find((days) => days !== undefined) ?? DEFAULT_DELAY_DAYS[method];
  const firstAt = daysAfter(charge.paidAt, delayDays);
  return { ...decision, data: { ...charge, due: { delayDays, firstAt, nextAt: firstAt } } };
};

/** When part number `part`, from 1, is to be settled. */
export const dueAtOf = ({ firstAt }: SettlementDue, part: number): Timestamp =>
  daysAfter(firstAt, DAYS_BETWEEN_PARTS * (part - 1));

/**
 * The refund of a charge failed after it had succeeded: the charge is paid again, and its unsettled parts have their
 * dates again. Parts whose date has passed are settled at once.
 */
export const reopenRefunded = (charge: Charge, now: Date): Decision<Charge, ChargeEvent> => {
  if (charge.status !== 'refunded') throw new Error(`charge ${charge.id} is ${charge.status}, not refunded`);
  const { due, settlement } = charge;
  const nextAt =
    due === null || settlement.settled === settlement.parts ? null : dueAtOf(due, settlement.settled + 1);
  return changed('charge.refund_reversed', charge, now, {
    status: 'paid',
    refundId: null,
    refundedAt: null,
    due: due && { ...due, nextAt },
  });
};

const daysAfter = (at: Timestamp, days: number): Timestamp =>
  timestamp(new Date(Date.parse(at) + days * DAY_MS));
