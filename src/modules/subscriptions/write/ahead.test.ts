import { aCharge } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { dateOfDay } from '../../../kernel/business-days.ts';
import { systemContext } from '../../../kernel/event.ts';
import { openMandate, type StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { nextRetry, planOf } from './ahead.ts';
import { type Attempt, CYCLES, type Cycle, withAttempt } from './cycle.ts';
import { cycleOf } from './cycle-of.ts';
import { followAttempt, missWindow, outcomeOf } from './follow-attempt.ts';
import { cancel, pause } from './lifecycle.ts';
import { createRunDue } from './run-due.ts';
import { attempted, begin, openSubscription, SUBSCRIPTIONS, type Subscription } from './subscription.ts';
import { storeChange } from './subscriptions.store.ts';

const MADE = new Date('2026-07-01T09:00:00.000Z');
/** The charge of the first cycle is handed in on the second of July, a Thursday, for the seventh. */
const HANDED_IN = new Date('2026-07-02T09:00:00.000Z');
const DUE = '2026-07-07T09:00:00.000Z';
const NEXT = '2026-08-07T09:00:00.000Z';
/** It is too late for a withdrawal from 01:00 on, which is 22:00 of the day before in São Paulo. */
const TOO_LATE = new Date('2026-07-07T02:00:00.000Z');
const CHARGE = 'chg_1';
const PLAN = { mandate: 'pm_1', dueDate: '2026-07-07', on: '2026-07-07', retryOf: null } as const;
const CONTEXT = systemContext('test');

const opened = openSubscription(
  {
    ...{
      id: 'sub_1',
      merchantId: 'mer_1',
      masterId: null,
      livemode: false,
      customerId: 'cus_1',
      planId: null,
    },
    ...{ collection: 'automatic', paymentMethodId: 'pm_1', payerMethod: null, payerDays: 3 },
    ...{ chargesAhead: true, mandateRetries: 'three_in_seven_days' },
    price: { amount: 10_00, currency: 'BRL', interval: 'month', intervalCount: 1 },
    calendar: {
      ...{ interval: 'month', intervalCount: 1, cycle: 1, date: '2026-07-07', day: 7 },
      ...{ timeZone: 'UTC', hour: 9 },
    },
    ...{ nextCycleAt: DUE, trialEnd: null, maxCycles: null, endDate: null, retryDays: [2, 2, 2] },
    ...{ onExhausted: 'cancel', split: null, description: null, metadata: null, reference: null },
    postbackUrl: null,
  },
  MADE,
).data;

const anAttempt = (changes: Partial<Attempt> = {}): Attempt => ({
  ...{ chargeId: CHARGE, plan: PLAN, at: HANDED_IN.toISOString(), outcome: 'pending', reason: null },
  leftOut: [],
  ...changes,
});

/** A subscription whose first charge is handed in and waits for its day. */
const planned = (): { readonly subscription: Subscription; readonly cycle: Cycle } => {
  const trialing: Subscription = { ...opened, status: 'trialing', activatedAt: opened.createdAt };
  const { data: begun } = begin(trialing, HANDED_IN);
  const made = { chargeId: CHARGE, page: null, attempt: 1, payBy: null, settlesAt: DUE } as const;
  return {
    subscription: { ...attempted(begun, made, HANDED_IN).data, version: 1 },
    cycle: withAttempt(cycleOf(begun, trialing), anAttempt()),
  };
};

/** Does what is due at an instant for a subscription, with no provider that could cancel anything. */
const runDueAt = async (
  store: ReturnType<typeof createFakeWriteStore>,
  now: Date,
  method: StoredMethod | null = null,
) => {
  const unused = async (): Promise<never> => {
    throw new Error('nobody needs it');
  };
  const runDue = createRunDue({
    ...{ transact: store.transact, clock: () => now, endCharge: unused, settlePlanned: unused },
    ...{ collectCycle: unused, beginAndCollect: unused },
    cyclePages: { close: unused, expire: unused },
    findSubscription: async (id) => store.find(SUBSCRIPTIONS, id),
    findMethod: async () => method,
    findCharge: async () =>
      aCharge({
        ...{ id: CHARGE, status: 'pending', cycle: { subscriptionId: 'sub_1', number: 1 } },
        paymentMethod: { type: 'pix', id: 'pm_1', planned: PLAN },
      }),
  });
  const due = store.find(SUBSCRIPTIONS, 'sub_1');
  return due && runDue(due, CONTEXT);
};

describe('a cycle whose charge can be withdrawn no more, although it was to be', () => {
  const withdrawnBy = async (rule: 'pause' | 'cancel') => {
    const { subscription, cycle } = planned();
    const store = createFakeWriteStore();
    store.put(SUBSCRIPTIONS, subscription);
    store.put(CYCLES, cycle);
    const decision =
      rule === 'pause'
        ? pause(subscription, null, HANDED_IN)
        : cancel(subscription, 'period_end', null, HANDED_IN);
    await store.transact(CONTEXT, (tx) => storeChange(tx, subscription, [decision]));
    return store;
  };

  it('is collected after all, and a planned end counts from the next cycle', async () => {
    const store = await withdrawnBy('cancel');
    expect(store.find(CYCLES, 'sub_1_1')).toMatchObject({ status: 'uncollectible' });
    expect(await runDueAt(store, TOO_LATE)).toMatchObject({
      ...{ status: 'trialing', cycle: 1, open: [1], releasing: null },
      collecting: { cycle: 1, chargeId: CHARGE, nextAt: null, settlesAt: DUE, hasNewMethod: false },
      ...{ currentPeriodStart: DUE, currentPeriodEnd: NEXT, nextCycleAt: NEXT, cancelAt: NEXT },
    });
    expect(store.find(CYCLES, 'sub_1_1')).toMatchObject({ status: 'open' });
  });

  it('stays given up during a pause, and does not begin again after it', async () => {
    const store = await withdrawnBy('pause');
    expect(await runDueAt(store, TOO_LATE)).toMatchObject({
      ...{ status: 'paused', cycle: 1, open: [], collecting: null, releasing: null, nextCycleAt: NEXT },
    });
    expect(store.find(CYCLES, 'sub_1_1')).toMatchObject({ status: 'uncollectible' });
  });

  it('counts as the latest cycle where it is paid before it is withdrawn', () => {
    const { subscription, cycle } = planned();
    const { data: ending } = cancel(subscription, 'period_end', null, HANDED_IN);
    expect(ending).toMatchObject({ cycle: 0, withdrawnCycle: 1, cancelAt: DUE });
    const given = { ...cycle, status: 'uncollectible' } as const;
    const paid = followAttempt(ending, given, CHARGE, { outcome: 'paid', reason: null }, TOO_LATE);
    expect(paid?.cycle.status).toBe('paid');
    expect(paid?.decisions[0]?.data).toMatchObject({
      ...{ status: 'active', cycle: 1, open: [], nextCycleAt: NEXT, cancelAt: NEXT },
    });
  });
});

describe('a charge that an institution does not take', () => {
  const refusedFor = (failureReason: string) => {
    const { subscription, cycle } = planned();
    const outcome = outcomeOf({ status: 'refused', failureReason, instructions: null });
    const followed = outcome && followAttempt(subscription, cycle, CHARGE, outcome, HANDED_IN);
    const [decision] = followed?.decisions ?? [];
    if (!followed || !decision) throw new Error('nothing follows');
    return { decision, subscription: decision.data, cycle: followed.cycle };
  };

  it('is handed in again an hour later, as the payer has refused nothing', () => {
    const { decision, subscription, cycle } = refusedFor('cob_r_operacao_invalida');
    expect(decision.type).toBe('subscription.postponed');
    expect(subscription).toMatchObject({
      ...{ status: 'trialing', open: [1] },
      collecting: { nextAt: '2026-07-02T10:00:00.000Z', chargeId: null, settlesAt: null },
    });
    expect(cycle.attempts).toMatchObject([{ outcome: 'not_counted', reason: 'cob_r_operacao_invalida' }]);
    expect(planOf(subscription, cycle, new Date('2026-07-02T10:00:00.000Z'))).toEqual(PLAN);
  });

  it('is given up with its cycle once it is too late for it', () => {
    const { subscription, cycle } = refusedFor('cob_r_operacao_invalida');
    const now = new Date('2026-07-05T09:00:00.000Z');
    expect(planOf(subscription, cycle, now)).toBeNull();
    const [told] = missWindow(subscription, cycle, now).decisions;
    expect(told).toMatchObject({
      type: 'subscription.payment_failed',
      data: { status: 'past_due', pastDueReason: 'charge_window_missed', open: [], collecting: null },
    });
  });

  it('fails where its mandate has ended, and where it is a retry', () => {
    expect(refusedFor('mandate_cancelled').decision.type).toBe('subscription.payment_failed');
    const { subscription, cycle } = planned();
    const plan = { ...PLAN, on: '2026-07-09', retryOf: 'chg_0' } as const;
    const retried = { ...cycle, attempts: [anAttempt({ plan })] };
    const outcome = outcomeOf({ status: 'refused', failureReason: 'not_found', instructions: null });
    const followed = outcome && followAttempt(subscription, retried, CHARGE, outcome, HANDED_IN);
    expect(followed?.cycle.attempts).toMatchObject([{ outcome: 'failed' }]);
  });
});

describe('a retry', () => {
  const cycleWith = (...attempts: readonly Attempt[]): Cycle => ({ ...planned().cycle, attempts });
  const failed = anAttempt({ outcome: 'failed', reason: 'insufficient_funds' });
  const retried = (changes: Partial<Attempt>): Attempt =>
    anAttempt({ chargeId: 'chg_2', plan: { ...PLAN, on: '2026-07-09', retryOf: CHARGE }, ...changes });
  const now = new Date('2026-07-08T12:00:00.000Z');
  const daysOf = (cycle: Cycle, changes: Partial<Subscription> = {}) => {
    const subscription = { ...planned().subscription, ...changes };
    const day = nextRetry(subscription, cycle, 2, now);
    return [day && dateOfDay(day), planOf(subscription, cycle, now)?.on ?? null];
  };

  it('follows an attempt that has failed', () => {
    expect(daysOf(cycleWith(failed))).toEqual(['2026-07-09', '2026-07-09']);
  });

  it('follows none where the mandate allows no retry', () => {
    expect(daysOf(cycleWith(failed), { mandateRetries: 'none' })).toEqual([null, null]);
  });

  it.each(['pending', 'paid'] as const)('follows none while an earlier attempt is %s', (outcome) => {
    expect(daysOf(cycleWith(failed, retried({ outcome })))).toEqual([null, null]);
  });
});

describe('a subscription that waits for its mandate', () => {
  const aMethod = (status: StoredMethod['status']): StoredMethod => ({
    ...openMandate(
      {
        ...{ id: 'pm_1', merchantId: 'mer_1', masterId: null, livemode: false, customerId: 'cus_1' },
        ...{ provider: 'fake', firstChargeId: null },
        terms: {
          ...{ journey: 'qr', interval: 'month', intervalCount: 1, amount: 10_00, minimumAmount: null },
          ...{ startDate: '2026-07-07', endDate: null, retries: 'none' },
          ...{ contract: 'contract-1001', description: 'Gym membership' },
        },
      },
      HANDED_IN,
      15_000,
    ).data,
    status,
  });
  const lookedAt = (status: StoredMethod['status']) => {
    const store = createFakeWriteStore();
    store.put(SUBSCRIPTIONS, { ...opened, version: 1 });
    return runDueAt(store, new Date(MADE.getTime() + 60_000), aMethod(status));
  };

  it.each(['failed', 'revoked', 'expired'] as const)(
    'ends where the mandate is %s already',
    async (status) => {
      expect(await lookedAt(status)).toMatchObject({ status: 'expired', endReason: 'never_activated' });
    },
  );

  it('is active once it is approved, and waits until then', async () => {
    expect(await lookedAt('active')).toMatchObject({ status: 'trialing' });
    expect(await lookedAt('pending')).toMatchObject({ status: 'incomplete' });
  });
});
