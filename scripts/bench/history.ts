import { createProgress } from '../progress.ts';
import { type Seeded, seedCharges } from '../seed/seed-charges.ts';
import { drained } from './creates.ts';
import { operatorOf } from './lists.ts';
import { elapsed, median, type Row } from './measure.ts';
import type { Bench, Merchants } from './setting.ts';

const TIMES = 5;
const FEW = 8;
const GOAL_MS = 1_000;
/** Values of parameters without which a route does not answer. */
const REQUIRED = { currency: 'BRL', q: 'silva' } as const;
/** Each way of grouping costs a report another aggregation. */
const GROUPED = ['', '?groupBy=merchantId', '?interval=day', '?interval=day&groupBy=merchantId'] as const;

type Operation = {
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
};
type Read = { readonly path: string; readonly isOperators: boolean };
type Timed = Read & { readonly ms: number };

/** Lists and reports with an eighth of the history and with all of it: none takes longer than people wait. */
export const measureHistory = async (bench: Bench, _merchants: Merchants): Promise<Row[]> => {
  const few = Math.ceil(bench.charges / FEW);
  const reads = await readsOf(bench);
  const early = await timeAll(bench, reads, await seed(bench, few));
  const late = await timeAll(bench, reads, await seed(bench, bench.charges - few));
  const rowOf = (read: Timed, index: number): Row => {
    const before = early[index]?.ms ?? Number.NaN;
    return {
      what: `${read.path}, p50`,
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
    ...{ charges, merchants: 8, seed: 1, until: new Date(), onProgress },
  });
  progress.end();
  await drained(bench);
  return seeded;
};

/** Every route of the OpenAPI document that answers a list or a report by itself, without an id. */
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

const timeAll = async (
  bench: Bench,
  reads: readonly Read[],
  { merchants }: Seeded,
): Promise<readonly Timed[]> => {
  const key = Buffer.from(`${merchants[0]?.testKey}:`).toString('base64');
  const operator = await operatorOf(bench);
  const timed: Timed[] = [];
  for (const read of reads) {
    const times: number[] = [];
    while (times.length < TIMES)
      times.push(await elapsed(() => ask(bench, read.path, read.isOperators ? operator : `Basic ${key}`)));
    timed.push({ ...read, ms: median(times) });
  }
  return timed;
};

const ask = async ({ call }: Bench, path: string, authorization: string): Promise<void> => {
  const { status, body } = await call('GET', path, authorization);
  if (status >= 400) throw new Error(`GET ${path}: ${status} ${body}`);
};
