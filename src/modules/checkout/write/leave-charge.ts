import { existing, GatewayError } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { EndCharge } from '../../charges/write/cancel-charge.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { RevokeMethod } from '../../stored-methods/write/revoke-method.ts';
import type { CheckoutSession } from './checkout-session.ts';
import { payerOf } from './pay-session.ts';
import { paymentInProgress } from './refusals.ts';
import { isSubscribing, type LeaveSubscription } from './settle-subscription.ts';

/**
 * Ends the charge that is under way, or the check of a card, so that the payer can begin another; answers the session
 * as it is then, which is completed where the charge was paid meanwhile. 409 PAYMENT_IN_PROGRESS where the charge
 * cannot be ended, as in analysis, or the provider does not confirm it.
 */
export type LeaveCharge = (session: CheckoutSession, context: CommandContext) => Promise<CheckoutSession>;

export const createLeaveCharge =
  (deps: {
    readonly findCharge: FindById<Charge>;
    readonly findSession: FindById<CheckoutSession>;
    readonly endCharge: EndCharge;
    readonly revokeMethod: RevokeMethod;
    readonly leaveSubscription: LeaveSubscription;
  }): LeaveCharge =>
  async (session, context) => {
    if (session.status !== 'processing') return session;
    if (isSubscribing(session)) return deps.leaveSubscription(session, context);
    const { customerId, paymentMethodId = null } = session;
    if (customerId !== null && paymentMethodId !== null) {
      const principal = payerOf(session, context.actor, 'secret_key');
      await deps.revokeMethod({ principal, customerId, id: paymentMethodId }, context);
      return existing(await deps.findSession(session.id, tenantOf(session)), 'Checkout session');
    }
    if (session.chargeId === null) return session;
    const charge = await deps.findCharge(session.chargeId, tenantOf(session));
    const read = async () =>
      existing(await deps.findSession(session.id, tenantOf(session)), 'Checkout session');
    try {
      if (charge) await deps.endCharge(charge, context);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const after = await read();
      // It was paid or refused while its end was asked for.
      if (after.status !== 'processing' || after.chargeId !== session.chargeId) return after;
      throw paymentInProgress();
    }
    return read();
  };
