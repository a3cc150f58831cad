import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { asMerchant, type Principal } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { CHECKOUT_SESSIONS, type CheckoutSession, cancelSession } from './checkout-session.ts';
import type { LeaveCharge } from './leave-charge.ts';
import type { RecordSession } from './record-session.ts';
import { checkoutOwnerOnly } from './refusals.ts';

/**
 * Ends a session, the charge that is under way first. 409 PAYMENT_IN_PROGRESS where that cannot be ended, 410
 * CHECKOUT_EXPIRED, 422 CHECKOUT_NOT_OPEN for one that is completed or cancelled.
 */
export type CancelCheckoutSession = Command<
  { readonly principal: Principal; readonly id: string },
  CheckoutSession
>;

export const createCancelCheckoutSession =
  (
    deps: Changing & {
      readonly findSession: FindById<CheckoutSession>;
      readonly leaveCharge: LeaveCharge;
      readonly recordSession: RecordSession;
    },
  ): CancelCheckoutSession =>
  async ({ principal, id }, context) => {
    const seen = await findVisible(deps.findSession, principal, id, 'Checkout session');
    if (seen.merchantId !== asMerchant(principal).merchantId) throw checkoutOwnerOnly();
    const left = await deps.leaveCharge(seen, context);
    return deps.transact(context, async (tx) => {
      // A payer may have begun another charge in between, which is 409 then.
      const session = existing(await tx.get(CHECKOUT_SESSIONS, left.id), 'Checkout session');
      return deps.recordSession(tx, session, cancelSession(session, 'cancelled_by_merchant', deps.clock()));
    });
  };
