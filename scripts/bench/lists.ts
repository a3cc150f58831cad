import type { estypes } from '@elastic/elasticsearch';
import type { MerchantId } from '../../src/kernel/ids.ts';
import type { Principal } from '../../src/kernel/principal.ts';
import { CHARGES_VIEW } from '../../src/modules/charges/read/charge.view.ts';
import { CHARGE_LIST } from '../../src/modules/charges/read/list-charges.ts';
import * as platform from '../../src/platform/platform.module.ts';
import type { ReadStore } from '../../src/platform/read-store/elastic.ts';
import type { ListQuery } from '../../src/platform/read-store/list-query.ts';
import { type Conditions, scopeOf } from '../../src/platform/read-store/scope.ts';
import { aliasOf, type View } from '../../src/platform/read-store/view.ts';
import { createProgress } from '../progress.ts';
import { drained } from './creates.ts';
import { alternate, elapsed, median, type Row, rate, ratioRow } from './measure.ts';
import { seedUpTo } from './seeding.ts';
import type { Bench } from './setting.ts';

const RAW_GOAL = 1.3;
const REQUESTS = 200;
const CLIENTS = 16;
const DEEP_GOAL = 0.5;
/** Filters and sort orders, one after the other, as users would request them. */
export const QUERIES: readonly string[] = [
  '',
  '&status=paid',
  '&paymentMethod=pix&status=refunded',
  '&createdAt[gte]=2020-01-01&orderBy=-amount',
  '&currency=USD&orderBy=customer.name,-createdAt',
  '&q=site%20silva',
];

/** Pages of lists over HTTP against the same searches sent directly to Elasticsearch, in turns. */
export const measureLists = async (bench: Bench): Promise<Row[]> => {
  const progress = createProgress('charges', bench.charges);
  await seedUpTo(bench, bench.charges, progress.update);
  progress.end();
  await drained(bench);
  const authorization = await operatorOf(bench);
  const total = await totalOf(bench, authorization);
  const scope = scopeOf({ kind: 'operator', livemode: false } as Principal);
  const operator: Caller = { authorization, scope };
  const compare = (paths: readonly string[], requests: number) =>
    comparePages(bench, operator, paths, requests);

  const filtered = QUERIES.map((query) => `page=1&size=10${query}`);
  const merchant = await busiestMerchant(bench, authorization);
  const ofMerchant = await totalOf(bench, merchant.authorization);
  const first = await comparePages(bench, merchant, filtered, REQUESTS);
  const all = await compare(filtered, REQUESTS);
  const rows: Row[] = [
    row(`list of a merchant, page 1 with filters, ${ofMerchant} of ${total} charges, p50`, first, RAW_GOAL),
    row(`list of all merchants, page 1 with filters, ${total} charges, p50`, all, null),
  ];
  const plain = await compare(['page=1&size=10'], REQUESTS);
  const last = Math.ceil(total / 10);
  for (const page of [...new Set([Math.min(500, last), last])]) {
    const deep = await compare([`page=${page}&size=10`], Math.ceil(REQUESTS / 4));
    rows.push(row(`list, page ${page} (row ${page * 10}), p50`, deep, null));
    rows.push({
      what: `list, page ${page} against page 1, p50`,
      gateway: `${deep.gateway.toFixed(1)} ms`,
      reference: `page 1: ${plain.gateway.toFixed(1)} ms`,
      result: `${(deep.gateway / plain.gateway).toFixed(1)} ×`,
      goal: '',
      isMet: null,
    });
  }
  rows.push(await compareRates(bench, authorization, Math.min(500, last)));
  return rows;
};

/** A caller of lists, with the scope of its searches. */
type Caller = { readonly authorization: string; readonly scope: Conditions };

/** The merchant with the most charges, with a new key. */
const busiestMerchant = async ({ call, container }: Bench, operator: string): Promise<Caller> => {
  const { readStore } = container.get(platform.services);
  const { aggregations } = await readStore.client.search<never, { readonly merchants: Merchants }>({
    index: aliasOf(readStore, CHARGES_VIEW as unknown as View),
    size: 0,
    query: { term: { livemode: false } },
    aggs: { merchants: { terms: { field: 'merchantId', size: 1 } } },
  });
  const merchantId = aggregations?.merchants.buckets[0]?.key as MerchantId;
  const { status, body } = await call('POST', `/v1/admin/merchants/${merchantId}/api-keys`, operator, {
    livemode: false,
  });
  if (status !== 201) throw new Error(`a key for ${merchantId}: ${status} ${body}`);
  const { secretKey } = JSON.parse(body) as { secretKey: string };
  const scope = scopeOf({ kind: 'merchant', livemode: false, merchantId, masterId: null } as Principal);
  return { authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`, scope };
};
type Merchants = { readonly buckets: readonly { readonly key: string }[] };

/** A page far from the beginning against the first page, with many clients. */
const compareRates = async (
  { call, rounds, seconds }: Bench,
  authorization: string,
  page: number,
): Promise<Row> => {
  const rateOf = (of: number): Promise<number> =>
    rate(CLIENTS, seconds, async () => {
      const { status, body } = await call('GET', `/v1/charges?page=${of}&size=10`, authorization);
      if (status !== 200) throw new Error(`GET /v1/charges?page=${of}: ${status} ${body}`);
    });
  const compared = await alternate(
    rounds,
    () => rateOf(page),
    () => rateOf(1),
  );
  return ratioRow(`page ${page} per second, ${CLIENTS} clients`, compared, 'page 1', DEEP_GOAL);
};

type Pages = { readonly gateway: number; readonly raw: number };

const row = (what: string, { gateway, raw }: Pages, goal: number | null): Row => ({
  what,
  gateway: `${gateway.toFixed(1)} ms`,
  reference: `bare search: ${raw.toFixed(1)} ms`,
  result: `${(gateway / raw).toFixed(2)} ×`,
  goal: goal === null ? '' : `≤ ${goal} ×`,
  isMet: goal === null ? null : gateway / raw <= goal,
});

const comparePages = async (
  { call, container }: Bench,
  { authorization, scope }: Caller,
  queries: readonly string[],
  requests: number,
): Promise<Pages> => {
  const { readStore } = container.get(platform.services);
  const searches = await Promise.all(queries.map((query) => searchesOf(query, scope)));
  const times = { gateway: [] as number[], raw: [] as number[] };
  for (let request = -queries.length; request < requests; request += 1) {
    const which = (request + queries.length) % queries.length;
    const gateway = await elapsed(async () => {
      const { status, body } = await call('GET', `/v1/charges?${queries[which]}`, authorization);
      if (status !== 200) throw new Error(`GET /v1/charges?${queries[which]}: ${status} ${body}`);
    });
    const raw = await elapsed(() => replay(readStore, searches[which] ?? []));
    // The first request of each only warms up.
    if (request < 0) continue;
    times.gateway.push(gateway);
    times.raw.push(raw);
  }
  return { gateway: median(times.gateway), raw: median(times.raw) };
};

type Sent = { readonly kind: 'search' | 'count'; readonly request: estypes.SearchRequest };

const replay = async (readStore: ReadStore, sent: readonly Sent[]): Promise<void> => {
  let after: estypes.SortResults | undefined;
  for (const { kind, request } of sent) {
    if (kind === 'count') await readStore.client.count(request as estypes.CountRequest);
    else {
      const { hits } = await readStore.client.search({
        ...request,
        ...(after ? { search_after: after } : {}),
      });
      after = request.from === undefined ? hits?.hits?.at(-1)?.sort : undefined;
    }
  }
};

/** The searches that a list sends for a caller's query, recorded by a read store that finds nothing. */
const searchesOf = async (query: string, scope: Conditions): Promise<readonly Sent[]> => {
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const { value } = CHARGE_LIST.search.query.validate(parameters, { convert: true });
  const sent: Sent[] = [];
  const hit = { _source: {}, sort: [''] };
  const client = {
    search: async (request: estypes.SearchRequest) => {
      sent.push({ kind: 'search', request });
      return { hits: { total: 0, hits: [hit] } };
    },
    count: async (request: estypes.SearchRequest) => {
      sent.push({ kind: 'count', request });
      return { count: Number.MAX_SAFE_INTEGER };
    },
  };
  const nowhere = { client, prefix: 'portico-' } as unknown as ReadStore;
  await CHARGE_LIST.search.page(nowhere, value as ListQuery, scope);
  return sent;
};

/** An operator sees the charges of all merchants. */
export const operatorOf = async ({ call, config }: Bench): Promise<string> => {
  const { body } = await call('POST', '/v1/auth/login', '', {
    ...config.bootstrapOperator,
    environment: 'test',
  });
  return `Bearer ${(JSON.parse(body) as { accessToken: string }).accessToken}`;
};

const totalOf = async ({ call }: Bench, authorization: string): Promise<number> => {
  const { body } = await call('GET', '/v1/charges?size=1', authorization);
  return (JSON.parse(body) as { total: number }).total;
};
