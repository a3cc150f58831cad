import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';
import { type ChargeStage, stageOf } from '../../ledger/write/journal.ts';
import type { PaymentType } from '../../providers/provider.ts';
import type { Charge, SettlementDue } from './charge.ts';

/** Days from payment to settlement where neither the merchant nor the gateway has a setting. */
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
  const { settlement } = charge;
  if (settlement.settled >= settlement.parts) throw new Error(`charge ${charge.id} has no part to settle`);
  return {
    type: 'charge.settled',
    data: settledUpTo(charge, { ...settlement, settled: settlement.settled + 1 }),
  };
};

/** The first `parts` parts of a merchant's share are available from now on, ahead of their settlement. */
export const anticipateParts = (charge: Charge, merchantId: MerchantId, parts: number): Decision<Charge> => {
  const { settlement } = charge;
  if (parts <= stageOf(settlement, merchantId).settled || parts > settlement.parts)
    throw new Error(`charge ${charge.id} cannot have ${parts} parts anticipated by ${merchantId}`);
  const others = (settlement.anticipated ?? []).filter((ahead) => ahead.merchantId !== merchantId);
  const anticipated = [...others, { merchantId, parts }];
  return { type: 'charge.anticipated', data: settledUpTo(charge, { ...settlement, anticipated }) };
};

/**
 * The charge at this stage, in its simplest form: what everybody has counts as settled, whichever way it became
 * available, and only those who have more are named.
 */
const settledUpTo = (charge: Charge, stage: ChargeStage): Charge => {
  const { due } = charge;
  if (due === null) throw new Error(`charge ${charge.id} has no part to settle`);
  const { parts, anticipated = [] } = stage;
  const reached = sharesOf(charge).map(({ merchantId }) => {
    const ahead = anticipated.find((one) => one.merchantId === merchantId);
    return Math.max(stage.settled, ahead?.parts ?? 0);
  });
  const settled = Math.min(...reached);
  const ahead = anticipated.filter((one) => one.parts > settled);
  return {
    ...charge,
    settlement: { parts, settled, ...(ahead.length > 0 ? { anticipated: ahead } : {}) },
    due: { ...due, nextAt: settled === parts ? null : dueAtOf(due, settled + 1) },
  };
};

/** What each of a charge's participants gets of its net amount, the originator first. */
export const sharesOf = ({
  merchantId,
  net,
  split,
}: Charge): readonly { readonly merchantId: MerchantId; readonly amount: Minor }[] => {
  const parts = split ?? [];
  return [{ merchantId, amount: net - sum(parts.map((part) => part.amount)) }, ...parts];
};

/** Part number `part`, from 1, of a share: the parts are equal, odd cents in the first. */
export const partOf = (share: Minor, parts: number, part: number): Minor => {
  const equal = Math.floor(share / parts);
  return part === 1 ? share - equal * (parts - 1) : equal;
};

/** When part number `part`, from 1, is to be settled. */
export const dueAtOf = ({ firstAt }: SettlementDue, part: number): Timestamp =>
  daysAfter(firstAt, DAYS_BETWEEN_PARTS * (part - 1));

const daysAfter = (at: Timestamp, days: number): Timestamp =>
  timestamp(new Date(Date.parse(at) + days * DAY_MS));
