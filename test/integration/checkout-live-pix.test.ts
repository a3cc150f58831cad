import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestamp } from '../../src/kernel/clock.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { modules } from '../../src/main/modules.ts';
import type { CheckoutSession } from '../../src/modules/checkout/write/checkout-session.ts';
import { txidOf } from '../../src/modules/providers/pix-api/references.ts';
import { aCard, aSpreadFee } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, pollUntil, withKey } from '../support/client.ts';
import { pixVariables, stripeSettings } from '../support/doubles/settings.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { runMortal } from '../support/mortal-gateway.ts';
import { openCheckout, PAYER, payersOf, TYPED_CARD, textOf } from '../support/payers.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';
import { type StripeDouble, startStripeDouble } from '../support/stripe/stripe-double.ts';
import { someOf, volume } from '../support/volume.ts';

const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const ROUNDS = volume({ usual: 8, proof: 60 });
const directory = mkdtempSync(join(tmpdir(), 'portico-checkout-pix-'));

let institution: PixInstitution;
let stripe: StripeDouble;
let running: TestGateway;
const gateway = () => running;
const { get, post, pay } = payersOf(gateway);
let shop: Client;

jest.setTimeout(240_000);
beforeAll(async () => {
  institution = await startPixInstitution();
  stripe = await startStripeDouble();
  running = await startTestGateway({
    LIVE_PROVIDERS: 'pix=pix-api,credit_card=stripe',
    // Long enough for a busy machine, short enough for the reconciler to ask in time.
    PROVIDER_TIMEOUT_MS: '3000',
    ...pixVariables(institution, { callbackSecret: SECRET, directory }),
    ...stripeSettings(stripe),
  });
}, 180_000);
afterAll(async () => {
  await running?.stop();
  await institution?.stop();
  await stripe?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);
// From the eleventh card of a minute on a shop has its payers prove their work.
beforeEach(async () => {
  const { id, liveKey } = await running.createMerchant();
  shop = withKey(gateway, liveKey);
  const definition = { fixed: 1, percentages: [2] };
  await running.setFees(id, [aSpreadFee({ payment_method: 'pix', definition }), aSpreadFee({ definition })]);
});
afterEach(async () => {
  institution.troubleWith(() => null);
  expect(institution.ownFaults).toEqual([]);
  expect(await checkLedger(running)).toEqual([]);
});

const session = async (id: string): Promise<CheckoutSession> =>
  (await shop.get(`/v1/checkout-sessions/${id}`).expect(200)).body;
const charge = async (id: string) => (await shop.get(`/v1/charges/${id}`).expect(200)).body;
const tell = (endToEndId: string) =>
  gateway()
    .call('post', `/v1/providers/pix-api/notifications/${SECRET}/pix`)
    .type('json')
    .send(institution.callbackAbout(endToEndId).toString('utf8'));
/** As if the institution had to be asked about the charge now. */
const ask = (id: string) =>
  running.db
    .collection('charges')
    .updateOne({ id }, { $set: { reconcileAt: new Date(Date.now() - 1_000).toISOString() } });
const withPix = async () => {
  const opened = await openCheckout(shop);
  await pay(opened.path, 'pix').expect(303);
  const { chargeId } = await session(opened.id);
  if (chargeId === null) throw new Error('no charge has begun');
  return { ...opened, chargeId, txid: txidOf(chargeId) };
};
const ended = (id: string) =>
  pollUntil(
    () => session(id),
    ({ status }) => status !== 'processing',
  );

describe('a payer at a live page', () => {
  it('pays by Pix, which the page shows once the institution has told it', async () => {
    const { id, path, chargeId, txid } = await withPix();
    expect(textOf(await get(path, 'pt-BR').expect(200))).toContain('br.gov.bcb.pix');
    const endToEndId = institution.pay(txid);
    await Promise.all([tell(endToEndId), tell(endToEndId)]);
    expect(await session(id)).toMatchObject({ status: 'completed', chargeId });
    expect(textOf(await get(path).expect(200))).toContain('Payment approved');
  });

  it('pays by Pix whose callback is lost, and the page learns it all the same', async () => {
    const { id, chargeId, txid } = await withPix();
    institution.pay(txid);
    await ask(chargeId);
    expect(await ended(id)).toMatchObject({ status: 'completed', chargeId });
  });

  it('cannot begin another payment while the institution does not confirm that the Pix is off', async () => {
    const { id, path, chargeId, txid } = await withPix();
    institution.troubleWith((call) => (call.startsWith('PATCH /cob/') ? { status: 500 } : null));
    await post(`${path}/change`);
    expect(await session(id)).toMatchObject({ status: 'processing', chargeId });
    await pay(path, 'credit_card', TYPED_CARD).expect(303);
    expect((await session(id)).chargeIds).toEqual([chargeId]);
    institution.troubleWith(() => null);
    await tell(institution.pay(txid)).expect(200);
    expect(await session(id)).toMatchObject({ status: 'completed', chargeId });
  });

  it('gets money back that comes by Pix after he has paid by card', async () => {
    const { id, path, chargeId, txid } = await withPix();
    await post(`${path}/change`).expect(303);
    expect(institution.cobs.get(txid)?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    await pay(path, 'credit_card', TYPED_CARD).expect(303);
    const paid = await session(id);
    expect(paid.status).toBe('completed');
    // A fault of the institution, which has confirmed that nobody can pay it.
    const endToEndId = institution.pay(txid, { force: true });
    await Promise.all([tell(endToEndId), tell(endToEndId)]);
    const given = await pollUntil(
      async () => institution.pixes.get(endToEndId)?.devolucoes ?? [],
      ({ length }) => length > 0,
    );
    expect(given).toMatchObject([{ valor: '129.90', status: 'DEVOLVIDO' }]);
    expect(await session(id)).toMatchObject({ status: 'completed', chargeId: paid.chargeId });
    expect(await charge(chargeId)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });

  it('pays once where he pays the Pix while he switches to a card', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, path, chargeId, txid } = await withPix();
      /** The payer's bank is as fast as it is; one callback in two is lost. */
      const payIt = async (): Promise<string | null> => {
        await sleep((40 * round) / ROUNDS);
        if (institution.cobs.get(txid)?.status !== 'ATIVA') return null;
        const endToEndId = institution.pay(txid);
        if (round % 2 === 0) await tell(endToEndId);
        return endToEndId;
      };
      const change = async (): Promise<void> => {
        await post(`${path}/change`);
        await pay(path, 'credit_card', TYPED_CARD);
      };
      const [endToEndId] = await Promise.all([payIt(), change(), change()]);
      await ask(chargeId);
      const over = await ended(id);
      expect(over.status).toBe('completed');
      const charges = await Promise.all(over.chargeIds.map(charge));
      const paid = charges.filter(({ status }) => status === 'paid');
      expect(paid.map((one) => one.id)).toEqual([over.chargeId]);
      // Money that the payer's bank has taken has paid the session, or is on its way back.
      if (endToEndId !== null && over.chargeId !== chargeId)
        await pollUntil(
          async () => institution.pixes.get(endToEndId)?.devolucoes.length ?? 0,
          (count) => count === 1,
        );
      else expect(endToEndId === null).toBe(over.chargeId !== chargeId);
    }
  });
});

const stored = async (id: string): Promise<CheckoutSession> => {
  const found = await running.db.collection('checkout_sessions').findOne<CheckoutSession>({ id });
  if (!found) throw new Error('there is no session');
  return found;
};
const BY_CARD = { type: 'credit_card', installments: 1, ...aCard() } as const;
const BY_PIX = { type: 'pix', installments: 1, expiresIn: 900 } as const;
/** Pays a session with a gateway that is killed before its write `dieAt`; with 0 it is not. */
const payAndDie = async (id: string, dieAt: number, paymentMethod: typeof BY_CARD | typeof BY_PIX) => {
  const asked = {
    session: await stored(id),
    payer: { customer: PAYER },
    paymentMethod,
    origin: 'killed',
    consent: null,
  } as const;
  return runMortal(running.variables, dieAt, (container) =>
    container.get(modules).checkout.paySession(asked, systemContext('killed')),
  );
};
/** Some of the writes before which a gateway can die. */
const deathsAmong = (writes: number, count: number): readonly number[] => {
  expect(writes).toBeGreaterThan(4);
  return someOf(
    Array.from({ length: writes }, (_, index) => index + 1),
    count,
  );
};
/** The charges of a session, once the provider has been asked about all that was under way. */
const chargesOf = (id: string) =>
  pollUntil(
    () => running.db.collection('charges').find({ checkoutSessionId: id }).toArray(),
    (charges) => charges.every(({ status, instructions }) => status !== 'pending' || instructions),
    120_000,
  );

describe('a live page whose gateway is killed while a payer begins to pay by Pix', () => {
  it('is paid once with a lost callback, or is open and the institution takes nothing for it', async () => {
    const { writes } = await payAndDie((await openCheckout(shop)).id, 0, BY_PIX);
    const ends = new Set<string>();
    for (const dieAt of deathsAmong(writes, 6)) {
      const { id, path } = await openCheckout(shop);
      await payAndDie(id, dieAt, BY_PIX);
      const [begun, ...others] = await chargesOf(id);
      expect(others).toEqual([]);
      ends.add(begun?.status ?? 'none');
      const cob = begun && institution.cobs.get(txidOf(begun.id));
      if (begun?.status === 'pending') {
        institution.pay(txidOf(begun.id));
        await ask(begun.id);
        expect(await ended(id)).toMatchObject({ status: 'completed', chargeId: begun.id });
      } else {
        expect((await session(id)).status).toBe('open');
        expect(cob === undefined || cob.status !== 'ATIVA').toBe(true);
        await pay(path, 'credit_card', TYPED_CARD).expect(303);
        expect((await ended(id)).status).toBe('completed');
      }
    }
    expect(ends).toContain('none');
    expect(ends.size).toBeGreaterThan(1);
  });
});

describe('a live page whose gateway is killed while a payer pays by card at Stripe', () => {
  it('is paid once, or is open and Stripe has taken nothing for it', async () => {
    /** Money that Stripe has taken for charges. */
    const takenFor = (ids: readonly string[]): readonly number[] =>
      [...stripe.intents.values()]
        .filter(({ metadata }) => ids.some((id) => Object.values(metadata).includes(id)))
        .map((intent) => intent.amount_received)
        .filter((amount) => amount > 0);
    const { writes } = await payAndDie((await openCheckout(shop)).id, 0, BY_CARD);
    const ends = new Set<string>();
    for (const dieAt of deathsAmong(writes, 4)) {
      const { id, path } = await openCheckout(shop);
      await payAndDie(id, dieAt, BY_CARD);
      const [begun, ...others] = await chargesOf(id);
      expect(others).toEqual([]);
      ends.add(begun?.status ?? 'none');
      const first = begun ? [String(begun.id)] : [];
      if (begun?.status === 'paid') expect(takenFor(first)).toEqual([12_990]);
      else {
        expect([begun?.status, takenFor(first)]).toEqual([begun && 'failed', []]);
        expect((await session(id)).status).toBe('open');
        await pay(path, 'credit_card', TYPED_CARD).expect(303);
      }
      const over = await ended(id);
      expect(over.status).toBe('completed');
      expect(takenFor(over.chargeIds)).toEqual([12_990]);
    }
    expect(ends).toContain('none');
    expect(ends).toContain('paid');
  });

  it('keeps one card for a customer, or is open and keeps none', async () => {
    const wanted = { mode: 'setup', currency: 'BRL' };
    const saveAndDie = async (id: string, dieAt: number) => {
      const payer = { ...PAYER, phone: null, document: null, address: null };
      const consent = { text: 'I agree.', at: timestamp(new Date()) };
      const of = { session: await stored(id), payer, consent, proof: null, address: '127.0.0.1' };
      return runMortal(running.variables, dieAt, (container) =>
        container.get(modules).checkout.setUpCard({ ...of, card: aCard() }, systemContext('killed')),
      );
    };
    const open = async (): Promise<string> =>
      (await shop.post('/v1/checkout-sessions', wanted).expect(201)).body.id;
    const { writes } = await saveAndDie(await open(), 0);
    const ends = new Set<string>();
    // Before its last write Stripe has the card, and nobody has stored that.
    for (const dieAt of new Set([...deathsAmong(writes, 2), writes])) {
      const id = await open();
      await saveAndDie(id, dieAt);
      const { status, paymentMethodId } = await ended(id);
      ends.add(status);
      const methods = await running.db
        .collection('payment_methods')
        .find({ checkoutSessionId: id, status: 'active' })
        .toArray();
      const kept = methods.map((method) => [
        method.id,
        stripe.cards.readMethodNamed(method.providerMethod).customer,
      ]);
      expect(kept).toEqual(status === 'completed' ? [[paymentMethodId, expect.stringMatching(/^cus_/)]] : []);
    }
    expect([...ends].filter((end) => end !== 'open')).toEqual(['completed']);
  });
});
