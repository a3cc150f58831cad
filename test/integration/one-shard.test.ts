import type { DiagnosticResult } from '@elastic/elasticsearch';
import { newId } from '../../src/kernel/ids.ts';
import { SPREAD_COLLECTIONS, TENANT_COLLECTIONS } from '../../src/main/tenants.ts';
import { UNSHARDED_COLLECTIONS } from '../../src/main/unsharded.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { dropOldIndexes, reproject } from '../../src/platform/read-store/reproject.ts';
import { aliasOf, listIndexes, type View } from '../../src/platform/read-store/view.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey, withToken } from '../support/client.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { startTestGateway, type TestGateway, type TestMerchant, useGateway } from '../support/gateway.ts';
import { watchStatements } from '../support/statements.ts';

const SHARDS = 4;
const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: String(SHARDS) });

/** A second process without workers, because workers search for due work of all tenants. */
let api: TestGateway;
let master: TestMerchant;
let market: Client;
let sub: Client & { readonly id: string };

beforeAll(async () => {
  api = await startTestGateway({ ...gateway().variables, ROLE: 'api' });
  master = await gateway().createMaster();
  market = withKey(() => api, master.testKey);
  const { id, testKey } = await createSubMerchant(gateway, master);
  sub = { id, ...withKey(() => api, testKey) };
  for (const client of [market, sub, market, sub]) {
    const { body } = await client.post('/v1/charges', aCardRequest()).expect(201);
    await client.post('/v1/refunds', { chargeId: body.id, reason: 'sent back' }).expect(201);
  }
}, 180_000);

afterAll(() => api?.stop({ keepData: true }));

type Shards = { readonly total: number };
type Answer = { readonly _shards?: Shards; readonly responses?: readonly Answer[] };
const SEARCH = /_(search|count|msearch)$/;

/** Shards that each search asks while `work` runs. */
const shardsAsked = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
  const asked: number[] = [];
  const listen = (_: unknown, result: DiagnosticResult | null): void => {
    if (result === null || !SEARCH.test(result.meta.request.params.path)) return;
    // The check of the gateway's health searches all views at once, whenever it is its time.
    if (decodeURIComponent(result.meta.request.params.path).includes(',')) return;
    const { responses, ...answer } = result.body as Answer;
    for (const { _shards } of responses ?? [answer]) asked.push(_shards?.total ?? 0);
  };
  const { diagnostic } = api.readStore.client;
  diagnostic.on('response', listen);
  try {
    await work();
  } finally {
    diagnostic.off('response', listen);
  }
  return asked;
};

const read = async (client: Client, path: string) => (await client.getAfter('latest', path)).body;

const OF_MERCHANTS: readonly (readonly [string, string])[] = [
  ['charges', '/v1/charges'],
  ['charges that a filter finds', '/v1/charges?status=refunded&orderBy=amount'],
  ['refunds', '/v1/refunds'],
  ['the statement', '/v1/statement?size=100'],
  ['the summary of the statement', '/v1/statement/summary'],
  ['volume', '/v1/reports/volume'],
  ['deliveries', '/v1/webhook-deliveries'],
  ['events', '/v1/events'],
  ['endpoints', '/v1/webhook-endpoints'],
  ['anticipations', '/v1/anticipations'],
  ['sub-merchants', '/v1/submerchants'],
  ['matches of a word', '/v1/search?q=Filial'],
];

describe('a search of a merchant', () => {
  it.each(OF_MERCHANTS)(
    'for %s asks one shard of a view that has several, a master’s like a sub-merchant’s',
    async (_, path) => {
      for (const client of [market, sub]) {
        const asked = await shardsAsked(() => read(client, path));
        expect(asked.length).toBeGreaterThan(0);
        expect(new Set(asked)).toEqual(new Set([1]));
      }
    },
  );

  it('asks one shard for a list as CSV', async () => {
    const csv = () => market.get('/v1/charges').set('Accept', 'text/csv').expect(200);
    expect(new Set(await shardsAsked(csv))).toEqual(new Set([1]));
  });

  it('asks one shard for payouts, which users read', async () => {
    const admin = await operator(() => api);
    const login = { email: 'payouts@example.test', password: 'a password of this file' };
    const user = { ...login, name: 'Payouts', merchantId: master.id, groups: [] };
    await admin.post('/v1/admin/users', user).expect(201);
    const session = { ...login, environment: 'test' };
    const { body } = await api.call('post', '/v1/auth/login').send(session).expect(200);
    const reader = withToken(() => api, body.accessToken);
    expect(new Set(await shardsAsked(() => read(reader, '/v1/payout-requests')))).toEqual(new Set([1]));
  });

  it('finds all that is the caller’s, as an operator’s does on all shards', async () => {
    const admin = await operator(() => api, 'test');
    const all = await read(admin, '/v1/admin/charges?size=100');
    const own = await read(market, '/v1/charges?size=100');
    expect(own.total).toBeGreaterThan(3);
    expect(all.data).toEqual(
      expect.arrayContaining(own.data.map(({ id }: { id: string }) => expect.objectContaining({ id }))),
    );
    expect(await read(sub, '/v1/charges')).toMatchObject({ total: 2 });
    expect(await read(sub, '/v1/refunds')).toMatchObject({ total: 2 });
  });
});

it('a request of a merchant names the tenant in every statement, whatever it reads or changes', async () => {
  const [line] = (await read(market, '/v1/statement?size=1')).data;
  const seen = watchStatements(api.container.get(platform.services).writeStore.client);
  const { body: charge } = await market.post('/v1/charges', aCardRequest()).expect(201);
  const { body: refund } = await market
    .post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' })
    .expect(201);
  for (const path of [
    `/v1/charges/${charge.id}`,
    `/v1/charges/${charge.id}/timeline`,
    `/v1/refunds/${refund.id}`,
    `/v1/statement/${line.id}/explain`,
    '/v1/statement/chain?currency=BRL',
    '/v1/balance',
    `/v1/balance?merchantId=${sub.id}`,
  ])
    expect([path, (await market.get(path)).status]).toEqual([path, 200]);
  expect(seen()).toEqual([]);
});

it('a search of an operator asks every shard', async () => {
  const admin = await operator(() => api, 'test');
  for (const path of ['/v1/admin/charges', '/v1/admin/audit-log', '/v1/admin/reports/volume'])
    expect(new Set(await shardsAsked(() => read(admin, path)))).toEqual(new Set([SHARDS]));
});

it('every collection is sharded, or on the list of those that are not', async () => {
  const found = await gateway().db.listCollections({}, { nameOnly: true }).toArray();
  const known = new Set([...SPREAD_COLLECTIONS, ...UNSHARDED_COLLECTIONS]);
  expect(found.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  expect(found.length).toBeGreaterThan(40);
});

it('every unique index of a collection of tenants begins with the tenant', async () => {
  const { db } = gateway();
  const unique: string[] = [];
  for (const name of SPREAD_COLLECTIONS)
    for (const index of await db.collection(name).indexes())
      if (index.unique) unique.push(`${name}: ${Object.keys(index.key).join(', ')}`);
  expect(unique.sort()).toEqual([
    'chargeback_alerts: tenantId, chargeId',
    'domain_events: tenantId, resourceId, resource, version',
    'manual_refund_requests: tenantId, chargebackAlertId',
    'refunds: tenantId, chargeId',
    'statement_lines: tenantId, chain, seq',
    'webhook_endpoints: tenantId, merchantId, livemode, slot',
  ]);
});

describe('a gateway of the tests that works by tenant', () => {
  type Work = (gateway: TestGateway) => Promise<unknown>;
  const writeStoreOf = ({ container }: TestGateway) => container.get(platform.services).writeStore;

  const WRONG: readonly (readonly [string, Work, RegExp])[] = [
    [
      'a find without tenant',
      (one) => writeStoreOf(one).db.collection('charges').findOne({ reference: 'x' }),
      /do not name their tenant: charges: reference/,
    ],
    [
      'a change without tenant',
      (one) =>
        writeStoreOf(one)
          .db.collection('refunds')
          .updateOne({ status: 'x' }, { $set: { status: 'y' } }),
      /do not name their tenant: refunds: status/,
    ],
    [
      'a removal without tenant',
      (one) => writeStoreOf(one).db.collection('journals').deleteMany({ commit: 'x' }),
      /do not name their tenant: journals: commit/,
    ],
    [
      'an aggregation without tenant',
      (one) =>
        writeStoreOf(one)
          .db.collection('balances')
          .aggregate([{ $match: { currency: 'x' } }])
          .toArray(),
      /do not name their tenant: balances: currency/,
    ],
    [
      'a document that is stored without tenant',
      async (one) => {
        const journals = writeStoreOf(one).db.collection<{ _id: string }>('journals');
        await journals.insertOne({ _id: 'x' });
        await journals.deleteOne({ _id: 'x' });
      },
      /do not name their tenant: journals: stored without tenant/,
    ],
    [
      "a document that is stored with another's tenant",
      async (one) => {
        const refunds = writeStoreOf(one).db.collection<{ _id: string }>('refunds');
        const owner = { merchantId: newId('mer'), masterId: null };
        await refunds.insertOne({ _id: 'x', ...owner, tenantId: newId('mer') } as { _id: string });
        await one.db.collection<{ _id: string }>('refunds').deleteOne({ _id: 'x' });
      },
      /do not name their tenant: refunds: stored for another tenant/,
    ],
    [
      'a change of the owner that leaves the tenant',
      (one) =>
        writeStoreOf(one)
          .db.collection('suspense_items')
          .updateOne({ status: 'x', tenantId: 'x' }, { $set: { merchantId: newId('mer'), masterId: null } }),
      /do not name their tenant: suspense_items: stored for another tenant/,
    ],
    [
      'a join of a collection of tenants',
      (one) =>
        writeStoreOf(one)
          .db.collection('merchants')
          .aggregate([
            { $match: { _id: 'x' as never } },
            { $lookup: { from: 'charges', localField: 'a', foreignField: 'b', as: 'c' } },
          ])
          .toArray(),
      /do not name their tenant: charges: joined/,
    ],
    [
      'a transaction over two tenants',
      (one) =>
        writeStoreOf(one).client.withSession((session) =>
          session.withTransaction(async () => {
            for (const tenantId of ['one', 'other'])
              await writeStoreOf(one)
                .db.collection('charges')
                .updateOne({ reference: 'x', tenantId }, { $set: { reference: 'y' } }, { session });
          }),
        ),
      /transactions span tenants: one in charges,other in charges/,
    ],
  ];
  it.each(WRONG)('does not stop without an error after %s', async (_, work, message) => {
    const wrong = await startTestGateway({ ...gateway().variables, ROLE: 'api' });
    await work(wrong);
    await expect(wrong.stop({ keepData: true })).rejects.toThrow(message);
  });
});

describe('a view', () => {
  const viewsOfTenants = (): readonly View[] =>
    gateway()
      .container.get(platform.views)
      .filter(({ source }) => TENANT_COLLECTIONS.has(source.collection) || source.collection === 'merchants');

  it('names the tenant of each document where its resources belong to tenants', async () => {
    const { readStore } = gateway();
    expect(viewsOfTenants().length).toBeGreaterThan(14);
    for (const view of viewsOfTenants()) {
      expect([view.name, view.tenants, view.properties.tenantId]).toEqual([
        view.name,
        expect.stringMatching(/^(routed|named)$/),
        { type: 'keyword' },
      ]);
      const index = aliasOf(readStore, view);
      const nameless = { bool: { must_not: [{ exists: { field: 'tenantId' } }] } };
      const { count } = await readStore.client.count({ index, query: nameless });
      expect([view.name, count]).toEqual([view.name, 0]);
    }
  });

  it('has the documents of a tenant on one shard, and each document once', async () => {
    const { readStore } = gateway();
    for (const view of viewsOfTenants().filter(({ tenants }) => tenants === 'routed')) {
      const { hits } = await readStore.client.search<{ readonly tenantId: string }>({
        index: aliasOf(readStore, view),
        size: 1_000,
      });
      expect(hits.hits.every(({ _routing, _source }) => _routing === _source?.tenantId)).toBe(true);
      expect(new Set(hits.hits.map(({ _id }) => _id)).size).toBe(hits.hits.length);
    }
    expect(await differencesWithin(gateway(), 30_000)).toEqual([]);
  });

  it('takes no document that does not say its shard', async () => {
    const { readStore } = gateway();
    const index = aliasOf(readStore, { name: 'charges' } as View);
    await expect(readStore.client.index({ index, id: 'chg_1', document: {} })).rejects.toThrow('routing');
  });

  it('moves from one layout to another while it serves', async () => {
    const { container, readStore } = gateway();
    const view = viewsOfTenants().find(({ name }) => name === 'charges') as View;
    const deps = {
      db: container.get(platform.services).scanStore.db,
      awaitConsistency: container.get(platform.services).awaitConsistency,
      logger: container.get(platform.services).logger,
    };
    const { total } = await read(market, '/v1/charges');
    for (const shards of [1, SHARDS]) {
      const elsewhere = { ...readStore, shardsOf: () => shards };
      await reproject({ ...deps, readStore: elsewhere }, view, { signal: new AbortController().signal });
      expect(
        (await listIndexes(readStore, [view])).get('charges')?.filter(({ isServing }) => isServing),
      ).toHaveLength(1);
      expect(await shardsAsked(() => read(market, '/v1/charges'))).toEqual([1, 1]);
      expect(await read(market, '/v1/charges')).toMatchObject({ total });
      await dropOldIndexes(readStore, view);
    }
  });
});
