import { timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Charge, ChargeEvent } from '../../charges/write/charge.ts';
import { dueAtOf } from '../../charges/write/settlement-schedule.ts';
import { sharesOf } from '../../charges/write/shares.ts';
import { type ChargeStage, stageOf } from '../../ledger/write/journal.ts';

/** Whether the next part of a charge may be settled now. A pending refund keeps parts from being settled. */
export const isSettlementDue = (charge: Charge, until: Date): boolean =>
  charge.status === 'paid' &&
  charge.refundId === null &&
  charge.due !== null &&
  charge.due.nextAt !== null &&
  charge.due.nextAt <= timestamp(until);

/** Settles the next part of a charge. Nothing that merchants see of the charge changes. */
export const settlePart = (charge: Charge): Decision<Charge, ChargeEvent> => {
  const { settlement } = charge;
  if (settlement.settled >= settlement.parts) throw new Error(`charge ${charge.id} has no part to settle`);
  return {
    type: 'charge.settled',
    data: settledUpTo(charge, { ...settlement, settled: settlement.settled + 1 }),
  };
};

/** Makes the first `parts` parts of a merchant's share available ahead of their settlement. */
export const anticipateParts = (
  charge: Charge,
  merchantId: MerchantId,
  parts: number,
): Decision<Charge, ChargeEvent> => {
  const { settlement } = charge;
  if (parts <= stageOf(settlement, merchantId).settled || parts > settlement.parts)
    throw new Error(`charge ${charge.id} cannot have ${parts} parts anticipated by ${merchantId}`);
  const others = (settlement.anticipated ?? []).filter((ahead) => ahead.merchantId !== merchantId);
  const anticipated = [...others, { merchantId, parts }];
  return { type: 'charge.anticipated', data: settledUpTo(charge, { ...settlement, anticipated }) };
};

/**
 * The charge at this stage in its simplest form. A part that is available to everybody counts as settled, however it
 * became available, and only merchants that are further ahead are named.
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
