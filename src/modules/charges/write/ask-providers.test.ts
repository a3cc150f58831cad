import { BrokenCircuitError } from 'cockatiel';
import { aCard, aCharge, aPayer, aPaymentState, NOW } from '../../../../test/builders.ts';
import { createFakeLogger } from '../../../../test/fakes/logger.ts';
import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { type PaymentProvider, type PaymentState, UNKNOWN_UNTIL_NOTIFIED } from '../../providers/provider.ts';
import { resilient } from '../../providers/resilient.ts';
import { createAskProviders } from './ask-providers.ts';
import { CHARGES } from './charge.store.ts';
import type { Charge } from './charge.ts';

const FAILED = aPaymentState({ status: 'failed', failureReason: 'cancelled' });
const facts = {
  merchantName: 'Loja da Ana',
  merchantTimeZone: 'America/Sao_Paulo',
  payer: aPayer(),
  returnUrl: null,
  instrument: { type: 'credit_card', card: aCard(), installments: 1 },
} as const;

type Answers = Parameters<typeof createFakeProvider>[0];

const setUp = (answers: Answers, changes: Partial<PaymentProvider> = {}, meanwhile: Partial<Charge> = {}) => {
  const store = createFakeWriteStore();
  const first = createFakeProvider(answers);
  const second = createFakeProvider();
  const charge = aCharge({ provider: 'first' });
  store.put(CHARGES, { ...charge, ...meanwhile });
  const ask = createAskProviders({ transact: store.transact, clock: () => NOW, intentGraceMs: 15_000 });
  const providers = [
    { ...first, name: 'first', ...changes },
    { ...second, name: 'second' },
  ] as const;
  return { run: () => ask(charge, providers, facts, systemContext('test')), first, second, store };
};

describe('a second provider', () => {
  it('is not asked while the first one decides', async () => {
    for (const status of ['paid', 'refused', 'pending', 'in_analysis', 'authentication_required'] as const) {
      const { run, first, second } = setUp({ authorize: aPaymentState({ status }) });
      expect(await run()).toMatchObject({ charge: { provider: 'first' }, state: { status } });
      expect(first.calls).toEqual(['authorize chg_1']);
      expect(second.calls).toEqual([]);
    }
  });

  it('is asked where the first one has failed, after the charge says so', async () => {
    const { run, second, store } = setUp({ authorize: FAILED });
    expect(await run()).toMatchObject({ charge: { provider: 'second' }, state: { status: 'paid' } });
    expect(store.find(CHARGES, 'chg_1')).toMatchObject({ provider: 'second', status: 'pending' });
    expect(store.decisions()).toEqual(['charge charge.provider_changed']);
    expect(second.calls).toEqual(['authorize chg_1']);
  });

  it.each(['timeout', 'broken'] as const)(
    'is asked after no answer (%s) only once the first one never heard of the payment and has ended it',
    async (authorize) => {
      const { run, first, second } = setUp({ authorize, payment: null, cancel: FAILED });
      expect(await run()).toMatchObject({ charge: { provider: 'second' }, state: { status: 'paid' } });
      expect(first.calls).toEqual(['authorize chg_1', 'describePayment chg_1', 'cancel chg_1']);
      expect(second.calls).toEqual(['authorize chg_1']);
    },
  );

  it('is not asked where the first one has the payment after all', async () => {
    for (const answers of [{ payment: aPaymentState() }, { payment: null, cancel: aPaymentState() }]) {
      const { run, second } = setUp({ authorize: 'timeout', ...answers });
      expect(await run()).toMatchObject({ charge: { provider: 'first' }, state: { status: 'paid' } });
      expect(second.calls).toEqual([]);
    }
  });

  it('is not asked where the first one proves nothing', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('connection reset');
    };
    for (const changes of [{ describePayment: broken }, { cancel: broken }]) {
      const { run, second } = setUp({ authorize: 'timeout' }, changes);
      expect(await run()).toMatchObject({ charge: { provider: 'first' }, state: null });
      expect(second.calls).toEqual([]);
    }
    const { run, second } = setUp({ authorize: 'timeout', payment: UNKNOWN_UNTIL_NOTIFIED });
    expect(await run()).toMatchObject({ charge: { provider: 'first' }, state: null });
    expect(second.calls).toEqual([]);
  });

  it('is asked at once where the first one is left alone for its failures', async () => {
    const authorize = async (): Promise<never> => {
      throw new BrokenCircuitError();
    };
    const { run, first } = setUp({}, { authorize });
    expect(await run()).toMatchObject({ charge: { provider: 'second' }, state: { status: 'paid' } });
    expect(first.calls).toEqual([]);
  });

  it('is not asked where the reconciler was faster', async () => {
    const { run, second } = setUp({ authorize: FAILED }, {}, { status: 'failed' });
    expect(await run()).toMatchObject({ charge: { provider: 'first' }, state: { status: 'failed' } });
    expect(second.calls).toEqual([]);
  });

  describe('beside a first one that is far slower than its time-out', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    /** Keeps one payment: a call that arrives after a cancellation makes none. */
    const slow = (isMadeBeforeTheWait: boolean) => {
      let made: PaymentState | null = null;
      const make = (): PaymentState => {
        made ??= aPaymentState();
        return made;
      };
      const kept: Partial<PaymentProvider> = {
        async authorize() {
          if (isMadeBeforeTheWait) make();
          await new Promise((resolve) => setTimeout(resolve, 10_000));
          return make();
        },
        describePayment: async () => made,
        async cancel() {
          made ??= FAILED;
          return made;
        },
      };
      const { logger } = createFakeLogger();
      const options = { timeoutMs: 1_000, observe: () => undefined, logger };
      return { guarded: resilient({ ...createFakeProvider(), ...kept }, options), made: () => made };
    };
    const runToTheEnd = async (isMadeBeforeTheWait: boolean) => {
      const { guarded, made } = slow(isMadeBeforeTheWait);
      const { run, second } = setUp({}, { ...guarded, name: 'first' });
      const asked = run();
      await jest.advanceTimersByTimeAsync(20_000);
      return { outcome: await asked, second, made };
    };

    it('takes the payment, and the first one makes none when the call arrives at last', async () => {
      const { outcome, second, made } = await runToTheEnd(false);
      expect(outcome).toMatchObject({ charge: { provider: 'second' }, state: { status: 'paid' } });
      expect(second.calls).toEqual(['authorize chg_1']);
      expect(made()).toEqual(FAILED);
    });

    it('is not asked where the first one has made it and only answers late', async () => {
      const { outcome, second, made } = await runToTheEnd(true);
      expect(outcome).toMatchObject({ charge: { provider: 'first' }, state: { status: 'paid' } });
      expect(second.calls).toEqual([]);
      expect(made()?.status).toBe('paid');
    });
  });
});
