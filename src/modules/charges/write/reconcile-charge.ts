import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { StoreTime } from '../../../platform/write-store/store-clock.ts';
import { type ProviderNamed, UNKNOWN_UNTIL_NOTIFIED } from '../../providers/provider.ts';
import { type Charge, expired, orderOf, strayReason } from './charge.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';

/**
 * Resolves a charge left open by a crash, a time-out or the end of a term. It asks the provider under the known
 * reference, and stores its answer. A term is over only where the write store's clock says so, too: what has ended is
 * never open again, whatever time it is afterwards.
 */
export const createReconcileCharge =
  (deps: {
    readonly providerNamed: ProviderNamed;
    readonly recordPaymentOutcome: RecordPaymentOutcome;
    readonly storeTime: StoreTime;
  }) =>
  async (charge: Charge, now: Date): Promise<void> => {
    const provider = await deps.providerNamed(charge.provider);
    if (!provider) return;
    const known = await provider.describePayment(orderOf(charge));
    if (known?.status === UNKNOWN_UNTIL_NOTIFIED.status) return;
    const isOver = isBy(charge.expiresAt, now) && isBy(charge.expiresAt, await deps.storeTime());
    // Cancelling also keeps a call that is still on its way from arriving later.
    const isLost = known === null || (known.status === 'pending' && isOver);
    const state = isLost ? await provider.cancel(orderOf(charge)) : known;
    const isExpired = isOver && state.status !== 'paid' && charge.instructions !== null;
    const context = systemContext('reconciler', tenantOf(charge));
    const after = await deps.recordPaymentOutcome(charge, isExpired ? expired(state) : state, context);
    // Money that is none of this charge's does not keep it open beyond its term.
    if (isOver && after.status === 'pending' && strayReason(after, state) !== null)
      await deps.recordPaymentOutcome(
        after,
        expired({ ...state, pspRefId: after.pspRefId ?? state.pspRefId }),
        context,
      );
  };

const isBy = (at: Timestamp | null, now: Date): boolean => at !== null && at <= timestamp(now);
