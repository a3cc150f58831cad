import type { CommandContext } from '../../../kernel/event.ts';
import type { ChargeId, NewId } from '../../../kernel/ids.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, isBeingRefunded, mayMove } from '../../charges/write/charge.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { awaitChargeback, type Refund } from '../../refunds/write/refund.ts';
import { holdMoney } from '../../suspense/write/hold-money.ts';
import type { RecordChargeback } from './confirm-chargeback.ts';

/**
 * The provider reports a chargeback of this charge, in full. While a refund of it is pending the chargeback waits on
 * that refund; where the charge has no place for it, the money is booked in suspense. Told twice it counts once.
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
      if (isBeingRefunded(charge)) return letWait(tx, charge, pspRefId, deps, now);
      if (!mayMove(charge.status, 'chargeback')) return hold(tx, charge, pspRefId, deps, now);
      await deps.recordChargeback(tx, charge, now);
      return 'applied';
    });

/** Writes the refund, so that an outcome of it that is recorded at the same moment collides with this. */
const letWait = async (tx: Transaction, charge: Charge, pspRefId: string, deps: Deps, now: Date) => {
  const refund = charge.refundId && (await tx.get(REFUNDS, charge.refundId));
  if (!refund) throw new Error(`charge ${charge.id} is being refunded without a refund`);
  if (refund.waitingChargeback)
    return refund.waitingChargeback.pspRefId === pspRefId ? 'ignored' : hold(tx, charge, pspRefId, deps, now);
  await tx.record(REFUNDS, refund, awaitChargeback(refund, pspRefId, now));
  return 'waiting';
};

/** The payer has the money back, or never paid. So the merchant is not debited. */
const hold = async (tx: Transaction, charge: Charge, pspRefId: string, { newId }: Deps, now: Date) => {
  const { id, livemode, provider, amount, currency, merchantId } = charge;
  const about = { livemode, provider, reference: id, pspRefId, amount, currency, chargeId: id, merchantId };
  await holdMoney(tx, { ...about, reason: 'unexpected_chargeback', direction: 'out' }, now, newId);
  return 'suspense' as const;
};

/** Does what the provider's chargeback asks for that waited for this refund; `charge` is as the refund left it. */
export type EndChargebackWait = (tx: Transaction, charge: Charge, refund: Refund, now: Date) => Promise<void>;

/** Applies it where the refund came to nothing; where the money was given back, it must not be paid twice. */
export const createEndChargebackWait =
  (deps: Deps): EndChargebackWait =>
  async (tx, charge, { waitingChargeback }, now) => {
    if (!waitingChargeback) return;
    if (mayMove(charge.status, 'chargeback')) await deps.recordChargeback(tx, charge, now);
    else await hold(tx, charge, waitingChargeback.pspRefId, deps, now);
  };
