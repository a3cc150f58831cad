import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { modules } from '../../src/main/modules.ts';
import { REQUEST_LOG } from '../../src/modules/request-log/write/logged-request.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest } from '../builders.ts';
import {
  type Client,
  createSubMerchant,
  operator,
  PATIENT,
  pollUntil,
  withKey,
  withToken,
} from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway({ ...PATIENT, REQUEST_LOG: 'true' });
const PASSWORD = 'a password of this test';
const CARD = '4242424242424242';

type Entry = Response['body'];

let admin: Client;
let merchant: TestMerchant;
let key: Client;
/** A user of the merchant who manages its keys. */
let manager: Client;

const signIn = async (merchantId: string, email: string, environment = 'test'): Promise<Client> => {
  const login = { email, password: PASSWORD };
  const { body } = await gateway()
    .call('post', '/v1/auth/login')
    .send({ ...login, environment })
    .expect(200);
  expect(merchantId).toMatch(/^mer_/);
  return withToken(gateway, body.accessToken);
};

const managerOf = async (merchantId: string, email: string): Promise<Client> => {
  await admin
    .post('/v1/admin/users', { email, password: PASSWORD, merchantId, groups: ['key managers'] })
    .expect(201);
  return signIn(merchantId, email);
};

/** The entries that match, once the log has them. */
const entriesOf = async (
  by: Client,
  query: string,
  count: number,
  path = '/v1/request-log',
): Promise<Entry[]> => {
  const found = await pollUntil(
    () => by.getAfter('latest', `${path}?size=100&${query}`),
    ({ body }) => body.total >= count,
  );
  expect({ query, total: found.body.total }).toEqual({ query, total: count });
  return found.body.data;
};

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  await admin.post('/v1/admin/groups', { name: 'key managers', permissions: ['keys.manage'] }).expect(201);
  merchant = await gateway().createMaster();
  key = withKey(gateway, merchant.testKey);
  manager = await managerOf(merchant.id, 'manager@example.test');
});

describe('the request log', () => {
  it('has each request of a key with its answer, and the fault of one that was wrong', async () => {
    const paid = await key.post('/v1/charges', aCardRequest()).expect(201);
    const wrong = await key
      .post('/v1/charges', {
        ...aCardRequest({ amount: -3, currency: 'real' }),
        metadata: { [CARD.slice(0, 9)]: 'x' },
      })
      .expect(400);
    await key.get(`/v1/charges/${paid.body.id}`).expect(200);
    const ofPaid = `requestId=${paid.headers['x-request-id']}`;
    expect(await entriesOf(manager, ofPaid, 1)).toEqual([
      {
        id: expect.stringMatching(/^rql_[0-9a-f]{32}$/),
        createdAt: expect.any(String),
        livemode: false,
        merchantId: merchant.id,
        keyId: expect.stringMatching(/^key_/),
        requestId: paid.headers['x-request-id'],
        method: 'POST',
        path: '/v1/charges',
        status: 201,
        failed: false,
        code: null,
        message: null,
        errors: [],
        durationMs: expect.any(Number),
        body: null,
      },
    ]);
    const [entry] = await entriesOf(manager, `requestId=${wrong.headers['x-request-id']}`, 1);
    expect(entry).toMatchObject({
      status: 400,
      failed: true,
      code: wrong.body.code ?? null,
      message: wrong.body.message,
      errors: wrong.body.errors,
      body: { amount: -3, currency: 'real', metadata: '***' },
    });
    expect(entry.body.customer).toMatchObject({ name: '***', email: '***' });
    expect(JSON.stringify(entry)).not.toContain(CARD.slice(0, 9));
    const [read] = await entriesOf(manager, `path=/v1/charges/${paid.body.id}`, 1);
    expect(read).toMatchObject({ method: 'GET', status: 200 });
  });

  it('has no card, whatever member of a refused request it stands in', async () => {
    const { headers } = await key
      .post('/v1/charges', { ...aCardRequest({ reference: `card ${CARD}` }), [CARD]: CARD })
      .expect(400);
    const [entry] = await entriesOf(manager, `requestId=${headers['x-request-id']}`, 1);
    expect(JSON.stringify(entry)).not.toMatch(/4242|1234 5678/);
    const stored = await gateway().db.collection(REQUEST_LOG.collection).find().toArray();
    expect(JSON.stringify(stored)).not.toContain(CARD);
  });

  it('filters by result, status, code, method and path, and puts failed requests first where it is asked', async () => {
    const shop = await gateway().createMerchant();
    const own = withKey(gateway, shop.testKey);
    const people = await managerOf(shop.id, 'filters@example.test');
    await own.get('/v1/charges').expect(200);
    await own.get('/v1/charges/chg_unknown').expect(404);
    await own.get('/v1/balance').expect(200);
    await entriesOf(people, '', 3);
    const [missing] = await entriesOf(people, 'failed=true', 1);
    expect(missing).toMatchObject({ path: '/v1/charges/{id}', status: 404 });
    for (const query of ['status=404', 'method=GET&path=/v1/charges', 'failed=false&path=/v1/balance'])
      await entriesOf(people, query, 1);
    await entriesOf(people, 'method=POST', 0);
    await entriesOf(people, 'code=UNKNOWN', 0);
    const first = await entriesOf(people, 'orderBy=-failed,-createdAt', 3);
    expect(first.map(({ status }) => status)).toEqual([404, 200, 200]);
    for (const query of ['status=abc', 'method=FETCH', 'failed=yes', 'orderBy=body', 'unknown=1'])
      await people.get(`/v1/request-log?${query}`).expect(400);
    const csv = await people.get('/v1/request-log').set('Accept', 'text/csv').expect(200);
    expect(csv.text.split('\r\n')[0]).toBe(
      'id,createdAt,livemode,merchantId,keyId,requestId,method,path,status,failed,code,message,durationMs',
    );
  });

  it('is for people who manage keys, in their environment, of their merchant and its sub-merchants', async () => {
    const master = await gateway().createMaster();
    const sub = await createSubMerchant(gateway, master);
    const ofMaster = await managerOf(master.id, 'master@example.test');
    await withKey(gateway, master.testKey).get('/v1/balance').expect(200);
    await withKey(gateway, master.liveKey).get('/v1/balance').expect(200);
    await withKey(gateway, sub.testKey).get('/v1/balance').expect(200);
    const seen = await entriesOf(ofMaster, 'path=/v1/balance', 2);
    expect(seen.map(({ merchantId }) => merchantId).sort()).toEqual([master.id, sub.id].sort());
    await entriesOf(ofMaster, `merchantId=${sub.id}`, 1);
    const live = await signIn(master.id, 'master@example.test', 'live');
    expect(await entriesOf(live, '', 1)).toEqual([expect.objectContaining({ livemode: true })]);
    await manager.get(`/v1/request-log?merchantId=${master.id}`).expect(403);
    const foreign = await entriesOf(manager, `keyId=${seen[0].keyId}`, 0);
    expect(foreign).toEqual([]);
    await entriesOf(admin, `merchantId=${sub.id}`, 1, '/v1/admin/request-log');
    await key.get('/v1/request-log').expect(403);
    await admin.get('/v1/request-log').expect(403);
    await manager.get('/v1/admin/request-log').expect(403);
  });

  it('leaves out what people do in the panel, and loses nothing that waits when the process ends', async () => {
    const shop = await gateway().createMerchant();
    const people = await managerOf(shop.id, 'leaves@example.test');
    await people.get('/v1/charges').expect(200);
    const requests = Array.from({ length: 30 }, () => withKey(gateway, shop.testKey).get('/v1/balance'));
    await Promise.all(requests);
    await gateway().container.get(modules).requestLog.keepRequests.flush();
    const stored = gateway().db.collection(REQUEST_LOG.collection);
    expect(await stored.countDocuments({ merchantId: shop.id })).toBe(30);
    expect(await entriesOf(people, 'path=/v1/charges', 0)).toEqual([]);
    await entriesOf(people, '', 30);
  });

  it('is removed after thirty days, from the list too', async () => {
    const shop = await gateway().createMerchant();
    const people = await managerOf(shop.id, 'removal@example.test');
    await withKey(gateway, shop.testKey).get('/v1/balance').expect(200);
    await entriesOf(people, '', 1);
    const removal = gateway()
      .container.getAll(platform.work)
      .flatMap((one) => one.removals ?? [])
      .find(({ what }) => what === 'logged requests');
    const { signal } = new AbortController();
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
    await removal?.run(inDays(29), signal, null);
    await entriesOf(people, '', 1);
    await removal?.run(inDays(31), signal, null);
    await pollUntil(
      () => people.getAfter('latest', '/v1/request-log'),
      ({ body }) => body.total === 0,
    );
    await entriesOf(people, '', 0);
  });
});
