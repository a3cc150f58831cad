import { dayOf } from '../../../kernel/business-days.ts';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import type { CommandContext, Decision } from '../../../kernel/event.ts';
import type { ChargeId } from '../../../kernel/ids.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Changing, Transact } from '../../../platform/write-store/transaction.ts';
import type { EndCharge } from '../../charges/write/cancel-charge.ts';
import { type Charge, EXPIRED, isStillAsked, plannedOf } from '../../charges/write/charge.ts';
import { isNotCancellable } from '../../charges/write/refusals.ts';
import type { SettlePlanned } from '../../charges/write/settle-planned.ts';
import { isCutOff } from '../../providers/pix/mandate-terms.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { keepWithdrawn } from './ahead.ts';
import type { BeginAndCollect, CollectCycle } from './collect-cycle.ts';
import { CYCLES, type Cycle } from './cycle.ts';
import { begunAnew, cycleOf, mayBeginAnew } from './cycle-of.ts';
import type { CyclePages } from './cycle-pages.ts';
import { cancelNow, complete, exhaust, expire, resume } from './lifecycle.ts';
import {
  activate,
  begin,
  lookAgain,
  nextStep,
  released,
  type Step,
  SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionEvent,
  settleLater,
  timeOf,
  waitForPayer,
} from './subscription.ts';
import { existingCycle, storeChange } from './subscriptions.store.ts';

/** Does everything that is due for a subscription by its own clock; answers the subscription as it stands then. */
export type RunDue = (subscription: Subscription, context: CommandContext) => Promise<Subscription>;

/**
 * More steps than this at once mean that a rule is wrong, because each step has to bring the subscription forward.
 */
const STEPS_AT_MOST = 100;

/** Steps that only decide. All other steps ask a provider or another module. */
const DECIDING: Readonly<
  Partial<Record<Step, (subscription: Subscription, now: Date) => Decision<Subscription, SubscriptionEvent>>>
> = { cancel: cancelNow, end: complete, complete, resume, give_up: exhaust };

type Deps = Changing & {
  readonly findSubscription: FindById<Subscription>;
  readonly findMethod: FindById<StoredMethod>;
  readonly findCharge: FindById<Charge>;
  readonly endCharge: EndCharge;
  readonly settlePlanned: SettlePlanned;
  readonly cyclePages: Pick<CyclePages, 'close' | 'expire'>;
  readonly collectCycle: CollectCycle;
  readonly beginAndCollect: BeginAndCollect;
};

export const createRunDue = (deps: Deps): RunDue => {
  const decideOn = createDecideOn(deps);
  const letGo = createLetGo(deps);
  const keep = createKeep(deps);

  const settle = async (subscription: Subscription, step: Step, context: CommandContext): Promise<void> => {
    const { chargeId = null, pageId = null } = subscription.collecting ?? {};
    const { cyclePages } = deps;
    switch (step) {
      case 'attempt':
        return deps.collectCycle(subscription, 'merchant', context);
      case 'begin':
        if (await deps.beginAndCollect(subscription, context)) return;
        return decideOn(subscription, step, begin, context);
      case 'activate': {
        const standing = await standingOf(subscription, deps.findMethod);
        const isAhead = subscription.nextCycleAt > timeOf(subscription, deps.clock()).toISOString();
        const rule = { active: isAhead ? activate : begin, waiting: lookAgain, ended: expire }[standing];
        return decideOn(subscription, step, rule, context);
      }
      case 'release':
        if (subscription.releasing) {
          const kept = await letGo(subscription.releasing, subscription, context);
          if (kept) return keep(subscription, kept, context);
        }
        if (subscription.releasingPage)
          await cyclePages.close(subscription.releasingPage, subscription, context);
        return decideOn(subscription, step, released, context);
      case 'settle': {
        const charge = chargeId && (await deps.findCharge(chargeId, tenantOf(subscription)));
        if (charge) await deps.settlePlanned(charge, context);
        return decideOn(subscription, step, settleLater, context);
      }
      case 'overdue':
        if (chargeId) await letGo(chargeId, subscription, context, EXPIRED);
        if (pageId)
          await cyclePages.expire(
            pageId,
            subscription,
            timestamp(timeOf(subscription, deps.clock())),
            context,
          );
        return decideOn(subscription, step, waitForPayer, context);
      case 'expire':
        if (chargeId) await letGo(chargeId, subscription, context);
        return decideOn(subscription, step, expire, context);
      default: {
        const rule = DECIDING[step];
        if (!rule) throw new Error(`nothing is known to do for ${step}`);
        return decideOn(subscription, step, rule, context);
      }
    }
  };

  return async (given, context) => {
    let subscription = given;
    for (let steps = 0; steps < STEPS_AT_MOST; steps += 1) {
      const step = nextStep(subscription, timeOf(subscription, deps.clock()));
      if (step === null) return subscription;
      await settle(subscription, step, context);
      const fresh = await deps.findSubscription(subscription.id, tenantOf(subscription));
      if (!fresh) throw new Error(`subscription ${subscription.id} is gone`);
      if (fresh.version === subscription.version) return fresh;
      subscription = fresh;
    }
    throw new Error(`subscription ${subscription.id} is never done`);
  };
};

/** Decides on the subscription as it is now, unless the step is not due any more. */
const createDecideOn =
  ({ transact, clock }: { readonly transact: Transact; readonly clock: Clock }) =>
  (
    { id }: Subscription,
    step: Step,
    rule: (subscription: Subscription, now: Date) => Decision<Subscription, SubscriptionEvent>,
    context: CommandContext,
  ): Promise<void> =>
    transact(context, async (tx) => {
      const subscription = await tx.get(SUBSCRIPTIONS, id);
      if (!subscription) return;
      const now = timeOf(subscription, clock());
      if (nextStep(subscription, now) !== step) return;
      const decision = rule(subscription, now);
      const begun = begunCycle(subscription, decision.data);
      const before = begun && mayBeginAnew(subscription) ? await tx.get(CYCLES, begun.id) : null;
      await storeChange(tx, subscription, [decision], begun && { before, after: begunAnew(begun, before) });
    });

/** The cycle that begins with a decision; null for any other decision. */
const begunCycle = (before: Subscription, after: Subscription): Cycle | null =>
  after.open.includes(after.cycle) && after.cycle === before.cycle + 1 ? cycleOf(after, before) : null;

/** Goes on with a charge that was to be withdrawn and cannot be any more. */
const createKeep =
  ({ transact, clock }: { readonly transact: Transact; readonly clock: Clock }) =>
  ({ id }: Subscription, { id: chargeId, cycle: cycleOfCharge }: Charge, context: CommandContext) =>
    transact(context, async (tx) => {
      const subscription = await tx.get(SUBSCRIPTIONS, id);
      if (subscription?.releasing !== chargeId || cycleOfCharge === undefined) return;
      const cycle = await existingCycle(tx, id, cycleOfCharge.number);
      const decision = keepWithdrawn(subscription, cycle, chargeId, timeOf(subscription, clock()));
      const isOpen = decision.data.open.includes(cycle.number);
      const after = { ...cycle, status: isOpen ? 'open' : cycle.status } as const;
      await storeChange(tx, subscription, [decision], { before: cycle, after });
    });

/**
 * Has the provider cancel a charge that waits for its payer. Any other charge ends by itself, except one for which the
 * provider has not answered yet: that is tried again later. Answers a charge that stays, as it is too late for that.
 */
const createLetGo =
  (deps: Pick<Deps, 'findCharge' | 'endCharge' | 'clock'>) =>
  async (
    chargeId: ChargeId,
    owner: Subscription,
    context: CommandContext,
    reason?: typeof EXPIRED,
  ): Promise<Charge | null> => {
    const charge = await deps.findCharge(chargeId, tenantOf(owner));
    if (!charge) return null;
    const planned = plannedOf(charge);
    // The bank of the payer is about to pay: what comes is kept.
    if (planned && isCutOff(dayOf(planned.on), timeOf(owner, deps.clock()))) return charge;
    try {
      await deps.endCharge(charge, context, reason);
    } catch (error) {
      if (!isNotCancellable(error) || isStillAsked(charge)) throw error;
    }
    return null;
  };

/**
 * Whether the method of a new subscription can be charged. A mandate that has ended meanwhile leaves nothing to wait
 * for; a subscription by card has a day, in which its customer can name another card.
 */
const standingOf = async (
  subscription: Subscription,
  findMethod: FindById<StoredMethod>,
): Promise<'active' | 'waiting' | 'ended'> => {
  if (subscription.collection === 'payer') return 'active';
  const { paymentMethodId } = subscription;
  const method = paymentMethodId && (await findMethod(paymentMethodId, tenantOf(subscription)));
  if (!method) return 'waiting';
  if (method.status === 'active') return 'active';
  return subscription.chargesAhead && method.status !== 'pending' ? 'ended' : 'waiting';
};
