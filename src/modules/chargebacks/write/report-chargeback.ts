import type { CommandContext } from '../../../kernel/event.ts';
import type { ChargeId, NewId } from '../../../kernel/ids.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, mayMove } from '../../charges/write/charge.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { awaitChargeback, type Refund } from '../../refunds/write/refund.ts';
import { type RecordChargeback, refundOf } from './confirm-chargeback.ts';
import { holdChargeback, payBackOnce } from './pay-back-once.ts';

/**
 * Records a chargeback of the whole charge that the provider reports. While a refund of the charge, an alert's
 * included, is pending, the chargeback waits for its outcome. Where the charge's status does not allow it, the money is
 * booked in suspense. A repeated report counts once.
 */
export type ReportChargeback = (
  report: { readonly chargeId: ChargeId; readonly pspRefId: string },
  context: CommandContext,
) => Promise<'applied' | 'waiting' | 'suspense' | 'ignored'>;

type Deps = {
  readonly recordChargeback: RecordChargeback;
  readonly newId: NewId;
};

export const createReportChargeback =
  (deps: Deps & Changing): ReportChargeback =>
  ({ chargeId, pspRefId }, context) =>
    deps.transact(context, async (tx) => {
      const charge = await tx.get(CHARGES, chargeId);
      if (!charge) throw new Error(`charge ${chargeId} is gone`);
      const now = deps.clock();
      if (charge.status === 'chargeback') return 'ignored';
      const refund = await refundOf(tx, charge);
      const known = refund?.waitingChargeback;
      if (refund?.status === 'pending' && !known) {
        // This writes the refund, so that an outcome that is recorded at the same moment collides with it.
        await tx.record(REFUNDS, refund, awaitChargeback(refund, pspRefId, now));
        return 'waiting';
      }
      if (refund?.status === 'pending' && known?.pspRefId === pspRefId) return 'ignored';
      if (refund?.status === 'pending' || !mayMove(charge.status, 'chargeback')) {
        await holdChargeback(tx, charge, pspRefId, now, deps.newId);
        return 'suspense';
      }
      await deps.recordChargeback(tx, charge, { userId: null, pspRefId }, now);
      return 'applied';
    });

/** Carries out the provider's chargeback that waited for this refund; `charge` is as the refund left it. */
export type EndChargebackWait = (tx: Transaction, charge: Charge, refund: Refund, now: Date) => Promise<void>;

/**
 * Applies the chargeback where the refund failed or was an alert's; where a merchant's refund succeeded, the money went
 * out twice. An earlier version confirmed chargebacks while an alert's refund was pending, so the charge may have its
 * status already.
 */
export const createEndChargebackWait =
  (deps: Deps): EndChargebackWait =>
  async (tx, charge, refund, now) => {
    const pspRefId = refund.waitingChargeback?.pspRefId ?? null;
    const source = { userId: null, pspRefId };
    if (charge.status === 'chargeback') await payBackOnce(tx, charge, refund, source, now, deps.newId);
    else if (pspRefId === null) return;
    else if (mayMove(charge.status, 'chargeback')) await deps.recordChargeback(tx, charge, source, now);
    else await holdChargeback(tx, charge, pspRefId, now, deps.newId);
  };
