import { randomUUID } from 'node:crypto';
import {
  type AuthorizeRequest,
  type Instrument,
  type PaymentProvider,
  type PaymentState,
  ProviderTimeout,
  type RefundRequest,
  type RefundState,
} from '../../src/modules/providers/provider.ts';

/** A provider, with one instrument for each way in which a payment can go there. */
export type ProviderUnderTest = {
  readonly provider: PaymentProvider;
  readonly pays: Instrument;
  readonly refuses: Instrument;
  /** Waits for its payer. */
  readonly waits: Instrument;
  /** Is paid, but the call gets no answer. */
  readonly goesUnanswered: Instrument;
  /** One instrument for each method that the provider offers. */
  readonly methods: readonly Instrument[];
  /** Bodies of notifications, as the provider would send them. */
  readonly notifications: {
    paid(payment: AuthorizeRequest, state: PaymentState): Buffer;
    refunded(refund: RefundRequest, state: RefundState): Buffer;
    chargedBack(payment: AuthorizeRequest, state: PaymentState): Buffer;
    /** Of a kind that the gateway does not act upon. */
    readonly other: Buffer;
  };
};

const newReference = (): string => `chg_${randomUUID()}`;

const aPayment = (instrument: Instrument, reference = newReference()): AuthorizeRequest => ({
  reference,
  amount: 150_75,
  currency: 'BRL',
  merchantName: 'Loja da Ana',
  instrument,
});

const fullRefundOf = (payment: AuthorizeRequest, reference = `ref_${randomUUID()}`) => ({
  reference,
  paymentReference: payment.reference,
  amount: payment.amount,
  currency: payment.currency,
});

/** What the gateway relies on, whichever provider it talks to. */
export const describeProviderContract = (
  name: string,
  makeProvider: () => Promise<ProviderUnderTest>,
): void => {
  describe(`${name}, as a payment provider,`, () => {
    let given: ProviderUnderTest;
    let provider: PaymentProvider;
    beforeAll(async () => {
      given = await makeProvider();
      provider = given.provider;
    });

    it('answers a payment with its state and its own reference', async () => {
      const state = await provider.authorize(aPayment(given.pays));
      expect(state).toMatchObject({ status: 'paid', failureReason: null });
      expect(state.pspRefId).not.toBe('');
      expect(new Date(state.paidAt ?? '').toISOString()).toBe(state.paidAt);
    });

    it('answers a refusal as a result that says why', async () => {
      const state = await provider.authorize(aPayment(given.refuses));
      expect(state).toMatchObject({ status: 'refused', paidAt: null });
      expect(state.failureReason).toMatch(/^[a-z]+(_[a-z]+)*$/);
    });

    it('makes one payment of any number of calls with the same reference', async () => {
      const payment = aPayment(given.pays);
      const states = await Promise.all(Array.from({ length: 8 }, () => provider.authorize(payment)));
      const again = await provider.authorize({ ...payment, instrument: given.refuses });
      expect(new Set([...states, again].map((state) => JSON.stringify(state))).size).toBe(1);
    });

    it('describes a payment as it answered it', async () => {
      for (const instrument of [given.pays, given.refuses, given.waits]) {
        const payment = aPayment(instrument);
        const state = await provider.authorize(payment);
        expect(await provider.describePayment(payment.reference)).toEqual(state);
      }
    });

    it('knows nothing of a reference that it never saw', async () => {
      expect(await provider.describePayment(newReference())).toBeNull();
      expect(await provider.describeRefund(newReference())).toBeNull();
    });

    it('may make a payment and not answer; asking again tells its state', async () => {
      const payment = aPayment(given.goesUnanswered);
      await expect(provider.authorize(payment)).rejects.toThrow(ProviderTimeout);
      const described = await provider.describePayment(payment.reference);
      expect(described).toMatchObject({ status: 'paid' });
      expect(await provider.authorize(payment)).toEqual(described);
    });

    it('takes every method that it offers, and tells what the payer needs for it', async () => {
      expect(given.methods.map(({ type }) => type)).toEqual(provider.methods);
      for (const instrument of given.methods) {
        const payment = aPayment(instrument);
        const state = await provider.authorize(payment);
        expect(['paid', 'pending']).toContain(state.status);
        if (instrument.type === 'credit_card') expect(state.instructions).toBeNull();
        else expect(state.instructions?.type).toBe(instrument.type);
        for (const value of Object.values(state.instructions ?? {})) expect(value).not.toBe('');
        expect(await provider.describePayment(payment.reference)).toEqual(state);
        expect(await provider.cancel(payment.reference)).toMatchObject({
          status: state.status === 'paid' ? 'paid' : 'failed',
        });
      }
    });

    it('gives every waiting payment instructions of its own', async () => {
      for (const instrument of given.methods.filter(({ type }) => type !== 'credit_card')) {
        const [one, another] = await Promise.all([1, 2].map(() => provider.authorize(aPayment(instrument))));
        expect(one?.instructions).not.toEqual(another?.instructions);
      }
    });

    it('says in a notification what it answers when it is asked', async () => {
      const payment = aPayment(given.pays);
      const paid = await provider.authorize(payment);
      const { amount, currency, reference } = payment;
      const ofPayment = provider.parseNotification(given.notifications.paid(payment, paid));
      expect(ofPayment).toEqual({
        id: expect.stringMatching(/./),
        livemode: false,
        kind: 'payment',
        reference,
        amount,
        currency,
        state: { ...paid, instructions: null },
      });
      const ofChargeback = provider.parseNotification(given.notifications.chargedBack(payment, paid));
      expect(ofChargeback).toMatchObject({ kind: 'chargeback', reference, amount, currency });
      const refund = fullRefundOf(payment);
      const refunded = await provider.refund(refund);
      expect(provider.parseNotification(given.notifications.refunded(refund, refunded))).toMatchObject({
        kind: 'refund',
        reference: refund.reference,
        amount,
        currency,
        state: refunded,
      });
      expect(new Set([ofPayment?.id, ofChargeback?.id]).size).toBe(2);
    });

    it('names the same notification the same when it is sent again', async () => {
      const payment = aPayment(given.pays);
      const body = given.notifications.paid(payment, await provider.authorize(payment));
      expect(provider.parseNotification(body)).toEqual(provider.parseNotification(Buffer.from(body)));
    });

    it('passes over what it does not know, and takes nothing else for a notification', () => {
      expect(provider.parseNotification(given.notifications.other)).toMatchObject({ kind: 'other' });
      for (const body of ['', 'null', '[]', '{}', '{"id":7}', 'not json', '{"__proto__":{"id":"1"}}'])
        expect(provider.parseNotification(Buffer.from(body))).toBeNull();
    });

    it('gives the payer what is needed to pay', async () => {
      const state = await provider.authorize(aPayment(given.waits));
      expect(state).toMatchObject({ status: 'pending', paidAt: null });
      expect(state.instructions).toMatchObject({ type: given.waits.type });
    });

    it('ends the wait of a payment that is cancelled, for good', async () => {
      const payment = aPayment(given.waits);
      await provider.authorize(payment);
      const cancelled = await provider.cancel(payment.reference);
      expect(cancelled).toMatchObject({ status: 'failed', paidAt: null });
      expect(await provider.cancel(payment.reference)).toEqual(cancelled);
      expect(await provider.authorize(payment)).toEqual(cancelled);
      expect(await provider.describePayment(payment.reference)).toEqual(cancelled);
    });

    it('leaves a payment paid that is cancelled too late', async () => {
      const payment = aPayment(given.pays);
      const state = await provider.authorize(payment);
      expect(await provider.cancel(payment.reference)).toEqual(state);
    });

    it('never takes a payment that was cancelled before it arrived', async () => {
      const payment = aPayment(given.pays);
      expect(await provider.cancel(payment.reference)).toMatchObject({ status: 'failed' });
      expect(await provider.authorize(payment)).toMatchObject({ status: 'failed', paidAt: null });
    });

    it('agrees on one outcome where a payment and its cancellation race', async () => {
      for (let round = 0; round < 10; round += 1) {
        const payment = aPayment(given.pays);
        const [paid, cancelled] = await Promise.all([
          provider.authorize(payment),
          provider.cancel(payment.reference),
        ]);
        expect(paid).toEqual(cancelled);
      }
    });

    it('gives a payment back and describes the refund as it answered it', async () => {
      const payment = aPayment(given.pays);
      await provider.authorize(payment);
      const refund = fullRefundOf(payment);
      const state = await provider.refund(refund);
      expect(state).toEqual({ status: 'refunded', reason: null, pspRefundRefId: expect.any(String) });
      expect(await provider.describeRefund(refund.reference)).toEqual(state);
    });

    it('makes one refund of any number of calls with the same reference', async () => {
      const payment = aPayment(given.pays);
      await provider.authorize(payment);
      const refund = fullRefundOf(payment);
      const states = await Promise.all(Array.from({ length: 8 }, () => provider.refund(refund)));
      expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
      expect(states[0]).toMatchObject({ status: 'refunded' });
    });

    it('gives a payment back once, however many refunds are asked for', async () => {
      const payment = aPayment(given.pays);
      await provider.authorize(payment);
      const states = await Promise.all(
        Array.from({ length: 8 }, () => provider.refund(fullRefundOf(payment))),
      );
      expect(states.filter((state) => state.status === 'refunded')).toHaveLength(1);
      expect(states.filter((state) => state.status === 'refused')).toHaveLength(7);
    });

    it('refuses to give back what was not paid', async () => {
      const payment = aPayment(given.waits);
      await provider.authorize(payment);
      expect(await provider.refund(fullRefundOf(payment))).toMatchObject({ status: 'refused' });
      expect(await provider.refund(fullRefundOf(aPayment(given.pays)))).toMatchObject({ status: 'refused' });
    });
  });
};
