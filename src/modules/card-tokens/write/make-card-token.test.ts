import { BrokenCircuitError } from 'cockatiel';
import { aCard, aMerchant, aMethodFee, countingIds, NOW } from '../../../../test/builders.ts';
import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { expectNothingDone, refusalOf } from '../../../../test/support/refused.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { keyRing } from '../../../platform/secrets.ts';
import type { FeeDefinition } from '../../merchants/write/fees.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { type PaymentProvider, ProviderTimeout, type Tokenized } from '../../providers/provider.ts';
import { createMakeCardToken, type NewCardToken } from './make-card-token.ts';
import { proofOfWorkRequired } from './refusals.ts';

type Given = {
  readonly merchant?: Merchant;
  readonly fees?: readonly FeeDefinition[];
  /** The answers of the providers, in the order of the route; null for a provider that cannot keep a card. */
  readonly answers?: readonly (Tokenized | Error | null)[];
  readonly hasProviders?: boolean;
  readonly isAttacked?: boolean;
};

const KEPT: Tokenized = { status: 'tokenized', providerToken: 'pm_1' };
const resting = new BrokenCircuitError();

const setUp = ({ answers = [KEPT], hasProviders = true, isAttacked = false, ...given }: Given = {}) => {
  const store = createFakeWriteStore();
  const asked: string[] = [];
  const providers = answers.map(
    (answer, index): PaymentProvider => ({
      ...createFakeProvider(),
      name: `fake${index}`,
      ...(answer && {
        tokenize: async ({ reference }) => {
          asked.push(`fake${index} ${reference}`);
          if (answer instanceof Error) throw answer;
          return answer;
        },
      }),
    }),
  );
  const make = createMakeCardToken({
    transact: store.transact,
    clock: () => NOW,
    newId: countingIds(),
    findMerchants: async () => [given.merchant ?? aMerchant()],
    findFeeDefinitions: async () => (given.fees ? { version: 1, definitions: given.fees } : null) as never,
    findSetting: async () => null,
    providersOf: async () =>
      hasProviders
        ? {
            providersFor: (method, currency, brand) => {
              asked.push(`${method} ${currency} ${brand}`);
              return providers;
            },
          }
        : null,
    sealing: keyRing(['a secret that is as long as a secret has to be']),
    cardTesting: {
      admit: async ({ address, proof }) => {
        asked.push(`admitted ${address} ${proof}`);
        if (isAttacked) throw proofOfWorkRequired('challenge');
        return 'hash';
      },
      noteOutcome: async ({ origin }, isRefused) => {
        if (origin !== null) asked.push(`noted ${origin} ${isRefused}`);
      },
    },
  });
  const run = (
    card: Partial<NewCardToken> = {},
    credential: MerchantPrincipal['credential'] = 'secret_key',
  ) =>
    make(
      {
        principal: { ...aPrincipal, credential },
        card: { ...aCard(), ...card },
        address: '203.0.113.7',
      },
      systemContext('test'),
    );
  return { store, asked, run, calls: () => asked.filter((one) => one.startsWith('fake')) };
};
const aPrincipal: MerchantPrincipal = {
  kind: 'merchant',
  actor: systemContext('test').actor,
  credential: 'secret_key',
  merchantId: 'mer_1',
  masterId: null,
  livemode: false,
  permissions: ['charges.create'],
};

describe('a new card token', () => {
  it('keeps the masked card and the sealed token of the first provider of the route', async () => {
    const test = setUp({ answers: [KEPT, KEPT] });
    const token = await test.run();
    expect(token).toMatchObject({ id: 'tok_1', provider: 'fake0', spentBy: null, origin: null });
    expect(token.card).toMatchObject({ brand: 'visa', lastFour: '4242' });
    expect(JSON.stringify(token)).not.toMatch(/pm_1|4242424242424242|cvv/);
    expect(test.asked).toEqual(['credit_card BRL visa', 'fake0 tok_1']);
  });

  it('is routed by the currency that is asked for, else that of the first card fee', async () => {
    const fees = [
      aMethodFee({ payment_method: 'pix', currency_code: 'BRL' }),
      aMethodFee({ currency_code: 'ARS' }),
    ];
    const test = setUp({ fees });
    await test.run();
    await test.run({ currency: 'USD' });
    expect(test.asked.filter((one) => one.startsWith('credit_card'))).toEqual([
      'credit_card ARS visa',
      'credit_card USD visa',
    ]);
  });

  it('is counted with a public key only', async () => {
    const test = setUp();
    expect(await test.run({ proof: 'solved' }, 'public_key')).toMatchObject({ origin: 'hash' });
    expect(test.asked).toContain('admitted 203.0.113.7 solved');
  });

  it('that its provider refuses counts as a refused card of the address, with a public key only', async () => {
    const test = setUp({ answers: [{ status: 'refused', reason: 'incorrect_number' }] });
    await refusalOf(test.run());
    expect(test.asked.filter((one) => one.startsWith('noted'))).toEqual([]);
    await refusalOf(test.run({}, 'public_key'));
    expect(test.asked.filter((one) => one.startsWith('noted'))).toEqual(['noted hash true']);
  });

  it('is kept by the next provider where the first one rests', async () => {
    const test = setUp({ answers: [resting, KEPT] });
    expect(await test.run()).toMatchObject({ provider: 'fake1' });
  });

  it.each<[string, Given, Partial<NewCardToken>, number, string | undefined]>([
    ['a fault of the card', {}, { number: '4242424242424241' }, 400, 'VALIDATION_FAILED'],
    [
      'a merchant that is not active',
      { merchant: aMerchant({ status: 'blocked' }) },
      {},
      403,
      'MERCHANT_NOT_ACTIVE',
    ],
    ['no provider', { hasProviders: false }, {}, 422, 'PROVIDER_NOT_CONFIGURED'],
    ['no provider of card payments', { answers: [] }, {}, 422, 'PAYMENT_METHOD_NOT_AVAILABLE'],
    ['a provider that cannot keep cards', { answers: [null, KEPT] }, {}, 422, 'TOKENIZATION_NOT_SUPPORTED'],
  ])('is refused, and nothing sent, given %s', async (_, given, card, statusCode, code) => {
    const test = setUp(given);
    await expectNothingDone(test, refusalOf(test.run(card)), { statusCode, code });
  });

  it('is refused before the provider is asked where cards are tried out', async () => {
    const test = setUp({ isAttacked: true });
    const refused = refusalOf(test.run({}, 'public_key'));
    await expectNothingDone(test, refused, { statusCode: 429, code: 'PROOF_OF_WORK_REQUIRED' });
  });

  it.each<[string, readonly (Tokenized | Error)[], number, string | undefined]>([
    ['refuses the card', [{ status: 'refused', reason: 'incorrect_number' }, KEPT], 422, 'CARD_REFUSED'],
    ['may not keep cards', [{ status: 'not_supported' }, KEPT], 422, 'TOKENIZATION_NOT_SUPPORTED'],
    ['does not answer', [new ProviderTimeout('tokenize'), KEPT], 503, undefined],
    ['rests, as all others do', [resting, resting], 503, undefined],
  ])(
    'is not stored, and goes to nobody else, where the provider %s',
    async (_, answers, statusCode, code) => {
      const test = setUp({ answers });
      expect(await refusalOf(test.run())).toMatchObject({ statusCode, code });
      expect(test.store.decisions()).toEqual([]);
      expect(test.calls()).toHaveLength(answers.filter((answer) => answer === resting).length || 1);
    },
  );
});
