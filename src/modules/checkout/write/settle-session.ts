import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { StoreTime } from '../../../platform/write-store/store-clock.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import {
  AUTHENTICATION_MS,
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  expireSession,
  followMethod,
  isPast,
  nextLookAt,
} from './checkout-session.ts';
import type { LeaveCharge } from './leave-charge.ts';
import type { RecordSession } from './record-session.ts';
import { isSubscribing, type SettleSubscription } from './settle-subscription.ts';

/**
 * Ends a session whose time has passed, or whose authentication takes too long. The write store's clock has to agree
 * that the time has passed, because an ended session is never open again.
 */
export const createSettleSession =
  (
    deps: Changing & {
      readonly findCharge: FindById<Charge>;
      readonly findMethod: FindById<StoredMethod>;
      readonly leaveCharge: LeaveCharge;
      readonly recordSession: RecordSession;
      readonly settleSubscription: SettleSubscription;
      readonly storeTime: StoreTime;
    },
  ) =>
  async (session: CheckoutSession): Promise<void> => {
    const context = systemContext('checkout', tenantOf(session));
    if (session.status === 'processing') {
      const { paymentMethodId = null } = session;
      const method = paymentMethodId && (await deps.findMethod(paymentMethodId, tenantOf(session)));
      if (isSubscribing(session) && method && method.status !== 'pending') {
        await deps.settleSubscription(session, context);
        return;
      }
      if (method && method.status === 'pending') {
        await deps.leaveCharge(session, context);
        return;
      }
      const charge = session.chargeId && (await deps.findCharge(session.chargeId, tenantOf(session)));
      if (charge && charge.status === 'authentication_required') {
        await deps.leaveCharge(session, context);
        return;
      }
      await deps.transact(context, async (tx) => {
        const fresh = await tx.get(CHECKOUT_SESSIONS, session.id);
        if (fresh?.version !== session.version) return;
        // A deletion of the customer ends a card without telling the session.
        const ended = method && followMethod(fresh, method, deps.clock());
        if (ended) return void (await tx.record(CHECKOUT_SESSIONS, fresh, ended));
        const reconcileAt = nextLookAt(fresh, AUTHENTICATION_MS, deps.clock());
        await tx.update(CHECKOUT_SESSIONS, fresh, { ...fresh, reconcileAt });
      });
      return;
    }
    if (!isPast(session, await deps.storeTime())) return;
    await deps.transact(context, async (tx) => {
      const fresh = await tx.get(CHECKOUT_SESSIONS, session.id);
      const decision = fresh && expireSession(fresh, deps.clock());
      if (decision) await deps.recordSession(tx, fresh, decision);
    });
  };
