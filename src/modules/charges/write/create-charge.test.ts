import {
  aCard,
  aCardRequest,
  aMandate,
  aMerchant,
  aMethodFee,
  aPaymentState,
  aPixRequest,
  aWalletRequest,
  countingIds,
  later,
  NOW,
} from '../../../../test/builders.ts';
import { createFakeProvider, type FakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore, type FakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { expectNothingDone, refusalOf } from '../../../../test/support/refused.ts';
import type { GatewayError } from '../../../kernel/errors.ts';
import { systemContext } from '../../../kernel/event.ts';
import { cardTokenSpent } from '../../card-tokens/write/refusals.ts';
import { type CardTokens, NO_CARD_TOKENS } from '../../card-tokens/write/use-card-token.ts';
import { type CustomerRecord, openCustomer } from '../../customers/write/customer.ts';
import type { FeeDefinition } from '../../merchants/write/fees.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { everythingOf } from '../../providers/routes.ts';
import { KEEPS_NO_CARDS } from '../../stored-methods/write/keep-with-charge.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { NO_STORED_METHODS } from '../../stored-methods/write/use-stored-method.ts';
import type { DeviceWallet } from '../../wallets/write/device-wallet.ts';
import { walletTokenInvalid } from '../../wallets/write/refusals.ts';
import { createAskProviders } from './ask-providers.ts';
import { CHARGES } from './charge.store.ts';
import type { Charge } from './charge.ts';
import type { ChargeBody, ChargeRequest } from './charge-request.ts';
import { createChargeHandler } from './create-charge.ts';
import type { DefaultSplitEntries } from './default-split.ts';
import { createRecordPaymentOutcome } from './record-payment-outcome.ts';
import type { DelayDays } from './settlement-schedule.ts';

const cardFee = aMethodFee({ definition: { fixed: 0.39, percentages: [2.99, 3.49] } });

type Given = {
  readonly merchants?: readonly Merchant[];
  readonly fees?: readonly FeeDefinition[];
  readonly provider?: FakeProvider | null;
  readonly livemode?: boolean;
  readonly defaultSplit?: DefaultSplitEntries;
  readonly delayDays?: DelayDays;
  readonly duplicateOf?: `chg_${string}` | null;
  readonly wallet?: DeviceWallet | null;
  readonly cardTokens?: CardTokens;
  readonly storedMethod?: StoredMethod;
  readonly customer?: CustomerRecord;
  readonly uniqueReferences?: boolean;
  readonly holder?: `chg_${string}` | null;
  /** Runs while the provider is asked. */
  readonly meanwhile?: (store: FakeWriteStore) => void;
};

const setUp = (given: Given = {}) => {
  const store = createFakeWriteStore();
  const provider = given.provider === undefined ? createFakeProvider() : given.provider;
  const context = systemContext('test');
  const askedForDuplicates: { charge: Charge; since: Date; after: readonly string[] }[] = [];
  const merchants = given.merchants ?? [aMerchant()];
  const newId = countingIds();
  const clock = () => NOW;
  const create = createChargeHandler({
    transact: store.transact,
    publicUrl: () => 'https://gateway.test',
    providerNamed: async (name) => (provider?.name === name ? provider : null),
    findStoredMethod: async () =>
      given.storedMethod ?? NO_STORED_METHODS('', { merchantId: 'mer_1', livemode: false }, null),
    providersOf: async () =>
      provider &&
      everythingOf({
        ...provider,
        authorize: (request) => {
          given.meanwhile?.(store);
          return provider.authorize(request);
        },
      }),
    findChargeTerms: async (of) => {
      const merchant = merchants.find(({ id }) => id === of);
      const fees = given.fees ? { version: 7, definitions: given.fees } : null;
      const { defaultSplit = null, delayDays = [] } = given;
      const { uniqueReferences = false } = given;
      return merchant ? { merchant, fees, defaultSplit, delayDays, routes: null, uniqueReferences } : null;
    },
    findMerchants: async (ids) => merchants.filter(({ id }) => ids.includes(id)),
    findDuplicate: async (charge, since) => {
      askedForDuplicates.push({ charge, since, after: store.decisions() });
      return given.duplicateOf ?? null;
    },
    findCustomer: async () => given.customer ?? null,
    findHolder: async () => given.holder ?? null,
    findDeviceWallet: async () => given.wallet ?? null,
    cardTokens: given.cardTokens ?? NO_CARD_TOKENS,
    keepWithCharge: KEEPS_NO_CARDS,
    askProviders: createAskProviders({ transact: store.transact, clock, intentGraceMs: 15_000 }),
    recordPaymentOutcome: createRecordPaymentOutcome({
      transact: store.transact,
      findDelayDays: async () => {
        throw new Error('the delays were read with the terms');
      },
      clock,
      newId,
      giveBack: async () => null,
      outcomeFollowers: [],
      lateRules: [],
    }),
    clock,
    newId,
    intentGraceMs: 15_000,
  });
  const run = (request: ChargeBody) =>
    create({ merchantId: 'mer_1', livemode: given.livemode ?? false, request }, context);
  return {
    store,
    context,
    calls: () => provider?.calls ?? [],
    askedForDuplicates,
    run,
    refusal: (request: ChargeBody): Promise<GatewayError> => refusalOf(run(request)),
  };
};

describe('the creation of a charge', () => {
  it('given a card that is accepted, then intent, payment and journal are recorded in that order', async () => {
    const test = setUp({ fees: [cardFee] });
    const { charge } = await test.run(aCardRequest());
    expect(test.store.decisions()).toEqual(['charge charge.created', 'charge charge.paid']);
    expect(test.calls()).toEqual(['authorize chg_1']);
    expect(charge).toMatchObject({
      id: 'chg_1',
      status: 'paid',
      version: 2,
      amount: 100_00,
      spread: 3_38,
      net: 96_62,
      fee: { version: 7, fixed: 39, percentage: 2.99 },
      provider: 'fake',
    });
    expect(test.store.journals()).toHaveLength(1);
    expect(test.context.commits).toHaveLength(2);
  });

  it('given settlement delays, then the one of its method counts', async () => {
    const test = setUp({ delayDays: [{ pix: 1 }, { pix: 2, credit_card: 3 }] });
    expect((await test.run(aCardRequest())).charge.due).toMatchObject({ delayDays: 3 });
  });

  it('stores the intent before the provider is called, with the time to ask about it', async () => {
    const test = setUp();
    await test.run(aCardRequest());
    expect(test.store.events()[0]?.data).toMatchObject({
      status: 'pending',
      reconcileAt: later(15).toISOString(),
      pspRefId: null,
    });
  });

  it.each([
    ['refused', 'charge.refused'],
    ['failed', 'charge.failed'],
    ['in_analysis', 'charge.in_analysis'],
    ['authentication_required', 'charge.authentication_required'],
  ] as const)(
    'given that the provider answers %s, then that is the charge, and nothing is booked',
    async (status, event) => {
      const provider = createFakeProvider({ authorize: aPaymentState({ status, failureReason: 'why' }) });
      const test = setUp({ provider });
      expect((await test.run(aCardRequest())).charge.status).toBe(status);
      expect(test.store.decisions()).toEqual(['charge charge.created', `charge ${event}`]);
      expect(test.store.journals()).toEqual([]);
    },
  );

  it.each(['timeout', 'broken'] as const)(
    'given a provider that does not answer (%s), then the charge stays pending for the reconciler',
    async (authorize) => {
      const test = setUp({ provider: createFakeProvider({ authorize }) });
      expect((await test.run(aCardRequest())).charge).toMatchObject({ status: 'pending', version: 1 });
      expect(test.store.decisions()).toEqual(['charge charge.created']);
      expect(test.context.commits).toHaveLength(1);
    },
  );

  it('given a Pix, then it waits with its QR code until it expires', async () => {
    const instructions = { type: 'pix', endToEndId: 'E1', copyPaste: '0002' } as const;
    const provider = createFakeProvider({ authorize: aPaymentState({ status: 'pending', instructions }) });
    const test = setUp({ provider });
    expect((await test.run(aPixRequest())).charge).toMatchObject({
      status: 'pending',
      instructions,
      expiresAt: later(3_600).toISOString(),
      reconcileAt: later(3_600).toISOString(),
    });
    expect(test.store.decisions()).toEqual(['charge charge.created', 'charge charge.pending']);
  });

  it('given that the reconciler was faster, then its outcome stands and is the answer', async () => {
    const test = setUp({
      meanwhile: (store) => {
        const intent = store.find(CHARGES, 'chg_1');
        if (intent)
          store.put(CHARGES, { ...intent, version: 2, status: 'failed', failureReason: 'cancelled' });
      },
    });
    expect((await test.run(aCardRequest())).charge).toMatchObject({ status: 'failed', version: 2 });
    // This provider took the money of a payment that it had cancelled.
    expect(test.store.decisions()).toEqual(['charge charge.created', 'suspense_item suspense.opened']);
    expect(test.store.journals()).toMatchObject([{ referenceType: 'suspense' }]);
  });

  it('asks for duplicates of the last minute last, because another process may store one meanwhile', async () => {
    const test = setUp({ duplicateOf: 'chg_0' });
    expect((await test.run(aCardRequest())).possibleDuplicateOf).toBe('chg_0');
    expect(test.askedForDuplicates).toMatchObject([
      {
        charge: { id: 'chg_1', version: 1 },
        since: later(-60),
        after: ['charge charge.created', 'charge charge.paid'],
      },
    ]);
  });

  it('given a sub-merchant, then the charge keeps who its master was', async () => {
    const test = setUp({ merchants: [aMerchant({ masterId: 'mer_0' })] });
    expect((await test.run(aCardRequest())).charge.masterId).toBe('mer_0');
  });
});

describe('a charge by device wallet', () => {
  const { cvv: _cvv, ...facts } = aCard();
  const aWallet = (spent: string[], changes: Partial<DeviceWallet> = {}): DeviceWallet => ({
    open: () => ({ card: { ...facts, cryptogram: 'Af9x', eciIndicator: null }, identifier: 'ab' }),
    spend: async ({ identifier }, chargeId) => {
      spent.push(`${identifier} for ${chargeId}`);
    },
    ...changes,
  });

  it('spends its token with the intent, and is a charge by card', async () => {
    const spent: string[] = [];
    const test = setUp({ wallet: aWallet(spent) });
    const { charge } = await test.run(aWalletRequest());
    expect(spent).toEqual(['ab for chg_1']);
    expect(charge.paymentMethod).toMatchObject({ type: 'credit_card', brand: 'visa', lastFour: '4242' });
    expect(test.store.decisions()).toEqual(['charge charge.created', 'charge charge.paid']);
  });

  it('given a token that is spent, then nothing is stored and nobody pays', async () => {
    const spend = async (): Promise<void> => {
      throw walletTokenInvalid();
    };
    const test = setUp({ wallet: aWallet([], { spend }) });
    expect(await test.refusal(aWalletRequest())).toMatchObject({ code: 'WALLET_TOKEN_INVALID' });
    expect([test.store.decisions(), test.calls()]).toEqual([[], []]);
  });

  it('given that it is refused for another reason, then its token can be sent again', async () => {
    const spent: string[] = [];
    const test = setUp({ wallet: aWallet(spent), livemode: true });
    expect(await test.refusal(aWalletRequest())).toMatchObject({ code: 'FEES_NOT_CONFIGURED' });
    expect(spent).toEqual([]);
  });
});

describe('a charge by card token', () => {
  const { number: _number, cvv: _cvv, ...facts } = aCard();
  const card = { ...facts, brand: 'visa', firstSix: '424242', lastFour: '4242' };
  const request = aCardRequest({
    paymentMethod: { type: 'credit_card', installments: 1, token: 'tok_1' },
  });
  /** Tokens of which there is one, with a note of all that is done to it. */
  const aToken = (done: string[], provider = 'fake', changes: Partial<CardTokens> = {}): CardTokens => ({
    find: async (id, { merchantId, livemode }) => {
      done.push(`found ${id}`);
      const providerToken = 'the provider’s own';
      return { id: 'tok_1', merchantId, livemode, card, provider, origin: 'hash', providerToken };
    },
    findCode: async () => {
      throw new Error('no payment has a code');
    },
    spend: async (id, _, chargeId) => {
      done.push(`spent ${id} for ${chargeId}`);
    },
    noteAnswer: async (_, { origin }, isRefused) => {
      done.push(`${origin} ${isRefused === null ? 'open' : isRefused ? 'refused' : 'not refused'}`);
    },
    noteLate: async () => undefined,
    ...changes,
  });

  it('spends it with the intent, keeps the masked card, and tells how it ended', async () => {
    const done: string[] = [];
    const test = setUp({ cardTokens: aToken(done) });
    const { charge } = await test.run(request);
    expect(charge.paymentMethod).toEqual({ type: 'credit_card', installments: 1, ...card });
    expect(done).toEqual(['found tok_1', 'spent tok_1 for chg_1', 'hash not refused']);
    expect(JSON.stringify(test.store.decisions())).not.toContain('the provider’s own');

    const refused = aPaymentState({ status: 'refused', failureReason: 'declined', paidAt: null });
    const other: string[] = [];
    const provider = createFakeProvider({ authorize: refused });
    await setUp({ provider, cardTokens: aToken(other) }).run(request);
    expect(other.at(-1)).toBe('hash refused');

    const asked = aPaymentState({ status: 'authentication_required', paidAt: null });
    const open: string[] = [];
    await setUp({ provider: createFakeProvider({ authorize: asked }), cardTokens: aToken(open) }).run(
      request,
    );
    expect(open.at(-1)).toBe('hash open');
  });

  it('given a token that another charge got, then nothing is stored and nobody pays', async () => {
    const spend = async (): Promise<void> => {
      throw cardTokenSpent();
    };
    const test = setUp({ cardTokens: aToken([], 'fake', { spend }) });
    await expectNothingDone(test, test.refusal(request), { statusCode: 422, code: 'CARD_TOKEN_SPENT' });
  });

  it('given a route to another provider than the keeper of the card, then nobody is asked', async () => {
    const done: string[] = [];
    const test = setUp({ cardTokens: aToken(done, 'other') });
    const code = 'CARD_TOKEN_PROVIDER_MISMATCH';
    await expectNothingDone(test, test.refusal(request), { statusCode: 422, code });
    expect(done).toEqual(['found tok_1']);
  });

  it('given that it is refused for another reason, then the token can be sent again', async () => {
    const done: string[] = [];
    const test = setUp({ cardTokens: aToken(done), livemode: true });
    expect(await test.refusal(request)).toMatchObject({ code: 'FEES_NOT_CONFIGURED' });
    expect(done).toEqual(['found tok_1']);
  });
});

describe('the split of a new charge', () => {
  const master = aMerchant({ role: 'MerchantMaster' });
  const sub = aMerchant({ id: 'mer_2', masterId: 'mer_1', livemode: false });
  const split = [{ merchantId: 'mer_2' as const, percentage: 50 }];

  it('divides the net amount, after the fees', async () => {
    const test = setUp({ merchants: [master, sub], fees: [cardFee] });
    const { charge } = await test.run(aCardRequest({ split }));
    expect(charge.split).toEqual([{ merchantId: 'mer_2', percentage: 50, amount: 48_31 }]);
  });

  it('is null where none, or an empty one, was asked for', async () => {
    const { run } = setUp();
    expect((await run(aCardRequest())).charge.split).toBeNull();
    expect((await run(aCardRequest({ split: [] }))).charge.split).toBeNull();
    expect((await run(aCardRequest({ split: null }))).charge.split).toBeNull();
  });

  it.each([
    ['does not exist', [master]],
    ['is blocked', [master, { ...sub, status: 'blocked' as const }]],
    ['belongs to another master', [master, { ...sub, masterId: 'mer_9' as const }]],
    ['belongs to the other environment', [master, { ...sub, livemode: true }]],
  ])('with a merchant that %s is refused, and nothing is stored', async (_, merchants) => {
    const test = setUp({ merchants });
    const refusal = await test.refusal(aCardRequest({ split }));
    expect(refusal).toMatchObject({ statusCode: 422, code: 'SPLIT_NOT_ALLOWED' });
    expect(test.store.decisions()).toEqual([]);
    expect(test.calls()).toEqual([]);
  });
});

describe('a charge of a merchant with a default split', () => {
  const master = aMerchant({ role: 'MerchantMaster' });
  const sub = (name: number, changes: Partial<Merchant> = {}): Merchant =>
    aMerchant({ id: `mer_${name}`, masterId: 'mer_1', livemode: false, ...changes });
  const entry = (name: number, percentage: number) => ({ merchantId: `mer_${name}` as const, percentage });
  const defaultSplit: DefaultSplitEntries = {
    default: [entry(2, 10), entry(3, 20)],
    byPaymentMethod: { pix: [entry(3, 50)], voucher: [] },
  };
  const merchants = [master, sub(2), sub(3)];
  const splitOf = async (given: Given, request: ChargeRequest) =>
    (await setUp({ merchants, defaultSplit, ...given }).run(request)).charge.split?.map(
      ({ merchantId, amount }) => `${merchantId} ${amount}`,
    ) ?? null;

  it('is divided by it, by that of its payment method where there is one', async () => {
    expect(await splitOf({}, aCardRequest())).toEqual(['mer_2 1000', 'mer_3 2000']);
    expect(await splitOf({}, aCardRequest({ split: null }))).toEqual(['mer_2 1000', 'mer_3 2000']);
    expect(await splitOf({}, aPixRequest())).toEqual(['mer_3 5000']);
  });

  it('is divided as it asks for, where it asks for anything', async () => {
    expect(await splitOf({}, aCardRequest({ split: [entry(3, 1)] }))).toEqual(['mer_3 100']);
    expect(await splitOf({}, aCardRequest({ split: [] }))).toBeNull();
  });

  it('leaves the part of one who is not active, or gone, with the originator', async () => {
    const blocked = [master, sub(2, { status: 'blocked' }), sub(3)];
    expect(await splitOf({ merchants: blocked }, aCardRequest())).toEqual(['mer_3 2000']);
    const elsewhere = [master, sub(2, { livemode: true }), sub(3, { masterId: 'mer_9' })];
    expect(await splitOf({ merchants: elsewhere }, aCardRequest())).toBeNull();
  });
});

describe('a charge is refused, nothing is stored and nobody pays', () => {
  const threeTimes = aCardRequest({
    paymentMethod: { ...aCardRequest().paymentMethod, installments: 3 },
  });

  it.each<[string, Given, ChargeRequest, number, string | undefined]>([
    ['a request with a fault', {}, aCardRequest({ amount: -1 }), 400, 'VALIDATION_FAILED'],
    [
      'a merchant that is not active',
      { merchants: [aMerchant({ status: 'blocked' })] },
      aCardRequest(),
      403,
      'MERCHANT_NOT_ACTIVE',
    ],
    ['a merchant that is gone', { merchants: [] }, aCardRequest(), 403, 'MERCHANT_NOT_ACTIVE'],
    ['no provider', { provider: null }, aCardRequest(), 422, 'PROVIDER_NOT_CONFIGURED'],
    ['no fees with a live key', { livemode: true }, aCardRequest(), 422, 'FEES_NOT_CONFIGURED'],
    [
      'no fees for the method with a live key',
      { livemode: true, fees: [cardFee] },
      aPixRequest(),
      422,
      'FEES_NOT_CONFIGURED',
    ],
    ['installments without a percentage', { fees: [cardFee] }, threeTimes, 422, 'INSTALLMENTS_NOT_OFFERED'],
  ])('given %s', async (_, given, request, statusCode, code) => {
    const test = setUp(given);
    await expectNothingDone(test, test.refusal(request), { statusCode, code });
  });

  it('given a due date that the provider of Pix does not take', async () => {
    const paymentMethod = { type: 'pix', installments: 1, dueDate: '2026-06-30' } as const;
    const address = { country: 'BR', line1: 'Rua 1', city: 'Recife', state: 'PE', postalCode: '50010000' };
    const { customer } = aPixRequest();
    const request = aPixRequest({ paymentMethod, customer: { ...customer, address } });
    const test = setUp();
    expect(await test.refusal(request)).toMatchObject({ statusCode: 422, code: 'DUE_DATE_NOT_AVAILABLE' });
    expect(test.store.decisions()).toEqual([]);
    const able = setUp({ provider: { ...createFakeProvider(), dueDates: true } });
    const { charge } = await able.run(request);
    expect(charge.payUrl).toMatch(/^https:\/\/gateway\.test\/pay\/chg_1\/[\w-]{32}$/);
  });

  it('given a mandate of another customer or merchant, or one that is not active', async () => {
    const owner = { merchantId: 'mer_1', masterId: null, livemode: true } as const;
    const facts = {
      ...{ name: 'Ana Souza', email: 'ana@example.test', document: null, phone: null, address: null },
      ...{ reference: null, metadata: null },
    };
    const request: ChargeBody = {
      ...{ amount: 49.9, currency: 'BRL', customerId: 'cus_1' },
      paymentMethod: {
        ...{ type: 'pix', installments: 1 },
        mandate: {
          ...{ id: 'pm_1', dueDate: '2026-06-23', on: '2026-06-23', retryOf: null },
          askedAt: NOW.toISOString(),
        },
      },
    };
    const approved = aMandate({ status: 'active', providerMethod: 'rec_1' });
    const given = (storedMethod?: StoredMethod) =>
      setUp({
        ...{ livemode: true, fees: [aMethodFee({ payment_method: 'pix' })] },
        customer: openCustomer(facts, owner, 'cus_1', NOW).data,
        ...(storedMethod && { storedMethod }),
      });
    const refusals = [
      [
        { ...approved, customerId: 'cus_2' },
        { statusCode: 400, code: 'VALIDATION_FAILED' },
      ],
      [undefined, { statusCode: 404, code: 'NOT_FOUND' }],
      [
        { ...approved, status: 'revoked' },
        { statusCode: 422, code: 'PAYMENT_METHOD_NOT_ACTIVE' },
      ],
    ] as const;
    for (const [storedMethod, refusal] of refusals) {
      const test = given(storedMethod);
      await expectNothingDone(test, test.refusal(request), refusal);
    }
    const test = given(approved);
    await test.run(request);
    expect(test.calls()).toEqual(['authorize chg_1']);
  });

  it('given a method that the provider does not have', async () => {
    const test = setUp({ provider: { ...createFakeProvider(), methods: ['pix'] } });
    expect(await test.refusal(aCardRequest())).toMatchObject({
      statusCode: 422,
      code: 'PAYMENT_METHOD_NOT_AVAILABLE',
    });
    expect(test.store.decisions()).toEqual([]);
  });
});
