import { systemContext } from '../../../kernel/event.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import type { CloseRefund } from './close-refund.ts';
import type { Refund } from './refund.ts';

/** Finishes a refund that a crash or a time-out left open; one that the provider never heard of is asked for now. */
export const createSettleRefund =
  (deps: {
    readonly findCharge: (id: string) => Promise<Charge | null>;
    readonly providerNamed: ProviderNamed;
    readonly closeRefund: CloseRefund;
  }) =>
  async (refund: Refund): Promise<void> => {
    const charge = await deps.findCharge(refund.chargeId);
    const provider = charge && deps.providerNamed(charge.provider);
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
