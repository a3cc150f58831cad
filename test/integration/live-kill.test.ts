import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '../../src/kernel/durations.ts';
import { toMinor } from '../../src/kernel/money.ts';
import { DIFFERENCES } from '../../src/modules/ledger-check/differences.store.ts';
import { chargeIdOf, referenceOf, txidOf } from '../../src/modules/providers/pix-api/references.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCard, aPixRequest, aSpreadFee } from '../builders.ts';
import { pollUntil } from '../support/client.ts';
import {
  mercadoPagoSettings,
  pixSettings,
  pixVariables,
  stripeSettings,
} from '../support/doubles/settings.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { BY_TENANT, OPERATOR, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createMandateLives } from '../support/live-mandates.ts';
import {
  type MercadoPagoDouble,
  startMercadoPagoDouble,
} from '../support/mercado-pago/mercado-pago-double.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
} from '../support/program.ts';
import { OF_TESTS } from '../support/statements.ts';
import { type StripeDouble, startStripeDouble } from '../support/stripe/stripe-double.ts';
import { volume } from '../support/volume.ts';

const CHARGES = volume({ usual: 30, proof: 1_000 });
const KILLS = volume({ usual: 1, proof: 10 });
/** Mandates whose first cycle falls due among the charges. */
const MANDATES = volume({ usual: 3, proof: 30 });
const AT_ONCE = 6;
const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const LUCK = ['drop', 'lose', { status: 500 }, { delayMs: 300 }] as const;
const RESOLVED_WITHIN_MS = 240_000;
const LAG_MS = 700;

/** A name that nothing else has, because logs are searched for it. */
const CVV = '917';
const DECLINED = '4000000000009995';
const CHALLENGED = '4000000000003220';
const MASTERCARD = '5555555555554444';
const OWN_SECRET = 'Nq7wLr5vXn2bYc7mHd4sJf8gPa1eUZk3';

const directory = mkdtempSync(join(tmpdir(), 'portico-live-'));
let institution: PixInstitution;
let stripe: StripeDouble;
let mercadoPago: MercadoPagoDouble;
/** How far the institution is ahead of the machine. */
let ahead = 0;
let gateway: TestGateway;

jest.setTimeout(volume({ usual: 600_000, proof: 3_600_000 }));
beforeAll(async () => {
  await buildProgram();
  institution = await startPixInstitution(() => new Date(Date.now() + ahead));
  const { agencia, conta, tipoConta } = institution.account;
  stripe = await startStripeDouble();
  mercadoPago = await startMercadoPagoDouble();
  // Sets up and looks on: no client comes to it, and it does no worker's work.
  gateway = await startTestGateway({
    ...BY_TENANT,
    ROLE: 'api',
    LIVE_PROVIDERS: 'pix=pix-api,credit_card:mastercard=mercado-pago,credit_card=stripe',
    PROVIDER_TIMEOUT_MS: '2000',
    ...pixVariables(institution, { callbackSecret: SECRET, directory }),
    PIX_API_ACCOUNT: `${agencia}/${conta}/${tipoConta}`,
    ...stripeSettings(stripe),
    ...mercadoPagoSettings(mercadoPago),
  });
}, 240_000);
afterAll(async () => {
  await endPrograms();
  await gateway?.stop();
  await institution?.stop();
  await stripe?.stop();
  await mercadoPago?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);

type Answer = { readonly id: string; readonly status: string };

/** One call in five has bad luck. */
const unlucky = () => {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % 5 === 0 ? (LUCK[(calls / 5) % LUCK.length] ?? null) : null;
  };
};

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const cents = (valor: string): number => Number(valor.replace('.', ''));
const inCents = (reais: number): number => toMinor(reais, 'BRL') ?? Number.NaN;

const byCard = (changes: Parameters<typeof aCard>[0]) => ({
  ...{ type: 'credit_card', installments: 1 },
  ...aCard({ cvv: CVV, ...changes }),
});

describe('live charges while the program is killed, reads lag and one call in five is lost, broken or late', () => {
  let program: Program;
  let url = '';
  let liveKey = '';
  const programs: Program[] = [];
  const start = async (): Promise<void> => {
    program = startProgram('dist/src/main/main.js', {
      ...gateway.variables,
      ROLE: 'all',
      LOG_LEVEL: 'trace',
    });
    programs.push(program);
    const [, address = ''] = await untilPrinted(program, /Portico is listening on (.*)\n/, 120_000);
    url = address;
  };

  const kill = async (): Promise<void> => {
    program.signal('SIGKILL');
    expect(await program.ended).toBe('SIGKILL');
    await start();
  };

  /** Null where the program died over it. */
  const post = async (path: string, body: string, key?: string): Promise<Answer | null> => {
    const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const headers = { 'content-type': 'application/json', ...(key ? { authorization } : {}) };
    try {
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      return answer.ok ? ((await answer.json()) as Answer) : null;
    } catch {
      await sleep(50);
      return null;
    }
  };
  /** One callback in three is lost. */
  const payPix = async (txid: string): Promise<void> => {
    // Nobody can pay a charge that was made only to keep a lost request from making it later.
    if (!institution.isOpen(txid)) return;
    const told = institution.callbackAbout(institution.pay(txid)).toString('utf8');
    if (institution.pixes.size % 3 === 0) return;
    const path = `/v1/providers/pix-api/notifications/${SECRET}/pix`;
    await Promise.all([post(path, told), post(path, told)]);
  };

  let toldOfMandates = 0;
  const tellOfMandates = async (resource: 'rec' | 'cobr', told: Buffer): Promise<void> => {
    toldOfMandates += 1;
    if (toldOfMandates % 3 === 0) return;
    const path = `/v1/providers/pix-api/notifications/${SECRET}/${resource}`;
    await Promise.all([1, 2].map(() => post(path, told.toString('utf8'))));
  };

  /** Waits for a transaction that a killed program has left open, which may take a minute to end. */
  const patient = () =>
    gateway.container.get(platform.services).scanStore.client.db(gateway.db.databaseName, OF_TESTS);
  /** As if every open charge and refund had to be asked about now. */
  const askAboutAll = async (): Promise<void> => {
    const reconcileAt = new Date(Date.now() - 1_000).toISOString();
    for (const collection of ['charges', 'refunds'])
      await patient()
        .collection(collection)
        .updateMany({ status: 'pending', reconcileAt: { $gt: reconcileAt } }, { $set: { reconcileAt } });
  };
  /** Charges and refunds whose outcome is not known yet. */
  const open = async (): Promise<readonly object[]> => {
    await askAboutAll();
    const found = ['charges', 'refunds'].map((name) =>
      patient().collection(name).find({ status: 'pending' }).toArray(),
    );
    return (await Promise.all(found)).flat();
  };

  it('are each paid and refunded once, and the books of providers and gateway agree to the cent', async () => {
    const merchant = await gateway.createMerchant();
    ({ liveKey } = merchant);
    const definition = { fixed: 1, percentages: [2] };
    await gateway.setFees(merchant.id, [
      aSpreadFee({ payment_method: 'pix', definition }),
      aSpreadFee({ definition }),
    ]);
    await start();
    institution.troubleWith(unlucky());
    stripe.troubleWith(unlucky());
    mercadoPago.troubleWith(unlucky());
    // Half of the time what providers show lags behind what they have.
    let isLagging = false;
    const lag = setInterval(() => {
      isLagging = !isLagging;
      institution.lag(isLagging);
      mercadoPago.books.lag(isLagging);
    }, LAG_MS);

    let [begun, answered] = [0, 0];
    const answeredOf: number[] = [];
    const client = async (): Promise<void> => {
      while (answered < CHARGES) {
        begun += 1;
        // One after the other: Pix at the institution, a card at Stripe, a card at Mercado Pago.
        const kind = begun % 3;
        const isPix = kind === 0;
        const request = {
          ...aPixRequest(),
          amount: 10 + (begun % 90),
          ...(isPix ? {} : { paymentMethod: byCard(kind === 1 ? {} : { number: MASTERCARD }) }),
        };
        const charge = await post('/v1/charges', JSON.stringify(request), liveKey);
        if (!charge) continue;
        answered += 1;
        if (isPix) await payPix(txidOf(charge.id));
        const refund = JSON.stringify({ chargeId: charge.id, reason: 'sent back' });
        answeredOf[kind] = (answeredOf[kind] ?? 0) + 1;
        // Every third of each kind, and twice at once, as an impatient merchant does.
        if (answeredOf[kind] % 3 === 1)
          await Promise.all([1, 2].map(() => post('/v1/refunds', refund, liveKey)));
      }
    };
    const mandates = createMandateLives({
      institution,
      db: patient,
      post: (path, body) => post(path, JSON.stringify(body), liveKey),
      tell: tellOfMandates,
    });
    const payers = async (): Promise<void> => {
      for (let begunOnes = 0; begunOnes < MANDATES; begunOnes += 1) await mandates.begin();
    };
    const clients = [...Array.from({ length: AT_ONCE }, client), payers()];
    for (let killed = 0; killed < KILLS; killed += 1) {
      await eventually('more is charged', () => answered >= (CHARGES * (killed + 1)) / (KILLS + 1), 600_000);
      await kill();
    }
    await Promise.all(clients);

    clearInterval(lag);
    institution.lag(false);
    mercadoPago.books.lag(false);
    institution.troubleWith(() => null);
    stripe.troubleWith(() => null);
    mercadoPago.troubleWith(() => null);
    await mandates.untilHandedIn(MANDATES);
    // A charge whose request got lost may be made only now, when it is asked about, and is paid then.
    const openOnceAllPaid = async (): Promise<readonly object[]> => {
      for (const txid of institution.cobs.keys()) await payPix(txid);
      return open();
    };
    const areCycles = (all: readonly object[]): boolean => all.every((one) => 'cycle' in one);
    expect(areCycles(await pollUntil(openOnceAllPaid, areCycles, RESOLVED_WITHIN_MS))).toBe(true);

    ahead = mandates.due * DAY_MS + 15 * HOUR_MS - Date.now();
    const settled = mandates.settleAll();
    await eventually('a bank has paid', () => toldOfMandates > MANDATES + 1, 60_000);
    await kill();
    await settled;
    expect(await pollUntil(open, ({ length }) => length === 0, RESOLVED_WITHIN_MS)).toEqual([]);
    const { here, there } = await mandates.books();
    expect(here).toEqual(there);
    const states = there.map(([, state]) => state);
    expect(states.filter((state) => state === 'active')).toHaveLength(MANDATES);
    expect(states.filter((state) => state === 'paid')).toHaveLength(MANDATES - 1);
    await expectSameBooks();
    ahead = 0;
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
  });

  it('leave no secret in what the program and the doubles have written', async () => {
    await start();
    for (const number of [DECLINED, CHALLENGED]) {
      const paymentMethod = byCard({ number });
      const charge = await post('/v1/charges', JSON.stringify({ ...aPixRequest(), paymentMethod }), liveKey);
      // On a busy machine the answer may come later.
      expect(['refused', 'authentication_required', 'pending']).toContain(charge?.status);
    }
    // A merchant's own account, one with a wrong secret, and settings that are refused.
    const own = await gateway.createMerchant();
    const bearer = `Bearer ${await gateway.operatorToken()}`;
    const admin = (path: string, body: object): Promise<Response> =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: bearer },
        body: JSON.stringify(body),
      });
    const wrongSecret = 'the secret of somebody else';
    const known = pixSettings(institution, OWN_SECRET);
    const settings = { ...known, PIX_API_CLIENT_SECRET: wrongSecret };
    const accounts = `/v1/admin/merchants/${own.id}/provider-accounts`;
    const added = await admin(accounts, { provider: 'pix-api', settings });
    expect(added.status).toBe(201);
    const { name } = (await added.json()) as { readonly name: string };
    const wrong = { ...settings, PIX_API_CALLBACK_SECRET: `${OWN_SECRET} ` };
    const refused = await admin(accounts, { provider: 'pix-api', settings: wrong });
    expect([refused.status, (await refused.text()).includes(OWN_SECRET)]).toEqual([400, false]);
    await gateway.setFees(own.id, [
      aSpreadFee({ payment_method: 'pix', definition: { fixed: 1, percentages: [2] } }),
    ]);
    const route = { name: 'live_providers', content: `pix=${name}` };
    expect((await admin(`/v1/merchants/${own.id}/settings`, route)).status).toBe(201);
    expect(await post('/v1/charges', JSON.stringify(aPixRequest()), own.liveKey)).toMatchObject({
      status: 'pending',
    });
    await post(`/v1/providers/${name}/notifications/${OWN_SECRET}/pix`, '{"pix": []}');
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);

    const keys = [known.PIX_API_CERT_KEY, readFileSync(gateway.variables.PIX_API_CERT_KEY ?? '', 'utf8')];
    const secrets = [
      ...[aCard().number, MASTERCARD, DECLINED, CHALLENGED, liveKey, own.liveKey, OPERATOR.password],
      ...[SECRET, OWN_SECRET, stripe.secretKey, stripe.webhookSecret],
      ...[institution.client.secret, wrongSecret, mercadoPago.accessToken, mercadoPago.webhookSecret],
      ...keys.map((key = '') => key.split('\n')[1] ?? ''),
    ];
    const forms = secrets.flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(`${secret}:`).toString('base64'),
      Buffer.from(`${institution.client.id}:${secret}`).toString('base64'),
    ]);
    const written = {
      program: programs.map((one) => one.stdout() + one.stderr()).join('\n'),
      institution: institution.transcript.join('\n'),
      stripe: stripe.transcript.join('\n'),
      mercadoPago: mercadoPago.transcript.join('\n'),
    };
    for (const [by, text] of Object.entries(written)) {
      expect([by, text.length > 1_000]).toEqual([by, true]);
      for (const form of forms) expect([by, form, text.includes(form)]).toEqual([by, form, false]);
      // Members of cards, tokens, private keys, and the secret by which a payer's browser goes on with a payment.
      const found = /cv[cv]\W{1,8}\d|Bearer \w|PRIVATE KEY|access_token|pi_\w+_secret_/i.exec(text);
      expect([by, found?.[0]]).toEqual([by, undefined]);
    }
    expect(written.program).toContain('/v1/charges');
    expect(written.program).toContain('/notifications/');
  });

  const expectSameBooks = async (): Promise<void> => {
    const charges = await gateway.db.collection('charges').find().toArray();
    const refunds = await gateway.db.collection('refunds').find({ status: 'refunded' }).toArray();
    const paid = charges.filter(({ paidAt }) => paidAt !== null);
    const pixes = [...institution.pixes.values()];
    const taken = [
      ...pixes.map(({ txid = '', valor }) => [chargeIdOf(txid), cents(valor)]),
      ...[...stripe.intents.values()]
        .filter(({ amount_received }) => amount_received > 0)
        .map(({ metadata, amount_received }) => [metadata.portico_reference, amount_received]),
      ...[...mercadoPago.books.payments.values()]
        .filter(({ date_approved }) => date_approved !== null)
        .map(({ external_reference, transaction_amount }) => [
          external_reference,
          inCents(transaction_amount),
        ]),
    ];
    // The only names that these refunds have are the gateway's own.
    const names = await gateway.db.collection('mercado_pago_refunds').find().toArray();
    const nameOf = (refundId: number) => names.find((name) => name.refundId === String(refundId))?._id;
    const returned = [
      ...pixes.flatMap(({ devolucoes }) =>
        devolucoes.map(({ id, valor }) => [referenceOf(id), cents(valor)] as const),
      ),
      ...[...stripe.refunds.values()].map(
        ({ metadata, amount }) => [metadata.portico_reference, amount] as const,
      ),
      ...[...mercadoPago.books.refunds.values()].map(
        ({ id, amount }) => [String(nameOf(id)), inCents(amount)] as const,
      ),
    ];
    expect(paid.length).toBeGreaterThan(CHARGES / 2);
    expect(refunds.length).toBeGreaterThan(0);
    expect(paid.map(({ id, amount }) => [id, amount]).sort()).toEqual(taken.sort());
    expect(refunds.map(({ id, amount }) => [id, amount]).sort()).toEqual([...returned].sort());
    expect(new Set(taken.map(([id]) => id)).size).toBe(taken.length);
    const clearing = await gateway.db
      .collection('journals')
      .aggregate([
        { $unwind: '$postings' },
        { $match: { 'postings.bucket': 'provider_clearing' } },
        { $group: { _id: null, total: { $sum: '$postings.amount' } } },
      ])
      .toArray();
    const held = sum(taken.map(([, amount]) => Number(amount))) - sum(returned.map(([, amount]) => amount));
    expect(clearing).toEqual([{ _id: null, total: -held }]);
    expect(await gateway.db.collection('suspense_items').find().toArray()).toEqual([]);
    expect(await differencesWithin(gateway, 90_000)).toEqual([]);
    expect(await gateway.db.collection(DIFFERENCES).find().toArray()).toEqual([]);
    const providers = new Set(
      refunds.map(({ chargeId }) => paid.find(({ id }) => id === chargeId)?.provider),
    );
    expect([...providers].sort()).toEqual(['mercado-pago', 'pix-api', 'stripe']);
    expect(institution.ownFaults).toEqual([]);
  };
});
