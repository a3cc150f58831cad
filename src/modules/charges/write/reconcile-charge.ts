import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { StoreTime } from '../../../platform/write-store/store-clock.ts';
import { type PaymentState, type ProviderNamed, UNKNOWN_UNTIL_NOTIFIED } from '../../providers/provider.ts';
import { type Charge, expired, paymentOrderOf, strayReason } from './charge.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';

/**
 * Resolves a charge that a crash, a time-out or the end of its time to pay has left open. It asks the provider under
 * the known reference and stores the answer. The time to pay is over only if the write store's clock says so as well,
 * because a charge that has ended is never opened again, even if a clock is put back.
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
    const told = await provider.describePayment(paymentOrderOf(charge));
    if (told?.status === UNKNOWN_UNTIL_NOTIFIED.status) return;
    const isOver = isBy(charge.expiresAt, now) && isBy(charge.expiresAt, await deps.storeTime());
    const known = told ?? (isOver ? null : shownToPayer(charge));
    // Cancelling also keeps a call that is still on its way from arriving later.
    const isLost = known === null || (known.status === 'pending' && isOver);
    const state = isLost ? await provider.cancel(paymentOrderOf(charge)) : known;
    const isExpired = isOver && state.status !== 'paid' && charge.instructions !== null;
    const context = systemContext('reconciler', tenantOf(charge));
    const after = await deps.recordPaymentOutcome(charge, isExpired ? expired(state) : state, context);
    if (after.status !== 'pending' || strayReason(after, state) === null) return;
    // Money that does not count for this charge neither keeps it open beyond its time to pay, nor has the provider
    // asked about it on and on.
    const own = isOver
      ? expired({ ...state, pspRefId: after.pspRefId ?? state.pspRefId })
      : shownToPayer(after);
    if (own) await deps.recordPaymentOutcome(after, own, context);
  };

/**
 * The state of a charge that exists at the provider, so that a payer may be looking at its code; null if it does not
 * exist there. A provider may find such a charge only after a delay, and the charge must not be ended because of that.
 */
const shownToPayer = ({ status, instructions, pspRefId }: Charge): PaymentState | null =>
  status === 'pending' && instructions !== null && pspRefId !== null
    ? { status, pspRefId, instructions, failureReason: null, paidAt: null, echo: null }
    : null;

const isBy = (at: Timestamp | null, now: Date): boolean => at !== null && at <= timestamp(now);
