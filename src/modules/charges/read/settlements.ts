import type { Timestamp } from '../../../kernel/clock.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { type Minor, toDecimal } from '../../../kernel/money.ts';
import { stageOf } from '../../ledger/write/journal.ts';
import type { Charge } from '../write/charge.ts';
import { dueAtOf } from '../write/settlement-schedule.ts';
import { partOf, sharesOf } from '../write/shares.ts';

/**
 * `held`: a refund is pending that may take the part back. `cancelled`: the money was given back before the part was
 * due. `settled`: the part was paid out to the balance, on its date or by an anticipation.
 */
export const SETTLEMENT_STATUSES = ['pending', 'settled', 'held', 'cancelled'] as const;
type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** A part of a merchant's share of a charge; amounts are minor units. */
type SettlementPart = {
  /** From 1. */
  readonly part: number;
  readonly dueAt: Timestamp;
  readonly amount: Minor;
  readonly status: SettlementStatus;
};

/** The members of a charge on which its settlement depends. */
export type Settled = Pick<
  Charge,
  'merchantId' | 'net' | 'split' | 'status' | 'refundId' | 'due' | 'settlement'
>;

const statusOfOpen = ({ status, refundId }: Settled): SettlementStatus => {
  if (status !== 'paid') return 'cancelled';
  return refundId === null ? 'pending' : 'held';
};

/** The parts of a merchant's share in the order in which they are due; none before the charge is paid. */
export const settlementsOf = (charge: Settled, merchantId: MerchantId): readonly SettlementPart[] => {
  const { due } = charge;
  const share = sharesOf(charge).find((one) => one.merchantId === merchantId);
  if (due === null || !share) return [];
  const { parts, settled } = stageOf(charge.settlement, merchantId);
  const open = statusOfOpen(charge);
  return Array.from({ length: parts }, (_, index) => ({
    part: index + 1,
    dueAt: dueAtOf(due, index + 1),
    amount: partOf(share.amount, parts, index + 1),
    status: index < settled ? 'settled' : open,
  }));
};

/** The parts of the seller's own share as a charge that is read by its id shows them; null before it is paid. */
export const shownSettlements = (charge: Charge) =>
  charge.due === null
    ? null
    : settlementsOf(charge, charge.merchantId).map((part) => ({
        ...part,
        amount: toDecimal(part.amount, charge.currency),
      }));
