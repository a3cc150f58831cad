import type { Clock } from '../../../kernel/clock.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import type { CommandContext, Decision } from '../../../kernel/event.ts';
import type { ChargeId } from '../../../kernel/ids.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Changing, Transact } from '../../../platform/write-store/transaction.ts';
import type { EndCharge } from '../../charges/write/cancel-charge.ts';
import { type Charge, EXPIRED } from '../../charges/write/charge.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import type { BeginAndCollect, CollectCycle } from './collect-cycle.ts';
import type { Cycle } from './cycle.ts';
import { cycleOf } from './cycle-of.ts';
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
  timeOf,
  waitForPayer,
} from './subscription.ts';
import { storeChange } from './subscriptions.store.ts';

/** Does everything that is due for a subscription by its own clock; answers the subscription as it stands then. */
export type RunDue = (subscription: Subscription, context: CommandContext) => Promise<Subscription>;

/** More steps at once are a fault of a rule: each of them has to lead on. */
const STEPS_AT_MOST = 100;

/** Steps that only decide; all others ask a provider or another module. */
const DECIDING: Readonly<
  Partial<Record<Step, (subscription: Subscription, now: Date) => Decision<Subscription>>>
> = { cancel: cancelNow, end: complete, complete, resume, give_up: exhaust };

type Deps = Changing & {
  readonly findSubscription: FindById<Subscription>;
  readonly findMethod: FindById<StoredMethod>;
  readonly findCharge: FindById<Charge>;
  readonly endCharge: EndCharge;
  readonly collectCycle: CollectCycle;
  readonly beginAndCollect: BeginAndCollect;
};

export const createRunDue = (deps: Deps): RunDue => {
  const decideOn = createDecideOn(deps);
  const letGo = createLetGo(deps);

  const settle = async (subscription: Subscription, step: Step, context: CommandContext): Promise<void> => {
    const chargeId = subscription.collecting?.chargeId ?? null;
    switch (step) {
      case 'attempt':
        return deps.collectCycle(subscription, 'merchant', context);
      case 'begin':
        if (await deps.beginAndCollect(subscription, context)) return;
        return decideOn(subscription, step, begin, context);
      case 'activate': {
        const isActive = await isChargeable(subscription, deps.findMethod);
        const isAhead = subscription.nextCycleAt > timeOf(subscription, deps.clock()).toISOString();
        return decideOn(subscription, step, !isActive ? lookAgain : isAhead ? activate : begin, context);
      }
      case 'release':
        if (subscription.releasing) await letGo(subscription.releasing, subscription, context);
        return decideOn(subscription, step, released, context);
      case 'overdue':
        if (chargeId) await letGo(chargeId, subscription, context, EXPIRED);
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
    rule: (subscription: Subscription, now: Date) => Decision<Subscription>,
    context: CommandContext,
  ): Promise<void> =>
    transact(context, async (tx) => {
      const subscription = await tx.get(SUBSCRIPTIONS, id);
      if (!subscription) return;
      const now = timeOf(subscription, clock());
      if (nextStep(subscription, now) !== step) return;
      const decision = rule(subscription, now);
      const begun = begunCycle(subscription, decision.data);
      await storeChange(tx, subscription, [decision], begun && { before: null, after: begun });
    });

/** The cycle that a decision lets begin; null for any other decision. */
const begunCycle = (before: Subscription, after: Subscription): Cycle | null =>
  after.open.includes(after.cycle) && after.cycle === before.cycle + 1 ? cycleOf(after, before) : null;

/** Lets the provider end a charge that waits for its payer; any other charge is left to its own outcome. */
const createLetGo =
  (deps: { readonly findCharge: FindById<Charge>; readonly endCharge: EndCharge }) =>
  async (
    chargeId: ChargeId,
    owner: Subscription,
    context: CommandContext,
    reason?: typeof EXPIRED,
  ): Promise<void> => {
    const charge = await deps.findCharge(chargeId, tenantOf(owner));
    if (!charge) return;
    try {
      await deps.endCharge(charge, context, reason);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'CHARGE_NOT_CANCELLABLE') throw error;
    }
  };

const isChargeable = async (
  subscription: Subscription,
  findMethod: FindById<StoredMethod>,
): Promise<boolean> => {
  if (subscription.collection === 'payer') return true;
  const { paymentMethodId } = subscription;
  const method = paymentMethodId && (await findMethod(paymentMethodId, tenantOf(subscription)));
  return method ? method.status === 'active' : false;
};
