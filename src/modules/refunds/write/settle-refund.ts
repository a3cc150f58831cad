import { systemContext } from '../../../kernel/event.ts';
import type { ProviderFor } from '../../providers/provider.ts';
import type { CloseRefund } from './close-refund.ts';
import type { Refund } from './refund.ts';

/** Finishes a refund that a crash or a time-out left open; one that the provider never heard of is asked for now. */
export const createSettleRefund =
  (deps: { readonly providerFor: ProviderFor; readonly closeRefund: CloseRefund }) =>
  async (refund: Refund): Promise<void> => {
    const provider = deps.providerFor(refund.livemode);
    if (!provider) return;
    const state =
      (await provider.describeRefund(refund.id)) ??
      (await provider.refund({
        reference: refund.id,
        paymentReference: refund.chargeId,
        amount: refund.amount,
        currency: refund.currency,
      }));
    await deps.closeRefund(refund, state, systemContext('reconciler'));
  };
