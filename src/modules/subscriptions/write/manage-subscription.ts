import type { Timestamp } from '../../../kernel/clock.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { invalidInput, notFound } from '../../../kernel/errors.ts';
import type { Command, CommandContext, Decision } from '../../../kernel/event.ts';
import { asMerchant, type Principal, visible } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import { allowedSplit } from '../../charges/write/allowed-split.ts';
import type { SplitEntry } from '../../charges/write/split.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { methodNotActive } from '../../stored-methods/write/refusals.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { STORED_METHODS } from '../../stored-methods/write/stored-methods.store.ts';
import type { FindStoredMethod } from '../../stored-methods/write/use-stored-method.ts';
import { assertMandateAllows, planOf, withdrawToReplace } from './ahead.ts';
import type { CollectCycle } from './collect-cycle.ts';
import { pricePart, takeMandate, usableMethod, usablePlan } from './create-subscription.ts';
import { CYCLES, cycleId } from './cycle.ts';
import { assertNotEnded, cancel, changeMethod, pause, resume, retry, undoCancel } from './lifecycle.ts';
import { type Plan, type PriceRequest, readMetadata, readPrice } from './plan.ts';
import {
  chargeWindowMissed,
  currencyChangeNotAllowed,
  paymentMethodRequired,
  subscriptionChanged,
  subscriptionOwnerOnly,
} from './refusals.ts';
import type { RunDue } from './run-due.ts';
import {
  decide,
  laterBy,
  SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionEvent,
  timeOf,
} from './subscription.ts';
import { type FindRunning, storeChange } from './subscriptions.store.ts';

type Asked = { readonly principal: Principal; readonly id: string; readonly version?: number };

/** A change of a subscription; 404 for one that the caller cannot see, 403 for one of a sub-merchant. */
type Change<Given> = Command<Asked & Given, Subscription>;
export type PauseSubscription = Change<{ readonly resumeAt: Timestamp | null }>;
export type ResumeSubscription = Change<unknown>;
export type CancelSubscription = Change<{
  readonly when: 'now' | 'period_end';
  readonly reason: string | null;
}>;
export type UndoCancel = Change<unknown>;

type Deps = Changing & { readonly runDue: RunDue };

/** The merchant's own subscription, as the transaction sees it. */
const ownSubscription = async (tx: Transaction, { principal, id, version }: Asked): Promise<Subscription> => {
  const { merchantId } = asMerchant(principal);
  const subscription = visible(principal, await tx.get(SUBSCRIPTIONS, id), 'Subscription');
  if (subscription.merchantId !== merchantId) throw subscriptionOwnerOnly();
  if (version !== undefined && version !== subscription.version) throw subscriptionChanged();
  return subscription;
};

/** Stores one decision, and then does at once what has become due by it, such as cancelling a charge. */
const createChange =
  (deps: Deps) =>
  async (
    asked: Asked,
    rule: (subscription: Subscription, now: Date) => Decision<Subscription, SubscriptionEvent>,
    context: CommandContext,
  ): Promise<Subscription> => {
    const changed = await deps.transact(context, async (tx) => {
      const subscription = await ownSubscription(tx, asked);
      const now = timeOf(subscription, deps.clock());
      return storeChange(tx, subscription, [rule(subscription, now)]);
    });
    // If the provider does not answer now, a worker goes on later.
    return deps.runDue(changed, context).catch(() => changed);
  };

export const createPauseSubscription = (deps: Deps): PauseSubscription => {
  const change = createChange(deps);
  return ({ resumeAt, ...asked }, context) =>
    change(
      asked,
      (subscription, now) => {
        const path = 'resumeAt';
        if (resumeAt !== null && resumeAt <= timestamp(now))
          throw invalidInput([{ path, message: `${path} must lie ahead` }]);
        return pause(subscription, resumeAt, now);
      },
      context,
    );
};

export const createResumeSubscription = (deps: Deps): ResumeSubscription => {
  const change = createChange(deps);
  return (asked, context) => change(asked, resume, context);
};

export const createCancelSubscription = (deps: Deps): CancelSubscription => {
  const change = createChange(deps);
  return ({ when, reason, ...asked }, context) =>
    change(asked, (subscription, now) => cancel(subscription, when, reason, now), context);
};

export const createUndoCancel = (deps: Deps): UndoCancel => {
  const change = createChange(deps);
  return (asked, context) => change(asked, undoCancel, context);
};

/** Members that may change; those that are absent stay as they are. */
export type SubscriptionChanges = {
  readonly paymentMethodId?: string;
  readonly planId?: string;
  readonly price?: PriceRequest;
  readonly split?: readonly SplitEntry[] | null;
  readonly description?: string | null;
  readonly metadata?: object | null;
  readonly maxCycles?: number | null;
  readonly endDate?: string | null;
};
export type UpdateSubscription = Change<{ readonly changes: SubscriptionChanges }>;

export const createUpdateSubscription =
  (
    deps: Deps & {
      readonly findSubscription: FindById<Subscription>;
      readonly findPlan: FindById<Plan>;
      readonly findMerchants: FindMerchants;
      readonly findStoredMethod: FindStoredMethod;
      readonly findRunning: FindRunning;
    },
  ): UpdateSubscription =>
  async ({ changes, ...asked }, context) => {
    const seller = asMerchant(asked.principal);
    const seen = await findVisible(deps.findSubscription, seller, asked.id, 'Subscription');
    const { planId, price, paymentMethodId, split, metadata, ...others } = changes;
    const plan = planId === undefined ? null : await usablePlan(deps.findPlan, seller, planId);
    const priced = price && readPrice(price, 'price.amount');
    const wanted = plan
      ? { planId: plan.id, price: pricePart(plan) }
      : priced && { planId: null, price: priced };
    if (wanted && wanted.price.currency !== seen.price.currency) throw currencyChangeNotAllowed();
    if (paymentMethodId !== undefined && seen.collection === 'payer') throw paymentMethodRequired();
    const method =
      paymentMethodId === undefined
        ? null
        : await usableMethod(
            deps.findStoredMethod,
            seller,
            paymentMethodId,
            seen.customerId,
            context.tenantId,
          );
    const allowed =
      split &&
      (await allowedSplit(deps.findMerchants, { ...seller, id: seller.merchantId }, split, seen.livemode));
    const changed = await deps.transact(context, async (tx) => {
      const subscription = await ownSubscription(tx, asked);
      assertNotEnded(subscription);
      const fresh = method && (await tx.get(STORED_METHODS, method.id));
      if (method && fresh?.status !== 'active') throw methodNotActive(fresh?.status ?? 'revoked');
      if (fresh) await takeMandate(tx, fresh, deps, subscription.id);
      const now = timeOf(subscription, deps.clock());
      const payer = fresh ?? (await mandateOf(tx, subscription));
      const price = wanted ?? subscription.nextPrice ?? subscription;
      if (payer?.mandate && (wanted || method)) assertMandateAllows(payer.mandate, price.price);
      const withdrawn = wanted ? withdrawToReplace(subscription, now) : {};
      const decision = decide('subscription.updated', subscription, now, {
        ...withdrawn,
        ...others,
        ...(split === undefined ? {} : { split: allowed ?? split }),
        ...(metadata === undefined ? {} : { metadata: readMetadata(metadata) }),
        ...(wanted ? { nextPrice: wanted } : {}),
        ...(method ? changeMethod({ ...subscription, ...withdrawn }, method, now) : {}),
      });
      return storeChange(tx, subscription, [decision]);
    });
    return deps.runDue(changed, context).catch(() => changed);
  };

/** The mandate that pays a subscription; null where it is paid otherwise. */
const mandateOf = async (
  tx: Transaction,
  { chargesAhead, paymentMethodId }: Subscription,
): Promise<StoredMethod | null> =>
  chargesAhead && paymentMethodId ? tx.get(STORED_METHODS, paymentMethodId) : null;

export type RetryCycle = Change<{ readonly number: number }>;

export const createRetryCycle =
  (
    deps: Changing & {
      readonly collectCycle: CollectCycle;
      readonly findSubscription: FindById<Subscription>;
      readonly intentGraceMs: number;
    },
  ): RetryCycle =>
  async ({ number, ...asked }, context) => {
    const stored = await deps.transact(context, async (tx) => {
      const subscription = await ownSubscription(tx, asked);
      const before = await tx.get(CYCLES, cycleId(subscription.id, number));
      if (!before) throw notFound('Cycle');
      const now = timeOf(subscription, deps.clock());
      const { type, data } = retry(subscription, before, now);
      if (data.chargesAhead && planOf(data, { ...before, status: 'open' }, now) === null)
        throw chargeWindowMissed();
      // A worker is to leave the attempt to this request.
      const reconcileAt = laterBy(deps.clock(), deps.intentGraceMs);
      const after = { ...before, status: 'open' } as const;
      return storeChange(tx, subscription, [{ type, data: { ...data, reconcileAt } }], { before, after });
    });
    await deps.collectCycle(stored, 'merchant', context);
    return (await deps.findSubscription(stored.id, tenantOf(stored))) ?? stored;
  };
