import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { HearLateFailure } from '../../providers/late-failures.ts';
import {
  type PaymentProvider,
  type ProviderNamed,
  UNKNOWN_UNTIL_NOTIFIED,
} from '../../providers/provider.ts';
import type { RecordRefundOutcome } from './record-refund-outcome.ts';
import { isLateFailure, type Refund, requestOf } from './refund.ts';

type Deps = {
  readonly findCharge: FindById<Charge>;
  readonly providerNamed: ProviderNamed;
  readonly recordRefundOutcome: RecordRefundOutcome;
  readonly hearers: readonly HearLateFailure[];
};

/**
 * Completes a refund that a crash or a time-out left open. Where the provider does not know the refund, it is requested
 * now. A refund that is done is only asked about, because it may have failed since.
 */
export const createReconcileRefund = (deps: Deps) => {
  const lookAgain = createLookAgain(deps);
  return async (refund: Refund): Promise<void> => {
    const charge = await deps.findCharge(refund.chargeId, tenantOf(refund));
    const provider = charge && (await deps.providerNamed(charge.provider));
    if (charge && refund.status === 'refunded') return lookAgain(refund, charge, provider);
    if (!provider) return;
    const request = requestOf(refund, charge);
    const state = (await provider.describeRefund(request)) ?? (await provider.refund(request));
    if (state.status === UNKNOWN_UNTIL_NOTIFIED.status) return;
    await deps.recordRefundOutcome(refund, state, systemContext('reconciler', tenantOf(refund)));
  };
};

/** Nothing is requested here, whatever the provider says: the payer has the money, or an operator decides. */
const createLookAgain =
  (deps: Deps) =>
  async (refund: Refund, charge: Charge, provider: PaymentProvider | null): Promise<void> => {
    // A provider that does not answer is asked again at the next age, so that such refunds do not stay due.
    const state = await provider?.describeRefund(requestOf(refund, charge)).catch(() => null);
    if (state && state.status !== UNKNOWN_UNTIL_NOTIFIED.status && isLateFailure(refund, state)) {
      const { id, livemode, amount, currency } = refund;
      const about = { kind: 'refund', livemode, reference: id, amount, currency, state } as const;
      for (const hear of deps.hearers)
        await hear(charge.provider, { ...about, id: `${id}/failed late` }, systemContext('reconciler'));
      return;
    }
    const { pspRefundRefId } = refund;
    await deps.recordRefundOutcome(
      refund,
      { status: 'refunded', reason: null, pspRefundRefId },
      systemContext('reconciler', tenantOf(refund)),
    );
  };
