import { GridFSBucket } from 'mongodb';
import { timestamp } from '../../src/kernel/clock.ts';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { firstIdAt, newCommitId, newId } from '../../src/kernel/ids.ts';
import { DELIVERIES } from '../../src/modules/webhooks/write/delivery.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { createDriftDetector } from '../../src/platform/read-store/drift.ts';
import { OUTBOX, outboxRow } from '../../src/platform/write-store/outbox.ts';
import { aCard, aCardRequest, aSpreadFee } from '../builders.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { payersOf } from '../support/payers.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const gateway = useGateway({
  ...PATIENT,
  TEST_CLOCK: '1',
  // A failed delivery waits for longer than the test.
  WEBHOOK_RETRY_SCHEDULE: '3600',
  EVENT_RETENTION_DAYS: '30',
  WEBHOOK_RETENTION_DAYS: '30',
  DOCUMENT_RETENTION_DAYS: '30',
});
const FOR_EVER = ['charges', 'refunds', 'journals', 'statement_lines', 'balances'];
const PDF = Buffer.from('%PDF-1.7 the papers of a sub-merchant').toString('base64');

type Document = { readonly _id: string; readonly [field: string]: unknown };
const all = (name: string) => gateway().db.collection<Document>(name);
const count = (name: string): Promise<number> => all(name).countDocuments({});
/** The hourly work of a worker, at a time so many days from now; how many of each kind were removed. */
const removeIn = async (days: number): Promise<Readonly<Record<string, number>>> => {
  const now = new Date(Date.now() + days * DAY_MS);
  const { signal } = new AbortController();
  const removed: Record<string, number> = {};
  for (const { what, run } of gateway()
    .container.getAll(platform.work)
    .flatMap((one) => one.removals ?? [])) {
    // The operator of this test goes on with theirs.
    if (what !== 'sessions') removed[what] = await run(now, signal, null);
  }
  return removed;
};

let receiver: Receiver;
let key: Client;
let admin: Client;
let master: Client;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.react(({ path }) => (path === '/broken' ? 'fail' : 'accept'));
  key = withKey(gateway, (await gateway().createMerchant()).testKey);
  admin = await operator(gateway, 'test');
  const { testKey } = await gateway().createMaster();
  master = withKey(gateway, testKey);
});
afterAll(() => receiver.close());

/** Two charges, one of them given back, which one endpoint hears of and another one never does. */
const sell = async () => {
  const endpoint = (path: string, events: readonly string[]) =>
    key.post('/v1/webhook-endpoints', { url: `${receiver.url}${path}`, events }).expect(201);
  await endpoint('/works', ['*']);
  await endpoint('/broken', ['charge.refunded']);
  await key.post('/v1/charges', aCardRequest()).expect(201);
  const { body: charge } = await key.post('/v1/charges', aCardRequest({ amount: 50 })).expect(201);
  await key.post('/v1/refunds', { chargeId: charge.id, reason: 'x' }).expect(201);
  const path = '/v1/webhook-deliveries?size=100&orderBy=createdAt';
  const tried = await pollUntil(
    () => key.getAfter('latest', path),
    ({ body }) =>
      body.total === 6 && body.data.every(({ attempts }: { attempts: object[] }) => attempts.length === 1),
  );
  const deliveries = tried.body.data as { id: string; eventId: string; status: string }[];
  expect(deliveries.map(({ status }) => status).sort()).toEqual([...Array(5).fill('delivered'), 'pending']);
  return {
    delivered: deliveries.filter(({ status }) => status === 'delivered'),
    pending: deliveries.find(({ status }) => status === 'pending') ?? { id: '', eventId: '' },
  };
};

/** A sub-merchant with a document that an operator has moved to that status, with the paths of its documents. */
const onboard = async (status: string) => {
  const { body } = await master
    .post('/v1/submerchants', { legalName: 'Filial', email: 'filial@example.test' })
    .expect(201);
  const documents = `/v1/submerchants/${body.id}/documents`;
  const added = await master.post(documents, { type: 'identity', fileName: 'papers.pdf', content: PDF });
  await admin.post(`/v1/admin/submerchants/${body.id}/status`, { status }).expect(200);
  const download = `/v1/admin/submerchants/${body.id}/documents/${added.body.id}`;
  return { document: added.body as { readonly id: string }, documents, download };
};

/** The views that differ from the write store. */
const drift = async (): Promise<readonly string[]> => {
  const { container, db, readStore } = gateway();
  const views = container.get(platform.views);
  const differed: string[] = [];
  const compared = new Set<string>();
  const round = createDriftDetector({
    db,
    readStore,
    views,
    awaitConsistency: container.get(platform.services).awaitConsistency,
    logger: createFakeLogger().logger,
    sampleSize: 500,
    report: {
      compared: (view) => compared.add(view),
      differed: (view, _, documents) => documents > 0 && differed.push(view),
    },
  });
  for (let rounds = 0; compared.size < views.length && rounds < 200; rounds += 1) await round();
  expect(compared.size).toBe(views.length);
  return differed;
};

describe('records that are kept for thirty days', () => {
  it('goes after them, in two workers at once; money, what is in flight and what is needed stay', async () => {
    const { db, readStore } = gateway();
    const { delivered, pending } = await sell();
    const [rejected, active] = [await onboard('rejected'), await onboard('active')];
    // The rest of an upload that was cut short, and a dead-lettered row.
    await new GridFSBucket(db, { bucketName: 'submerchant_files' }).openUploadStream('doc_unknown').end(PDF);
    const [event] = await all('domain_events').find({ resource: 'api_key' }).toArray();
    const named = String(event?._id);
    const row = outboxRow('nobody', named, named, newCommitId(), new Date());
    await db.collection(OUTBOX).insertOne({ ...row, state: 'dead' });
    const later = firstIdAt('chg', new Date(Date.now() + 39 * DAY_MS));
    await all('subscription_portals').insertMany([
      { _id: newId('prt') },
      { _id: later.replace('chg', 'prt') },
    ]);
    await all('wallet_spent_tokens').insertMany([
      { _id: 'old', chargeId: newId('chg') },
      { _id: 'new', chargeId: later },
    ]);
    await pollUntil(
      () => count('submerchant_files.files'),
      (files) => files === 3,
    );

    // An event stays that somebody still has to read.
    await pollUntil(
      () => count(OUTBOX),
      (rows) => rows === 1,
    );

    await key.post('/v1/card-tokens', aCard()).expect(201);
    // Two charges, a refund and the token.
    await pollUntil(
      () => count('provider_calls'),
      (calls) => calls === 4,
    );
    const events = await count('domain_events');
    expect(await removeIn(20)).toEqual({
      'card tokens': 1,
      'domain events': 0,
      'provider calls': 0,
      'subscription portals': 0,
      webhooks: 0,
      'files of documents': 1,
      'files of evidence': 0,
      'identifiers of used wallet tokens': 1,
      'logged requests': 0,
      'unpaid sessions of payment links': 0,
    });
    expect(await count('domain_events')).toBe(events);
    // Events that nobody listened to: of them there is nothing but the domain event.
    const unheard = (await master.getAfter('latest', '/v1/events?orderBy=id')).body.data;
    expect(unheard.map(({ event }: { event: string }) => event)).toEqual([
      'account.updated',
      'account.approved',
    ]);
    const before = await Promise.all(FOR_EVER.map(count));
    const audited = await all('audit_log').distinct('_id');
    await Promise.all([removeIn(40), removeIn(40)]);
    expect(await Promise.all(FOR_EVER.map(count))).toEqual(before);
    // The audit log stays, too, and says what was removed.
    expect(
      await all('audit_log')
        .find({ _id: { $nin: audited } })
        .toArray(),
    ).toMatchObject([{ type: 'submerchant_document.removed' }]);

    // Beside the removal itself, which may be older or younger than what was removed.
    const left = await all('domain_events')
      .find({ type: { $nin: ['submerchant_document.removed', 'audit.recorded'] } })
      .toArray();
    expect(left.map(({ _id }) => _id)).toEqual([named]);
    expect((await all('wallet_spent_tokens').find().toArray()).map(({ _id }) => _id)).toEqual(['new']);
    expect(await count('provider_calls')).toBe(0);
    expect(await count('subscription_portals')).toBe(1);

    const listed = async (path: string) => (await key.getAfter('latest', path)).body.data;
    expect(await listed('/v1/webhook-deliveries')).toEqual([expect.objectContaining(pending)]);
    expect(await listed('/v1/events')).toEqual([expect.objectContaining({ id: pending.eventId })]);
    expect((await master.getAfter('latest', '/v1/events')).body.data).toEqual([]);
    await master.get(`/v1/events/${unheard[0].id}`).expect(404);
    const [gone] = delivered.filter(({ eventId }) => eventId !== pending.eventId);
    await key.get(`/v1/events/${gone?.eventId}`).expect(404);
    await key.get(`/v1/webhook-deliveries/${gone?.id}`).expect(404);
    await key.post(`/v1/webhook-deliveries/${gone?.id}/resend`).expect(404);

    const [shown] = (await master.getAfter('latest', rejected.documents)).body.data;
    expect(shown).toEqual({ ...rejected.document, removedAt: expect.any(String) });
    expect((await admin.get(rejected.download).expect(422)).body.code).toBe('DOCUMENT_REMOVED');
    expect((await master.getAfter('latest', active.documents)).body.data).toEqual([active.document]);
    await admin.get(active.download).expect(200);
    expect([await count('submerchant_files.files'), await count('submerchant_files.chunks')]).toEqual([1, 1]);

    expect(await checkLedger(gateway())).toEqual([]);
    await readStore.client.indices.refresh({ index: `${readStore.prefix}*` });
    expect(await drift()).toEqual([]);

    // Deliveries in flight still arrive, whole.
    receiver.react(() => 'accept');
    const sent = { dueAt: timestamp(new Date()) };
    await all(DELIVERIES.collection).updateOne({ _id: pending.id }, { $set: sent });
    const arrived = () => receiver.received.filter(({ path, accepted }) => path === '/broken' && accepted);
    await pollUntil(
      async () => arrived(),
      ({ length }) => length > 0,
    );
    expect(arrived().map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({ id: pending.eventId, event: 'charge.refunded' }),
    ]);
    await db.collection(OUTBOX).deleteOne({ _id: row._id });
    // The receiver has it before its outcome is stored, and until the view shows that it is still in flight.
    await pollUntil(
      () => all(DELIVERIES.collection).countDocuments({ status: 'pending' }),
      (deliveries) => deliveries === 0,
    );
    await pollUntil(
      () => count(OUTBOX),
      (rows) => rows === 0,
    );
    const rest = await removeIn(40);
    expect([rest.webhooks, rest['files of documents']]).toEqual([2, 0]);
  });
});

describe('sessions that payers have opened by a payment link', () => {
  const NAME = 'Ana who has typed her name';
  const { post } = payersOf(gateway);
  /** Opens a session of a link as somebody who types a name. */
  const open = async (path: string) => {
    const started = await post(`${path}/start`, { name: NAME, email: 'ana@example.test' }).expect(303);
    const token = String(started.headers.location).slice('/checkout/'.length);
    const session = await all('checkout_sessions').findOne({ token });
    if (!session) throw new Error('the link opened no session');
    return { id: session._id, path: `/checkout/${token}` };
  };

  it('go a month later where nothing was paid, with all that was typed, in two workers at once', async () => {
    const shop = withKey(gateway, (await gateway().createMerchant()).testKey);
    const wanted = { amount: 10, currency: 'BRL', description: 'Ticket', maxPayments: null };
    const link = await shop.post('/v1/payment-links', { ...wanted, fields: ['name', 'email'] }).expect(201);
    const path = new URL(link.body.url).pathname;
    const [unpaid, tried, living] = [await open(path), await open(path), await open(path)];
    await post(`${tried.path}/pay`, { method: 'pix' }).expect(303);
    await post(`${tried.path}/change`).expect(303);
    const own = (await shop.post('/v1/checkout-sessions', { amount: 10, currency: 'BRL' }).expect(201)).body;
    const past = new Date(Date.now() - 1_000).toISOString();
    const over = { _id: { $in: [unpaid.id, tried.id, own.id] } };
    await all('checkout_sessions').updateMany(over, { $set: { expiresAt: past, reconcileAt: past } });
    await pollUntil(
      () => all('checkout_sessions').countDocuments({ ...over, status: 'expired' }),
      (count) => count === 3,
    );
    const events = () => all('domain_events').find({ resourceId: unpaid.id }).toArray();
    const told = await events();
    expect(JSON.stringify(told)).toContain(NAME);

    const remove = (days: number): Promise<number> => {
      const removal = gateway()
        .container.getAll(platform.work)
        .flatMap((one) => one.removals ?? [])
        .find(({ what }) => what === 'unpaid sessions of payment links');
      if (!removal) throw new Error('nothing removes them');
      return removal.run(new Date(Date.now() + days * DAY_MS), new AbortController().signal, null);
    };
    expect(await remove(29)).toBe(0);
    const [one, other] = await Promise.all([remove(31), remove(31)]);
    expect(one + other).toBe(1);
    expect(await all('checkout_sessions').distinct('_id', { paymentLinkId: link.body.id })).toEqual(
      [tried.id, living.id].sort(),
    );
    expect(await all('checkout_sessions').countDocuments({ _id: own.id })).toBe(1);
    await shop.get(`/v1/checkout-sessions/${unpaid.id}`).expect(404);
    const listed = await shop.getAfter('latest', `/v1/checkout-sessions?paymentLinkId=${link.body.id}`);
    expect(listed.body.data.map(({ id }: { readonly id: string }) => id).sort()).toEqual(
      [tried.id, living.id].sort(),
    );
    // The events stay without what the payer has typed.
    const left = await events();
    expect(left.map(({ _id }) => _id)).toEqual(told.map(({ _id }) => _id));
    expect(JSON.stringify(left)).not.toContain(NAME);
    await gateway().readStore.client.indices.refresh({ index: `${gateway().readStore.prefix}*` });
    expect(await drift()).toEqual([]);
  });
});

describe('records of the test environment, whose clock is moved', () => {
  const NAMES = ['domain_events', 'webhook_events', 'webhook_deliveries', 'card_tokens'] as const;
  const environment = (livemode: boolean) => ({ $or: [{ livemode }, { 'data.livemode': livemode }] });
  const idsOf = async (livemode: boolean): Promise<readonly (readonly string[])[]> =>
    Promise.all(NAMES.map(async (name) => (await all(name).distinct('_id', environment(livemode))).sort()));

  it('go by its time, and live ones stay as they are', async () => {
    const { id, testKey, liveKey } = await gateway().createMerchant();
    await gateway().setFees(id, [aSpreadFee()]);
    const [test, live] = [withKey(gateway, testKey), withKey(gateway, liveKey)];
    const sold: string[] = [];
    for (const by of [test, live]) {
      const endpoint = { url: `${receiver.url}/works`, events: ['charge.paid'] };
      await by.post('/v1/webhook-endpoints', endpoint).expect(201);
      sold.push((await by.post('/v1/charges', aCardRequest()).expect(201)).body.id);
      await by.post('/v1/card-tokens', aCard()).expect(201);
    }
    await pollUntil(
      () => all(DELIVERIES.collection).countDocuments({ merchantId: id, status: 'delivered' }),
      (delivered) => delivered === 2,
    );
    await pollUntil(
      () => count(OUTBOX),
      (rows) => rows === 0,
    );
    const [ofTest = [], ofLive] = [await idsOf(false), await idsOf(true)];
    const advance = async (by: string): Promise<number> => {
      const { body } = await test.post('/v1/test-helpers/clock/advance', { by }).expect(200);
      expect(body.complete).toBe(true);
      const counted = body.happened as { readonly kind: string; readonly count: number }[];
      return counted.find(({ kind }) => kind === 'retention')?.count ?? 0;
    };
    // The token of a card lives for a day, and all else for thirty.
    expect(await advance('P10D')).toBeGreaterThan(0);
    expect(await all('card_tokens').countDocuments({ merchantId: id, livemode: false })).toBe(0);
    expect((await test.getAfter('latest', '/v1/webhook-deliveries')).body.total).toBe(1);
    expect(await advance('P25D')).toBeGreaterThan(0);
    for (const [place, name] of NAMES.entries())
      expect([name, await all(name).countDocuments({ _id: { $in: [...(ofTest[place] ?? [])] } })]).toEqual([
        name,
        0,
      ]);
    expect((await test.getAfter('latest', '/v1/webhook-deliveries')).body.total).toBe(0);
    await test.get(`/v1/charges/${sold[0]}`).expect(200);

    expect(await idsOf(true)).toEqual(ofLive);
    expect((await live.getAfter('latest', '/v1/webhook-deliveries')).body.total).toBe(1);
    expect(await checkLedger(gateway())).toEqual([]);
    await gateway().readStore.client.indices.refresh({ index: `${gateway().readStore.prefix}*` });
    expect(await drift()).toEqual([]);
  });
});
