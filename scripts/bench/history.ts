import * as platform from '../../src/platform/platform.module.ts';
import type { ReadStore } from '../../src/platform/read-store/elastic.ts';
import { aliasOf } from '../../src/platform/read-store/view.ts';
import { createProgress } from '../progress.ts';
import { type Seeded, seedCharges } from '../seed/seed-charges.ts';
import { drained } from './creates.ts';
import { operatorOf } from './lists.ts';
import { elapsed, median, type Row } from './measure.ts';
import type { Bench, Merchants } from './setting.ts';

const TIMES = 5;
const TIMES_MORE = 8;
/** Merchants of the seeded eighth; copies belong to others. */
const MERCHANTS = 100;
const PAGE = 500;
const GOAL_MS = 1_000;
/** Values of parameters that routes require. */
const REQUIRED = { currency: 'BRL', q: 'silva' } as const;
/** Groupings of a report, each of which costs another aggregation. */
const GROUPED = ['', '?groupBy=merchantId', '?interval=day', '?interval=day&groupBy=merchantId'] as const;

type Operation = {
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
};
type Read = { readonly path: string; readonly isOperators: boolean };
/**
 * The status is 400 for reports with more rows than an answer may have, and 403 for lists that only masters may read.
 */
type Timed = Read & { readonly ms: number; readonly status: number };

/**
 * Lists and reports with an eighth of the history and with all of it: none may take longer than people wait. The
 * history is in the views only, because lists and reports read nothing else.
 */
export const measureHistory = async (bench: Bench, _merchants: Merchants): Promise<Row[]> => {
  const few = Math.ceil(bench.charges / TIMES_MORE);
  const [first] = (await seed(bench, few)).merchants;
  if (!first) throw new Error('there is no merchant');
  const reads = await readsOf(bench);
  const early = await timeAll(bench, reads, first.testKey);
  await copyViews(bench, first.id);
  const late = await timeAll(bench, reads, first.testKey);
  const rowOf = (read: Timed, index: number): Row => {
    const before = early[index]?.ms ?? Number.NaN;
    return {
      what: `${read.path}${read.status === 200 ? '' : ` (${read.status})`}, p50`,
      gateway: `${read.ms.toFixed(0)} ms`,
      reference: `${few} charges: ${before.toFixed(0)} ms`,
      result: `${(read.ms / before).toFixed(1)} ×`,
      goal: `≤ ${GOAL_MS} ms`,
      isMet: read.ms <= GOAL_MS,
    };
  };
  return late.map(rowOf);
};

const seed = async (bench: Bench, charges: number): Promise<Seeded> => {
  const progress = createProgress('charges', charges);
  const onProgress = progress.update;
  const seeded = await seedCharges(bench.container, {
    ...{ charges, merchants: MERCHANTS, seed: 1, until: new Date(), onProgress },
  });
  progress.end();
  await drained(bench);
  return seeded;
};

type Shown = { readonly id: string; readonly merchantId: string | null };

/**
 * Copies the records in the views until there are eight times as many. Copies belong to `merchantId`, whose own lists
 * grow, where the originals do, and else to merchants of their own. Seeding them would take hours.
 */
const copyViews = async ({ container }: Bench, merchantId: string): Promise<void> => {
  const { readStore } = container.get(platform.services);
  const copies = Array.from({ length: TIMES_MORE - 1 }, (_, copy) => copy + 1);
  const copyOf = (document: Shown, copy: number): Shown => ({
    ...document,
    id: `${document.id}-${copy}`,
    merchantId:
      document.merchantId === null || document.merchantId === merchantId
        ? document.merchantId
        : `${document.merchantId}-${copy}`,
  });
  for (const view of container.get(platform.views)) {
    if (view.properties.merchantId === undefined) continue;
    const index = aliasOf(readStore, view);
    const { count } = await readStore.client.count({ index });
    const progress = createProgress(view.name, count);
    let done = 0;
    for await (const documents of readAll(readStore, index)) {
      const operations = documents
        .flatMap((document) => copies.map((copy) => copyOf(document, copy)))
        .flatMap((document) => [{ create: { _id: document.id } }, document]);
      const { errors } = await readStore.client.bulk({ index, operations }, { requestTimeout: 60_000 });
      if (errors) throw new Error('documents were refused');
      done += documents.length;
      progress.update(done);
    }
    progress.end();
    await readStore.client.indices.refresh({ index });
  }
};

/** The documents that an index contains now, page by page. */
async function* readAll({ client }: ReadStore, index: string): AsyncGenerator<readonly Shown[]> {
  const { id } = await client.openPointInTime({ index, keep_alive: '5m' });
  try {
    for (let after: string | undefined; ; ) {
      const { hits } = await client.search<Shown>({
        pit: { id },
        size: PAGE,
        sort: [{ id: 'desc' }],
        track_total_hits: false,
        ...(after ? { search_after: [after] } : {}),
      });
      const page = hits.hits.flatMap(({ _source }) => (_source ? [_source] : []));
      if (page.length > 0) yield page;
      after = page.at(-1)?.id;
      if (page.length < PAGE) return;
    }
  } finally {
    await client.closePointInTime({ id });
  }
}

/** Every route of the OpenAPI document that answers a list or a report and needs no id. */
const readsOf = async ({ call }: Bench): Promise<readonly Read[]> => {
  const { paths } = JSON.parse((await call('GET', '/v1/openapi.json', '')).body) as {
    readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get?.security || get.security.length === 0 || path.includes('{')) return [];
    const required = (get.parameters ?? []).filter((parameter) => parameter.required);
    const given = required.map(({ name }) => `${name}=${REQUIRED[name as keyof typeof REQUIRED]}`).join('&');
    const queries = path.includes('/reports/') ? GROUPED : [given && `?${given}`];
    const isOperators = !get.security.some((scheme) => 'basic' in scheme);
    return queries.map((query) => ({ path: path + query, isOperators }));
  });
};

const timeAll = async (bench: Bench, reads: readonly Read[], testKey: string): Promise<readonly Timed[]> => {
  const key = Buffer.from(`${testKey}:`).toString('base64');
  const operator = await operatorOf(bench);
  const timed: Timed[] = [];
  for (const read of reads) {
    const times: number[] = [];
    const statuses: number[] = [];
    while (times.length < TIMES)
      times.push(
        await elapsed(async () => {
          statuses.push(await ask(bench, read.path, read.isOperators ? operator : `Basic ${key}`));
        }),
      );
    timed.push({ ...read, ms: median(times), status: Math.max(...statuses) });
  }
  return timed;
};

const ask = async ({ call }: Bench, path: string, authorization: string): Promise<number> => {
  const { status, body } = await call('GET', path, authorization);
  if (status >= 500) throw new Error(`GET ${path}: ${status} ${body}`);
  return status;
};
