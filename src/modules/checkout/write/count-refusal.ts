import { existing } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { CHECKOUT_SESSIONS, type CheckoutSession, countRefusal } from './checkout-session.ts';

/**
 * Counts a refused card for which the session has no charge. The outcome of a charge is counted with the charge.
 */
export const createCountRefusal =
  (deps: Changing) =>
  (session: CheckoutSession, context: CommandContext): Promise<void> =>
    deps.transact(context, async (tx) => {
      const fresh = existing(await tx.get(CHECKOUT_SESSIONS, session.id), 'Checkout session');
      const counted = countRefusal(fresh, session.subscriptionId ?? null, deps.clock());
      if (counted) await tx.record(CHECKOUT_SESSIONS, fresh, counted);
    });
