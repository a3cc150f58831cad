import { DAY_MS } from '../../src/kernel/durations.ts';
import { MERCHANT_PERMISSIONS } from '../../src/kernel/principal.ts';
import { disputesMigrations } from '../../src/modules/disputes/write/disputes.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(60_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'disputes=4', DOCUMENT_RETENTION_DAYS: '30' });
const { differences } = createLedgerTools(gateway);

let admin: Client;
let master: TestMerchant;
let key: Client;
let stall: Client;
let stallId: string;
let stranger: Client;

const disputeOf = (chargeId: string): string => chargeId.replace('chg_', 'dsp_');
const pay = async (by: Client, amount = 100): Promise<string> =>
  (await by.post('/v1/charges', aCardRequest({ amount })).expect(201)).body.id;
/** A charge that the acquirer took back; its dispute. */
const takenBack = async (by = key, amount = 100): Promise<string> => {
  const chargeId = await pay(by, amount);
  await by.post(`/v1/test-helpers/charges/${chargeId}/chargeback`).expect(200);
  return disputeOf(chargeId);
};
const alerted = async (by = key): Promise<string> => {
  const chargeId = await pay(by);
  await admin.post('/v1/admin/chargeback-alerts', { chargeId, reason: 'INTERNAL words' }).expect(201);
  return disputeOf(chargeId);
};
const read = async (id: string, by = key) => (await by.get(`/v1/disputes/${id}`).expect(200)).body;
const list = async (query: string, by = key) => (await by.getAfter('latest', `/v1/disputes?${query}`)).body;
const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }): readonly string[] =>
  data.map(({ id }) => id);

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  master = await gateway().createMaster();
  key = withKey(gateway, master.testKey);
  const sub = await createSubMerchant(gateway, master);
  stallId = sub.id;
  stall = withKey(gateway, sub.testKey);
  stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
  const content = { amount: 15.5, currency: 'USD' };
  for (const id of [master.id, stallId])
    await admin.post(`/v1/merchants/${id}/settings`, { name: 'chargeback_alert_fee', content }).expect(201);
}, 180_000);

describe('the disputes of a merchant', () => {
  let withAlert: string;
  let without: string;
  let ofStall: string;
  beforeAll(async () => {
    withAlert = await alerted();
    without = await takenBack(key, 250);
    ofStall = await takenBack(stall, 30);
  });

  it('tell how each began, what it cost and how it stands, and no word of the operator', async () => {
    const dispute = await read(withAlert);
    expect(dispute).toEqual({
      id: withAlert,
      kind: 'alert',
      state: 'announced',
      chargeId: withAlert.replace('dsp_', 'chg_'),
      merchantId: master.id,
      livemode: false,
      amount: 100,
      currency: 'BRL',
      fee: { amount: 15.5, currency: 'USD' },
      evidence: [],
      delivery: null,
      closedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await read(without)).toMatchObject({ kind: 'chargeback', state: 'open', amount: 250, fee: null });
    await admin.post(`/v1/admin/charges/${dispute.chargeId}/chargeback`).expect(200);
    expect(await read(withAlert)).toMatchObject({ kind: 'alert', state: 'open', fee: dispute.fee });
  });

  it('are listed for itself and its master, and for nobody else', async () => {
    expect([...idsOf(await list('size=100'))].sort()).toEqual([withAlert, without, ofStall].sort());
    expect(idsOf(await list(`merchantId=${stallId}`))).toEqual([ofStall]);
    expect(idsOf(await list('', stall))).toEqual([ofStall]);
    expect((await read(ofStall)).merchantId).toBe(stallId);
    expect(idsOf(await list('', stranger))).toEqual([]);
    for (const [by, id] of [
      [stranger, without],
      [stall, without],
    ] as const)
      await by.get(`/v1/disputes/${id}`).expect(404, /Dispute not found/);
    expect(idsOf(await list('size=100', admin))).toEqual(expect.arrayContaining([ofStall, without]));
  });

  it('are filtered and sorted as other lists are', async () => {
    expect(idsOf(await list('kind=alert'))).toEqual([withAlert]);
    expect(idsOf(await list('state=announced'))).toEqual([]);
    expect(idsOf(await list('amount[gte]=100&orderBy=-amount'))).toEqual([without, withAlert]);
    expect(idsOf(await list('orderBy=amount'))).toEqual([ofStall, withAlert, without]);
    expect(idsOf(await list(`chargeId=${without.replace('dsp_', 'chg_')}`))).toEqual([without]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await list(`createdAt=${today}`)).total + (await list(`createdAt[lt]=${today}`)).total).toBe(3);
    for (const wrong of ['kind=other', 'state=over', 'orderBy=fee', 'amount=x', 'currency=ZZZ'])
      await key.get(`/v1/disputes?${wrong}`).expect(400);
    await key.get('/v1/disputes?merchantId=mer_of_somebody').expect(403);
  });

  it('come page by page by the cursor, and as CSV in the zone that is asked for', async () => {
    const first = await key.getAfter('latest', '/v1/disputes?size=2&orderBy=amount');
    const next = /<\?([^>]*)>; rel="next"/.exec(first.headers.link ?? '')?.[1];
    expect(idsOf(await list(next ?? ''))).toEqual([without]);
    const { text } = await key
      .call('get', '/v1/disputes?orderBy=amount&timeZone=Asia/Tokyo')
      .set('Accept', 'text/csv')
      .expect(200);
    const [head = [], ...rows] = parseCsv(text);
    expect(rows).toHaveLength(3);
    expect(rows[0]?.[head.indexOf('id')]).toBe(ofStall);
    expect(rows[0]?.[head.indexOf('createdAt')]).toMatch(/\+09:00$/);
  });
});

describe('the decision of the acquirer', () => {
  const suspenseOf = async (dispute: string) => {
    const { body } = await admin.getAfter('latest', '/v1/admin/suspense-items?size=100');
    return body.data.filter(({ chargeId }: { chargeId: string }) => disputeOf(chargeId) === dispute);
  };
  const close = (id: string, state: unknown) => admin.post(`/v1/admin/disputes/${id}/close`, { state });

  it('brings the money of a dispute that is won into suspense, once', async () => {
    const id = await takenBack();
    const answers = await Promise.all(['won', 'lost', 'won', 'lost'].map((state) => close(id, state)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const { state, closedAt } = await read(id);
    expect(closedAt).toEqual(expect.any(String));
    expect(await suspenseOf(id)).toHaveLength(state === 'won' ? 1 : 0);
    const other = await takenBack();
    expect((await close(other, 'won').expect(200)).body).toMatchObject({ id: other, state: 'won' });
    expect(await suspenseOf(other)).toMatchObject([
      { reason: 'chargeback_reversed', direction: 'in', amount: 100, merchantId: master.id, status: 'held' },
    ]);
    await close(other, 'lost').expect(422, /DISPUTE_NOT_OPEN/);
    expect(await differences()).toEqual([]);
  });

  it('is refused before there is a chargeback, for unknown disputes and for other words', async () => {
    const id = await alerted();
    expect((await close(id, 'won').expect(422)).body).toMatchObject({ code: 'DISPUTE_NOT_OPEN' });
    await close('dsp_unknown', 'won').expect(404);
    for (const wrong of ['open', '', null, 1, ['won'], {}]) await close(id, wrong).expect(400);
    expect((await read(id)).state).toBe('announced');
    await key.post(`/v1/admin/disputes/${id}/close`, { state: 'won' }).expect(403);
  });
});

describe('evidence', () => {
  const PDF = Buffer.from('%PDF-1.7 of a receipt');
  const aFile = (changes: object = {}) => ({
    type: 'receipt',
    fileName: 'recibo-de-ana.pdf',
    content: PDF.toString('base64'),
    ...changes,
  });
  const attach = (id: string, changes: object = {}, by = key) =>
    by.post(`/v1/disputes/${id}/evidence`, aFile(changes));
  const download = (id: string, documentId: string, by = admin) =>
    by.get(`/v1/admin/disputes/${id}/evidence/${documentId}`);
  const files = (): Promise<number> => gateway().db.collection('dispute_files.files').countDocuments();

  it('is kept sealed, shown with the dispute, and read by operators', async () => {
    const id = await takenBack(stall);
    const { body: receipt } = await attach(id, {}, stall).expect(201);
    expect(receipt).toEqual({
      id: expect.stringMatching(/^doc_/),
      type: 'receipt',
      fileName: 'recibo-de-ana.pdf',
      contentType: 'application/pdf',
      size: PDF.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: expect.any(String),
    });
    // The master speaks for its sub-merchant, by a form as well.
    const { body: mail } = await key
      .call('post', `/v1/disputes/${id}/evidence`)
      .field('type', 'customer_communication')
      .attach('file', PDF, 'mail.html')
      .expect(201);
    expect(mail.fileName).toBe('mail.pdf');
    expect((await read(id, stall)).evidence).toEqual([receipt, mail]);
    const { body } = await download(id, receipt.id).expect(200);
    expect(body.equals(PDF)).toBe(true);
    await download(await takenBack(), receipt.id).expect(404);
    await download(id, receipt.id, key).expect(403);
    const live = await operator(gateway, 'live');
    await download(id, receipt.id, live).expect(404);
    const log = await admin.getAfter('latest', '/v1/admin/audit-log?resource=dispute_document&size=100');
    const types = log.body.data
      .filter(({ resourceId }: { resourceId: string }) => resourceId === receipt.id)
      .map(({ type }: { type: string }) => type);
    expect(types.sort()).toEqual(['dispute_document.added', 'dispute_document.downloaded']);
    const chunks = await gateway().db.collection('dispute_files.chunks').find().toArray();
    expect(chunks.some(({ data }) => data.buffer.includes(PDF))).toBe(false);
  });

  it('replaces an earlier document of its kind, and of those sent at once one stays', async () => {
    const id = await alerted();
    const before = await files();
    await attach(id).expect(201);
    const sent = await Promise.all([attach(id), attach(id), attach(id)]);
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { evidence } = await read(id);
    expect(evidence).toHaveLength(1);
    expect(sent.map(({ body }) => body.id)).toContain(evidence[0].id);
    const kept = await gateway()
      .db.collection('dispute_documents')
      .countDocuments({ disputeId: id, secret: { $exists: true } });
    expect(kept).toBe(1);
    const usage = await gateway()
      .db.collection<{ _id: string }>('dispute_document_usage')
      .findOne({ _id: id });
    expect(usage).toMatchObject({ count: 1, bytes: PDF.length });
    expect(await files()).toBeGreaterThan(before);
  });

  it('is submitted once, which ends the collecting', async () => {
    const id = await takenBack();
    const submit = () => key.post(`/v1/disputes/${id}/submit`);
    expect((await submit().expect(422)).body.code).toBe('EVIDENCE_MISSING');
    await attach(id).expect(201);
    const answers = await Promise.all([submit(), submit(), submit()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect((await attach(id).expect(422)).body.code).toBe('DISPUTE_NOT_OPEN');
    // The simulator has no way for evidence.
    const { delivery, state } = await pollUntil(
      () => read(id),
      (dispute) => dispute.delivery.status !== 'pending',
    );
    expect([delivery, state]).toEqual([{ status: 'by_operator', reason: null }, 'under_review']);
    await admin.post(`/v1/admin/disputes/${id}/close`, { state: 'lost' }).expect(200);
    const announced = await alerted();
    await attach(announced).expect(201);
    expect((await key.post(`/v1/disputes/${announced}/submit`).expect(422)).body.code).toBe(
      'DISPUTE_NOT_OPEN',
    );
  });

  it('that is wrong is refused with a clear word, and leaves nothing behind', async () => {
    const id = await takenBack();
    const before = await files();
    const wrong: readonly (readonly [object, number])[] = [
      [{ type: 'identity' }, 400],
      [{ type: ['receipt'] }, 400],
      [{ fileName: '' }, 400],
      [{ fileName: 'a/b.pdf' }, 400],
      [{ fileName: '4242424242424242.pdf' }, 400],
      [{ content: '' }, 415],
      [{ content: 'no Base64!' }, 400],
      [{ content: Buffer.from('<html>').toString('base64') }, 415],
      [{ content: Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]).toString('base64') }, 413],
      [{ more: 1 }, 400],
    ];
    for (const [changes, status] of wrong) {
      const answer = await attach(id, changes);
      expect([changes.constructor.name, answer.status]).toEqual(['Object', status]);
      expect(answer.body.message).toEqual(expect.any(String));
    }
    await attach(id, {}, stranger).expect(404);
    await attach(id, {}, stall).expect(404);
    await attach('dsp_unknown').expect(404);
    expect([(await read(id)).evidence, await files()]).toEqual([[], before]);
    await key.post(`/v1/disputes/${id}/submit`, { more: 1 }).expect(400);
    await stranger.post(`/v1/disputes/${id}/submit`).expect(404);
  });

  it('goes with its payer when that is erased, name and content', async () => {
    const email = 'payer-to-be-erased@example.test';
    const customer = { name: 'Ana', email };
    const { body: charge } = await key.post('/v1/charges', aCardRequest({ customer })).expect(201);
    await key.post(`/v1/test-helpers/charges/${charge.id}/chargeback`).expect(200);
    const id = disputeOf(charge.id);
    const fileName = 'words-of-the-payer-ana.pdf';
    const { body: former } = await attach(id, { fileName }).expect(201);
    const { body: document } = await attach(id, { fileName }).expect(201);
    await key.getAfter('latest', '/v1/charges');
    const { body } = await admin.post('/v1/admin/customers/erase', { email }).expect(200);
    expect(body.charges).toBe(1);
    for (const documentId of [former.id, document.id])
      expect((await download(id, documentId).expect(422)).body.code).toBe('DOCUMENT_REMOVED');
    const [shown] = (await read(id)).evidence;
    expect(shown).toMatchObject({ id: document.id, fileName: 'erased.pdf', removedAt: expect.any(String) });
    for (const name of ['dispute_documents', 'domain_events', 'audit_log'])
      expect(JSON.stringify(await gateway().db.collection(name).find().toArray())).not.toContain(
        'words-of-the-payer',
      );
    const chain = await pollUntil(
      () => admin.get('/v1/admin/audit-log/chain'),
      (answer) => answer.status !== 503,
    );
    expect(chain.status).toBe(200);
  });

  it('is removed long after the decision, and not before', async () => {
    const decided = await takenBack();
    const open = await takenBack();
    const [gone, kept] = [
      (await attach(decided).expect(201)).body.id,
      (await attach(open).expect(201)).body.id,
    ];
    await admin.post(`/v1/admin/disputes/${decided}/close`, { state: 'lost' }).expect(200);
    const removal = gateway()
      .container.getAll(platform.work)
      .flatMap((one) => one.removals ?? [])
      .find(({ what }) => what === 'files of evidence');
    const inDays = (days: number) =>
      removal?.run(new Date(Date.now() + days * DAY_MS), new AbortController().signal, null);
    await inDays(20);
    await download(decided, gone).expect(200);
    await Promise.all([inDays(40), inDays(40)]);
    expect((await download(decided, gone).expect(422)).body.code).toBe('DOCUMENT_REMOVED');
    await download(open, kept).expect(200);
  });
});

describe('charges from before there were disputes', () => {
  it('get theirs by the migration, which may run again and changes none that is there', async () => {
    const { db } = gateway();
    const disputes = db.collection<{ _id: string }>('disputes');
    const closed = await takenBack();
    await admin.post(`/v1/admin/disputes/${closed}/close`, { state: 'lost' }).expect(200);
    const before = [await alerted(), await takenBack()];
    const told = await Promise.all(before.map((id) => read(id)));
    await disputes.deleteMany({ _id: { $in: before } });
    for (let times = 0; times < 2; times += 1) for (const { up } of disputesMigrations) await up(db);
    expect(await Promise.all(before.map((id) => read(id)))).toEqual(
      told.map((dispute) => ({ ...dispute, createdAt: expect.any(String), updatedAt: expect.any(String) })),
    );
    expect((await read(closed)).state).toBe('lost');
    expect(await disputes.countDocuments({ _id: { $in: before }, tenantId: master.id })).toBe(2);
  });

  it('and their merchants the permission, unless theirs were cut', async () => {
    const { db } = gateway();
    const merchants = db.collection<{ id: string; permissions: string[] }>('merchants');
    const older = MERCHANT_PERMISSIONS.filter((permission) => permission !== 'disputes.manage');
    const whole = await gateway().createMerchant();
    const cut = await gateway().createMerchant();
    await merchants.updateOne({ id: whole.id }, { $set: { permissions: older } });
    await merchants.updateOne({ id: cut.id }, { $set: { permissions: ['charges.read'] } });
    for (const { up } of disputesMigrations) await up(db);
    const permissionsOf = async ({ id }: TestMerchant) => (await merchants.findOne({ id }))?.permissions;
    expect(new Set(await permissionsOf(whole))).toEqual(new Set(MERCHANT_PERMISSIONS));
    expect(await permissionsOf(cut)).toEqual(['charges.read']);
  });
});
