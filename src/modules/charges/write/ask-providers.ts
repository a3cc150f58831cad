import { timestamp } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import {
  type AuthorizeRequest,
  type PaymentProvider,
  type PaymentState,
  UNKNOWN_UNTIL_NOTIFIED,
} from '../../providers/provider.ts';
import { isCircuitOpen } from '../../providers/resilient.ts';
import { CHARGES } from './charge.store.ts';
import { type Charge, changeProvider, paymentOrderOf } from './charge.ts';

/** The facts that a provider is told of a payment besides the order. */
type PaymentFacts = Pick<
  AuthorizeRequest,
  'merchantName' | 'merchantTimeZone' | 'payer' | 'instrument' | 'returnUrl' | 'keep'
>;

/** The charge as it stands with the provider that was asked last, and its answer; null where nobody knows. */
type Asked = { readonly charge: Charge; readonly state: PaymentState | null };

/**
 * Asks the first provider for the payment. The next one is asked only after proof that the one before has no payment
 * and can have none. A time-out proves nothing. The change is stored before the next one is called.
 */
export type AskProviders = (
  charge: Charge,
  providers: readonly [PaymentProvider, ...PaymentProvider[]],
  facts: PaymentFacts,
  context: CommandContext,
) => Promise<Asked>;

export const createAskProviders =
  ({ transact, clock, intentGraceMs }: Changing & { readonly intentGraceMs: number }): AskProviders =>
  async (opened, [first, ...others], facts, context) => {
    const moveTo = (charge: Charge, provider: PaymentProvider): Promise<Charge | null> =>
      transact(context, async (tx) => {
        const fresh = await tx.get(CHARGES, charge.id);
        // The reconciler may have decided meanwhile.
        if (fresh?.status !== 'pending' || fresh.provider !== charge.provider) return null;
        const now = clock();
        const reconcileAt = timestamp(new Date(now.getTime() + intentGraceMs));
        return tx.record(CHARGES, fresh, changeProvider(fresh, provider, reconcileAt, now));
      });

    let charge = opened;
    let state = await ask(first, charge, facts, others.length > 0);
    for (const next of others) {
      if (state !== 'never_asked' && state?.status !== 'failed') break;
      const moved = await moveTo(charge, next);
      if (!moved) break;
      charge = moved;
      state = await ask(next, charge, facts, next !== others.at(-1));
    }
    return { charge, state: state === 'never_asked' ? null : state };
  };

/** Null where nobody knows what became of the payment; `never_asked` where the provider was left alone. */
const ask = async (
  provider: PaymentProvider,
  charge: Charge,
  facts: PaymentFacts,
  hasNext: boolean,
): Promise<PaymentState | 'never_asked' | null> => {
  try {
    return await provider.authorize({ ...paymentOrderOf(charge), ...facts }, { isFirst: true });
  } catch (error) {
    if (isCircuitOpen(error)) return 'never_asked';
    // After any other error the payment may have happened; only the provider can tell.
    return hasNext ? proofOf(provider, charge).catch(() => null) : null;
  }
};

/** The payment's true state. A payment unknown to the provider is ended, so that it cannot arrive later. */
const proofOf = async (provider: PaymentProvider, charge: Charge): Promise<PaymentState | null> => {
  const known = await provider.describePayment(paymentOrderOf(charge));
  if (known === null) return provider.cancel(paymentOrderOf(charge));
  return known.status === UNKNOWN_UNTIL_NOTIFIED.status ? null : known;
};
