import { dayOf } from '../../../kernel/business-days.ts';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import type { CommandContext, Decision } from '../../../kernel/event.ts';
import { toDecimal } from '../../../kernel/money.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { ChargeBody } from '../../charges/write/charge-request.ts';
import type { CreateCharge } from '../../charges/write/create-charge.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { lastsOn } from '../../providers/pix/mandate-terms.ts';
import type { Initiator } from '../../providers/provider.ts';
import { methodNotActive } from '../../stored-methods/write/refusals.ts';
import { assertChargeable } from '../../stored-methods/write/stored-method.ts';
import { STORED_METHODS } from '../../stored-methods/write/stored-methods.store.ts';
import { planOf, settlesAtOf } from './ahead.ts';
import {
  type Attempt,
  attemptChargeId,
  type ChargePlan,
  CYCLES,
  type Cycle,
  type CyclePage,
  cycleId,
  withAttempt,
} from './cycle.ts';
import { begunAnew, cycleOf, mayBeginAnew } from './cycle-of.ts';
import type { CyclePages } from './cycle-pages.ts';
import { type Followed, failWithoutCharge, missWindow } from './follow-attempt.ts';
import {
  attempted,
  begin,
  isAttemptedTooOften,
  isAttemptStillDue,
  laterBy,
  letCardRest,
  postpone,
  SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionEvent,
  timeOf,
} from './subscription.ts';
import { existingCycle, storeChange } from './subscriptions.store.ts';

/**
 * Makes the attempt that is due for the cycle that is being collected. Nothing happens if it is no longer due, because
 * it was made meanwhile, or because the subscription was paused, cancelled or given another method.
 */
export type CollectCycle = (
  subscription: Subscription,
  initiator: Initiator,
  context: CommandContext,
) => Promise<void>;

/**
 * Begins the cycle that is due and makes its first attempt, in one transaction. False if there is nothing to charge, or
 * if the charge is refused before it is stored; the cycle has not begun then.
 */
export type BeginAndCollect = (subscription: Subscription, context: CommandContext) => Promise<boolean>;

/** Thrown when an attempt may no longer be made. */
class AttemptSuperseded extends Error {}

/** Codes of refusals that say something about the payer's method; any other is a fault of the gateway's settings. */
const OF_METHOD: Readonly<Record<string, string>> = {
  PAYMENT_METHOD_NOT_ACTIVE: 'payment_method_not_active',
  NOT_FOUND: 'payment_method_missing',
};

type Charging = {
  readonly createCharge: CreateCharge;
  readonly cyclePages: Pick<CyclePages, 'open'>;
  readonly findCustomer: FindById<CustomerRecord>;
  readonly findCycle: FindById<Cycle>;
  readonly clock: Clock;
  readonly realClock: Clock;
};

/** The result of an attempt: a charge, or a page on which the customer makes one. */
type Made = { readonly plan: ChargePlan | null } & (
  | { readonly charge: Charge; readonly page: null }
  | { readonly charge: null; readonly page: CyclePage }
);

export const createCollectCycle = (
  deps: Changing &
    Charging & {
      readonly logger: Logger;
      readonly metrics: Pick<Metrics, 'postponedCycles'>;
    },
): CollectCycle => {
  const attempt = createAttempt(deps);
  /** Stores what follows from an attempt without a charge, if the attempt is still due. */
  const change = (
    seen: Subscription,
    cycle: Cycle,
    context: CommandContext,
    rule: (subscription: Subscription, cycle: Cycle, now: Date) => Followed,
  ): Promise<void> =>
    deps.transact(context, async (tx) => {
      const due = await dueIn(tx, seen, cycle, deps.clock());
      if (!due) return;
      const followed = rule(due.subscription, due.cycle, due.now);
      await storeChange(tx, due.subscription, followed.decisions, {
        before: due.cycle,
        after: followed.cycle,
      });
    });

  /** For the alert of operators: somebody has to mend something. */
  const noteWaiting = ({ id }: Subscription, cycle: number, code: string, message: string): void => {
    deps.logger.warn({ id, cycle, code }, message);
    deps.metrics.postponedCycles.inc({ reason: code });
  };

  return async (subscription, initiator, context) => {
    const { collecting } = subscription;
    if (collecting === null) return;
    const cycle = await deps.findCycle(cycleId(subscription.id, collecting.cycle), tenantOf(subscription));
    if (!cycle) throw new Error(`subscription ${subscription.id} has no cycle ${collecting.cycle}`);
    const fail = (reason: string) =>
      change(subscription, cycle, context, (fresh, open, now) => failWithoutCharge(fresh, open, reason, now));
    if (subscription.collection === 'automatic') {
      if (subscription.paymentMethodId === null) return fail('payment_method_missing');
      if (isAttemptedTooOften(subscription, timeOf(subscription, deps.clock())))
        return change(subscription, cycle, context, (fresh, open, now) => ({
          decisions: [letCardRest(fresh, now)],
          cycle: open,
        }));
    }
    const now = timeOf(subscription, deps.clock());
    const plan = subscription.chargesAhead ? planOf(subscription, cycle, now) : null;
    if (subscription.chargesAhead && plan === null) {
      noteWaiting(
        subscription,
        cycle.number,
        'CHARGE_WINDOW_MISSED',
        'a cycle has no charge, as it is too late for one',
      );
      return change(subscription, cycle, context, missWindow);
    }
    try {
      const take = (tx: Transaction, made: Made) => claim(tx, subscription, cycle, made, deps.clock());
      await attempt({ subscription, cycle, initiator, plan, take }, context);
    } catch (error) {
      if (error instanceof AttemptSuperseded) return;
      if (!(error instanceof GatewayError) || error.statusCode >= 500) throw error;
      const code = error.code ?? 'UNKNOWN';
      const reason = OF_METHOD[code];
      if (reason !== undefined) return fail(reason);
      // The payer has no part in any other refusal, so the cycle waits until its cause is mended.
      noteWaiting(subscription, cycle.number, code, 'a cycle cannot be charged and waits');
      await change(subscription, cycle, context, (fresh, open, now) => ({
        decisions: [postpone(fresh, code, now)],
        cycle: open,
      }));
    }
  };
};

export const createBeginAndCollect = (deps: Charging): BeginAndCollect => {
  const attempt = createAttempt(deps);
  return async (seen, context) => {
    const now = timeOf(seen, deps.clock());
    const { data: subscription } = begin(seen, now);
    const { collection, paymentMethodId } = subscription;
    const isChargeable = collection === 'payer' || paymentMethodId !== null;
    if (seen.open.length > 0 || !isChargeable || isAttemptedTooOften(seen, now)) return false;
    const isAhead = subscription.chargesAhead === true;
    const begun = cycleOf(subscription, seen);
    const before = mayBeginAnew(seen) ? await deps.findCycle(begun.id, tenantOf(seen)) : null;
    const cycle = begunAnew(begun, before);
    const plan = isAhead ? planOf(subscription, cycle, now) : null;
    if (isAhead && plan === null) return false;
    const take = (tx: Transaction, made: Made) => claimNew(tx, seen, made, deps.clock());
    try {
      await attempt({ subscription, cycle, initiator: 'merchant', plan, take }, context);
      return true;
    } catch (error) {
      if (error instanceof AttemptSuperseded) return true;
      if (error instanceof GatewayError && error.statusCode < 500) return false;
      throw error;
    }
  };
};

/**
 * Makes the charge of an attempt or opens its page. `take` records the attempt in the transaction that stores them.
 */
const createAttempt =
  (deps: Charging) =>
  async (
    attempt: {
      readonly subscription: Subscription;
      readonly cycle: Cycle;
      readonly initiator: Initiator;
      /** Null where no mandate pays the charge. */
      readonly plan: ChargePlan | null;
      take(tx: Transaction, made: Made): Promise<void>;
    },
    context: CommandContext,
  ): Promise<void> => {
    const { subscription, cycle, plan, take } = attempt;
    const { id, merchantId, livemode, payerMethod, payerDays } = subscription;
    if (payerMethod === 'checkout') {
      const claim = (tx: Transaction, page: CyclePage) => take(tx, { charge: null, page, plan });
      return deps.cyclePages.open({ subscription, cycle, forMs: payerDays * DAY_MS, claim }, context);
    }
    const now = timeOf(subscription, deps.clock());
    const request = await requestOf(attempt, now, deps.findCustomer);
    const chargeId = attemptChargeId(cycle, deps.realClock());
    const madeFor = {
      chargeId,
      cycle: { subscriptionId: id, number: cycle.number },
      claim: (tx: Transaction, charge: Charge) => take(tx, { charge, page: null, plan }),
    };
    await deps.createCharge({ merchantId, livemode, request, madeFor }, context);
  };

type DueAttempt = { readonly subscription: Subscription; readonly cycle: Cycle; readonly now: Date };

/** The subscription and the cycle as they are now; null if the attempt that was seen is no longer due. */
const dueIn = async (
  tx: Transaction,
  seen: Subscription,
  seenCycle: Cycle,
  clock: Date,
): Promise<DueAttempt | null> => {
  const subscription = await tx.get(SUBSCRIPTIONS, seen.id);
  if (!subscription) return null;
  const now = timeOf(subscription, clock);
  const cycle = await existingCycle(tx, seen.id, seenCycle.number);
  const isSame = cycle.attempts.length === seenCycle.attempts.length;
  return isSame && isAttemptStillDue(subscription, seen) ? { subscription, cycle, now } : null;
};

/**
 * Records the attempt in the transaction that stores its charge, so that either both exist or neither does. A
 * concurrent change that ends the attempt wins.
 */
const claim = async (
  tx: Transaction,
  seen: Subscription,
  seenCycle: Cycle,
  made: Made,
  clock: Date,
): Promise<void> => {
  const due = await dueIn(tx, seen, seenCycle, clock);
  if (!due || due.subscription.paymentMethodId !== seen.paymentMethodId) throw new AttemptSuperseded();
  const { decision, after } = await attemptOf(tx, due, made);
  await storeChange(tx, due.subscription, [decision], { before: due.cycle, after });
};

/**
 * Begins the cycle in the same transaction, unless the subscription has changed since it was seen. The beginning and
 * the attempt are one event, because nothing can happen between them.
 */
const claimNew = async (tx: Transaction, seen: Subscription, made: Made, clock: Date): Promise<void> => {
  const fresh = await tx.get(SUBSCRIPTIONS, seen.id);
  if (fresh?.version !== seen.version) throw new AttemptSuperseded();
  const now = timeOf(fresh, clock);
  const begun = begin(fresh, now);
  const cycle = cycleOf(begun.data, fresh);
  const before = mayBeginAnew(fresh) ? await tx.get(CYCLES, cycle.id) : null;
  const due = { subscription: begun.data, cycle: begunAnew(cycle, before), now };
  const { decision, after } = await attemptOf(tx, due, made);
  await storeChange(tx, fresh, [decision], { before, after });
};

/** Participants of the split of a subscription whom a charge of it leaves out. */
export const leftOutOf = ({ split }: Subscription, charge: Pick<Charge, 'split'>): Attempt['leftOut'] => {
  const receivers = charge.split?.map(({ merchantId }) => merchantId) ?? [];
  return (split ?? [])
    .map(({ merchantId }) => merchantId)
    .filter((merchantId) => !receivers.includes(merchantId));
};

/** The attempt that made a charge or a page, on the subscription and on its cycle. */
const attemptOf = async (
  tx: Transaction,
  { subscription, cycle, now }: DueAttempt,
  { charge, page, plan }: Made,
): Promise<{ readonly decision: Decision<Subscription, SubscriptionEvent>; readonly after: Cycle }> => {
  if (subscription.collection === 'automatic') {
    const method = await tx.get(STORED_METHODS, subscription.paymentMethodId ?? '');
    if (!method) throw new AttemptSuperseded();
    assertChargeable(method, now);
    if (plan && method.mandate && !lastsOn(method.mandate, dayOf(plan.dueDate)))
      throw methodNotActive('expired');
  }
  const payBy = subscription.collection === 'payer' ? laterBy(now, subscription.payerDays * DAY_MS) : null;
  const chargeId = charge?.id ?? null;
  const attempt = {
    chargeId,
    ...(page && { page }),
    ...(plan && { plan }),
    at: timestamp(now),
    outcome: 'pending',
    reason: null,
    leftOut: charge ? leftOutOf(subscription, charge) : [],
  } as const;
  const number = cycle.attempts.length + 1;
  const settlesAt = plan && settlesAtOf(plan, subscription);
  const made = { chargeId, page, attempt: number, payBy, settlesAt };
  const decision = attempted(subscription, made, now);
  return { decision, after: withAttempt(cycle, attempt) };
};

/** The request for the charge of a cycle. */
const requestOf = async (
  {
    subscription,
    cycle,
    initiator,
    plan,
  }: {
    readonly subscription: Subscription;
    readonly cycle: Cycle;
    readonly initiator: Initiator;
    readonly plan: ChargePlan | null;
  },
  now: Date,
  findCustomer: FindById<CustomerRecord>,
): Promise<ChargeBody> => {
  const { customerId, split, collection, paymentMethodId } = subscription;
  const { amount, currency } = cycle;
  const facts = { amount: toDecimal(amount, currency), currency, customerId, split };
  if (plan) {
    const { mandate: id, ...planned } = plan;
    const mandate = { ...planned, id, askedAt: timestamp(now) };
    return { ...facts, paymentMethod: { type: 'pix', installments: 1, mandate } };
  }
  if (collection === 'automatic') {
    const paymentMethod = { type: 'credit_card', installments: 1, id: paymentMethodId ?? '' } as const;
    return { ...facts, initiator, paymentMethod };
  }
  const expiresIn = (subscription.payerDays * DAY_MS) / 1_000;
  if (subscription.payerMethod !== 'voucher')
    return { ...facts, paymentMethod: { type: 'pix', installments: 1, expiresIn } };
  const customer = await findCustomer(customerId, tenantOf(subscription));
  const { type: identifyType, id: identifyNumber } = customer?.document ?? { type: '', id: '' };
  const voucher = { type: 'voucher', installments: 1, identifyType, identifyNumber, expiresIn } as const;
  return { ...facts, paymentMethod: voucher };
};
