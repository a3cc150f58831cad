import {
  aCharge,
  aPaidCharge,
  aPaymentState,
  aPixCharge,
  countingIds,
  later,
  NOW,
  PIX_INSTRUCTIONS,
} from '../../../../test/builders.ts';
import { createFakeProvider, type FakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { UNKNOWN_UNTIL_NOTIFIED } from '../../providers/provider.ts';
import { CHARGES } from './charge.store.ts';
import type { Charge } from './charge.ts';
import { createReconcileCharge } from './reconcile-charge.ts';
import { createRecordPaymentOutcome } from './record-payment-outcome.ts';

const NO_TERMS = { fine: null, interest: null, discounts: null, rebate: null };

const reconcile = async (charge: Charge, provider: FakeProvider | null, now = later(20), storeNow = now) => {
  const store = createFakeWriteStore();
  store.put(CHARGES, charge);
  const newId = countingIds();
  const recordPaymentOutcome = createRecordPaymentOutcome({
    transact: store.transact,
    findDelayDays: async () => [],
    clock: () => now,
    newId,
    giveBack: async () => null,
    outcomeFollowers: [],
    lateRules: [],
  });
  await createReconcileCharge({
    providerNamed: async (name) => (name === 'fake' ? provider : null),
    recordPaymentOutcome,
    storeTime: async () => storeNow,
  })(charge, now);
  return { store, charge: store.find(CHARGES, charge.id), calls: provider?.calls ?? [] };
};

describe('a charge that a crash or a time-out left pending', () => {
  it('given that the provider was paid, then it is paid and booked once, and nobody is asked to pay again', async () => {
    const { store, charge, calls } = await reconcile(
      aCharge(),
      createFakeProvider({ payment: aPaymentState() }),
    );
    expect(charge).toMatchObject({ status: 'paid', reconcileAt: null });
    expect(store.journals()).toHaveLength(1);
    expect(calls).toEqual(['describePayment chg_1']);
  });

  it('given that the provider refused it, then it is refused', async () => {
    const payment = aPaymentState({ status: 'refused', failureReason: 'card_declined' });
    const { store, charge } = await reconcile(aCharge(), createFakeProvider({ payment }));
    expect(charge).toMatchObject({ status: 'refused', failureReason: 'card_declined' });
    expect(store.journals()).toEqual([]);
  });

  it('given a provider without the payment, then it is cancelled there, so that it cannot arrive later', async () => {
    const { store, charge, calls } = await reconcile(aCharge(), createFakeProvider({ payment: null }));
    expect(charge).toMatchObject({ status: 'failed', reconcileAt: null });
    expect(calls).toEqual(['describePayment chg_1', 'cancel chg_1']);
    expect(store.journals()).toEqual([]);
  });

  it('given that it arrived just before it was cancelled, then it is paid', async () => {
    const { store, charge } = await reconcile(aCharge(), createFakeProvider({ cancel: aPaymentState() }));
    expect(charge?.status).toBe('paid');
    expect(store.journals()).toHaveLength(1);
  });

  it('given a Pix that waits for its payer, then it gets its QR code', async () => {
    const payment = aPaymentState({ status: 'pending', instructions: PIX_INSTRUCTIONS });
    const intent = aPixCharge({ instructions: null });
    const { charge, calls } = await reconcile(intent, createFakeProvider({ payment }));
    expect(charge).toMatchObject({ status: 'pending', instructions: PIX_INSTRUCTIONS });
    expect(charge?.reconcileAt).toBe(charge?.expiresAt);
    expect(calls).toEqual(['describePayment chg_1']);
  });

  it('given a provider that cannot be asked, then it waits for its notification', async () => {
    const provider = createFakeProvider({ payment: UNKNOWN_UNTIL_NOTIFIED });
    for (const now of [later(20), later(7_200)]) {
      const { store } = await reconcile(aPixCharge({ instructions: null }), provider, now);
      expect(store.decisions()).toEqual([]);
    }
    expect(provider.calls).toEqual(['describePayment chg_1', 'describePayment chg_1']);
  });

  it('given that no provider is configured any more, then it stays as it is', async () => {
    const { store } = await reconcile(aCharge(), null);
    expect(store.decisions()).toEqual([]);
  });

  it('given that somebody else recorded the outcome meanwhile, then nothing is booked twice', async () => {
    const store = createFakeWriteStore();
    store.put(CHARGES, aPaidCharge());
    const recordPaymentOutcome = createRecordPaymentOutcome({
      transact: store.transact,
      findDelayDays: async () => [],
      clock: () => NOW,
      newId: countingIds(),
      giveBack: async () => null,
      outcomeFollowers: [],
      lateRules: [],
    });
    const provider = createFakeProvider({ payment: aPaymentState() });
    await createReconcileCharge({
      providerNamed: async (name) => (name === 'fake' ? provider : null),
      recordPaymentOutcome,
      storeTime: async () => NOW,
    })(aCharge(), NOW);
    expect(store.decisions()).toEqual([]);
    expect(store.journals()).toEqual([]);
  });
});

describe('a Pix charge whose time is over', () => {
  const waiting = aPaymentState({ status: 'pending', instructions: PIX_INSTRUCTIONS });
  const afterExpiry = later(3_600);

  it('given that nobody paid, then the provider lets it go and the charge has failed as expired', async () => {
    const provider = createFakeProvider({ payment: waiting });
    const { charge, calls, store } = await reconcile(aPixCharge(), provider, afterExpiry);
    expect(charge).toMatchObject({ status: 'failed', failureReason: 'expired', reconcileAt: null });
    expect(calls).toEqual(['describePayment chg_1', 'cancel chg_1']);
    expect(store.journals()).toEqual([]);
  });

  it('given that it was paid in the last moment, then it is paid', async () => {
    const provider = createFakeProvider({ payment: waiting, cancel: aPaymentState() });
    const { charge, store } = await reconcile(aPixCharge(), provider, afterExpiry);
    expect(charge?.status).toBe('paid');
    expect(store.journals()).toHaveLength(1);
  });

  it('given that only the clock of this process says so, then it still waits and is not cancelled', async () => {
    const provider = createFakeProvider({ payment: waiting });
    const { store, calls } = await reconcile(aPixCharge(), provider, later(7_200), later(3_599));
    expect(store.decisions()).toEqual([]);
    expect(calls).toEqual(['describePayment chg_1']);
  });

  it('given that the provider does not find it, then it is ended there only once its time is over', async () => {
    const early = createFakeProvider({ payment: null });
    const asked = await reconcile(
      aPixCharge({ livemode: true, reconcileAt: NOW.toISOString() }),
      early,
      later(15),
    );
    expect(asked.charge).toMatchObject({ status: 'pending', reconcileAt: later(60).toISOString() });
    expect(early.calls).toEqual(['describePayment chg_1']);
    const late = createFakeProvider({ payment: null });
    const { charge } = await reconcile(aPixCharge(), late, afterExpiry);
    expect(charge).toMatchObject({ status: 'failed', failureReason: 'expired' });
    expect(late.calls).toEqual(['describePayment chg_1', 'cancel chg_1']);
  });

  it.each([
    [15, 60],
    [60, 300],
    [300, 900],
    [900, 3_600],
  ])(
    'given a live one that is asked about %d s after it was made, then it is again at %d s',
    async (at, next) => {
      const provider = createFakeProvider({ payment: waiting });
      const pix = aPixCharge({ livemode: true, reconcileAt: later(at).toISOString() });
      const { charge } = await reconcile(pix, provider, later(at));
      expect(charge?.reconcileAt).toBe(later(next).toISOString());
    },
  );

  it('given a moment before, then it still waits and is not cancelled', async () => {
    const provider = createFakeProvider({ payment: waiting });
    const { store, calls } = await reconcile(aPixCharge(), provider, later(3_599.999));
    expect(store.decisions()).toEqual([]);
    expect(calls).toEqual(['describePayment chg_1']);
  });

  it.each([
    ['within its hour', undefined, 15, 60],
    ['until its due date', { dueDate: '2026-06-30', daysAfterDue: 30, ...NO_TERMS }, 7_200, 7_200 + 86_400],
  ])(
    'given a live one to be paid %s with another amount, then it is asked about no more often than any other',
    async (_, due, at, next) => {
      const provider = createFakeProvider({
        payment: aPaymentState({ echo: { amount: 50, currency: 'BRL' } }),
      });
      const pix = aPixCharge({
        ...{ livemode: true, reconcileAt: later(at).toISOString() },
        paymentMethod: { type: 'pix', ...(due ? { due } : {}) },
        ...(due ? { expiresAt: '2026-08-05T03:00:00.000Z' } : {}),
      });
      const { charge, store } = await reconcile(pix, provider, later(at));
      expect(charge).toMatchObject({ status: 'pending', reconcileAt: later(next).toISOString() });
      expect(store.decisions()).toEqual(['suspense_item suspense.opened', 'charge charge.asked']);
    },
  );

  it('given that another amount was paid, then that is held, and the charge has failed as expired', async () => {
    const echo = { amount: 99_99, currency: 'BRL' };
    const provider = createFakeProvider({ payment: aPaymentState({ echo }) });
    const own = aPixCharge({ pspRefId: 'its own' });
    const { charge, store } = await reconcile(own, provider, afterExpiry);
    // The reference of the money that is held is none of the charge's.
    const failed = { status: 'failed', failureReason: 'expired', reconcileAt: null, pspRefId: 'its own' };
    expect(charge).toMatchObject(failed);
    expect(store.decisions()).toEqual(['suspense_item suspense.opened', 'charge charge.failed']);
    expect(store.journals()).toHaveLength(1);
    const before = await reconcile(aPixCharge(), provider, later(60));
    expect(before.charge).toMatchObject({ status: 'pending' });
    expect(before.store.decisions()).toEqual(['suspense_item suspense.opened']);
  });
});
