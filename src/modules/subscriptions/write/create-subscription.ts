import { invalidInput, notFound } from '../../../kernel/errors.ts';
import type { Command, CommandContext } from '../../../kernel/event.ts';
import type { CustomerId, SubscriptionId } from '../../../kernel/ids.ts';
import { asMerchant, type MerchantPrincipal, type Principal } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import { allowedSplit } from '../../charges/write/allowed-split.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { holdCustomer } from '../../customers/write/hold-customer.ts';
import { customerOwnerOnly } from '../../customers/write/refusals.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import {
  isOn,
  SUBSCRIPTION_HOUR,
  subscriptionHourOf,
  UNIQUE_REFERENCES,
} from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { allowsRetryDays, usualRetryDays } from '../../providers/pix/mandate-terms.ts';
import { methodInUse, methodNotActive } from '../../stored-methods/write/refusals.ts';
import { type StoredMethod, takeForSubscription } from '../../stored-methods/write/stored-method.ts';
import { STORED_METHODS } from '../../stored-methods/write/stored-methods.store.ts';
import type { FindStoredMethod } from '../../stored-methods/write/use-stored-method.ts';
import { assertMandateAllows, earliestStart, startUnder } from './ahead.ts';
import type { CollectCycle } from './collect-cycle.ts';
import { cycleOf } from './cycle-of.ts';
import { type Plan, type Price, readMetadata, readPrice } from './plan.ts';
import {
  paymentMethodRequired,
  planNotActive,
  retryDaysNotAllowed,
  subscriptionOwnerOnly,
} from './refusals.ts';
import {
  activate,
  begin,
  laterBy,
  openSubscription,
  SUBSCRIPTIONS,
  type Subscription,
} from './subscription.ts';
import {
  assertPayable,
  beginningOf,
  isDue,
  type SubscriptionRequest,
  USUAL_TERMS,
} from './subscription-request.ts';
import { type FindRunning, storeChange } from './subscriptions.store.ts';
import { takeReference } from './unique-reference.ts';

/**
 * Creates a subscription, and its first charge if that is due at once. 404 for a customer, plan or payment method of
 * another merchant.
 */
export type CreateSubscription = Command<
  {
    readonly principal: Principal;
    readonly request: SubscriptionRequest;
    /**
     * Runs in the transaction that stores the subscription; throws if the subscription may no longer be made.
     */
    claim?(tx: Transaction, subscription: Subscription): Promise<void>;
  },
  { readonly subscription: Subscription; readonly possibleDuplicateOf: SubscriptionId | null }
>;

const DUPLICATE_WITHIN_MS = 60_000;

type Deps = Creating & {
  readonly findCustomer: FindById<CustomerRecord>;
  readonly findPlan: FindById<Plan>;
  readonly findMerchants: FindMerchants;
  readonly findSetting: FindSetting;
  readonly findStoredMethod: FindStoredMethod;
  readonly findSubscription: FindById<Subscription>;
  readonly findRunning: FindRunning;
  readonly collectCycle: CollectCycle;
  /** After this time a worker takes over, in case this process does not finish. */
  readonly intentGraceMs: number;
};

export const createSubscriptionHandler = (deps: Deps): CreateSubscription => {
  const agree = createAgree(deps);
  return async ({ principal, request, claim }, context) => {
    const seller = asMerchant(principal);
    // The clock follows the store's and may be set back a little, which would make a first cycle of now one to come.
    const now = deps.clock();
    const terms = await agree(seller, request, now, context);
    const { customer, method } = terms;
    const opened = openSubscription({ ...terms.facts, id: deps.newId('sub') }, now);
    const stored = await deps.transact(context, async (tx) => {
      await assertUnchanged(tx, customer, method, deps);
      if (terms.hasUniqueReferences) await takeReference(tx, opened.data);
      const subscription = await tx.record(SUBSCRIPTIONS, null, opened);
      await claim?.(tx, subscription);
      const isPayable = method === null || method.status === 'active';
      if (!isPayable) return subscription;
      if (!isDue(subscription.nextCycleAt, now))
        return storeChange(tx, subscription, [activate(subscription, now)]);
      const { type, data } = begin(subscription, now);
      // A worker is to leave the first attempt to this request.
      const reconcileAt = laterBy(deps.clock(), deps.intentGraceMs);
      const cycle = { before: null, after: cycleOf(data, subscription) };
      return storeChange(tx, subscription, [{ type, data: { ...data, reconcileAt } }], cycle);
    });
    if (stored.collecting) await deps.collectCycle(stored, 'customer', context);
    const subscription = (await deps.findSubscription(stored.id, tenantOf(stored))) ?? stored;
    return { subscription, possibleDuplicateOf: await findDuplicate(subscription, deps.findRunning) };
  };
};

type Terms = {
  readonly facts: Omit<Parameters<typeof openSubscription>[0], 'id'>;
  readonly customer: CustomerRecord;
  readonly method: StoredMethod | null;
  readonly hasUniqueReferences: boolean;
};

/** Finds who pays what, when and how. */
const createAgree =
  (deps: Deps) =>
  async (
    seller: MerchantPrincipal,
    request: SubscriptionRequest,
    now: Date,
    context: CommandContext,
  ): Promise<Terms> => {
    const { merchantId, masterId, livemode } = seller;
    const merchant = await activeMerchant(deps.findMerchants, merchantId);
    const customer = await findVisible(deps.findCustomer, seller, request.customerId, 'Customer');
    if (customer.merchantId !== merchantId) throw customerOwnerOnly();
    if (customer.deletedAt !== null) throw notFound('Customer');
    const { planId, price, trialDays } = await priceOf(deps.findPlan, seller, request);
    const method = await methodOf(deps.findStoredMethod, seller, request, context);
    const payerMethod = request.collection === 'payer' ? (request.payerMethod ?? 'pix') : null;
    assertPayable(payerMethod, price.currency, customer);
    const split = await allowedSplit(deps.findMerchants, merchant, request.split ?? null, livemode);
    const hour = subscriptionHourOf(await deps.findSetting(merchantId, SUBSCRIPTION_HOUR));
    const place = { timeZone: merchant.timeZone, hour };
    const started = startedUnder(request, method, now);
    const beginning = beginningOf(started, price, request.trialDays ?? trialDays, place, now);
    if (method?.mandate) assertMandateAllows(method.mandate, price);
    return {
      customer,
      method,
      hasUniqueReferences: isOn(await deps.findSetting(merchantId, UNIQUE_REFERENCES)),
      facts: {
        ...beginning,
        merchantId,
        masterId,
        livemode,
        customerId: customer.id,
        planId,
        price,
        collection: request.collection,
        paymentMethodId: method?.id ?? null,
        ...(method?.mandate && { chargesAhead: true, mandateRetries: method.mandate.retries }),
        payerMethod,
        payerDays: request.payerDays,
        maxCycles: request.maxCycles ?? null,
        endDate: request.endDate ?? null,
        retryDays: retryDaysOf(request, method),
        onExhausted: request.onExhausted,
        split,
        description: request.description ?? null,
        metadata: readMetadata(request.metadata ?? null),
        reference: request.reference ?? null,
        postbackUrl: request.postbackUrl ?? null,
      },
    };
  };

/**
 * A subscription that is paid by a mandate begins no earlier than that, and so that its first charge can be handed in.
 */
const startedUnder = (
  request: SubscriptionRequest,
  method: StoredMethod | null,
  now: Date,
): SubscriptionRequest => {
  const mandate = method?.mandate;
  if (!mandate) return request;
  const { startDate = startUnder(mandate, now) } = request;
  const earliest = [mandate.startDate, earliestStart(now)].sort().at(-1) ?? '';
  const path = 'startDate';
  if (startDate < earliest)
    throw invalidInput([
      {
        path,
        message: `${path} must be ${earliest} or later, as the mandate begins and its charges are handed in ahead`,
      },
    ]);
  return { ...request, startDate };
};

/**
 * 422 PAYMENT_METHOD_IN_USE where a mandate pays another subscription: for each cycle there is one charge. `method` is
 * what the transaction has read. Its version is counted on, so that of two subscriptions that take it at once the later
 * one asks again.
 */
export const takeMandate = async (
  tx: Transaction,
  method: StoredMethod,
  { findRunning, clock }: Pick<Deps, 'findRunning' | 'clock'>,
  by: SubscriptionId | null = null,
): Promise<void> => {
  if (!method.mandate) return;
  const users = await findRunning({ paymentMethodId: method.id }, tenantOf(method));
  if (users.some((user) => user.id !== by)) throw methodInUse();
  await tx.record(STORED_METHODS, method, takeForSubscription(method, clock()));
};

/** 422 RETRY_DAYS_NOT_ALLOWED. */
const retryDaysOf = (
  { retryDays }: SubscriptionRequest,
  method: StoredMethod | null,
): Subscription['retryDays'] => {
  const mandate = method?.mandate;
  if (!mandate) return retryDays ?? USUAL_TERMS.retryDays;
  const days = retryDays ?? usualRetryDays(mandate);
  if (!allowsRetryDays(mandate, days)) throw retryDaysNotAllowed();
  return days;
};

const activeMerchant = async (findMerchants: FindMerchants, id: Merchant['id']): Promise<Merchant> => {
  const [merchant] = await findMerchants([id]);
  if (merchant?.status !== 'active') throw merchantNotActive();
  return merchant;
};

/** A plan of the merchant's own that takes new subscriptions; 403 for one of a sub-merchant, 422 PLAN_NOT_ACTIVE. */
export const usablePlan = async (
  findPlan: FindById<Plan>,
  seller: MerchantPrincipal,
  planId: string,
): Promise<Plan> => {
  const plan = await findVisible(findPlan, seller, planId, 'Plan');
  if (plan.merchantId !== seller.merchantId) throw subscriptionOwnerOnly();
  if (!plan.active) throw planNotActive();
  return plan;
};

const priceOf = async (
  findPlan: FindById<Plan>,
  seller: MerchantPrincipal,
  { planId, price }: SubscriptionRequest,
): Promise<{ readonly planId: Plan['id'] | null; readonly price: Price; readonly trialDays: number }> => {
  if (price) return { planId: null, price: readPrice(price, 'price.amount'), trialDays: 0 };
  const plan = await usablePlan(findPlan, seller, planId ?? '');
  return { planId: plan.id, price: pricePart(plan), trialDays: plan.trialDays };
};

export const pricePart = ({ amount, currency, interval, intervalCount }: Plan): Price => ({
  amount,
  currency,
  interval,
  intervalCount,
});

/**
 * A payment method that can be charged, or whose holder still has to authenticate; null if the payer pays each cycle.
 */
const methodOf = async (
  findStoredMethod: FindStoredMethod,
  seller: MerchantPrincipal,
  { collection, paymentMethodId, customerId }: SubscriptionRequest,
  { tenantId }: CommandContext,
): Promise<StoredMethod | null> => {
  if (collection === 'payer') return null;
  if (paymentMethodId === undefined) throw paymentMethodRequired();
  const method = await usableMethod(findStoredMethod, seller, paymentMethodId, customerId, tenantId);
  if (method.status !== 'active' && method.status !== 'pending') throw methodNotActive(method.status);
  return method;
};

/** 404 for a method of another merchant, 400 for one of another customer. */
export const usableMethod = async (
  findStoredMethod: FindStoredMethod,
  seller: MerchantPrincipal,
  id: string,
  customerId: string,
  tenantId: CommandContext['tenantId'],
): Promise<StoredMethod> => {
  const method = await findStoredMethod(id, seller, tenantId);
  const path = 'paymentMethodId';
  if (method.customerId !== customerId)
    throw invalidInput([{ path, message: `${path} must be a payment method of the customer` }]);
  return method;
};

/**
 * The customer may have been deleted meanwhile, or the method revoked, so the transaction reads both again.
 */
const assertUnchanged = async (
  tx: Transaction,
  { id }: { readonly id: CustomerId },
  method: StoredMethod | null,
  deps: Pick<Deps, 'findRunning' | 'clock'>,
): Promise<void> => {
  await holdCustomer(tx, id);
  if (method === null) return;
  const fresh = await tx.get(STORED_METHODS, method.id);
  if (fresh?.status !== method.status) throw methodNotActive(fresh?.status ?? 'revoked');
  await takeMandate(tx, fresh, deps);
};

/** An earlier subscription of the customer to the same plan or price, made within the last minute. */
const findDuplicate = async (
  { id, planId, price, customerId, createdAt, ...owner }: Subscription,
  findRunning: FindRunning,
): Promise<SubscriptionId | null> => {
  const since = laterBy(createdAt, -DUPLICATE_WITHIN_MS);
  const isSame = (other: Pick<Subscription, 'planId' | 'price'>): boolean =>
    planId === null ? JSON.stringify(other.price) === JSON.stringify(price) : other.planId === planId;
  const found = (await findRunning({ customerId }, tenantOf(owner)))
    .filter((other) => other.id < id && other.createdAt >= since && isSame(other))
    .map((other) => other.id)
    .sort();
  return found.at(-1) ?? null;
};
