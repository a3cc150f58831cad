import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { type ProviderNamed, UNKNOWN_UNTIL_NOTIFIED } from '../../providers/provider.ts';
import type { RecordRefundOutcome } from './record-refund-outcome.ts';
import { type Refund, requestOf } from './refund.ts';

/** Finishes a refund that a crash or a time-out left open; one unknown to the provider is asked for now. */
export const createReconcileRefund =
  (deps: {
    readonly findCharge: FindById<Charge>;
    readonly providerNamed: ProviderNamed;
    readonly recordRefundOutcome: RecordRefundOutcome;
  }) =>
  async (refund: Refund): Promise<void> => {
    const charge = await deps.findCharge(refund.chargeId, tenantOf(refund));
    const provider = charge && (await deps.providerNamed(charge.provider));
    if (!provider) return;
    const request = requestOf(refund, charge);
    const state = (await provider.describeRefund(request)) ?? (await provider.refund(request));
    if (state.status === UNKNOWN_UNTIL_NOTIFIED.status) return;
    await deps.recordRefundOutcome(refund, state, systemContext('reconciler', tenantOf(refund)));
  };
