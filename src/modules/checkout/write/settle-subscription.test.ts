import { aCharge, later, NOW } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { subscriptionChanged } from '../../subscriptions/write/refusals.ts';
import { openSubscription, type Subscription } from '../../subscriptions/write/subscription.ts';
import { CHECKOUT_SESSIONS, type CheckoutSession, nextLookAt, openSession } from './checkout-session.ts';
import { createSettleSubscription } from './settle-subscription.ts';

const SUBSCRIBING: CheckoutSession = {
  ...openSession(
    {
      ...{ id: 'chk_1', merchantId: 'mer_1', masterId: null, livemode: false },
      ...{ url: 'https://pay.example/x', token: 'x', paymentLinkId: null, mode: 'subscription' },
      ...{ amount: 10_00, currency: 'BRL', planId: 'plan_1', description: null, items: null },
      ...{ customerId: 'cus_1', customer: null, methods: null, maxInstallments: 1, saveMethod: 'always' },
      ...{ locale: null, returnUrl: null, cancelUrl: null, postbackUrl: null, split: null },
      ...{ reference: null, metadata: null, expiresAt: later(3_600).toISOString() },
    },
    NOW,
  ).data,
  ...{ version: 1, status: 'processing', paymentMethodId: 'pm_1', subscriptionId: 'sub_1' },
  consent: { text: 'Yes', at: NOW.toISOString() },
};

const CARD: Partial<StoredMethod> = { id: 'pm_1', status: 'active' };
/** Its first charge was refused, and it has not ended yet. */
const REFUSED: Subscription = {
  ...openSubscription(
    {
      ...{ id: 'sub_1', merchantId: 'mer_1', masterId: null, livemode: false, customerId: 'cus_1' },
      ...{ planId: 'plan_1', collection: 'automatic', paymentMethodId: 'pm_1' },
      ...{ payerMethod: null, payerDays: 3 },
      price: { amount: 10_00, currency: 'BRL', interval: 'month', intervalCount: 1 },
      calendar: {
        ...{ interval: 'month', intervalCount: 1, cycle: 1, date: '2026-06-15', day: 15 },
        ...{ timeZone: 'UTC', hour: 12 },
      },
      ...{ nextCycleAt: NOW.toISOString(), trialEnd: null, maxCycles: null, endDate: null },
      ...{ retryDays: [], onExhausted: 'cancel', split: null, description: null, metadata: null },
      ...{ reference: null, postbackUrl: null },
    },
    NOW,
  ).data,
  ...{ version: 2, latestChargeId: 'chg_1', collecting: null },
  latestAttempt: { cycleNumber: 1, chargeId: 'chg_1', attempt: 1, nextAttemptAt: null },
};

/** Settles a session while others change its subscription, as it is found at each look. */
const settleWhile = async (
  found: readonly Subscription[],
  charge: Charge | null = null,
  session: CheckoutSession = SUBSCRIBING,
) => {
  const store = createFakeWriteStore();
  store.put(CHECKOUT_SESSIONS, session);
  const calls: string[] = [];
  const noted: boolean[] = [];
  const looks = [...found];
  const unexpected = async () => {
    throw new Error('nothing is created');
  };
  const settle = createSettleSubscription({
    transact: store.transact,
    clock: () => NOW,
    findSession: async (id) => store.find(CHECKOUT_SESSIONS, id),
    findMethod: async () => CARD as StoredMethod,
    findSubscription: async () => looks.shift() ?? null,
    findCharge: async () => charge,
    createSubscription: unexpected,
    async cancelSubscription({ version }) {
      calls.push(`cancel ${version}`);
      if (looks.length > 0) throw subscriptionChanged();
      return REFUSED;
    },
    async revokeMethod({ id }) {
      calls.push(`revoke ${id}`);
    },
    cardTesting: {
      async noteLate(id, isRefused) {
        expect(id).toBe(session.id);
        noted.push(isRefused);
      },
    },
  });
  const settled = await settle(session, systemContext('test'));
  return { settled, calls, noted };
};

describe('when a session whose outcome is open is looked at again', () => {
  it.each([
    [false, 2, 3],
    [false, 600, 300],
    [true, 600, 3],
  ])('(live %s, at an age of %i s) is after %i s', (livemode, age, wait) => {
    const now = later(age);
    const at = nextLookAt({ livemode, updatedAt: timestamp(NOW) }, 3_000, now);
    expect((Date.parse(at) - now.getTime()) / 1_000).toBe(wait);
  });
});

describe('a subscription on a page that changes while its refused start is ended', () => {
  it('is looked at again, and counts as begun where it has begun meanwhile', async () => {
    const begun = { ...REFUSED, version: 3, status: 'active', activatedAt: NOW.toISOString() } as const;
    const { settled, calls, noted } = await settleWhile([REFUSED, begun]);
    expect(calls).toEqual(['cancel 2']);
    expect(noted).toEqual([false]);
    expect(settled).toMatchObject({ status: 'completed', chargeId: 'chg_1' });
  });

  it('is ended at the version that it has by then, and the refusal counts once', async () => {
    const { settled, calls } = await settleWhile([REFUSED, { ...REFUSED, version: 3 }]);
    expect(calls).toEqual(['cancel 2', 'cancel 3', 'revoke pm_1']);
    expect(settled).toMatchObject({ status: 'open', refusals: 1, subscriptionId: null });
  });

  it.each([
    ['and has not counted the refusal yet', SUBSCRIBING],
    ['and has counted the refusal', { ...SUBSCRIBING, refusals: 1, refusedSubscriptionId: 'sub_1' }],
  ] as const)('counts once as a refusal where somebody else has ended it %s', async (_, session) => {
    const ended = { ...REFUSED, version: 3, status: 'cancelled' } as const;
    const { settled, noted } = await settleWhile([REFUSED, ended], aCharge({ status: 'refused' }), session);
    expect(noted).toEqual([true]);
    expect(settled).toMatchObject({ status: 'open', refusals: 1, subscriptionId: null });
  });

  it('is no refusal where the payer has left the card and somebody else has ended it', async () => {
    const left = { ...REFUSED, version: 3, status: 'cancelled' } as const;
    const { settled, calls, noted } = await settleWhile([REFUSED, left]);
    expect(calls).toEqual(['cancel 2', 'revoke pm_1']);
    expect(noted).toEqual([]);
    expect(settled).toMatchObject({ status: 'open', refusals: 0, subscriptionId: null });
  });

  it('is left to a later look where it changes again and again', async () => {
    const { settled, calls } = await settleWhile([2, 3, 4, 5].map((version) => ({ ...REFUSED, version })));
    expect(calls).toEqual(['cancel 2', 'cancel 3', 'cancel 4']);
    expect(settled).toEqual(SUBSCRIBING);
  });
});
