import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { dateOfDay, dayOf, isBusinessDay } from '../../src/kernel/business-days.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/durations.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { modules } from '../../src/main/modules.ts';
import { pixDayOf } from '../../src/modules/providers/pix/due-terms.ts';
import { devolucaoIdOf, txidOf } from '../../src/modules/providers/pix-api/references.ts';
import { readMandateFigures } from '../../src/modules/subscriptions/read/mandate-figures.ts';
import { createMandatesLoop } from '../../src/modules/subscriptions/read/mandates-loop.ts';
import { nextAtOf, type Subscription } from '../../src/modules/subscriptions/write/subscription.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aSpreadFee } from '../builders.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { pixSettings, pixVariables } from '../support/doubles/settings.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { runMortal } from '../support/mortal-gateway.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';
import { someOf } from '../support/volume.ts';

const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const OWN_SECRET = 'Nq7wLr5vXn2bYc7mHd4sJf8gPa1eUZk3';
const PUBLIC_URL = 'https://pay.example.test';
const directory = mkdtempSync(join(tmpdir(), 'portico-mandates-'));

/** How far the institution and the subscription of a test are ahead of the machine. */
let ahead = 0;
let institution: PixInstitution;
let running: TestGateway;
const gateway = () => running;
let shop: Client;

jest.setTimeout(240_000);
beforeAll(async () => {
  institution = await startPixInstitution(() => new Date(Date.now() + ahead));
  const { agencia, conta, tipoConta } = institution.account;
  const account = {
    ...pixVariables(institution, { callbackSecret: SECRET, directory }),
    PIX_API_ACCOUNT: `${agencia}/${conta}/${tipoConta}`,
  };
  // A second account of this receiver, whose callbacks come to one address.
  const another = Object.entries(account).map(([name, value]) => [`${name}__TWO`, value]);
  running = await startTestGateway({
    ...PATIENT,
    PUBLIC_URL,
    LIVE_PROVIDERS: 'pix=pix-api',
    ...account,
    ...Object.fromEntries(another),
    PIX_API_REGISTER_CALLBACK: 'true',
  });
  const { id, liveKey } = await running.createMerchant();
  shop = withKey(gateway, liveKey);
  await running.setFees(id, [
    aSpreadFee({ payment_method: 'pix', definition: { fixed: 1, percentages: [2] } }),
  ]);
}, 180_000);
afterAll(async () => {
  await running?.stop();
  await institution?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);
beforeEach(() => {
  ahead = 0;
});
afterEach(() => {
  institution.troubleWith(() => null);
  expect(institution.ownFaults).toEqual([]);
});

type Body = Response['body'];

const ANA = { name: 'Ana Souza', email: 'ana@example.test', document: { type: 'cpf', id: '52998224725' } };
const today = pixDayOf(new Date());
/** A Tuesday without a holiday, so that the two days after it are business days as well. */
const tuesdayFrom = (from: number): number => {
  let day = from;
  while (new Date(day * DAY_MS).getUTCDay() !== 2 || ![day, day + 1, day + 2].every(isBusinessDay)) day += 1;
  return day;
};
const START = tuesdayFrom(today + 6);
const MANDATE = {
  ...{ type: 'pix_automatic', journey: 'qr', interval: 'week', amount: 49.9 },
  ...{ startDate: dateOfDay(START), retries: 'three_in_seven_days' },
  ...{ contract: 'contract-1001', description: 'Gym membership' },
};

const pathOf = (customerId: string) => `/v1/customers/${customerId}/payment-methods`;
const aCustomer = async (by = shop): Promise<string> =>
  (await by.post('/v1/customers', ANA).expect(201)).body.id;
const enroll = async (changes: object = {}, by = shop): Promise<Body> =>
  (await by.post(pathOf(await aCustomer(by)), { ...MANDATE, ...changes }).expect(201)).body;
const method = async ({ customerId, id }: Body): Promise<Body> =>
  (await shop.get(`${pathOf(customerId)}/${id}`).expect(200)).body;
const idRecOf = async ({ id }: Body): Promise<string> => {
  const name = await running.db.collection<{ _id: string; idRec: string }>('pix_api_mandates').findOne({
    _id: id,
  });
  return name?.idRec ?? '';
};
const tell = (resource: 'rec' | 'cobr' | 'pix', body: Buffer, secret = SECRET, account = 'pix-api') =>
  gateway()
    .call('post', `/v1/providers/${account}/notifications/${secret}/${resource}`)
    .type('json')
    .send(body.toString('utf8'));
/** Sends the news to another account than the one that it is about. */
const tellOther = (resource: 'rec' | 'cobr' | 'pix', body: Buffer) =>
  tell(resource, body, SECRET, 'pix-api.two').expect(200);
const tellOfRec = (idRec: string) => tell('rec', institution.callbackAboutRecs(idRec)).expect(200);
const tellOfCobr = (txid: string) => tell('cobr', institution.callbackAboutCobrs(txid)).expect(200);
const approved = async (changes: object = {}): Promise<Body> => {
  const mandate = await enroll(changes);
  const idRec = await idRecOf(mandate);
  institution.decide(idRec, 'approve');
  await tellOfRec(idRec);
  return method(mandate);
};
const past = (): string => new Date(Date.now() - 1_000).toISOString();
const code = ({ status, body }: Response): readonly unknown[] => [status, body.code];

describe('a live mandate', () => {
  it('waits with the institution’s code, and is active once the institution confirms that', async () => {
    const mandate = await enroll();
    const idRec = await idRecOf(mandate);
    expect(mandate).toMatchObject({
      ...{ status: 'pending', provider: 'pix-api', livemode: true },
      copyPaste: expect.stringContaining('/qr/v2/rec/'),
      qrCode: expect.stringMatching(/^data:image\/png/),
    });
    const early = institution.callbackAboutRecs(idRec);
    // A forged callback is asked back, and one with another secret is from nobody.
    const forged = Buffer.from(JSON.stringify({ recs: [{ idRec, status: 'APROVADA' }] }));
    await tell('rec', forged).expect(200);
    await tell('rec', forged, `${SECRET}x`).expect(401);
    expect((await method(mandate)).status).toBe('pending');
    institution.decide(idRec, 'approve');
    const told = institution.callbackAboutRecs(idRec);
    const answers = await Promise.all([tell('rec', told), tell('rec', told), tell('rec', early)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await method(mandate)).toMatchObject({
      ...{ status: 'active', copyPaste: null, consentAt: expect.any(String) },
    });
    institution.decide(idRec, 'cancel');
    await tellOfRec(idRec);
    await tell('rec', early).expect(200);
    expect(await method(mandate)).toMatchObject({
      ...{ status: 'revoked', failureReason: 'mandate_cancelled' },
    });
  });

  it('is approved though the callback comes to another account of the receiver', async () => {
    const mandate = await enroll();
    const idRec = await idRecOf(mandate);
    institution.decide(idRec, 'approve');
    await tellOther('rec', institution.callbackAboutRecs(idRec));
    expect((await method(mandate)).status).toBe('active');
    institution.decide(idRec, 'cancel');
    await tellOther('rec', institution.callbackAboutRecs(idRec));
    expect((await method(mandate)).status).toBe('revoked');
  });

  it('is approved along with a payment, by a code that holds both', async () => {
    const customerId = await aCustomer();
    const paymentMethod = { type: 'pix', installments: 1 };
    const pix = { amount: 49.9, currency: 'BRL', customerId, paymentMethod };
    const charge: Body = (await shop.post('/v1/charges', pix).expect(201)).body;
    const both = { ...MANDATE, journey: 'qr_with_payment', chargeId: charge.id };
    const mandate: Body = (await shop.post(pathOf(customerId), both).expect(201)).body;
    const cob = institution.cobs.get(txidOf(charge.id));
    expect(mandate.copyPaste).toContain(cob?.location);
    expect(mandate.copyPaste).toContain('/qr/v2/rec/');
    const endToEndId = institution.pay(txidOf(charge.id));
    await tellOfRec(await idRecOf(mandate));
    await tell('pix', institution.callbackAbout(endToEndId)).expect(200);
    expect(await method(mandate)).toMatchObject({
      ...{ status: 'active', copyPaste: null, mandate: { firstChargeId: charge.id } },
    });
    const paid: Body = (await shop.get(`/v1/charges/${charge.id}`).expect(200)).body;
    expect(paid).toMatchObject({ status: 'paid', pspRefId: endToEndId });
  });

  it('has its callbacks registered beside those of Pix', () => {
    const address = `${PUBLIC_URL}/v1/providers/pix-api/notifications/${SECRET}`;
    expect(Object.fromEntries(institution.webhooks)).toEqual({ webhookrec: address, webhookcobr: address });
  });

  it('is revoked at the institution where its merchant ends it', async () => {
    const mandate = await approved();
    const idRec = await idRecOf(mandate);
    await shop.call('delete', `${pathOf(mandate.customerId)}/${mandate.id}`).expect(204);
    const rec = await pollUntil(
      async () => institution.recs.get(idRec)?.status,
      (status) => status === 'CANCELADA',
    );
    expect(rec).toBe('CANCELADA');
  });

  it('whose answer gets lost is found, and asked for once', async () => {
    const before = institution.recs.size;
    institution.troubleWith((call) => (call === 'POST /rec' ? 'lose' : null));
    const mandate = await enroll();
    institution.troubleWith(() => null);
    await running.db
      .collection('payment_methods')
      .updateOne({ id: mandate.id, status: 'pending' }, { $set: { reconcileAt: past() } });
    const found = await pollUntil(
      () => method(mandate),
      ({ copyPaste }) => copyPaste !== null,
    );
    expect(found).toMatchObject({ status: 'pending', copyPaste: expect.any(String) });
    expect(institution.recs.size - before).toBe(1);
  });

  it('is cancelled though the news of that is lost', async () => {
    const mandate = await approved();
    institution.decide(await idRecOf(mandate), 'cancel');
    await running.db
      .collection('payment_methods')
      .updateOne({ id: mandate.id }, { $set: { reconcileAt: past() } });
    const ended = await pollUntil(
      () => method(mandate),
      ({ status }) => status !== 'active',
    );
    expect(ended).toMatchObject({ status: 'revoked', failureReason: 'mandate_cancelled' });
  });

  it('is offered by a merchant’s own account that names the account for its charges, and by no other', async () => {
    const owner = await gateway().createMaster();
    const admin = await operator(gateway);
    const own = withKey(gateway, owner.liveKey);
    const { agencia, conta, tipoConta } = institution.account;
    const open = async (settings: object): Promise<string> => {
      const body = {
        provider: 'pix-api',
        settings: { ...pixSettings(institution, OWN_SECRET), ...settings },
      };
      const path = `/v1/admin/merchants/${owner.id}/provider-accounts`;
      const { name } = (await admin.post(path, body).expect(201)).body;
      const route = { name: 'live_providers', content: `pix=${name}` };
      const { status } = await admin.post(`/v1/merchants/${owner.id}/settings`, route);
      expect([200, 201]).toContain(status);
      return name;
    };
    await open({});
    const refused = await own.post(pathOf(await aCustomer(own)), MANDATE);
    expect(code(refused)).toEqual([422, 'PIX_AUTOMATIC_NOT_AVAILABLE']);
    const name = await open({ PIX_API_ACCOUNT: `${agencia}/${conta}/${tipoConta}` });
    expect(await enroll({}, own)).toMatchObject({ status: 'pending', provider: name });
  });
});

const chargeOf = async (id: string): Promise<Body> => (await shop.get(`/v1/charges/${id}`).expect(200)).body;
const journalsOf = (chargeId: string): Promise<number> =>
  running.db.collection('journals').countDocuments({ chargeId, referenceType: { $ne: 'settlement' } });
/** Money that is held because nobody knows where it belongs, by any of its names. */
const heldAbout = (...references: readonly string[]) =>
  running.db
    .collection('suspense_items')
    .find({ reference: { $in: references } })
    .toArray();

describe('a live Pix whose news comes to another account of the receiver', () => {
  const aPaid = async () => {
    const paymentMethod = { type: 'pix', installments: 1 };
    const pix = { amount: 49.9, currency: 'BRL', customer: ANA, paymentMethod };
    const { id }: Body = (await shop.post('/v1/charges', pix).expect(201)).body;
    const endToEndId = institution.pay(txidOf(id));
    await tellOther('pix', institution.callbackAbout(endToEndId));
    expect((await chargeOf(id)).status).toBe('paid');
    return { id, endToEndId };
  };
  const tellBoth = async (endToEndId: string): Promise<void> => {
    await tellOther('pix', institution.callbackAbout(endToEndId));
    await tell('pix', institution.callbackAbout(endToEndId)).expect(200);
    await tellOther('pix', institution.callbackAbout(endToEndId));
  };

  it('is refunded once, as soon as the institution says so', async () => {
    institution.setReturns('EM_PROCESSAMENTO');
    const { id, endToEndId } = await aPaid();
    const refund: Body = (await shop.post('/v1/refunds', { chargeId: id, reason: 'no' }).expect(201)).body;
    institution.setReturns('DEVOLVIDO');
    expect(refund.status).toBe('pending');
    institution.endReturn(devolucaoIdOf(refund.id), 'DEVOLVIDO');
    await tellBoth(endToEndId);
    expect((await shop.get(`/v1/refunds/${refund.id}`).expect(200)).body.status).toBe('refunded');
    expect((await chargeOf(id)).status).toBe('refunded');
    expect(await journalsOf(id)).toBe(2);
    expect(await heldAbout(id, refund.id)).toEqual([]);
  });

  it('is charged back once', async () => {
    const { id, endToEndId } = await aPaid();
    institution.takeBack(endToEndId);
    await tellBoth(endToEndId);
    expect((await chargeOf(id)).status).toBe('chargeback');
    expect(await journalsOf(id)).toBe(2);
    expect(await heldAbout(id)).toEqual([]);
  });

  it('is a difference of its own account once, where it was given back at the institution itself', async () => {
    const { id, endToEndId } = await aPaid();
    institution.giveBackByHand(endToEndId, 'byhand1');
    await tellBoth(endToEndId);
    expect(await heldAbout(id, 'byhand1')).toMatchObject([
      { provider: 'pix-api', reason: 'unexpected_refund', direction: 'out', amount: 49_90 },
    ]);
    expect((await chargeOf(id)).status).toBe('paid');
  });
});

describe('a live subscription by Pix Automático', () => {
  const subscribe = async ({ customerId, id: paymentMethodId }: Body): Promise<string> => {
    const price = { amount: 49.9, currency: 'BRL', interval: 'week' };
    const body = { customerId, price, collection: 'automatic', paymentMethodId };
    return (await shop.post('/v1/subscriptions', body).expect(201)).body.id;
  };
  const read = async (id: string): Promise<Body> =>
    (await shop.get(`/v1/subscriptions/${id}`).expect(200)).body;
  const cycle = async (id: string, number: number): Promise<Body> =>
    (await shop.get(`/v1/subscriptions/${id}/cycles`).expect(200)).body.data.find(
      (one: Body) => one.number === number,
    );
  /** Moves the institution and the subscription to an hour of a day, and waits until all that is due there is done. */
  const goTo = async (subscriptionId: string, day: number, hour = 15): Promise<void> => {
    const id = subscriptionId as Subscription['id'];
    ahead = day * DAY_MS + hour * HOUR_MS - Date.now();
    const subscriptions = running.db.collection<Subscription>('subscriptions');
    const stored = await subscriptions.findOne({ id });
    const next = stored && nextAtOf(stored);
    const reconcileAt = next && new Date(Date.parse(next) - ahead).toISOString();
    await subscriptions.updateOne({ id }, { $set: { offsetMs: ahead, reconcileAt } });
    await pollUntil(
      () => subscriptions.findOne({ id }),
      (one) => one?.reconcileAt === null || Date.parse(one?.reconcileAt ?? '') > Date.now(),
    );
  };
  /** An attempt by its place in its cycle, once it is made. */
  const attemptOf = async (id: string, number: number, place = 0): Promise<Body> => {
    const attempts = await pollUntil(
      async (): Promise<Body[]> => (await cycle(id, number))?.attempts ?? [],
      ({ length }) => length > place,
    );
    return attempts[place];
  };
  /** An attempt once its charge is at the institution. */
  const handedIn = async (id: string, number: number, place = 0): Promise<Body> => {
    const attempt = await attemptOf(id, number, place);
    await pollUntil(
      () => running.db.collection('charges').findOne({ id: attempt.chargeId }),
      (charge) => charge?.instructions !== null,
    );
    return attempt;
  };
  /** The day on which the next retry of a cycle is asked for. */
  const retryDayOf = async (id: string, number: number): Promise<number> => {
    const { nextAttemptAt } = await pollUntil(
      () => cycle(id, number),
      (one) => typeof one?.nextAttemptAt === 'string',
    );
    return dayOf(nextAttemptAt.slice(0, 10));
  };
  const dueDay = (number: number): number => START + 7 * (number - 1);

  it('lives three cycles, one of them retried, and ends by a cancellation in the middle of a retry', async () => {
    const mandate = await approved();
    const idRec = await idRecOf(mandate);
    const cobrs = () => [...institution.cobrs.values()].filter(({ body }) => body.idRec === idRec);
    const id = await subscribe(mandate);
    expect((await read(id)).status).toBe('trialing');

    await goTo(id, dueDay(1) - 5);
    const first = await handedIn(id, 1);
    expect(first).toMatchObject({ outcome: 'pending', plannedOn: MANDATE.startDate });
    expect(await chargeOf(first.chargeId)).toMatchObject({ status: 'pending', amount: 49.9 });
    await goTo(id, dueDay(1));
    const endToEndId = institution.settle(txidOf(first.chargeId)) ?? '';
    const told = institution.callbackAboutCobrs(txidOf(first.chargeId));
    const both = [tell('cobr', told), tell('pix', institution.callbackAbout(endToEndId)), tell('cobr', told)];
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await chargeOf(first.chargeId)).toMatchObject({ status: 'paid', pspRefId: endToEndId });
    expect(await read(id)).toMatchObject({ status: 'active', cycle: 1 });

    await goTo(id, dueDay(2) - 5);
    const second = await handedIn(id, 2);
    await goTo(id, dayOf(second.plannedOn));
    institution.settle(txidOf(second.chargeId), false);
    // The news of it is lost, and the institution is asked.
    await running.db
      .collection('charges')
      .updateOne({ id: second.chargeId }, { $set: { reconcileAt: past() } });
    await pollUntil(
      () => read(id),
      ({ status }) => status === 'past_due',
    );
    expect(await chargeOf(second.chargeId)).toMatchObject({ status: 'failed', failureReason: 'not_paid' });
    await goTo(id, await retryDayOf(id, 2), 12);
    const retry = await handedIn(id, 2, 1);
    expect(retry).toMatchObject({ outcome: 'pending' });
    expect(dayOf(retry.plannedOn) - dayOf(second.plannedOn)).toBeGreaterThanOrEqual(2);
    await goTo(id, dayOf(retry.plannedOn));
    institution.settle(txidOf(second.chargeId));
    await tellOfCobr(txidOf(second.chargeId));
    expect(await chargeOf(retry.chargeId)).toMatchObject({ status: 'paid' });
    expect(await chargeOf(second.chargeId)).toMatchObject({ status: 'failed' });
    expect((await cycle(id, 2)).status).toBe('paid');

    await goTo(id, dueDay(3) - 5);
    const third = await handedIn(id, 3);
    await goTo(id, dayOf(third.plannedOn));
    institution.settle(txidOf(third.chargeId), false);
    await tellOfCobr(txidOf(third.chargeId));
    await goTo(id, await retryDayOf(id, 3), 12);
    const last = await handedIn(id, 3, 1);
    expect(await chargeOf(last.chargeId)).toMatchObject({ status: 'pending' });
    institution.decide(idRec, 'cancel');
    await tellOfRec(idRec);
    await tellOfCobr(txidOf(third.chargeId));
    await tellOfRec(idRec);
    expect(await read(id)).toMatchObject({ status: 'past_due', pastDueReason: 'mandate_cancelled' });
    expect((await method(mandate)).status).toBe('revoked');
    const withdrawn = await pollUntil(
      () => chargeOf(last.chargeId),
      ({ status }) => status !== 'pending',
    );
    expect(withdrawn.status).toBe('failed');

    await goTo(id, dueDay(6));
    expect(await read(id)).toMatchObject({ status: 'cancelled', endReason: 'payment_failed' });
    expect(cobrs().map(({ status }) => status)).toEqual(['CONCLUIDA', 'CONCLUIDA', 'CANCELADA']);
    expect(cobrs().flatMap(({ pix }) => pix)).toHaveLength(2);
    expect(await checkLedger(running)).toEqual([]);
  });

  it('is paid once though the callback comes to another account of the receiver as well', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    await goTo(id, START - 5);
    const { chargeId } = await handedIn(id, 1);
    await goTo(id, START);
    const endToEndId = institution.settle(txidOf(chargeId)) ?? '';
    const told = institution.callbackAboutCobrs(txidOf(chargeId));
    const pix = institution.callbackAbout(endToEndId);
    await Promise.all([
      ...[tellOther('cobr', told), tellOther('pix', pix), tellOther('cobr', told)],
      ...[tell('cobr', told).expect(200), tell('pix', pix).expect(200)],
    ]);
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'paid', pspRefId: endToEndId });
    expect((await cycle(id, 1)).status).toBe('paid');
    expect(await journalsOf(chargeId)).toBe(1);
    expect(await heldAbout(chargeId)).toEqual([]);
  });

  it('fails where the callback about that comes to another account of the receiver', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    await goTo(id, START - 5);
    const { chargeId } = await handedIn(id, 1);
    await goTo(id, START);
    institution.settle(txidOf(chargeId), false);
    await tellOther('cobr', institution.callbackAboutCobrs(txidOf(chargeId)));
    expect(await chargeOf(chargeId)).toMatchObject({ status: 'failed', failureReason: 'not_paid' });
    expect((await read(id)).status).toBe('past_due');
  });

  it('is counted by the metrics, as is a charge whose outcome nobody tells', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    await goTo(id, START - 5);
    await handedIn(id, 1);
    const { readStore } = running.container.get(platform.services);
    const figuresOf = (now: Date) =>
      readMandateFigures(readStore, [{ term: { merchantId: mandate.merchantId } }], now);
    const counted = await pollUntil(
      () => figuresOf(new Date()),
      ({ plannedCharges }) => plannedCharges.waiting > 0,
    );
    expect(counted.mandates.active).toBeGreaterThan(0);
    expect(counted.plannedCharges.overdue).toBe(0);
    const { plannedCharges } = await figuresOf(new Date((START + 3) * DAY_MS));
    expect(plannedCharges.overdue).toBeGreaterThan(0);
    const metrics = createMetrics();
    const loop = createMandatesLoop({
      ...{ readStore, metrics, realClock: () => new Date(), logger: createFakeLogger().logger },
    })({ owns: () => true, shards: () => [] });
    const shown = await pollUntil(
      async () => (await metrics.plannedCharges.get()).values,
      ({ length }) => length === 2,
    );
    await loop.stop();
    expect(shown.find(({ labels }) => labels.state === 'waiting')?.value).toBeGreaterThan(0);
  });

  it('is handed in again where the institution does not take it at first, which is nobody’s failure', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    institution.troubleWith((call) => (call.startsWith('PUT /cobr') ? { status: 422 } : null));
    await goTo(id, START - 5);
    const refused = await pollUntil(
      () => attemptOf(id, 1),
      ({ outcome }) => outcome !== 'pending',
    );
    expect(refused).toMatchObject({ outcome: 'not_counted' });
    expect((await chargeOf(refused.chargeId)).status).toBe('refused');
    expect((await read(id)).status).toBe('trialing');
    institution.troubleWith(() => null);
    await goTo(id, START - 4);
    const taken = await handedIn(id, 1, 1);
    expect(taken).toMatchObject({ outcome: 'pending', plannedOn: MANDATE.startDate });
    expect(institution.cobrs.get(txidOf(taken.chargeId))?.status).toBe('ATIVA');
  });

  it('keeps what the bank pays after a cancellation that came too late', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    await goTo(id, START - 5);
    const first = await handedIn(id, 1);
    await goTo(id, START, 2);
    await shop.post(`/v1/subscriptions/${id}/cancel`, { when: 'now' }).expect(200);
    await goTo(id, START, 15);
    institution.settle(txidOf(first.chargeId));
    await tellOfCobr(txidOf(first.chargeId));
    expect(await chargeOf(first.chargeId)).toMatchObject({ status: 'paid' });
    expect((await read(id)).latePayments).toMatchObject([{ cycleNumber: 1, chargeId: first.chargeId }]);
  });

  it('has its charge withdrawn at the institution with a cancellation in time', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    await goTo(id, START - 5);
    const first = await handedIn(id, 1);
    await shop.post(`/v1/subscriptions/${id}/cancel`, { when: 'now' }).expect(200);
    const ended = await pollUntil(
      () => chargeOf(first.chargeId),
      ({ status }) => status !== 'pending',
    );
    expect(ended).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect(institution.cobrs.get(txidOf(first.chargeId))?.status).toBe('CANCELADA');
  });

  it('has its charge withdrawn though the institution refuses that at first', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    await goTo(id, START - 5);
    const first = await handedIn(id, 1);
    let refusals = 0;
    institution.troubleWith((call) => {
      if (!call.startsWith('PATCH /cobr')) return null;
      refusals += 1;
      return { status: 422 };
    });
    await shop.post(`/v1/subscriptions/${id}/cancel`, { when: 'now' }).expect(200);
    await pollUntil(
      async () => refusals,
      (count) => count > 0,
    );
    institution.troubleWith(() => null);
    const subscriptions = running.db.collection<Subscription>('subscriptions');
    const released = await pollUntil(
      async () => {
        await subscriptions.updateOne(
          { id: id as Subscription['id'], releasing: { $ne: null } },
          { $set: { reconcileAt: past() } },
        );
        return chargeOf(first.chargeId);
      },
      ({ status }) => status !== 'pending',
    );
    expect(released).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect(institution.cobrs.get(txidOf(first.chargeId))?.status).toBe('CANCELADA');
  });

  it('names no mandate of another customer or merchant, and the institution is not asked', async () => {
    const [own, other] = [await approved(), await approved()];
    const id = await subscribe(own);
    const stranger = await running.createMerchant();
    const theirs = withKey(gateway, stranger.liveKey);
    const before = institution.callsMade.length;
    const price = { amount: 49.9, currency: 'BRL', interval: 'week' };
    const under = ({ customerId }: Body, { id: paymentMethodId }: Body) => ({
      ...{ customerId, price, collection: 'automatic', paymentMethodId },
    });
    const wrong = await shop.post('/v1/subscriptions', under(own, other)).expect(400);
    expect(wrong.body.errors).toMatchObject([{ path: 'paymentMethodId' }]);
    const changed = await shop.call('patch', `/v1/subscriptions/${id}`, { paymentMethodId: other.id });
    expect(code(changed)).toEqual([400, 'VALIDATION_FAILED']);
    const customerId = await aCustomer(theirs);
    expect((await theirs.post('/v1/subscriptions', under({ customerId }, other))).status).toBe(404);
    const paymentMethod = { type: 'pix', installments: 1, id: other.id, mandate: { id: other.id } };
    const charge = { amount: 49.9, currency: 'BRL', customerId: own.customerId, paymentMethod };
    expect((await shop.post('/v1/charges', charge)).status).toBe(400);
    // Meanwhile a worker may look at what other tests have left.
    const planned = institution.callsMade.slice(before).filter((call) => /^(?!GET).*(cobr|rec)\b/.test(call));
    expect(planned).toEqual([]);
    expect((await read(id)).paymentMethodId).toBe(own.id);
  });

  it('hands a charge in once where the answer gets lost', async () => {
    const mandate = await approved();
    const id = await subscribe(mandate);
    institution.troubleWith((call) => (call.startsWith('PUT /cobr') ? 'lose' : null));
    await goTo(id, START - 5);
    const first = await attemptOf(id, 1);
    institution.troubleWith(() => null);
    await running.db
      .collection('charges')
      .updateOne({ id: first.chargeId }, { $set: { reconcileAt: past() } });
    const asked = await pollUntil(
      () => running.db.collection('charges').findOne({ id: first.chargeId }),
      (charge) => charge?.instructions !== null,
    );
    expect(asked).toMatchObject({ status: 'pending', instructions: { type: 'pix_automatic' } });
    const cobrs = [...institution.cobrs.values()].filter(({ txid }) => txid === txidOf(first.chargeId));
    expect(cobrs).toHaveLength(1);
  });

  it('hands a charge in once, wherever the gateway is killed over it', async () => {
    const subscriptions = running.db.collection<Subscription>('subscriptions');
    /** A subscription whose cycle is due for those only who take it by hand. */
    const aDue = async () => {
      ahead = 0;
      const mandate = await approved();
      const id = (await subscribe(mandate)) as Subscription['id'];
      ahead = (START - 5) * DAY_MS + 15 * HOUR_MS - Date.now();
      const reconcileAt = new Date(Date.now() + HOUR_MS).toISOString();
      const due = await subscriptions.findOneAndUpdate(
        { id },
        { $set: { offsetMs: ahead, reconcileAt } },
        { returnDocument: 'after' },
      );
      if (!due) throw new Error('there is no subscription');
      return { id, due, idRec: await idRecOf(mandate) };
    };
    const dieOver = ({ due }: { readonly due: Subscription }, dieAt: number) =>
      runMortal(running.variables, dieAt, (container) =>
        container.get(modules).subscriptions.runDue(due, systemContext('killed')),
      );
    const { writes } = await dieOver(await aDue(), 0);
    expect(writes).toBeGreaterThan(2);
    const deaths = Array.from({ length: writes }, (_, index) => index + 1);
    for (const dieAt of someOf(deaths, 5)) {
      const one = await aDue();
      await dieOver(one, dieAt);
      const reconcileAt = past();
      await subscriptions.updateOne({ id: one.id }, { $set: { reconcileAt } });
      const charges = running.db.collection('charges');
      const ofCycle = { 'cycle.subscriptionId': one.id };
      await charges.updateMany({ ...ofCycle, reconcileAt: { $gt: reconcileAt } }, { $set: { reconcileAt } });
      const waits = { ...ofCycle, status: 'pending', instructions: { $ne: null } };
      const handedIn = await pollUntil(
        () => charges.find(waits).toArray(),
        ({ length }) => length === 1,
        120_000,
      );
      const cobrs = [...institution.cobrs.values()].filter(({ body }) => body.idRec === one.idRec);
      const inForce = cobrs.filter(({ status }) => status !== 'CANCELADA');
      expect(inForce.map(({ txid }) => txid)).toEqual(handedIn.map(({ id }) => txidOf(id)));
      expect(inForce).toHaveLength(1);
    }
  });
});
