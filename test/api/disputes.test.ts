import { MERCHANT_PERMISSIONS } from '../../src/kernel/principal.ts';
import { disputesMigrations } from '../../src/modules/disputes/write/disputes.store.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(60_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'disputes=4' });
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
