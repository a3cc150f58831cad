import { aCard, aPayer } from '../../../test/builders.ts';
import { type PaymentProvider, type PaymentState, ProviderTimeout } from './provider.ts';
import { withTimeout } from './with-timeout.ts';

const paid: PaymentState = {
  status: 'paid',
  pspRefId: 'sim_1',
  failureReason: null,
  paidAt: '2026-01-01T00:00:00.000Z',
  instructions: null,
  echo: { amount: 100_00, currency: 'BRL' },
};

const ORDER = { reference: 'chg_1', amount: 100_00, currency: 'BRL' };
const REFUND = {
  ...ORDER,
  reference: 'ref_1',
  paymentReference: 'chg_1',
  paymentPspRefId: null,
  openedAt: '2026-06-15T12:00:00.000Z',
};

const delayed = <T>(ms: number, result: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(result), ms));

const aProvider = (changes: Partial<PaymentProvider> = {}): PaymentProvider => ({
  name: 'fake',
  methods: ['pix'],
  cards: { maxInstallments: null, wallets: true },
  authorize: async () => paid,
  refund: async () => ({ status: 'refunded', reason: null, pspRefundRefId: 'simr_1' }),
  describePayment: async () => paid,
  describeRefund: async () => null,
  cancel: async () => paid,
  verify: async () => false,
  notificationsIn: async () => null,
  ...changes,
});

const guard = (provider: PaymentProvider) => {
  const calls: (readonly [string, string, string, number])[] = [];
  const guarded = withTimeout(provider, {
    timeoutMs: 1_000,
    observe: ({ operation, reference, outcome, seconds }) =>
      calls.push([operation, reference, outcome, seconds]),
  });
  return { guarded, calls };
};

describe('a provider with a time-out', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('answers what the provider answers in time and reports status and duration', async () => {
    const { guarded, calls } = guard(aProvider({ cancel: () => delayed(999, paid) }));
    const answer = guarded.cancel(ORDER);
    await jest.advanceTimersByTimeAsync(999);
    await expect(answer).resolves.toEqual(paid);
    expect(calls).toEqual([['cancel', 'chg_1', 'paid', 0.999]]);
  });

  it('gives up on a card that is kept too slowly, and offers to keep none where the provider does not', async () => {
    const kept = { status: 'tokenized', providerToken: 'pm_1' } as const;
    const { guarded, calls } = guard(aProvider({ tokenize: () => delayed(1_001, kept) }));
    const card = aCard();
    const answer = guarded.tokenize?.({ reference: 'tok_1', card }).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1_001);
    expect(await answer).toBeInstanceOf(ProviderTimeout);
    expect(calls).toEqual([['tokenize', 'tok_1', 'timeout', 1]]);
    expect(guard(aProvider()).guarded.vault).toBeUndefined();
  });

  it('throws ProviderTimeout where the provider is late', async () => {
    const { guarded, calls } = guard(aProvider({ describePayment: () => delayed(1_001, paid) }));
    const answer = guarded.describePayment(ORDER).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBeInstanceOf(ProviderTimeout);
    expect(calls).toEqual([['describePayment', 'chg_1', 'timeout', 1]]);
  });

  it('ignores how a late call ends', async () => {
    const late = delayed(2_000, null).then(() => {
      throw new Error('too late to matter');
    });
    const { guarded, calls } = guard(aProvider({ describePayment: () => late }));
    const answer = guarded.describePayment(ORDER).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await answer).toBeInstanceOf(ProviderTimeout);
    expect(calls).toHaveLength(1);
  });

  it('passes on other errors and reports them', async () => {
    const broken = new Error('connection refused');
    const { guarded, calls } = guard(aProvider({ describeRefund: () => Promise.reject(broken) }));
    await expect(guarded.describeRefund(REFUND)).rejects.toBe(broken);
    expect(calls).toEqual([['describeRefund', 'ref_1', 'error', 0]]);
  });

  it('reports a reference that the provider does not know', async () => {
    const { guarded, calls } = guard(aProvider());
    await expect(guarded.describeRefund(REFUND)).resolves.toBeNull();
    expect(calls).toEqual([['describeRefund', 'ref_1', 'not_found', 0]]);
  });

  it('reports a time-out of the provider itself as one', async () => {
    const { guarded, calls } = guard(
      aProvider({ describePayment: () => Promise.reject(new ProviderTimeout('describePayment')) }),
    );
    await expect(guarded.describePayment(ORDER)).rejects.toThrow(ProviderTimeout);
    expect(calls).toEqual([['describePayment', 'chg_1', 'timeout', 0]]);
  });

  it('leaves no timer behind', async () => {
    const { guarded } = guard(aProvider());
    await guarded.cancel(ORDER);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps the name, the methods and every operation', async () => {
    const { guarded, calls } = guard(aProvider());
    expect([guarded.name, guarded.methods]).toEqual(['fake', ['pix']]);
    const instrument = { type: 'pix', expiresAt: '2026-01-01T00:00:00.000Z' } as const;
    await guarded.authorize({
      ...ORDER,
      merchantName: 'Loja',
      merchantTimeZone: 'UTC',
      payer: aPayer(),
      returnUrl: null,
      instrument,
    });
    await guarded.refund(REFUND);
    await guarded.describePayment({ ...ORDER, reference: 'r' });
    await guarded.describeRefund(REFUND);
    await guarded.cancel(ORDER);
    expect(calls.map(([operation, reference, outcome]) => `${operation} ${reference} ${outcome}`)).toEqual([
      'authorize chg_1 paid',
      'refund ref_1 refunded',
      'describePayment r paid',
      'describeRefund ref_1 not_found',
      'cancel chg_1 paid',
    ]);
  });
});
