import { existing, unavailable } from '../../../kernel/errors.ts';
import type { Command, CommandContext } from '../../../kernel/event.ts';
import type { Principal } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { PaymentProvider, PaymentState, ProviderNamed } from '../../providers/provider.ts';
import { providerNotConfigured } from '../../providers/refusals.ts';
import { CHARGES } from './charge.store.ts';
import {
  assertCancellable,
  CANCELLED,
  type Charge,
  cancelCharge,
  EXPIRED,
  expired,
  paymentOrderOf,
} from './charge.ts';
import type { FollowOutcome, RecordPaymentOutcome } from './record-payment-outcome.ts';
import { chargeNotCancellable } from './refusals.ts';

/**
 * Ends a charge that waits for its payer. 422 CHARGE_NOT_CANCELLABLE for any other, and for one that is paid or ends
 * meanwhile; that outcome is recorded then.
 */
export type CancelCharge = Command<{ readonly principal: Principal; readonly id: string }, Charge>;

export const createCancelCharge =
  (deps: { readonly findCharge: FindById<Charge>; readonly endCharge: EndCharge }): CancelCharge =>
  async ({ principal, id }, context) =>
    deps.endCharge(await findVisible(deps.findCharge, principal, id, 'Charge'), context);

/** Ends a charge that waits for its payer, for one of two reasons and with the refusals of `CancelCharge`. */
export type EndCharge = (
  charge: Charge,
  context: CommandContext,
  reason?: typeof CANCELLED | typeof EXPIRED,
) => Promise<Charge>;

export const createEndCharge =
  (
    deps: Changing & {
      readonly providerNamed: ProviderNamed;
      readonly recordPaymentOutcome: RecordPaymentOutcome;
      readonly outcomeFollowers: readonly FollowOutcome[];
    },
  ): EndCharge =>
  async (seen, context, reason = CANCELLED) => {
    assertCancellable(seen);
    const provider = await deps.providerNamed(seen.provider);
    if (!provider) throw providerNotConfigured();
    // The provider is asked first. Only it knows whether somebody has paid already, and once it has cancelled, nobody
    // can pay any more.
    const state = await letGo(provider, seen);
    if (state.status !== 'failed' || state.failureReason !== CANCELLED) {
      const { status } = await deps.recordPaymentOutcome(seen, state, context);
      throw chargeNotCancellable(status);
    }
    if (reason === EXPIRED) return deps.recordPaymentOutcome(seen, expired(state), context);
    return deps.transact(context, async (tx) => {
      const charge = existing(await tx.get(CHARGES, seen.id), 'Charge');
      // The provider's notification of this very cancellation may have been faster.
      const isDone = charge.status === 'failed' && charge.failureReason === CANCELLED;
      if (isDone) return charge;
      const cancelled = await tx.record(CHARGES, charge, cancelCharge(charge, deps.clock()));
      for (const follow of deps.outcomeFollowers) await follow(tx, cancelled);
      return cancelled;
    });
  };

/** 503 if the provider does not answer. The charge is unchanged then, and it is safe to ask again. */
const letGo = async (provider: PaymentProvider, charge: Charge): Promise<PaymentState> => {
  try {
    return await provider.cancel(paymentOrderOf(charge));
  } catch (error) {
    throw unavailable('The payment provider does not answer; cancel the charge again', error);
  }
};
