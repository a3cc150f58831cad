import { existing, GatewayError } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { CardTesting } from '../../card-tokens/write/card-testing.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { IsChargedNext } from '../../stored-methods/write/note-late-method.ts';
import type { RevokeMethod } from '../../stored-methods/write/revoke-method.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import type { CreateSubscription } from '../../subscriptions/write/create-subscription.ts';
import type { CancelSubscription } from '../../subscriptions/write/manage-subscription.ts';
import { isEnded, type Subscription } from '../../subscriptions/write/subscription.ts';
import { USUAL_TERMS } from '../../subscriptions/write/subscription-request.ts';
import {
  AUTHENTICATION_MS,
  beginSubscription,
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  completeSubscription,
  followMethod,
  later,
  nextLookAt,
} from './checkout-session.ts';
import { createCountRefusal } from './count-refusal.ts';
import { countSubscriber } from './link-places.ts';
import { payerOf } from './pay-session.ts';
import { paymentInProgress } from './refusals.ts';

/**
 * Takes a session on which a payer subscribes one step further, once the card is kept: makes the subscription with its
 * first charge, and looks at what becomes of that. A first charge that fails ends the subscription and the card, so
 * that the payer can try another. Answers the session as it stands then; may be repeated.
 */
export type SettleSubscription = (
  session: CheckoutSession,
  context: CommandContext,
) => Promise<CheckoutSession>;

const SETTLE_TRIES = 3;
/** How often the subscription is looked at while the payer is at the bank. */
const LOOK_EVERY_MS = 3_000;
/** An analyst may take hours. */
const LOOK_RARELY_MS = 60_000;

type Deps = Changing & {
  readonly findSession: FindById<CheckoutSession>;
  readonly findMethod: FindById<StoredMethod>;
  readonly findSubscription: FindById<Subscription>;
  readonly findCharge: FindById<Charge>;
  readonly createSubscription: CreateSubscription;
  readonly cancelSubscription: CancelSubscription;
  readonly revokeMethod: RevokeMethod;
  readonly cardTesting: Pick<CardTesting, 'noteLate'>;
};

export const createSettleSubscription = (deps: Deps): SettleSubscription => {
  const read = async (session: CheckoutSession): Promise<CheckoutSession> =>
    existing(await deps.findSession(session.id, tenantOf(session)), 'Checkout session');
  const subscribe = createSubscribe(deps);
  const giveUp = createGiveUp(deps);
  const count = createCountRefusal(deps);

  const settle = async (
    given: CheckoutSession,
    context: CommandContext,
    tries: number,
  ): Promise<CheckoutSession> => {
    const session = await read(given);
    if (!isSubscribing(session)) return session;
    const method = await deps.findMethod(session.paymentMethodId, tenantOf(session));
    if (method?.status === 'pending') return session;
    if (method?.status !== 'active') return read(await giveUp(session, context));
    const begun = session.subscriptionId ? session : await subscribe(session, context);
    const { subscriptionId } = begun;
    const subscription = subscriptionId && (await deps.findSubscription(subscriptionId, tenantOf(session)));
    if (!subscription) return begun;
    const isLate = hasHadTime(begun, deps.clock());
    if (subscription.activatedAt === null) {
      const failed = hasFailed(subscription);
      if (failed || (isLate && (await isChargeIn(deps, subscription, 'authentication_required')))) {
        const end = await cancel(deps, subscription, begun, context);
        // Another request takes the same step at the moment, and the payer has to be told how it ended.
        if (end === 'changed') return tries > 1 ? settle(session, context, tries - 1) : read(session);
        // Another process that ended it may not have counted the refusal yet, and the payer has to be told of it.
        if (failed && (end === 'cancelled' || (await isChargeIn(deps, subscription, 'refused')))) {
          await count(begun, context);
          await deps.cardTesting.noteLate(begun.id, true);
        }
        return read(await giveUp(session, context));
      }
    }
    const after = await deps.transact(context, async (tx) => {
      const fresh = existing(await tx.get(CHECKOUT_SESSIONS, session.id), 'Checkout session');
      const now = deps.clock();
      const done = subscription.activatedAt === null ? null : completeSubscription(fresh, subscription, now);
      if (done) {
        await countSubscriber(tx, fresh, now);
        return tx.record(CHECKOUT_SESSIONS, fresh, done);
      }
      if (fresh.status !== 'processing') return fresh;
      const reconcileAt = nextLookAt(fresh, isLate ? LOOK_RARELY_MS : LOOK_EVERY_MS, now);
      return tx.update(CHECKOUT_SESSIONS, fresh, { ...fresh, reconcileAt });
    });
    if (after.status === 'completed') await deps.cardTesting.noteLate(after.id, false);
    return after;
  };
  return (session, context) => settle(session, context, SETTLE_TRIES);
};

/**
 * Ends the subscription that a payer has begun on the page, so that another card can be tried. 409 PAYMENT_IN_PROGRESS
 * if its first charge cannot be ended.
 */
export type LeaveSubscription = (session: Subscribing, context: CommandContext) => Promise<CheckoutSession>;

export const createLeaveSubscription = (deps: Deps): LeaveSubscription => {
  const giveUp = createGiveUp(deps);
  return async (session, context) => {
    const { subscriptionId = null } = session;
    const subscription = subscriptionId && (await deps.findSubscription(subscriptionId, tenantOf(session)));
    if (subscription) {
      // The outcome of a charge in any other status is not known yet.
      const canEnd =
        hasFailed(subscription) || (await isChargeIn(deps, subscription, 'authentication_required'));
      if (subscription.activatedAt !== null || !canEnd) throw paymentInProgress();
      if ((await cancel(deps, subscription, session, context)) === 'changed') throw paymentInProgress();
    } else {
      const method = await deps.findMethod(session.paymentMethodId, tenantOf(session));
      // A subscription is being made.
      if (method?.status === 'active') throw paymentInProgress();
    }
    return giveUp(session, context);
  };
};

type Subscribing = CheckoutSession & {
  readonly customerId: NonNullable<CheckoutSession['customerId']>;
  readonly paymentMethodId: NonNullable<CheckoutSession['paymentMethodId']>;
  readonly planId: NonNullable<CheckoutSession['planId']>;
};

export const isSubscribing = (session: CheckoutSession): session is Subscribing =>
  session.mode === 'subscription' &&
  session.status === 'processing' &&
  Boolean(session.customerId && session.paymentMethodId && session.planId);

/** Whether a card was stored on a page on which its holder subscribes, so that a first charge follows. */
export const createIsToSubscribe =
  ({ findSession }: Pick<Deps, 'findSession'>): IsChargedNext =>
  async ({ checkoutSessionId, ...owner }) => {
    if (checkoutSessionId === undefined) return false;
    return (await findSession(checkoutSessionId, tenantOf(owner)))?.mode === 'subscription';
  };

/** Whether the first charge was refused or has failed, or cannot be made. */
const hasFailed = (subscription: Subscription): boolean => {
  const { collecting, latestAttempt } = subscription;
  if (isEnded(subscription) || collecting?.waitsFor) return true;
  return latestAttempt !== null && !collecting?.chargeId;
};

/** Whether the payer's time for the authentication by the bank has passed. */
const hasHadTime = ({ consent }: CheckoutSession, now: Date): boolean =>
  consent ? later(new Date(consent.at), AUTHENTICATION_MS) <= now.toISOString() : false;

/**
 * Whether the first charge has this status; with `authentication_required` it waits for the payer's authentication by
 * the bank.
 */
const isChargeIn = async (
  { findCharge }: Pick<Deps, 'findCharge'>,
  subscription: Subscription,
  status: Charge['status'],
): Promise<boolean> => {
  const { latestChargeId } = subscription;
  const charge = latestChargeId && (await findCharge(latestChargeId, tenantOf(subscription)));
  return charge ? charge.status === status : false;
};

/** Makes the subscription; another process may have been faster. */
const createSubscribe =
  (deps: Deps) =>
  async (session: Subscribing, context: CommandContext): Promise<CheckoutSession> => {
    const { customerId, paymentMethodId, planId, metadata, split } = session;
    const { description, reference, postbackUrl } = session;
    const request = {
      ...{ customerId, paymentMethodId, planId, split, description, reference, postbackUrl },
      ...USUAL_TERMS,
      collection: 'automatic',
      metadata: metadata === null ? null : JSON.parse(metadata),
    } as const;
    try {
      await deps.createSubscription(
        {
          principal: payerOf(session, context.actor, 'secret_key'),
          request,
          async claim(tx, { id }) {
            const fresh = existing(await tx.get(CHECKOUT_SESSIONS, session.id), 'Checkout session');
            await tx.record(CHECKOUT_SESSIONS, fresh, beginSubscription(fresh, id, deps.clock()));
          },
        },
        context,
      );
    } catch (error) {
      if (!(error instanceof GatewayError) || error.statusCode >= 500) throw error;
      // The plan, the merchant or the customer can have no new subscription any more.
      if (error.code !== 'PAYMENT_IN_PROGRESS') await createGiveUp(deps)(session, context);
    }
    return existing(await deps.findSession(session.id, tenantOf(session)), 'Checkout session');
  };

/**
 * Ends a subscription that has not begun, with its charge: `changed` where it has begun meanwhile, or somebody else is
 * ending it.
 */
const cancel = async (
  deps: Pick<Deps, 'cancelSubscription'>,
  subscription: Subscription,
  session: CheckoutSession,
  context: CommandContext,
): Promise<'cancelled' | 'ended' | 'changed'> => {
  if (isEnded(subscription)) return 'ended';
  const { id, version } = subscription;
  const principal = payerOf(session, context.actor, 'secret_key');
  const reason = 'first_payment_failed';
  try {
    await deps.cancelSubscription({ principal, id, version, when: 'now', reason }, context);
    return 'cancelled';
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'VERSION_CHANGED') return 'changed';
    throw error;
  }
};

/** Lets the payer try another card. The one before is deleted, and with that the session is open again. */
const createGiveUp =
  (deps: Deps) =>
  async (session: Subscribing, context: CommandContext): Promise<CheckoutSession> => {
    const { customerId, paymentMethodId } = session;
    const principal = payerOf(session, context.actor, 'secret_key');
    await deps.revokeMethod({ principal, customerId, id: paymentMethodId }, context);
    return deps.transact(context, async (tx) => {
      const fresh = existing(await tx.get(CHECKOUT_SESSIONS, session.id), 'Checkout session');
      // If the card had ended before, the session was not told of it.
      const decision = followMethod(fresh, { id: paymentMethodId, status: 'revoked' }, deps.clock());
      return decision ? tx.record(CHECKOUT_SESSIONS, fresh, decision) : fresh;
    });
  };
