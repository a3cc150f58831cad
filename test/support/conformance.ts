import { newId } from '../../src/kernel/ids.ts';
import type {
  AuthorizeRequest,
  Card,
  CardVault,
  Delivery,
  Initiator,
  Instrument,
  Money,
  PaymentOrder,
  PaymentProvider,
  PaymentState,
  RefundRequest,
  StoredCard,
  StoredState,
  StoreRequest,
} from '../../src/modules/providers/provider.ts';
import { anAuthorizeRequest, aRefundRequest } from '../builders.ts';

/** A provider with its payers, and with everything that it can do to the gateway. */
export type ProviderUnderTest = {
  readonly provider: PaymentProvider;
  /** A new instance that remembers nothing, as after the death of a process. */
  restart(): PaymentProvider;
  readonly livemode: boolean;
  /** Amounts that it accepts, in currencies of all kinds. */
  readonly amounts: readonly Money[];
  /** An instrument that leads to a payment, at once or when the payer pays. */
  readonly pays: Instrument;
  /** An instrument that is refused at once; null where there is none. */
  readonly refuses: Instrument | null;
  /** An instrument whose payment waits for the payer. */
  readonly waits: Instrument;
  /** One instrument for each method that the provider offers. */
  readonly methods: readonly Instrument[];
  /** Lets the payer pay a waiting payment. */
  pay(payment: PaymentOrder): Promise<void>;
  /** Makes a call for this payment that the provider handles but that gets no answer. */
  authorizeUnanswered(): Promise<AuthorizeRequest>;
  /** Requests by the provider, in the form in which it would send them now. */
  readonly deliveries: {
    /** News about each of these payments, in one request where the provider does that. */
    about(...payments: readonly AuthorizeRequest[]): Promise<readonly Delivery[]>;
    aboutRefund(refund: RefundRequest): Promise<Delivery>;
    chargedBack(payment: AuthorizeRequest): Promise<Delivery>;
    /** News of a kind on which the gateway does not act; null where the provider has none. */
    readonly other: Delivery | null;
    /** News that looks genuine but is not from the provider, or is outdated. */
    forged(genuine: Delivery): readonly Delivery[];
  };
  /** The network between gateway and provider; null where there is none. */
  readonly wire: Wire | null;
  /** Each request for a token makes another one, because the provider gives tokens no names. */
  readonly namesNoTokens?: true;
  /** Everything that was transmitted so far; absent where it is not recorded. */
  transcript?(): string;
  /** Texts that must not be in the transcript: card numbers, and secrets of the account. */
  readonly secrets?: readonly string[];
};

/** Which actors can be played at the provider; not every sandbox has them. */
type Actors = {
  /** Whether payments get paid, at once or by a payer. */
  readonly pays: boolean;
  /** Whether a payer can pay a waiting payment. */
  readonly payer: boolean;
  /** Whether the payer's bank can take money back. */
  readonly bank: boolean;
};

/** The network between gateway and provider, with its failures. */
export type Wire = {
  /** Decides on the trouble of each request from now on, by its number from 0. */
  troubleWith(decide: (request: number) => Trouble | null): void;
  /** Number of requests since the last call of `troubleWith`. */
  requests(): number;
};

/**
 * The request is dropped unread, carried out without an answer, or answered with an error instead of being carried out.
 */
export type Trouble = 'drop' | 'lose' | { readonly status: number; readonly retryAfter?: number };

type TypedCard = Instrument & { readonly type: 'credit_card'; readonly card: Card };

const isTyped = (instrument: Instrument): instrument is TypedCard =>
  instrument.type === 'credit_card' && 'cvv' in instrument.card;

/** An item that nobody can play at a sandbox. Its report names the item, and `make test` runs it at a double. */
const without = (item: string, run: () => Promise<void>): void => {
  if (process.env.PROVIDER) it.skip(item, run);
};

/** The behaviour that the gateway relies on, whichever provider it talks to. */
export const describeConformance = (
  name: string,
  makeProvider: () => Promise<ProviderUnderTest>,
  actors: Actors = { pays: true, payer: true, bank: true },
): void => {
  const itPaid = actors.pays ? it : without;
  const itWithPayer = actors.payer ? it : without;
  const itWithBank = actors.bank ? it : without;
  describe(`${name}, as a payment provider,`, () => {
    let given: ProviderUnderTest;
    let provider: PaymentProvider;
    const told = async (delivery: Delivery) => provider.notificationsIn(delivery);
    const allTold = async (deliveries: readonly Delivery[]) =>
      (await Promise.all(deliveries.map(told))).flatMap((news) => news ?? []);
    /** A payment that was paid, with the state that the provider answers. */
    const aPaidOne = async (instrument = given.pays, money?: Money) => {
      const payment = { ...anAuthorizeRequest(instrument), ...money };
      const state = await provider.authorize(payment);
      if (state.status !== 'paid') await given.pay(payment);
      return { payment, state: (await provider.describePayment(payment)) as PaymentState };
    };
    beforeAll(async () => {
      given = await makeProvider();
      provider = given.provider;
    });

    itPaid('answers a payment that was made with its state and its own reference', async () => {
      const { state } = await aPaidOne();
      expect(state).toMatchObject({ status: 'paid', failureReason: null });
      expect(state.pspRefId).not.toBe('');
      expect(new Date(state.paidAt ?? '').toISOString()).toBe(state.paidAt);
    });

    it('echoes amount and currency of a payment, before and after it is made', async () => {
      for (const money of given.amounts) {
        const waiting = { ...anAuthorizeRequest(given.pays), ...money };
        expect(await provider.authorize(waiting)).toMatchObject({ echo: money });
        if (actors.pays) expect((await aPaidOne(given.pays, money)).state.echo).toEqual(money);
      }
    });

    it('answers a refusal as a result that says why', async () => {
      if (!given.refuses) return;
      const state = await provider.authorize(anAuthorizeRequest(given.refuses));
      expect(state).toMatchObject({ status: 'refused', paidAt: null });
      expect(state.failureReason).toMatch(/^[a-z]+(_[a-z]+)*$/);
    });

    it('makes one payment of any number of calls with the same reference, whatever they ask for', async () => {
      const payment = anAuthorizeRequest(given.pays);
      const states = await Promise.all(Array.from({ length: 8 }, () => provider.authorize(payment)));
      const again = await provider.authorize({ ...payment, amount: 1_00, instrument: given.waits });
      expect(new Set([...states, again].map((state) => JSON.stringify(state))).size).toBe(1);
    });

    itPaid(
      'keeps a card for one payment, under one token however often where tokens have names',
      async () => {
        const { pays, refuses } = given;
        const { tokenize } = provider;
        if (!tokenize || !isTyped(pays)) return;
        const request = { reference: newId('tok'), card: pays.card };
        const [one, again] = [await tokenize(request), await tokenize(request)];
        if (given.namesNoTokens) expect(again).not.toEqual(one);
        else expect(again).toEqual(one);
        if (one.status !== 'tokenized') throw new Error(`the card is ${one.status}`);
        expect(one.providerToken).not.toContain(pays.card.number);
        const byToken = (): Instrument => ({ ...pays, card: { providerToken: one.providerToken } });
        expect(await provider.authorize(anAuthorizeRequest(byToken()))).toMatchObject({ status: 'paid' });

        if (!refuses || !isTyped(refuses)) return;
        const kept = await tokenize({ reference: newId('tok'), card: refuses.card });
        if (kept.status !== 'tokenized') return;
        const card = { providerToken: kept.providerToken };
        const state = await provider.authorize(anAuthorizeRequest({ ...refuses, card }));
        expect(state).toMatchObject({ status: 'refused', paidAt: null });
      },
    );

    describe('cards for later payments', () => {
      /** A request to store the card of a payment; null where the provider stores none. */
      const aStoreRequest = async (instrument: Instrument = given.pays): Promise<StoreRequest | null> => {
        const { tokenize, vault } = provider;
        if (!tokenize || !vault || !isTyped(instrument)) return null;
        const kept = await tokenize({ reference: newId('tok'), card: instrument.card });
        if (kept.status !== 'tokenized') throw new Error(`the card is ${kept.status}`);
        const holder = { reference: newId('cus'), providerCustomer: null };
        const card = { providerToken: kept.providerToken };
        return { reference: newId('pm'), holder, providerMethod: null, payment: null, card, returnUrl: null };
      };
      const byStored = (
        { providerMethod, providerCustomer, networkTransactionId }: StoredState,
        initiator: Initiator,
        code: Pick<StoredCard, 'codeToken'> = {},
      ): Instrument => {
        if (providerMethod === null) throw new Error('the stored card has no name');
        const card = { providerMethod, providerCustomer, networkTransactionId, initiator, ...code };
        return { type: 'credit_card', installments: 1, card };
      };
      const vaultOf = ({ vault }: PaymentProvider): CardVault => {
        if (!vault) throw new Error('the provider keeps no cards');
        return vault;
      };

      itPaid('are stored once however often, and pay with and without the payer', async () => {
        const request = await aStoreRequest();
        if (!request) return;
        const states = [
          await vaultOf(provider).store(request),
          await vaultOf(provider).store(request),
          await vaultOf(given.restart()).describeStored(request),
        ];
        expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
        const [stored] = states;
        expect(stored).toMatchObject({ status: 'active', failureReason: null, authenticationUrl: null });
        if (!stored) return;
        for (const initiator of ['customer', 'merchant', 'merchant'] as const) {
          const payment = anAuthorizeRequest(byStored(stored, initiator));
          expect(await provider.authorize(payment)).toMatchObject({ status: 'paid' });
        }
      });

      itPaid('pay with a security code that was typed again, under one token however often', async () => {
        const request = await aStoreRequest();
        if (!request) return;
        const stored = await vaultOf(provider).store(request);
        const asked = { reference: newId('tok'), code: '123' };
        const token = await vaultOf(provider).tokenizeCode(asked);
        expect(await vaultOf(provider).tokenizeCode(asked)).toEqual(token);
        if (token.status !== 'tokenized') throw new Error(`the code is ${token.status}`);
        expect(token.providerToken).not.toContain(asked.code);
        const withCode = (codeToken: string): Instrument => byStored(stored, 'customer', { codeToken });
        const payment = anAuthorizeRequest(withCode(token.providerToken));
        expect(await provider.authorize(payment)).toMatchObject({ status: 'paid' });
        expect(await provider.authorize(payment)).toMatchObject({ status: 'paid' });

        const wrong = await vaultOf(provider).tokenizeCode({ reference: newId('tok'), code: '000' });
        if (wrong.status !== 'tokenized') return;
        const refused = await provider.authorize(anAuthorizeRequest(withCode(wrong.providerToken)));
        expect(refused).toMatchObject({ status: 'refused', paidAt: null });
      });

      itPaid('are kept along with a payment, and pay again, until they are revoked', async () => {
        if (!provider.vault || !isTyped(given.pays)) return;
        const reference = newId('pm');
        const keep = { reference, holder: { reference: newId('cus'), providerCustomer: null } };
        const paid = await provider.authorize({ ...anAuthorizeRequest(given.pays), keep });
        expect(paid.status).toBe('paid');
        const order = { ...keep, providerMethod: null, payment: paid.pspRefId };
        const stored = await vaultOf(given.restart()).describeStored(order);
        expect(stored).toMatchObject({ status: 'active' });
        expect(await vaultOf(provider).describeStored(order)).toEqual(stored);
        if (!stored) return;
        const again = anAuthorizeRequest(byStored(stored, 'merchant'));
        expect(await provider.authorize(again)).toMatchObject({ status: 'paid' });
        expect((await vaultOf(provider).revoke(order)).status).toBe('revoked');
        const late = anAuthorizeRequest(byStored(stored, 'merchant'));
        expect(['refused', 'failed']).toContain((await provider.authorize(late)).status);
      });

      itPaid('are never charged once they are revoked, however often that is asked for', async () => {
        const request = await aStoreRequest();
        if (!request) return;
        const stored = await vaultOf(provider).store(request);
        const revoked = await vaultOf(provider).revoke(request);
        expect(revoked.status).toBe('revoked');
        expect(await vaultOf(provider).revoke(request)).toEqual(revoked);
        expect((await vaultOf(provider).store(request)).status).toBe('revoked');
        for (const initiator of ['customer', 'merchant'] as const) {
          const payment = anAuthorizeRequest(byStored(stored, initiator));
          expect(['refused', 'failed']).toContain((await provider.authorize(payment)).status);
        }
      });

      itPaid('are not stored where they were revoked before the call arrived', async () => {
        const request = await aStoreRequest();
        if (!request) return;
        expect(await vaultOf(provider).describeStored(request)).toBeNull();
        expect(['failed', 'revoked']).toContain((await vaultOf(provider).revoke(request)).status);
        expect(['failed', 'revoked']).toContain((await vaultOf(provider).store(request)).status);
      });

      itPaid('are stored once, with a process killed before and after each request', async () => {
        if (!given.wire) return;
        for (const trouble of ['drop', 'lose'] as const)
          for (let at = 0, isOver = false; !isOver; at += 1) {
            const request = await aStoreRequest();
            if (!request) return;
            given.wire.troubleWith((number) => (number === at ? trouble : null));
            await vaultOf(provider)
              .store(request)
              .catch(() => null);
            isOver = given.wire.requests() <= at;
            given.wire.troubleWith(() => null);
            const stored = await vaultOf(given.restart()).store(request);
            expect([trouble, at, stored.status]).toEqual([trouble, at, 'active']);
            expect(await vaultOf(provider).describeStored(request)).toEqual(stored);
          }
      });
    });

    it('describes a payment as it answered it, also to a process that remembers nothing', async () => {
      for (const instrument of [given.pays, given.refuses, given.waits]) {
        if (!instrument) continue;
        const payment = anAuthorizeRequest(instrument);
        const state = await provider.authorize(payment);
        expect(await provider.describePayment(payment)).toEqual(state);
        expect(await given.restart().describePayment(payment)).toEqual(state);
      }
    });

    it('finds no payment or refund of an unknown reference', async () => {
      expect(await provider.describePayment(anAuthorizeRequest(given.pays))).toBeNull();
      expect(await provider.describeRefund(aRefundRequest(anAuthorizeRequest(given.pays)))).toBeNull();
    });

    it('may make a payment and not answer; asking again tells its state', async () => {
      const payment = await given.authorizeUnanswered();
      const described = await provider.describePayment(payment);
      expect(['paid', 'pending']).toContain(described?.status);
      expect(await provider.authorize(payment)).toEqual(described);
    });

    it('takes every method that it offers, and tells what the payer needs for it', async () => {
      expect(given.methods.map(({ type }) => type)).toEqual(provider.methods);
      for (const instrument of given.methods) {
        const payment = anAuthorizeRequest(instrument);
        const state = await provider.authorize(payment);
        expect(['paid', 'pending']).toContain(state.status);
        if (instrument.type === 'credit_card') expect(state.instructions).toBeNull();
        else expect(state.instructions?.type).toBe(instrument.type);
        for (const value of Object.values(state.instructions ?? {})) expect(value).not.toBe('');
        expect(await provider.describePayment(payment)).toEqual(state);
        expect(await provider.cancel(payment)).toMatchObject({
          status: state.status === 'paid' ? 'paid' : 'failed',
        });
      }
    });

    it('gives every waiting payment instructions of its own', async () => {
      for (const instrument of given.methods.filter(({ type }) => type !== 'credit_card')) {
        const [one, another] = await Promise.all(
          [1, 2].map(() => provider.authorize(anAuthorizeRequest(instrument))),
        );
        expect(one?.instructions).not.toEqual(another?.instructions);
      }
    });

    itPaid('says in a notification what it answers when it is asked', async () => {
      const { payment, state } = await aPaidOne();
      const { amount, currency, reference } = payment;
      const { livemode } = given;
      const { instructions: _, ...facts } = state;
      const [ofPayment] = await allTold(await given.deliveries.about(payment));
      expect(ofPayment).toMatchObject({
        livemode,
        kind: 'payment',
        reference,
        amount,
        currency,
        state: facts,
      });
      const refund = aRefundRequest(payment);
      const refunded = await provider.refund(refund);
      const ofRefund = await told(await given.deliveries.aboutRefund(refund));
      const about = { livemode, amount, currency };
      expect(ofRefund).toContainEqual(
        expect.objectContaining({ ...about, kind: 'refund', reference: refund.reference, state: refunded }),
      );
    });

    itWithBank('tells of money that the payer’s bank takes back', async () => {
      const { payment } = await aPaidOne();
      const { amount, currency, reference } = payment;
      const news = await told(await given.deliveries.chargedBack(payment));
      expect(news).toContainEqual(
        expect.objectContaining({
          kind: 'chargeback',
          reference,
          amount,
          currency,
          livemode: given.livemode,
        }),
      );
      const ids = news?.map(({ id }) => id) ?? [];
      expect(new Set(ids).size).toBe(ids.length);
    });

    itPaid('names the same notification the same when it is sent again, alone or with others', async () => {
      const [one, other] = [await aPaidOne(), await aPaidOne()];
      const deliveries = await given.deliveries.about(other.payment, one.payment, other.payment);
      const news = await allTold(deliveries);
      expect(await allTold(deliveries)).toEqual(news);
      expect(await allTold([...deliveries].reverse())).toEqual(expect.arrayContaining(news));
      const references = news.map((one) => ('reference' in one ? one.reference : null));
      expect(new Set(references)).toEqual(new Set([one.payment.reference, other.payment.reference]));
      for (const delivery of deliveries) {
        const ids = (await told(delivery))?.map(({ id }) => id) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
      }
    });

    it('is known by its deliveries, and nobody else is', async () => {
      const payment = anAuthorizeRequest(given.pays);
      await provider.authorize(payment);
      const [genuine] = await given.deliveries.about(payment);
      if (!genuine) throw new Error('no delivery');
      expect(await provider.verify(genuine)).toBe(true);
      const forged = given.deliveries.forged(genuine);
      expect(forged.length).toBeGreaterThan(1);
      for (const delivery of forged) expect(await provider.verify(delivery)).toBe(false);
      expect(await provider.verify({ headers: {}, secret: null, body: genuine.body })).toBe(false);
    });

    it('passes over what it does not know, and takes nothing else for a notification', async () => {
      if (given.deliveries.other)
        expect(await told(given.deliveries.other)).toMatchObject([{ kind: 'other' }]);
      for (const body of ['', 'null', '[7]', '{}', '{"id":7}', 'not json', '{"__proto__":{"id":"1"}}'])
        expect(await told({ headers: {}, secret: null, body: Buffer.from(body) })).toBeNull();
    });

    it('gives the payer what is needed to pay', async () => {
      const state = await provider.authorize(anAuthorizeRequest(given.waits));
      expect(['pending', 'authentication_required']).toContain(state.status);
      expect(state.paidAt).toBeNull();
      expect(state.instructions).toMatchObject({ type: given.waits.type });
    });

    it('ends the wait of a payment that is cancelled, for good', async () => {
      const payment = anAuthorizeRequest(given.waits);
      await provider.authorize(payment);
      const cancelled = await provider.cancel(payment);
      expect(cancelled).toMatchObject({ status: 'failed', paidAt: null });
      expect(await provider.cancel(payment)).toEqual(cancelled);
      expect(await provider.authorize(payment)).toEqual(cancelled);
      expect(await provider.describePayment(payment)).toEqual(cancelled);
    });

    itPaid('leaves a payment paid that is cancelled too late', async () => {
      const { payment, state } = await aPaidOne();
      expect(await provider.cancel(payment)).toEqual(state);
    });

    it('never takes a payment that was cancelled before it arrived', async () => {
      const payment = anAuthorizeRequest(given.pays);
      expect(await provider.cancel(payment)).toMatchObject({ status: 'failed' });
      expect(await provider.authorize(payment)).toMatchObject({ status: 'failed', paidAt: null });
    });

    it('agrees on one outcome where a payment and its cancellation race', async () => {
      for (let round = 0; round < 10; round += 1) {
        const payment = anAuthorizeRequest(given.pays);
        const [made, cancelled] = await Promise.all([provider.authorize(payment), provider.cancel(payment)]);
        expect(['paid', 'failed']).toContain(cancelled.status);
        expect(await provider.describePayment(payment)).toEqual(cancelled);
        if (made.status !== 'pending') expect(made).toEqual(cancelled);
      }
    });

    itWithPayer('agrees on one outcome where the payer and a cancellation race', async () => {
      for (let round = 0; round < 10; round += 1) {
        const payment = anAuthorizeRequest(given.waits);
        await provider.authorize(payment);
        const [paid, cancelled] = await Promise.all([
          given.pay(payment).then(
            () => true,
            () => false,
          ),
          provider.cancel(payment),
        ]);
        expect(cancelled.status).toBe(paid ? 'paid' : 'failed');
      }
    });

    itPaid('gives a payment back and describes the refund as it answered it', async () => {
      const { payment, state: paid } = await aPaidOne();
      const refund = { ...aRefundRequest(payment), paymentPspRefId: paid.pspRefId };
      const state = await provider.refund(refund);
      expect(state).toEqual({ status: 'refunded', reason: null, pspRefundRefId: expect.any(String) });
      expect(await provider.describeRefund(refund)).toEqual(state);
      expect(await given.restart().describeRefund({ ...refund, paymentPspRefId: null })).toEqual(state);
    });

    itPaid('makes one refund of any number of calls with the same reference', async () => {
      const { payment } = await aPaidOne();
      const refund = aRefundRequest(payment);
      const states = await Promise.all(Array.from({ length: 8 }, () => provider.refund(refund)));
      expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
      expect(states[0]).toMatchObject({ status: 'refunded' });
    });

    itPaid('gives a payment back once, however many refunds are asked for', async () => {
      const { payment } = await aPaidOne();
      const states = await Promise.all(
        Array.from({ length: 8 }, () => provider.refund(aRefundRequest(payment), { isFirst: true })),
      );
      expect(states.filter((state) => state.status === 'refunded')).toHaveLength(1);
      expect(states.filter((state) => state.status === 'refused')).toHaveLength(7);
    });

    it('refuses to give back what was not paid', async () => {
      const payment = anAuthorizeRequest(given.waits);
      await provider.authorize(payment);
      expect(await provider.refund(aRefundRequest(payment))).toMatchObject({ status: 'refused' });
      expect(await provider.refund(aRefundRequest(anAuthorizeRequest(given.pays)))).toMatchObject({
        status: 'refused',
      });
    });

    it('shows no card number and no secret in the transcript', () => {
      const transcript = given.transcript?.() ?? '';
      if (given.transcript) expect(transcript).not.toBe('');
      for (const secret of given.secrets ?? []) expect(transcript.includes(secret)).toBe(false);
    });

    describe('on a network that loses what passes', () => {
      const TROUBLES: readonly Trouble[] = [
        'drop',
        'lose',
        { status: 500 },
        { status: 502 },
        { status: 429, retryAfter: 0 },
        { status: 503 },
      ];
      /** Each operation with its preparations, and the outcome that it finally has. */
      const operations = {
        authorize: async () => {
          const payment = anAuthorizeRequest(given.pays);
          return (by: PaymentProvider) => by.authorize(payment);
        },
        cancel: async () => {
          const payment = anAuthorizeRequest(given.waits);
          await provider.authorize(payment);
          return (by: PaymentProvider) => by.cancel(payment);
        },
        'cancel before it arrived': async () => {
          const payment = anAuthorizeRequest(given.waits);
          return (by: PaymentProvider) => by.cancel(payment);
        },
        describePayment: async () => {
          const { payment } = await aPaidOne();
          return (by: PaymentProvider) => by.describePayment(payment);
        },
        refund: async () => {
          const refund = aRefundRequest((await aPaidOne()).payment);
          return (by: PaymentProvider) => by.refund(refund);
        },
        describeRefund: async () => {
          const refund = aRefundRequest((await aPaidOne()).payment);
          await provider.refund(refund);
          return (by: PaymentProvider) => by.describeRefund(refund);
        },
      };

      const needPaid = ['describePayment', 'refund', 'describeRefund'];
      const possible = Object.keys(operations).filter((name) => actors.pays || !needPaid.includes(name));

      it.each(possible as (keyof typeof operations)[])(
        '%s answers the truth or nothing, at whichever request the trouble comes, and the truth when it is repeated',
        async (name) => {
          if (!given.wire) return;
          const expected = (await (await operations[name]())(given.restart()))?.status;
          for (const trouble of TROUBLES)
            for (let at = 0; ; at += 1) {
              const run = await operations[name]();
              given.wire.troubleWith((request) => (request === at ? trouble : null));
              const answer = await run(given.restart()).catch(() => null);
              const isOver = given.wire.requests() <= at;
              given.wire.troubleWith(() => null);
              if (answer !== null) expect([trouble, at, answer.status]).toEqual([trouble, at, expected]);
              expect([trouble, at, (await run(given.restart()))?.status]).toEqual([trouble, at, expected]);
              if (isOver) break;
            }
        },
      );
    });
  });
};
