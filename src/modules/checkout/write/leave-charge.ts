import { existing, GatewayError } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { EndCharge } from '../../charges/write/cancel-charge.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { CheckoutSession } from './checkout-session.ts';
import { paymentInProgress } from './refusals.ts';

/**
 * Ends the charge that is under way, so that the payer can pay in another way; answers the session as it is then, which is
 * completed where the charge was paid meanwhile. 409 PAYMENT_IN_PROGRESS where the charge cannot be ended, as in analysis,
 * or the provider does not confirm it.
 */
export type LeaveCharge = (session: CheckoutSession, context: CommandContext) => Promise<CheckoutSession>;

export const createLeaveCharge =
  (deps: {
    readonly findCharge: FindById<Charge>;
    readonly findSession: FindById<CheckoutSession>;
    readonly endCharge: EndCharge;
  }): LeaveCharge =>
  async (session, context) => {
    if (session.status !== 'processing' || session.chargeId === null) return session;
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
