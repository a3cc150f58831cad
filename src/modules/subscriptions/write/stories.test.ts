import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { aCard, aCharge, aMerchantPrincipal } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { volume } from '../../../../test/support/volume.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import { type Resource, systemContext } from '../../../kernel/event.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { CreateCharge } from '../../charges/write/create-charge.ts';
import { methodProviderUnavailable } from '../../stored-methods/write/refusals.ts';
import { openMethod, type StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { STORED_METHODS } from '../../stored-methods/write/stored-methods.store.ts';
import { createBeginAndCollect, createCollectCycle } from './collect-cycle.ts';
import { CYCLES } from './cycle.ts';
import { createFollowCharge } from './follow-charge.ts';
import {
  createCancelSubscription,
  createPauseSubscription,
  createResumeSubscription,
  createUndoCancel,
  createUpdateSubscription,
} from './manage-subscription.ts';
import { createRunDue } from './run-due.ts';
import { nextAtOf, openSubscription, SUBSCRIPTIONS, type Subscription } from './subscription.ts';

const HOUR_MS = 3_600_000;
/** Every story begins at noon in UTC, and people act at noon, so that nothing coincides with the hour of collection. */
const START = Date.parse('2026-01-31T12:00:00.000Z');
const DAYS = 150;

type Card = 'pays' | 'refused' | 'stolen' | 'broken';
const ids: Readonly<Record<Card, StoredMethod['id']>> = {
  pays: 'pm_pays',
  refused: 'pm_refused',
  stolen: 'pm_stolen',
  broken: 'pm_broken',
};
type Interval = 'week' | 'month';
type Action =
  | { readonly do: 'pause'; readonly days: number | null }
  | { readonly do: 'resume' | 'undo' | 'refund' }
  | { readonly do: 'cancel'; readonly when: 'now' | 'period_end' }
  | { readonly do: 'card'; readonly card: Card }
  | { readonly do: 'price'; readonly interval: Interval };
type Story = {
  readonly card: Card;
  readonly trial: number;
  readonly interval: Interval;
  readonly retryDays: readonly number[];
  readonly onExhausted: 'cancel' | 'pause';
  readonly maxCycles: number | null;
  readonly actions: readonly { readonly day: number; readonly action: Action }[];
};

const anyCard = fc.constantFrom<Card>('pays', 'pays', 'refused', 'stolen', 'broken');
const anyInterval = fc.constantFrom<Interval>('week', 'month');
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('pause' as const), days: fc.option(fc.integer({ min: 1, max: 60 })) }),
  fc.record({ do: fc.constantFrom('resume' as const, 'undo' as const, 'refund' as const) }),
  fc.record({
    do: fc.constant('cancel' as const),
    when: fc.constantFrom('now' as const, 'period_end' as const, 'period_end' as const),
  }),
  fc.record({ do: fc.constant('card' as const), card: anyCard }),
  fc.record({ do: fc.constant('price' as const), interval: anyInterval }),
);
const anyStory: fc.Arbitrary<Story> = fc.record({
  card: anyCard,
  trial: fc.constantFrom(0, 0, 5, 30),
  interval: anyInterval,
  retryDays: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
  onExhausted: fc.constantFrom('cancel', 'pause'),
  maxCycles: fc.option(fc.integer({ min: 1, max: 8 })),
  actions: fc
    .array(fc.record({ day: fc.integer({ min: 1, max: DAYS }), action: anyAction }), { maxLength: 8 })
    .map((actions) => [...actions].sort((one, other) => one.day - other.day)),
});

const TOLD = ['activated', 'renewed', 'payment_failed', 'cancelled', 'paused', 'expired'];

/** The handlers of the module, with a provider whose cards behave as they are called. */
const play = async (story: Story): Promise<readonly string[]> => {
  const store = createFakeWriteStore();
  const { transact } = store;
  let now = START;
  const clock = () => new Date(now);
  const context = systemContext('story');
  const principal = aMerchantPrincipal();
  const consentAt = new Date(START).toISOString();
  const methodOf = (id: StoredMethod['id']): StoredMethod => {
    const { merchantId, masterId, livemode } = principal;
    const { number: _, cvv: __, ...card } = aCard({ expirationYear: '2099' });
    const facts = {
      ...{ id, merchantId, masterId, livemode, customerId: 'cus_1' as const, provider: 'simulator' },
      card: { ...card, brand: 'visa', firstSix: '424242', lastFour: '4242' },
      providerCustomer: null,
    };
    return { ...openMethod(facts, consentAt, clock(), 0).data, status: 'active' };
  };
  for (const id of Object.values(ids)) store.put(STORED_METHODS, methodOf(id));
  const follow = createFollowCharge({ clock });
  const charges: Charge[] = [];
  const createCharge: CreateCharge = async ({ request, madeFor }) => {
    const id = 'id' in request.paymentMethod ? request.paymentMethod.id : '';
    if (id === ids.broken) throw methodProviderUnavailable();
    if (!madeFor?.cycle) throw new Error('every charge belongs to a cycle');
    const opened = aCharge({ id: madeFor.chargeId, cycle: madeFor.cycle });
    await transact(context, (tx) => madeFor.claim(tx, opened));
    const outcome =
      id === ids.pays
        ? ({ status: 'paid', failureReason: null } as const)
        : ({
            status: 'refused',
            failureReason: id === ids.stolen ? 'stolen_card' : 'insufficient_funds',
          } as const);
    const charge = { ...opened, ...outcome };
    charges.push(charge);
    await transact(context, (tx) => follow(tx, charge));
    return { charge, possibleDuplicateOf: null };
  };
  const findCycle = async (id: string) => store.find(CYCLES, id);
  const findSubscription = async (id: string) => store.find(SUBSCRIPTIONS, id);
  const unused = async (): Promise<never> => {
    throw new Error('no story needs it');
  };
  const cyclePages = { open: unused, close: unused, expire: unused };
  const basics = { transact, clock, realClock: clock, findSubscription, cyclePages };
  const collectCycle = createCollectCycle({
    ...basics,
    createCharge,
    findCustomer: unused,
    findCycle,
    logger: { warn: () => undefined } as never,
    metrics: { postponedCycles: { inc: () => undefined } as never },
  });
  const runDue = createRunDue({
    ...basics,
    collectCycle,
    beginAndCollect: createBeginAndCollect({
      ...{ ...basics, createCharge, findCustomer: unused, findCycle, cyclePages },
    }),
    findMethod: async (id) => store.find(STORED_METHODS, id),
    findCharge: unused,
    endCharge: unused,
    settlePlanned: unused,
  });
  const deps = { ...basics, runDue };
  const price = (interval: Interval) => ({ amount: 10_00, currency: 'BRL', interval, intervalCount: 1 });

  const trialEnd = story.trial > 0 ? new Date(START + story.trial * DAY_MS).toISOString() : null;
  const first = (trialEnd ?? new Date(START).toISOString()).slice(0, 10);
  const opened = openSubscription(
    {
      id: 'sub_1',
      merchantId: principal.merchantId,
      masterId: principal.masterId,
      livemode: principal.livemode,
      customerId: 'cus_1',
      planId: null,
      price: price(story.interval),
      collection: 'automatic',
      paymentMethodId: ids[story.card],
      payerMethod: null,
      payerDays: 3,
      calendar: {
        interval: story.interval,
        intervalCount: 1,
        cycle: 1,
        date: first,
        day: Number(first.slice(8)),
        timeZone: 'UTC',
        hour: 9,
      },
      nextCycleAt: trialEnd ? `${first}T09:00:00.000Z` : new Date(START).toISOString(),
      trialEnd: trialEnd && `${first}T09:00:00.000Z`,
      maxCycles: story.maxCycles,
      endDate: null,
      retryDays: story.retryDays,
      onExhausted: story.onExhausted,
      split: null,
      description: null,
      metadata: null,
      reference: null,
      postbackUrl: null,
    },
    clock(),
  );
  await transact(context, (tx) => tx.record(SUBSCRIPTIONS, null, opened));
  const current = (): Subscription => store.find(SUBSCRIPTIONS, 'sub_1') as Subscription;
  // Both the first charge and the trial begin with the look that a worker has after a moment.
  now += 1;
  const runUntil = async (until: number): Promise<void> => {
    for (;;) {
      const next = nextAtOf(current());
      if (next === null || Date.parse(next) > until) break;
      now = Math.max(now, Date.parse(next));
      await runDue(current(), context);
    }
    now = Math.max(now, until);
  };
  const act = async (action: Action): Promise<void> => {
    const asked = { principal, id: 'sub_1' };
    switch (action.do) {
      case 'pause': {
        const resumeAt = action.days === null ? null : new Date(now + action.days * DAY_MS).toISOString();
        await createPauseSubscription(deps)({ ...asked, resumeAt }, context);
        return;
      }
      case 'resume':
        await createResumeSubscription(deps)(asked, context);
        return;
      case 'undo':
        await createUndoCancel(deps)(asked, context);
        return;
      case 'cancel':
        await createCancelSubscription(deps)({ ...asked, when: action.when, reason: null }, context);
        return;
      case 'refund': {
        const charge = charges.findLast(({ status }) => status === 'paid');
        if (charge) await transact(context, (tx) => follow(tx, { ...charge, status: 'refunded' }));
        return;
      }
      default: {
        const changes =
          action.do === 'card'
            ? { paymentMethodId: ids[action.card] }
            : { price: { ...price(action.interval), amount: 10 } };
        await createUpdateSubscription({
          ...deps,
          findPlan: unused,
          findMerchants: unused,
          findRunning: unused,
          findStoredMethod: async (id) => store.find(STORED_METHODS, id) ?? unused(),
        })({ ...asked, changes }, context);
      }
    }
  };
  await runUntil(START + HOUR_MS);
  for (const { day, action } of story.actions) {
    await runUntil(START + day * DAY_MS);
    await act(action).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error;
    });
  }
  await runUntil(START + DAYS * DAY_MS);
  return store.events().flatMap(({ resource, type, data }) => {
    const name = type.slice('subscription.'.length);
    if (resource !== 'subscription' || !TOLD.includes(name)) return [];
    if (!isSubscription(data)) return [];
    const { updatedAt, latestAttempt } = data;
    const isOfCycle = name === 'renewed' || name === 'payment_failed';
    return [`${updatedAt.slice(0, 10)} ${name}${isOfCycle ? ` ${latestAttempt?.cycleNumber}` : ''}`];
  });
};

const isSubscription = (resource: Resource): resource is Subscription => resource.id.startsWith('sub_');

/** Card networks take so many attempts of one card in that time. */
const TRIED_AT_MOST = 15;
const REST_HOURS = 30 * 24;

/** So many cycles wait for a card that the last of them has to wait for the card to have rested. */
const CATCHING_UP: Story = {
  card: 'broken',
  trial: 30,
  interval: 'week',
  retryDays: [],
  onExhausted: 'cancel',
  maxCycles: null,
  actions: [{ day: 105, action: { do: 'card', card: 'pays' } }],
};

/** Tells the story as the guide does, day by day, without any code of the module. */
const expected = (story: Story): readonly string[] => {
  const told: string[] = [];
  const dateOf = (day: number) => Temporal.PlainDate.from('2026-01-31').add({ days: day });
  const dayOf = (date: Temporal.PlainDate) => Temporal.PlainDate.from('2026-01-31').until(date).days;
  let today = 0;
  const tell = (name: string) => told.push(`${dateOf(today)} ${name}`);
  let status = 'incomplete';
  let card = story.card;
  let interval = story.interval;
  let nextInterval: Interval | null = null;
  let anchor = { cycle: 1, date: dateOf(story.trial), day: dateOf(story.trial).day };
  let cycle = 0;
  let left = 0;
  let open: number[] = [];
  let attempt: { cycle: number; at: number | null; giveUp: number | null; waits: number } | null = null;
  const failures = new Map<number, number>();
  /** Hours at which the card was tried. */
  let tried: number[] = [];
  let isNoon = false;
  const hours = () => today * 24 + (isNoon ? 12 : 9);
  let cancelAt: number | null = null;
  let resumeAt: number | null = null;
  const startOf = (number: number): number => {
    const times = number - anchor.cycle;
    if (interval === 'week') return dayOf(anchor.date.add({ weeks: times }));
    const month = anchor.date.toPlainYearMonth().add({ months: times });
    return dayOf(month.toPlainDate({ day: Math.min(anchor.day, month.daysInMonth) }));
  };
  const isEnded = () => status === 'cancelled' || status === 'expired';
  const isLast = () => story.maxCycles !== null && cycle - left >= story.maxCycles;
  const stop = (as: string) => {
    status = as;
    open = [];
    attempt = null;
    tell(as);
  };
  const exhaust = () => {
    if (isLast() && startOf(cycle + 1) <= today) stop('expired');
    else if (story.onExhausted === 'pause') {
      stop('paused');
      resumeAt = null;
    } else stop('cancelled');
  };
  const fail = (reason: Card) => {
    if (!attempt) return;
    const number = attempt.cycle;
    failures.set(number, (failures.get(number) ?? 0) + 1);
    const remaining = story.retryDays.slice((failures.get(number) ?? 0) - 1);
    attempt = { cycle: number, at: null, giveUp: null, waits: 0 };
    if (status === 'incomplete') {
      tell(`payment_failed ${number}`);
      return;
    }
    status = 'past_due';
    tell(`payment_failed ${number}`);
    const [next] = remaining;
    if (next === undefined) exhaust();
    else if (reason === 'stolen') attempt.giveUp = today + remaining.reduce((total, days) => total + days, 0);
    else attempt.at = today + next;
  };
  const tryNow = () => {
    if (!attempt) return;
    tried = tried.filter((at) => at > hours() - REST_HOURS);
    const [oldest] = tried.slice(-TRIED_AT_MOST);
    if (tried.length >= TRIED_AT_MOST && oldest !== undefined) {
      attempt = { ...attempt, at: Math.floor((oldest + REST_HOURS) / 24) };
      return;
    }
    if (card === 'broken') {
      attempt = { ...attempt, at: today, waits: attempt.waits + 1 };
      return;
    }
    tried.push(hours());
    if (card !== 'pays') return fail(card);
    const number = attempt.cycle;
    open = open.filter((one) => one !== number);
    attempt = open.length > 0 ? { cycle: open[0] ?? 0, at: today + 1, giveUp: null, waits: 0 } : null;
    const wasIncomplete = status === 'incomplete';
    status = status === 'past_due' && open.length > 0 ? 'past_due' : 'active';
    tell(wasIncomplete ? 'activated' : `renewed ${number}`);
  };
  const begin = () => {
    cycle += 1;
    if (nextInterval !== null && nextInterval !== interval) {
      const date = dateOf(today);
      anchor = { cycle, date, day: interval === 'week' ? date.day : anchor.day };
      interval = nextInterval;
    }
    nextInterval = null;
    open.push(cycle);
    attempt ??= { cycle, at: today, giveUp: null, waits: 0 };
  };
  const resume = () => {
    let next = cycle + 1;
    while (startOf(next) <= today) next += 1;
    left += next - 1 - cycle;
    cycle = next - 1;
    resumeAt = null;
    status = cycle === 0 && story.trial > today ? 'trialing' : 'active';
    tell('activated');
  };
  const isRunning = () => status === 'trialing' || status === 'active' || status === 'past_due';
  const endIfOver = () => {
    if (isRunning() && isLast() && open.length === 0 && cancelAt === null && startOf(cycle + 1) <= today)
      stop('expired');
  };
  /** Everything that falls due at nine in the morning. */
  const morning = () => {
    if (isEnded()) return;
    if (cancelAt !== null && cancelAt <= today) return void stop('cancelled');
    endIfOver();
    if (attempt?.giveUp !== null && attempt?.giveUp !== undefined && attempt.giveUp <= today) exhaust();
    if (isRunning() && cancelAt === null && !isLast() && startOf(cycle + 1) <= today) begin();
    tryIfDue();
    endIfOver();
  };
  const act = (action: Action) => {
    if (isEnded()) return;
    switch (action.do) {
      case 'pause':
        if (!isRunning()) return;
        stop('paused');
        resumeAt = action.days === null ? null : today + action.days;
        return;
      case 'resume':
        if (status === 'paused') resume();
        return;
      case 'undo':
        cancelAt = null;
        return;
      case 'cancel':
        if (action.when === 'now' || !isRunning()) stop('cancelled');
        else cancelAt = cycle === 0 ? story.trial : startOf(cycle + 1);
        if (cancelAt !== null && cancelAt <= today && !isEnded()) stop('cancelled');
        return;
      case 'card':
        if (card !== action.card) tried = [];
        card = action.card;
        if (attempt) {
          attempt = { ...attempt, at: today, giveUp: null, waits: 0 };
          tryNow();
        }
        endIfOver();
        return;
      case 'price':
        nextInterval = action.interval;
    }
  };
  const tryIfDue = () => {
    if (attempt?.at !== null && attempt?.at !== undefined && attempt.at <= today) tryNow();
  };
  // Noon of the first day.
  isNoon = true;
  if (story.trial > 0) {
    status = 'trialing';
    tell('activated');
  } else {
    begin();
    tryNow();
  }
  const actions = [...story.actions];
  for (today = 0; today <= DAYS; today += 1) {
    isNoon = false;
    if (today > 0) morning();
    isNoon = true;
    tryIfDue();
    endIfOver();
    if (status === 'incomplete' && today === 1) stop('expired');
    if (status === 'paused' && resumeAt === today) resume();
    while (actions[0]?.day === today) act((actions.shift() as Story['actions'][number]).action);
  }
  return told;
};

it('stories of pauses, cards, prices and cancellations happen as the guide tells them, each event in its order', async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      expect(await play(story)).toEqual(expected(story));
    }),
    { examples: [[CATCHING_UP]], numRuns: volume({ usual: 1_000, proof: 5_000 }) },
  );
});
