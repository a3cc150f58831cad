import { aMaskedCard, aMerchantPrincipal, countingIds, NOW } from '../../../../test/builders.ts';
import { aStoredState, createFakeProvider, createFakeVault } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { CUSTOMERS, openCustomer } from '../../customers/write/customer.ts';
import type { StoredState } from '../../providers/provider.ts';
import { createRecordStoredState } from './record-stored-state.ts';
import { createStoreCard } from './store-card.ts';

const CUSTOMER = {
  ...openCustomer(
    {
      ...{ name: 'Ana Souza', email: 'ana@example.test', document: null, phone: null },
      ...{ address: null, reference: null, metadata: null },
    },
    { merchantId: 'mer_1', masterId: null, livemode: false },
    'cus_1',
    NOW,
  ).data,
  version: 1,
};

/** Stores the card of a token that the address `hash` made, at a provider that gives this answer. */
const storeCard = async (answer: StoredState, onPage = false) => {
  const store = createFakeWriteStore();
  store.put(CUSTOMERS, CUSTOMER);
  const clock = () => NOW;
  const noted: string[] = [];
  const changing = { transact: store.transact, clock };
  const run = createStoreCard({
    ...changing,
    newId: countingIds(),
    findCustomer: async () => CUSTOMER,
    findMethodsOf: async () => [],
    cardTokens: {
      find: async (_, of) => ({
        ...of,
        id: 'tok_1',
        card: aMaskedCard,
        provider: 'fake',
        origin: 'hash',
        providerToken: 'tok',
      }),
      spend: async () => undefined,
      noteAnswer: async (_, { origin }, isRefused) => {
        noted.push(`${origin} ${isRefused === null ? 'open' : isRefused ? 'refused' : 'not refused'}`);
      },
    },
    providerNamed: async () => ({
      ...createFakeProvider(),
      vault: createFakeVault({ store: async () => answer }),
    }),
    recordStoredState: createRecordStoredState({ ...changing, methodFollowers: [] }),
    intentGraceMs: 15_000,
  });
  const stored = await run(
    {
      ...{
        principal: aMerchantPrincipal(),
        customerId: 'cus_1',
        token: 'tok_1',
        consentAt: NOW.toISOString(),
        returnUrl: null,
      },
      ...(onPage && { madeFor: { checkoutSessionId: 'chk_1', claim: async () => undefined } }),
    },
    systemContext('tests', 'mer_1'),
  );
  return { status: stored.status, noted };
};

describe('the defence against card testing', () => {
  it('counts a card that is refused when it is stored, by the address that made its token', async () => {
    expect(await storeCard(aStoredState())).toEqual({ status: 'active', noted: ['hash not refused'] });
    const refused = aStoredState({ status: 'failed', failureReason: 'card_declined' });
    expect(await storeCard(refused)).toEqual({ status: 'failed', noted: ['hash refused'] });
    const asked = aStoredState({ status: 'pending', authenticationUrl: 'https://bank.example/3ds' });
    expect(await storeCard(asked)).toEqual({ status: 'pending', noted: ['hash open'] });
  });

  it('leaves the count of a card on a page for payers to that page', async () => {
    expect(await storeCard(aStoredState({ status: 'failed' }), true)).toEqual({
      status: 'failed',
      noted: [],
    });
  });
});
