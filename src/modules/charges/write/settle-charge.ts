import { systemContext } from '../../../kernel/event.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import { type Charge, expired } from './charge.ts';
import type { ConfirmPayment } from './confirm-payment.ts';

/**
 * Settles what a crash, a time-out or the end of a term left open: asks the provider, under the reference that it
 * knows, and stores its answer.
 */
export const createSettleCharge =
  (deps: { readonly providerNamed: ProviderNamed; readonly confirmPayment: ConfirmPayment }) =>
  async (charge: Charge, now: Date): Promise<void> => {
    const provider = deps.providerNamed(charge.provider);
    if (!provider) return;
    const known = await provider.describePayment(charge.id);
    const isOver = charge.expiresAt !== null && charge.expiresAt <= now.toISOString();
    // Cancelling also keeps a call that is still on its way from arriving later.
    const isLost = known === null || (known.status === 'pending' && isOver);
    const state = isLost ? await provider.cancel(charge.id) : known;
    const isExpired = isOver && state.status !== 'paid' && charge.instructions !== null;
    await deps.confirmPayment(charge, isExpired ? expired(state) : state, systemContext('reconciler'));
  };
