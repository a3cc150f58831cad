import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/durations.ts';
import { invalidInput } from '../../../kernel/errors.ts';
import type { Command, CommandContext, DomainEvent } from '../../../kernel/event.ts';
import { asMerchant, type Principal, testEnvironmentOnly } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { subscriptionOwnerOnly } from './refusals.ts';
import type { RunDue } from './run-due.ts';
import { decide, laterBy, nextAtOf, SUBSCRIPTIONS, type Subscription, timeOf } from './subscription.ts';
import type { FindHappened } from './subscriptions.store.ts';

/** A subscription whose clock was moved forward, and the events that this caused. */
export type Advanced = {
  readonly subscription: Subscription;
  readonly happened: readonly DomainEvent<Subscription>[];
};

/**
 * Moves a subscription's clock forward. Everything that falls due until then happens in its order, each at its own
 * instant.
 */
export type AdvanceSubscription = Command<
  { readonly principal: Principal; readonly id: string; readonly until: Timestamp },
  Advanced
>;

const FURTHEST_MS = 5 * 366 * DAY_MS;
/** The most steps of one call. The answer says how far the clock has moved. */
const STOPS_AT_MOST = 400;
/** How long workers leave a subscription alone while its clock is being moved. */
const HELD_MS = MINUTE_MS;

export const createAdvanceSubscription = (
  deps: Changing & {
    readonly findSubscription: FindById<Subscription>;
    readonly findHappened: FindHappened;
    readonly runDue: RunDue;
  },
): AdvanceSubscription => {
  const moveTo = (
    { id }: Subscription,
    at: Timestamp,
    isHeld: boolean,
    context: CommandContext,
  ): Promise<Subscription> =>
    deps.transact(context, async (tx) => {
      const subscription = await tx.get(SUBSCRIPTIONS, id);
      if (!subscription) throw new Error(`subscription ${id} is gone`);
      const clock = deps.clock();
      const offsetMs = Math.max(subscription.offsetMs, Date.parse(at) - clock.getTime());
      const now = timeOf({ offsetMs }, clock);
      const { type, data } = decide('subscription.clock_moved', subscription, now, { offsetMs });
      const held = isHeld ? { reconcileAt: laterBy(clock, HELD_MS) } : {};
      return tx.record(SUBSCRIPTIONS, subscription, { type, data: { ...data, ...held } });
    });

  return async ({ principal, id, until }, context) => {
    if (principal.livemode) throw testEnvironmentOnly();
    const given = await findVisible(deps.findSubscription, principal, id, 'Subscription');
    if (given.merchantId !== asMerchant(principal).merchantId) throw subscriptionOwnerOnly();
    assertAhead(given, until, deps.clock());
    let subscription = given;
    for (let stops = 0; stops < STOPS_AT_MOST; stops += 1) {
      const next = nextAtOf(subscription);
      if (next === null || next > until) {
        subscription = await moveTo(subscription, until, false, context);
        break;
      }
      subscription = await moveTo(subscription, next, true, context);
      subscription = await deps.runDue(subscription, context);
    }
    const fresh = await findVisible(deps.findSubscription, principal, id, 'Subscription');
    const happened = await deps.findHappened(fresh, given.version);
    return {
      subscription: fresh,
      happened: happened.filter(({ type }) => type !== 'subscription.clock_moved'),
    };
  };
};

const assertAhead = (subscription: Subscription, until: Timestamp, clock: Date): void => {
  const now = timeOf(subscription, clock);
  const path = 'until';
  if (until <= timestamp(now))
    throw invalidInput([
      { path, message: `${path} must be after ${timestamp(now)}, the time of the subscription` },
    ]);
  if (until > laterBy(now, FURTHEST_MS))
    throw invalidInput([{ path, message: `${path} must be at most five years ahead` }]);
};
