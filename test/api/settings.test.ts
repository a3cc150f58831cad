import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { settingsMigrations } from '../../src/modules/merchants/write/settings.store.ts';
import { aPayoutFee, aPixRequest, aSpreadFee } from '../builders.ts';
import type { Method } from '../support/call.ts';
import { pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

jest.setTimeout(30_000);

const gateway = useGateway({ VIEW_SHARDS: 'settings=4' });
const UNKNOWN = `mer_${'0'.repeat(32)}`;

const admin = async (method: Method, path: string, body?: object): Promise<Response> => {
  const request = gateway()
    .call(method, path)
    .auth(await gateway().operatorToken(), { type: 'bearer' })
    .set('X-Consistency-Token', method === 'get' ? 'latest' : '');
  return body === undefined ? request : request.send(body);
};

let merchant: TestMerchant;
let path: string;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  path = `/v1/merchants/${merchant.id}/settings`;
});

describe('a setting', () => {
  it('is given with 201 and replaced with 200, under the same id', async () => {
    const first = await admin('post', path, {
      name: 'chargeback_alert_fee',
      content: { amount: 15.5, currency: 'BRL' },
    });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^set_[0-9a-f]{32}$/),
      merchantId: path.split('/')[3],
      name: 'chargeback_alert_fee',
      content: { amount: 15.5, currency: 'BRL' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const second = await admin('post', path, {
      name: 'chargeback_alert_fee',
      content: { amount: 20, currency: 'USD' },
    });
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({
      id: first.body.id,
      content: { amount: 20, currency: 'USD' },
      createdAt: first.body.createdAt,
    });
    expect((await admin('get', `${path}?name=chargeback_alert_fee`)).body.data).toEqual([second.body]);
  });

  it('is listed newest first, and of many that set a name at once one is the first', async () => {
    const names = ['zebra', 'apple', 'mango'];
    for (const name of names) expect((await admin('post', path, { name, content: 1 })).status).toBe(201);
    const { body } = await admin('get', `${path}?size=3`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([...names].reverse());
    const answers = await Promise.all(
      [1, 2, 3, 4].map((content) => admin('post', path, { name: 'raced', content })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  it('of a former version keeps its content, history and effect under a new id', async () => {
    const { db } = gateway();
    const name = 'enable_connect';
    const { body: setting } = await admin('post', path, { name, content: true });
    const formerId = `${path.split('/')[3]}:${name}`;
    const settings = db.collection<{ _id: string }>('settings');
    const stored = await settings.findOne({ _id: setting.id });
    const { _id, key, ...former } = stored as unknown as Record<string, unknown>;
    await settings.deleteOne({ _id: setting.id });
    await settings.insertOne({ ...former, _id: formerId, id: formerId } as { _id: string });
    const events = db.collection('domain_events');
    await events.updateMany(
      { resourceId: setting.id },
      { $set: { resourceId: formerId, 'data.id': formerId } },
    );
    const migration = settingsMigrations.find(({ id }) => id === '172-settings-by-key');
    for (let times = 0; times < 2; times += 1) await migration?.up(db);
    expect(await settings.findOne({ _id: formerId })).toBeNull();
    const { body: put } = await admin('post', path, { name, content: false });
    expect(put).toMatchObject({ content: false, createdAt: setting.createdAt });
    expect(put.id).toMatch(/^set_[0-9a-f]{32}$/);
    expect(put.id).toBe((await settings.findOne({ key: formerId } as object))?._id);
    expect(await events.countDocuments({ resourceId: put.id, resource: 'setting' })).toBe(2);
  });

  it('is the gateway-wide default where it is nobody’s', async () => {
    const { status, body } = await admin('post', '/v1/admin/settings', {
      name: 'greeting',
      content: 'hello',
    });
    expect([status, body.merchantId]).toEqual([201, null]);
    expect((await admin('get', '/v1/admin/settings?name=greeting')).body.data).toEqual([body]);
    expect((await admin('get', `${path}?name=greeting`)).body.total).toBe(0);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'text'],
    ['a number', 1.5],
    ['a list', [1, { a: null }]],
    ['names that a store could misread', { $set: { 'a.b': 1 }, __proto__x: 1 }],
    ['something deep', JSON.parse('['.repeat(30) + ']'.repeat(30))],
  ])('of a name that nobody knows takes %s', async (described, content) => {
    const name = `anything: ${described}`;
    const { status, body } = await admin('post', path, { name, content });
    expect(status).toBe(201);
    expect(JSON.stringify(body.content)).toBe(JSON.stringify(content));
    const listed = await admin('get', `${path}?name=${encodeURIComponent(name)}`);
    expect(JSON.stringify(listed.body.data[0].content)).toBe(JSON.stringify(content));
  });

  it.each<[string, unknown]>([
    ['chargeback_alert_fee', { amount: 0, currency: 'BRL' }],
    ['chargeback_alert_fee', { amount: -1, currency: 'BRL' }],
    ['chargeback_alert_fee', { amount: 1.005, currency: 'BRL' }],
    ['chargeback_alert_fee', { amount: 1.5, currency: 'CLP' }],
    ['chargeback_alert_fee', { amount: 1e13, currency: 'BRL' }],
    ['chargeback_alert_fee', { amount: '15', currency: 'BRL' }],
    ['chargeback_alert_fee', { amount: 15, currency: 'XTS' }],
    ['chargeback_alert_fee', { amount: 15 }],
    ['chargeback_alert_fee', { amount: 15, currency: 'BRL', taxes: 1 }],
    ['chargeback_alert_fee', null],
    ['chargeback_alert_fee', [15, 'BRL']],
    ['reads_own_writes', 'yes'],
    ['enable_connect', 'true'],
    ['enable_connect', 1],
    ['enable_connect', null],
    ['settlement_delay_days', { credit_card: -1 }],
    ['settlement_delay_days', { credit_card: 1.5 }],
    ['settlement_delay_days', { credit_card: '30' }],
    ['settlement_delay_days', { cheque: 1 }],
    ['settlement_delay_days', 30],
    ['anything', 'x'.repeat(16_384)],
  ])('named %s refuses %#', async (name, content) => {
    const before = await gateway().db.collection('settings').countDocuments();
    const { status, body } = await admin('post', path, { name, content });
    expect([status, body.errors[0].path.startsWith('content')]).toEqual([400, true]);
    expect(await gateway().db.collection('settings').countDocuments()).toBe(before);
  });

  it.each<[string, unknown]>([
    ['enable_connect', true],
    ['enable_connect', false],
    ['settlement_delay_days', { credit_card: 30, pix: 0 }],
    ['settlement_delay_days', {}],
    ['anything', 'x'.repeat(16_382)],
  ])('named %s takes %#', async (name, content) => {
    expect([200, 201]).toContain((await admin('post', path, { name, content })).status);
  });

  it.each<[string, object]>([
    ['without a name', { content: 1 }],
    ['without a content', { name: 'a' }],
    ['with an empty name', { name: '', content: 1 }],
    ['with a name that is too long', { name: 'n'.repeat(65), content: 1 }],
    ['with an unknown field', { name: 'a', content: 1, merchantId: UNKNOWN }],
  ])('%s is refused', async (_, body) => {
    expect((await admin('post', path, body)).status).toBe(400);
  });

  it('of an unknown merchant is not found', async () => {
    const unknown = `/v1/merchants/${UNKNOWN}/settings`;
    expect((await admin('post', unknown, { name: 'a', content: 1 })).status).toBe(404);
    expect((await admin('get', unknown)).status).toBe(404);
  });

  it('given many times at once exists once, and one of them was the first', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => admin('post', path, { name: 'race', content: index })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect((await admin('get', `${path}?name=race`)).body.total).toBe(1);
  });

  it.each(['testKey', 'liveKey', 'publicKey'] as const)('is not for merchants (%s)', async (key) => {
    for (const route of [path, '/v1/admin/settings']) {
      for (const method of ['get', 'post'] as const)
        await gateway().call(method, route).auth(merchant[key], '').expect(403);
    }
  });
});

describe('the lists of a merchant that reads its own writes', () => {
  const list = async (key: string) => {
    const ask = async () => gateway().call('get', '/v1/charges?size=1').auth(key, '');
    return (await pollUntil(ask, ({ status }) => status !== 503)).body.data[0]?.id;
  };
  const create = async (key: string): Promise<string> =>
    (await gateway().call('post', '/v1/charges').auth(key, '').send(aPixRequest()).expect(201)).body.id;
  const set = (target: string, content: boolean) =>
    admin('post', target, { name: 'reads_own_writes', content });

  it.each([
    ['by a setting of its own', true, false],
    ['by the gateway-wide default', null, true],
  ])('need no header: %s', async (_, own, byDefault) => {
    const { id, testKey } = await gateway().createMerchant();
    await gateway().setFees(id, [aSpreadFee({ payment_method: 'pix' })]);
    if (own !== null) await set(`/v1/merchants/${id}/settings`, own);
    await set('/v1/admin/settings', byDefault);
    for (let times = 0; times < 5; times += 1) {
      const created = await create(testKey);
      expect(await list(testKey)).toBe(created);
    }
    await set('/v1/admin/settings', false);
  });
});

describe('a setting that is removed', () => {
  const remove = (name: string, of = path) => admin('delete', `${of}/${encodeURIComponent(name)}`);

  it('is listed no more, and a charge follows the default from the next one on', async () => {
    await admin('post', path, { name: 'unique_references', content: true });
    const key = withKey(gateway, merchant.testKey);
    const charge = () => key.post('/v1/charges', aPixRequest({ reference: 'once only' }));
    expect((await charge()).status).toBe(201);
    expect((await charge()).body.code).toBe('REFERENCE_ALREADY_USED');
    expect((await remove('unique_references')).status).toBe(204);
    expect((await charge()).status).toBe(201);
    expect((await admin('get', `${path}?name=unique_references`)).body.total).toBe(0);
    expect((await key.getAfter('latest', '/v1/settings?name=unique_references')).body.total).toBe(0);
    const { body: again } = await admin('post', path, { name: 'unique_references', content: false });
    expect((await admin('get', `${path}?name=unique_references`)).body.data).toEqual([again]);
  });

  it('leaves the default of the gateway to count, which no merchant can take away', async () => {
    const name = 'settlement_delay_days';
    await admin('post', '/v1/admin/settings', { name, content: { pix: 3 } });
    await admin('post', path, { name, content: { pix: 9 } });
    const daysOf = async (): Promise<number> => {
      const key = withKey(gateway, merchant.testKey);
      const { body } = await key.post('/v1/charges', aPixRequest());
      await key.post(`/v1/test-helpers/charges/${body.id}/pay`).expect(200);
      const { settlements, paidAt } = (await key.get(`/v1/charges/${body.id}`)).body;
      return Math.round((Date.parse(settlements[0].dueAt) - Date.parse(paidAt)) / DAY_MS);
    };
    expect(await daysOf()).toBe(9);
    expect((await remove(name)).status).toBe(204);
    expect(await daysOf()).toBe(3);
    expect((await remove(name)).status).toBe(404);
    expect((await admin('get', `/v1/admin/settings?name=${name}`)).body.total).toBe(1);
  });

  it('is in the audit log, and is not inherited by a sub-merchant', async () => {
    const master = await gateway().createMaster();
    const own = `/v1/merchants/${master.id}/settings`;
    const { body: setting } = await admin('post', own, { name: 'inherited', content: 1 });
    await remove('inherited', own);
    const { body: log } = await admin('get', `/v1/admin/audit-log?resourceId=${setting.id}`);
    expect(log.data.map(({ type }: { type: string }) => type)).toEqual([
      'setting.removed',
      'setting.created',
    ]);
    const company = { legalName: 'Filial', email: 'filial@example.test', companyTaxId: '11222333000181' };
    const { body: sub } = await withKey(gateway, master.testKey)
      .post('/v1/submerchants', company)
      .expect(201);
    const inherited = await admin('get', `/v1/merchants/${sub.id}/settings`);
    expect(inherited.body.data.map(({ name }: { name: string }) => name)).toEqual(['enable_connect']);
  });

  it.each([
    ['an unknown name', () => `${path}/nothing`, 'Setting not found'],
    ['an unknown merchant', () => `/v1/merchants/${UNKNOWN}/settings/enable_connect`, 'Merchant not found'],
  ])('is answered with 404 for %s', async (_, at, message) => {
    const { status, body } = await admin('delete', at());
    expect([status, body.message]).toEqual([404, message]);
  });

  it('is removed once of many removals, and a setting that is put meanwhile is there or gone, never both', async () => {
    const name = 'raced removal';
    await admin('post', path, { name, content: 0 });
    const answers = await Promise.all([
      remove(name),
      remove(name),
      remove(name),
      admin('post', path, { name, content: 1 }),
    ]);
    const removals = answers.slice(0, 3).map(({ status }) => status);
    const [put] = answers.slice(3).map(({ status }) => status);
    const gone = removals.filter((status) => status === 204).length;
    expect(removals.filter((status) => status !== 204 && status !== 404)).toEqual([]);
    expect([1, 2]).toContain(gone);
    const made = 1 + (put === 201 ? 1 : 0);
    expect((await admin('get', `${path}?name=${encodeURIComponent(name)}`)).body.total).toBe(made - gone);
    expect(await gateway().db.collection('settings').countDocuments({ name })).toBe(made);
  });
});

describe('a merchant', () => {
  it('reads its own settings and fees, and nothing of others', async () => {
    const seller = await gateway().createMerchant();
    const key = withKey(gateway, seller.testKey);
    expect((await key.get('/v1/fees')).body).toEqual([]);
    const fees = [aSpreadFee(), aPayoutFee()];
    await gateway().setFees(seller.id, fees);
    const own = `/v1/merchants/${seller.id}/settings`;
    const { body: setting } = await admin('post', own, { name: 'reads_own_writes', content: true });
    await admin('post', '/v1/admin/settings', { name: 'of everybody', content: 1 });
    const listed = await key.getAfter('latest', '/v1/settings');
    expect(listed.body).toMatchObject({ data: [setting], total: 1 });
    expect((await key.get('/v1/fees')).body).toEqual(
      (await admin('get', `/v1/admin/merchants/${seller.id}/fee-definitions`)).body,
    );
    expect((await key.get('/v1/fees')).body).toHaveLength(2);
    expect((await key.get('/v1/fees?merchantId=mer_1')).status).toBe(400);
    expect((await key.get('/v1/settings?orderBy=content')).status).toBe(400);
  });

  it('needs `fees.read` for its fees, and can neither set nor remove a setting', async () => {
    const seller = await gateway().createMerchant();
    await admin('patch', `/v1/admin/merchants/${seller.id}`, { permissions: ['charges.read'] });
    const key = withKey(gateway, seller.testKey);
    const refused = await key.get('/v1/fees');
    expect([refused.status, refused.body.permission]).toEqual([403, 'fees.read']);
    const own = `/v1/merchants/${seller.id}/settings`;
    expect((await key.post(own, { name: 'enable_connect', content: true })).status).toBe(403);
    expect((await key.call('delete', `${own}/enable_connect`)).status).toBe(403);
    expect((await admin('get', '/v1/settings')).body.code).toBe('MERCHANTS_ONLY');
    expect((await admin('get', '/v1/fees')).body.code).toBe('MERCHANTS_ONLY');
  });
});
