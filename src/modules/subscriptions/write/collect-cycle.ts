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
import type { Initiator } from '../../providers/provider.ts';
import { assertChargeable } from '../../stored-methods/write/stored-method.ts';
import { STORED_METHODS } from '../../stored-methods/write/stored-methods.store.ts';
import { attemptChargeId, type Cycle, cycleId, withAttempt } from './cycle.ts';
import { cycleOf } from './cycle-of.ts';
import { type Followed, failWithoutCharge } from './follow-attempt.ts';
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
  timeOf,
} from './subscription.ts';
import { existingCycle, storeChange } from './subscriptions.store.ts';

/**
 * Makes the attempt that is due for the cycle that is being collected. Nothing happens where it is not due any more: it
 * was made meanwhile, or the subscription was paused, cancelled or given another method.
 */
export type CollectCycle = (
  subscription: Subscription,
  initiator: Initiator,
  context: CommandContext,
) => Promise<void>;

/**
 * Lets the cycle that is due begin and makes its first attempt, in one transaction. False where there is nothing to charge
 * or the charge is refused beforehand: then the cycle has not begun either.
 */
export type BeginAndCollect = (subscription: Subscription, context: CommandContext) => Promise<boolean>;

/** The attempt is not to be made any more. */
class AttemptSuperseded extends Error {}

/** Codes of refusals that say something about the payer's method; any other is a fault of the gateway's settings. */
const OF_METHOD: Readonly<Record<string, string>> = {
  PAYMENT_METHOD_NOT_ACTIVE: 'payment_method_not_active',
  NOT_FOUND: 'payment_method_missing',
};

type Charging = {
  readonly createCharge: CreateCharge;
  readonly findCustomer: FindById<CustomerRecord>;
  readonly clock: Clock;
};

export const createCollectCycle = (
  deps: Changing &
    Charging & {
      readonly findCycle: FindById<Cycle>;
      readonly logger: Logger;
      readonly metrics: Pick<Metrics, 'postponedCycles'>;
    },
): CollectCycle => {
  const charge = createChargeAttempt(deps);
  /** Stores what follows from an attempt without a charge, unless that is not due any more. */
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
    try {
      const take = (tx: Transaction, opened: Charge) => claim(tx, subscription, cycle, opened, deps.clock());
      await charge({ subscription, cycle, initiator, take }, context);
    } catch (error) {
      if (error instanceof AttemptSuperseded) return;
      if (!(error instanceof GatewayError) || error.statusCode >= 500) throw error;
      const code = error.code ?? 'UNKNOWN';
      const reason = OF_METHOD[code];
      if (reason !== undefined) return fail(reason);
      // Any other refusal is no fault of the payer's: the cycle waits for somebody to mend it.
      deps.logger.warn(
        { id: subscription.id, cycle: cycle.number, code },
        'a cycle cannot be charged and waits',
      );
      deps.metrics.postponedCycles.inc({ reason: code });
      await change(subscription, cycle, context, (fresh, open, now) => ({
        decisions: [postpone(fresh, code, now)],
        cycle: open,
      }));
    }
  };
};

export const createBeginAndCollect = (deps: Charging): BeginAndCollect => {
  const charge = createChargeAttempt(deps);
  return async (seen, context) => {
    const now = timeOf(seen, deps.clock());
    const { data: subscription } = begin(seen, now);
    const { collection, paymentMethodId } = subscription;
    const isChargeable = collection === 'payer' || paymentMethodId !== null;
    if (seen.open.length > 0 || !isChargeable || isAttemptedTooOften(seen, now)) return false;
    const cycle = cycleOf(subscription, seen);
    const take = (tx: Transaction, opened: Charge) => claimNew(tx, seen, opened, deps.clock());
    try {
      await charge({ subscription, cycle, initiator: 'merchant', take }, context);
      return true;
    } catch (error) {
      if (error instanceof AttemptSuperseded) return true;
      if (error instanceof GatewayError && error.statusCode < 500) return false;
      throw error;
    }
  };
};

/** Makes the charge of an attempt; `take` takes it down in the transaction that stores the charge. */
const createChargeAttempt =
  (deps: Charging) =>
  async (
    attempt: {
      readonly subscription: Subscription;
      readonly cycle: Cycle;
      readonly initiator: Initiator;
      take(tx: Transaction, charge: Charge): Promise<void>;
    },
    context: CommandContext,
  ): Promise<void> => {
    const { subscription, cycle, initiator, take } = attempt;
    const { id, merchantId, livemode } = subscription;
    const request = await requestOf(subscription, cycle, initiator, deps.findCustomer);
    const chargeId = attemptChargeId(cycle, deps.clock());
    const made = { chargeId, cycle: { subscriptionId: id, number: cycle.number }, claim: take };
    await deps.createCharge({ merchantId, livemode, request, madeFor: made }, context);
  };

type DueAttempt = { readonly subscription: Subscription; readonly cycle: Cycle; readonly now: Date };

/** The subscription and cycle as they are now; null where the attempt that was seen is not due any more. */
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
 * Takes the attempt down in the transaction that stores its charge: either both are there or neither. A change that
 * ends the attempt meanwhile wins.
 */
const claim = async (
  tx: Transaction,
  seen: Subscription,
  seenCycle: Cycle,
  charge: Charge,
  clock: Date,
): Promise<void> => {
  const due = await dueIn(tx, seen, seenCycle, clock);
  if (!due || due.subscription.paymentMethodId !== seen.paymentMethodId) throw new AttemptSuperseded();
  const { decision, after } = await attemptOf(tx, due, charge);
  await storeChange(tx, due.subscription, [decision], { before: due.cycle, after });
};

/** Lets the cycle begin in the same transaction, unless the subscription has changed since it was seen. */
const claimNew = async (tx: Transaction, seen: Subscription, charge: Charge, clock: Date): Promise<void> => {
  const fresh = await tx.get(SUBSCRIPTIONS, seen.id);
  if (fresh?.version !== seen.version) throw new AttemptSuperseded();
  const now = timeOf(fresh, clock);
  const begun = begin(fresh, now);
  const due = { subscription: begun.data, cycle: cycleOf(begun.data, fresh), now };
  const { decision, after } = await attemptOf(tx, due, charge);
  await storeChange(tx, fresh, [begun, decision], { before: null, after });
};

/** The attempt that made a charge, on the subscription and on its cycle. */
const attemptOf = async (
  tx: Transaction,
  { subscription, cycle, now }: DueAttempt,
  charge: Charge,
): Promise<{ readonly decision: Decision<Subscription>; readonly after: Cycle }> => {
  if (subscription.collection === 'automatic') {
    const method = await tx.get(STORED_METHODS, subscription.paymentMethodId ?? '');
    if (!method) throw new AttemptSuperseded();
    assertChargeable(method, now);
  }
  const payBy = subscription.collection === 'payer' ? laterBy(now, subscription.payerDays * DAY_MS) : null;
  const receivers = charge.split?.map(({ merchantId }) => merchantId) ?? [];
  const leftOut = (subscription.split ?? [])
    .map(({ merchantId }) => merchantId)
    .filter((merchantId) => !receivers.includes(merchantId));
  const attempt = {
    chargeId: charge.id,
    at: timestamp(now),
    outcome: 'pending',
    reason: null,
    leftOut,
  } as const;
  const number = cycle.attempts.length + 1;
  const decision = attempted(subscription, { chargeId: charge.id, attempt: number, payBy }, now);
  return { decision, after: withAttempt(cycle, attempt) };
};

/** The request for the charge of a cycle. */
const requestOf = async (
  subscription: Subscription,
  cycle: Cycle,
  initiator: Initiator,
  findCustomer: FindById<CustomerRecord>,
): Promise<ChargeBody> => {
  const { customerId, split, collection, paymentMethodId } = subscription;
  const { amount, currency } = cycle;
  const facts = { amount: toDecimal(amount, currency), currency, customerId, split };
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
