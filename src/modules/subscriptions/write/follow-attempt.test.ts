import { withAttempt } from './cycle.ts';
import { cycleOf } from './cycle-of.ts';
import { followAttempt, outcomeOf } from './follow-attempt.ts';
import { changeMethod } from './lifecycle.ts';
import { attempted, begin, openSubscription, type Subscription } from './subscription.ts';

const NOW = new Date('2026-02-01T09:00:00.000Z');
const CHARGE = 'chg_1';
const REFUSED = { outcome: 'failed', reason: 'stolen_card' } as const;

/** A subscription whose first attempt waits for its outcome. */
const waiting = (retryDays: readonly number[]) => {
  const { data: opened } = openSubscription(
    {
      ...{ id: 'sub_1', merchantId: 'mer_1', masterId: null, livemode: false, customerId: 'cus_1' },
      ...{
        planId: null,
        collection: 'automatic',
        paymentMethodId: 'pm_old',
        payerMethod: null,
        payerDays: 3,
      },
      price: { amount: 10_00, currency: 'BRL', interval: 'month', intervalCount: 1 },
      calendar: {
        ...{ interval: 'month', intervalCount: 1, cycle: 1, date: '2026-02-01', day: 1 },
        ...{ timeZone: 'UTC', hour: 9 },
      },
      ...{ nextCycleAt: NOW.toISOString(), trialEnd: NOW.toISOString(), maxCycles: null, endDate: null },
      ...{ retryDays, onExhausted: 'cancel', split: null, description: null, metadata: null },
      ...{ reference: null, postbackUrl: null },
    },
    NOW,
  );
  const trialing: Subscription = { ...opened, status: 'trialing', activatedAt: opened.createdAt };
  const { data: begun } = begin(trialing, NOW);
  const attempt = { chargeId: CHARGE, at: NOW.toISOString(), reason: null, leftOut: [] } as const;
  const cycle = withAttempt(cycleOf(begun, trialing), { ...attempt, outcome: 'pending' });
  const { data: subscription } = attempted(
    begun,
    { chargeId: CHARGE, page: null, attempt: 1, payBy: null, settlesAt: null },
    NOW,
  );
  return { subscription, cycle };
};

describe('an attempt that fails', () => {
  it.each([[[1, 3]], [[]]])(
    'with retries after %j is followed at once by a method that was given meanwhile',
    (days) => {
      const { subscription, cycle } = waiting(days);
      const changed = { ...subscription, ...changeMethod(subscription, { id: 'pm_new' }, NOW) };
      const followed = followAttempt(changed, cycle, CHARGE, REFUSED, NOW);
      expect(followed?.decisions.map(({ type }) => type)).toEqual(['subscription.payment_failed']);
      expect(followed?.decisions[0]?.data).toMatchObject({
        status: 'past_due',
        paymentMethodId: 'pm_new',
        collecting: { cycle: 1, nextAt: NOW.toISOString(), chargeId: null, hasNewMethod: false },
      });
    },
  );

  it('ends the subscription without retries where the same method was named again', () => {
    const { subscription, cycle } = waiting([]);
    const same = { ...subscription, ...changeMethod(subscription, { id: 'pm_old' }, NOW) };
    const followed = followAttempt(same, cycle, CHARGE, REFUSED, NOW);
    expect(followed?.decisions.at(-1)?.data).toMatchObject({
      status: 'cancelled',
      endReason: 'payment_failed',
    });
  });
});

describe('an attempt whose charge is cancelled', () => {
  const cancelled = { status: 'failed', failureReason: 'cancelled' };

  it('counts for nothing where the provider was never asked, and is made again in a minute', () => {
    const { subscription, cycle } = waiting([1, 3]);
    const outcome = outcomeOf({ ...cancelled, instructions: null });
    if (outcome === null) throw new Error('the charge has ended');
    const followed = followAttempt(subscription, cycle, CHARGE, outcome, NOW);
    expect(followed?.decisions.map(({ type }) => type)).toEqual(['subscription.postponed']);
    expect(followed?.decisions[0]?.data).toMatchObject({
      status: 'trialing',
      collecting: { nextAt: '2026-02-01T09:01:00.000Z', waitsFor: 'never_asked', waits: 1 },
    });
  });

  it('has failed where its payer was told how to pay', () => {
    const instructions = { type: 'credit_card', authenticationUrl: 'https://bank.example' };
    expect(outcomeOf({ ...cancelled, instructions })).toEqual({ outcome: 'failed', reason: 'cancelled' });
  });
});
