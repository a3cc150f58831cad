import { randomUUID } from 'node:crypto';
import {
  type AuthorizeRequest,
  type Instrument,
  type PaymentProvider,
  ProviderTimeout,
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
