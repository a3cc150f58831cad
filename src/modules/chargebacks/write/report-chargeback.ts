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
 * The provider reports a chargeback of this charge, in full. While a refund of it is pending, an alert's included, the
 * chargeback waits on that refund; where the charge has no place for it, the money is booked in suspense. Told twice it
 * counts once.
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
        // Writes the refund, so that an outcome of it that is recorded at the same moment collides with this.
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

/** Does what the provider's chargeback asks for that waited for this refund; `charge` is as the refund left it. */
export type EndChargebackWait = (tx: Transaction, charge: Charge, refund: Refund, now: Date) => Promise<void>;

/**
 * Applies it where the refund came to nothing or was an alert's; where the money was given back, it went out twice. An
 * earlier version confirmed chargebacks while an alert's refund was pending: such a charge has its status already.
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
