import type { Document } from 'mongodb';
import type { Timestamp } from '../../src/kernel/clock.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { modules } from '../../src/main/modules.ts';
import type { CheckoutSession } from '../../src/modules/checkout/write/checkout-session.ts';
import { aCard } from '../builders.ts';
import { type Client, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { runMortal } from '../support/mortal-gateway.ts';
import { PAYER, payersOf } from '../support/payers.ts';
import { someOf } from '../support/volume.ts';

jest.setTimeout(240_000);

// The reconciler asks about an intent three provider time-outs after it was stored.
const gateway = useGateway({ PROVIDER_TIMEOUT_MS: '500' });
const { get, post } = payersOf(gateway);

let shop: Client;
beforeAll(async () => {
  shop = withKey(gateway, (await gateway().createMerchant()).testKey);
});

type Place = { readonly link: string; readonly session: CheckoutSession };

/** A session of a link that can be paid once. */
const aPlace = async (): Promise<Place> => {
  const wanted = { amount: 49.9, currency: 'BRL', description: 'Ticket' };
  const { id, url } = (await shop.post('/v1/payment-links', wanted).expect(201)).body;
  const started = await post(`${new URL(url).pathname}/start`).expect(303);
  const token = String(started.headers.location).slice('/checkout/'.length);
  const session = await gateway().db.collection('checkout_sessions').findOne<CheckoutSession>({ token });
  if (!session) throw new Error('the link opened no session');
  return { link: id, session };
};

const METHODS = {
  credit_card: { type: 'credit_card', installments: 1, ...aCard() },
  pix: { type: 'pix', installments: 1, expiresIn: 900 },
} as const;

/**
 * Pays a session with a gateway that is killed before its write `dieAt`; with 0 it is not, and all writes are counted.
 */
const payAndDie = ({ session }: Place, method: keyof typeof METHODS, dieAt: number) => {
  const variables = { ...gateway().variables, ...(dieAt === 0 ? PATIENT : {}) };
  return runMortal(variables, dieAt, (container) =>
    container.get(modules).checkout.paySession(
      {
        session,
        payer: { customer: PAYER },
        paymentMethod: METHODS[method],
        origin: 'killed',
        consent: null,
      },
      systemContext('killed'),
    ),
  );
};

/** The session, its charges and its link, once the provider has been asked about all that was under way. */
const settled = async ({ link, session }: Place) => {
  const { db } = gateway();
  // The session and the place are stored along with the charge, and so have to be read after it.
  const read = async () => ({
    charges: await db.collection('charges').find({ checkoutSessionId: session.id }).toArray(),
    session: await db.collection('checkout_sessions').findOne<CheckoutSession>({ id: session.id }),
    link: (await shop.get(`/v1/payment-links/${link}`).expect(200)).body,
    held: (await db.collection('payment_link_places').findOne({ id: link }))?.held.length ?? 0,
  });
  return pollUntil(read, ({ charges }) =>
    charges.every(({ status, instructions }) => status !== 'pending' || instructions !== null),
  );
};

describe('a session whose gateway is killed while it is paid', () => {
  it.each(['credit_card', 'pix'] as const)(
    'by %s is paid once or free, and so is its place',
    async (method) => {
      const { writes } = await payAndDie(await aPlace(), method, 0);
      expect(writes).toBeGreaterThan(4);
      const deaths = someOf(
        Array.from({ length: writes }, (_, index) => index + 1),
        6,
      );
      const ends: string[] = [];
      for (const dieAt of deaths) {
        const place = await aPlace();
        await payAndDie(place, method, dieAt);
        const { session, charges, link, held } = await settled(place);
        const [charge] = charges;
        expect(charges.length).toBeLessThanOrEqual(1);
        expect(session?.chargeIds).toEqual(charges.map(({ id }) => id));
        ends.push(charge?.status ?? 'none');
        const states = { session: session?.status, payments: link.payments, held };
        if (charge?.status === 'paid') expect(states).toEqual({ session: 'completed', payments: 1, held: 0 });
        else if (charge?.status === 'pending')
          expect(states).toEqual({ session: 'processing', payments: 0, held: 1 });
        else expect(states).toEqual({ session: 'open', payments: 0, held: 0 });
        // Nobody is left with a page that says nothing.
        await get(new URL(place.session.url).pathname).expect(200);
      }
      // Up to the first commit there is nothing.
      expect(ends[0]).toBe('none');
      expect(new Set(ends).size).toBeGreaterThan(1);
    },
  );
});

describe('a session whose gateway is killed while it keeps a card', () => {
  // From the eleventh card of a minute on a shop has its payers prove their work.
  beforeEach(async () => {
    shop = withKey(gateway, (await gateway().createMerchant()).testKey);
  });

  const consent = { text: 'I agree.', at: new Date().toISOString() as Timestamp };
  const openFor = async (wanted: object): Promise<CheckoutSession> => {
    const { id } = (await shop.post('/v1/checkout-sessions', wanted).expect(201)).body;
    const session = await gateway().db.collection('checkout_sessions').findOne<CheckoutSession>({ id });
    if (!session) throw new Error('there is no session');
    return session;
  };
  const saveAndDie = (session: CheckoutSession, dieAt: number) => {
    const variables = { ...gateway().variables, ...(dieAt === 0 ? PATIENT : {}) };
    const payer = { ...PAYER, phone: null, document: null, address: null };
    const asked = { session, payer, card: aCard(), consent, proof: null, address: '127.0.0.1' };
    return runMortal(variables, dieAt, async (container) => {
      await container.get(modules).checkout.setUpCard(asked, systemContext('killed'));
      await container.get(modules).checkout.settleSubscription(session, systemContext('killed'));
    });
  };
  const ended = async (id: string) => {
    const { db } = gateway();
    return pollUntil(
      async () => ({
        session: await db.collection('checkout_sessions').findOne<CheckoutSession>({ id }),
        methods: await db.collection('payment_methods').find({ checkoutSessionId: id }).toArray(),
      }),
      ({ session }) => session?.status !== 'processing',
    );
  };
  const deathsOf = async (wanted: object, count: number): Promise<readonly number[]> => {
    const { writes } = await saveAndDie(await openFor(wanted), 0);
    expect(writes).toBeGreaterThan(4);
    return someOf(
      Array.from({ length: writes }, (_, index) => index + 1),
      count,
    );
  };

  it('has one card or is free, and names one customer', async () => {
    const wanted = { mode: 'setup', currency: 'BRL' };
    const ends: string[] = [];
    for (const dieAt of await deathsOf(wanted, 6)) {
      const opened = await openFor(wanted);
      await saveAndDie(opened, dieAt);
      const { session, methods } = await ended(opened.id);
      const [method] = methods;
      expect(methods.length).toBeLessThanOrEqual(1);
      ends.push(method?.status ?? 'none');
      if (method?.status === 'active')
        expect(session).toMatchObject({ status: 'completed', paymentMethodId: method.id, consent });
      else expect(session).toMatchObject({ status: 'open' });
      if (method) expect(session?.customerId).toBe(method.customerId);
      await get(new URL(opened.url).pathname).expect(200);
    }
    expect(ends[0]).toBe('none');
    expect(ends).toContain('active');
  });

  it('has one subscription with one paid charge, or is free', async () => {
    const plan = { name: 'Coffee club', amount: 79, currency: 'BRL', interval: 'month' };
    const { id: planId } = (await shop.post('/v1/plans', plan).expect(201)).body;
    const wanted = { mode: 'subscription', planId };
    const ends: string[] = [];
    for (const dieAt of await deathsOf(wanted, 8)) {
      const opened = await openFor(wanted);
      await saveAndDie(opened, dieAt);
      const { session, methods } = await ended(opened.id);
      const { db } = gateway();
      const of = { 'customer.id': session?.customerId ?? 'nobody' };
      const charges = await db.collection('charges').find(of).toArray();
      const subscriptions = await db
        .collection('subscriptions')
        .find({ customerId: session?.customerId ?? 'nobody' })
        .toArray();
      ends.push(String(session?.status));
      const statuses = (records: readonly Document[]) => records.map(({ status }) => status);
      if (session?.status === 'completed') {
        expect(statuses(subscriptions)).toEqual(['active']);
        expect(statuses(charges)).toEqual(['paid']);
        expect(session).toMatchObject({ subscriptionId: subscriptions[0]?.id, chargeId: charges[0]?.id });
      } else {
        expect(session).toMatchObject({ status: 'open' });
        expect(statuses(methods)).not.toContain('active');
        // A charge that the provider was never asked for has ended, and its subscription with it.
        expect(statuses(subscriptions).filter((status) => status !== 'cancelled')).toEqual([]);
        expect(statuses(charges).filter((status) => status !== 'failed')).toEqual([]);
      }
    }
    expect(ends[0]).toBe('open');
    expect(ends).toContain('completed');
  });
});
