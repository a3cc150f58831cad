import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../write-store/database.ts';
import { inParts } from '../write-store/mongo.ts';
import type { StoredResource } from '../write-store/stored-resource.ts';
import { readBuckets, TooManyBuckets } from './buckets.ts';
import type { ReadStore } from './elastic.ts';
import { type FoundDocument, findDocuments } from './find-documents.ts';
import { readBatches, resourcesOf } from './resources.ts';
import { documentOf, routingOf, type View } from './view.ts';

type Deps = { readonly db: Database; readonly readStore: ReadStore; readonly signal: AbortSignal };

/** Fields by which documents are counted and summed, where a view has them. */
const GROUPED_BY = ['merchantId', 'currency', 'status'] as const;
const MAX_GROUPS = 1_000_000;
const MAX_DIFFERENCES = 20;
const PAGE = 1_000;
/** How often a document that is being written to is compared again. */
const TRIES = 10;

type Sums = { readonly count: number; readonly amount: number };

/**
 * The first few differences between an index and the write store. Counts and amounts are compared by merchant, currency
 * and status. Where these differ, documents are compared by version, so that concurrent writes do no harm. `catchUp`
 * resolves when the index has all earlier commits. Once `signal` aborts, the result means nothing.
 */
export const findDifferences = async (
  deps: Deps,
  view: View,
  index: string,
  catchUp: () => Promise<void>,
): Promise<readonly string[]> => {
  await catchUp();
  const fields = GROUPED_BY.filter((field) => view.properties[field]?.type === 'keyword');
  const stored = await sumsOfStore(deps, view, fields);
  const shown = await sumsOfIndex(deps.readStore, view, index, fields);
  const differing = [...new Set([...stored.keys(), ...shown.keys()])].filter(
    (key) => !isDeepStrictEqual(stored.get(key), shown.get(key)),
  );
  if (differing.length === 0) return [];
  const merchants = fields.includes('merchantId')
    ? new Set(differing.map((key) => (JSON.parse(key) as unknown[])[0]))
    : null;
  const isSuspect = (stored: StoredResource): boolean =>
    merchants === null || merchants.has(shownBy(view, stored).merchantId ?? null);
  return [
    ...(await findWrong(deps, view, index, isSuspect, catchUp)),
    ...(await findExtra(deps, view, index)),
  ].slice(0, MAX_DIFFERENCES);
};

const shownBy = (view: View, stored: StoredResource): Readonly<Record<string, unknown>> =>
  documentOf(view, stored) as Readonly<Record<string, unknown>>;

const hasAmount = (view: View): boolean => view.properties.amount?.type === 'long';

const sumsOfStore = async (
  { db, signal }: Deps,
  view: View,
  fields: readonly string[],
): Promise<ReadonlyMap<string, Sums>> => {
  const sums = new Map<string, Sums>();
  for await (const batch of readBatches(db, view, signal)) {
    for (const stored of batch) {
      const document = shownBy(view, stored);
      const key = JSON.stringify(fields.map((field) => document[field] ?? null));
      const { count, amount } = sums.get(key) ?? { count: 0, amount: 0 };
      const added = hasAmount(view) ? Number(document.amount ?? 0) : 0;
      sums.set(key, { count: count + 1, amount: amount + added });
    }
  }
  return sums;
};

const sumsOfIndex = async (
  readStore: ReadStore,
  view: View,
  index: string,
  fields: readonly string[],
): Promise<ReadonlyMap<string, Sums>> => {
  if (fields.length === 0) {
    const { count } = await readStore.client.count({ index });
    return new Map(count === 0 ? [] : [['[]', { count, amount: 0 }]]);
  }
  const sums = new Map<string, Sums>();
  const pages = readBuckets(readStore, view, {
    index,
    filter: [],
    sources: Object.fromEntries(fields.map((field) => [field, { terms: { field, missing_bucket: true } }])),
    aggregations: hasAmount(view) ? { amount: { sum: { field: 'amount' } } } : {},
  });
  for await (const page of pages) {
    for (const { key, count, results } of page) {
      const amount = (results.amount as { value?: number } | undefined)?.value ?? 0;
      sums.set(JSON.stringify(fields.map((field) => key[field] ?? null)), { count, amount });
    }
    if (sums.size > MAX_GROUPS) throw new TooManyBuckets();
  }
  return sums;
};

/** How the document of a resource is wrong: missing, of a lower or a higher version, or with other values. */
export type Fault = 'missing' | 'older' | 'newer' | 'different';

/**
 * The fault of a view's documents for a resource; null where there is exactly one right document, on its tenant's
 * shard.
 */
export const faultOf = (
  view: View,
  stored: StoredResource,
  [document, ...others]: readonly FoundDocument[] = [],
): Fault | null => {
  if (!document) return 'missing';
  const { version } = stored.resource;
  if (others.length > 0 || document.routing !== routingOf(view, stored)) return 'different';
  if (document.version !== version) return document.version < version ? 'older' : 'newer';
  return isDeepStrictEqual(document.source, shownAs(view, stored)) ? null : 'different';
};

/** The document of a resource after a round trip through JSON; null where it cannot be made. */
const shownAs = (view: View, stored: StoredResource): unknown => {
  try {
    return JSON.parse(JSON.stringify(documentOf(view, stored)));
  } catch {
    return null;
  }
};

/** Resources whose document is missing, has another version, or has other values in the same version. */
const findWrong = async (
  { db, readStore, signal }: Deps,
  view: View,
  index: string,
  isSuspect: (stored: StoredResource) => boolean,
  catchUp: () => Promise<void>,
): Promise<readonly string[]> => {
  const differences: string[] = [];
  /** The ids of the resources whose document has another version; somebody may have written in between. */
  const compare = async (all: readonly StoredResource[]): Promise<string[]> => {
    const ids = all.map(({ resource }) => resource.id);
    const found = await findDocuments(readStore, index, ids);
    return all.flatMap((stored) => {
      const { id } = stored.resource;
      const fault = faultOf(view, stored, found.get(id));
      if (fault === 'different') differences.push(`${id} is shown differently`);
      return fault === null || fault === 'different' ? [] : [id];
    });
  };
  let unclear: string[] = [];
  for await (const batch of readBatches(db, view, signal)) {
    const suspects = batch.filter(isSuspect);
    if (suspects.length > 0) unclear = [...unclear, ...(await compare(suspects))];
    if (differences.length > MAX_DIFFERENCES) return differences;
  }
  for (let tries = 0; unclear.length > 0 && tries < TRIES; tries += 1) {
    await catchUp();
    const again: string[] = [];
    for (const ids of inParts(unclear)) {
      const resources = [...(await resourcesOf(db, view, ids)).values()];
      if (resources.length > 0) again.push(...(await compare(resources)));
    }
    unclear = again;
  }
  return [...differences, ...unclear.map((id) => `${id} is missing or has another version`)];
};

/** Documents whose resource is not in the write store. */
const findExtra = async (
  { db, readStore, signal }: Deps,
  view: View,
  index: string,
): Promise<readonly string[]> => {
  const differences: string[] = [];
  for (let after: string | undefined; ; ) {
    const { hits } = await readStore.client.search({
      index,
      _source: false,
      size: PAGE,
      // Documents come in the index's own order, so that a page does not go over all the others.
      sort: [{ id: 'desc' }],
      track_total_hits: false,
      ...(after ? { search_after: [after] } : {}),
    });
    const ids = hits.hits.map(({ _id }) => String(_id));
    const known = await resourcesOf(db, view, ids);
    for (const id of ids) if (!known.has(id)) differences.push(`${id} is not in the write store`);
    after = ids.at(-1);
    if (ids.length < PAGE || differences.length > MAX_DIFFERENCES || signal.aborted) return differences;
  }
};
