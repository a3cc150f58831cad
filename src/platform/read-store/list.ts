import type { estypes } from '@elastic/elasticsearch';
import Joi from 'joi';
import { scaleDecimal } from '../../kernel/money.ts';
import { characters } from '../http/schemas.ts';
import type { ReadStore } from './elastic.ts';
import { aliasOf, type View } from './view.ts';

/** Rows that pages may reach into. */
const MAX_ROWS = 1_000_000;
/** The engine's window for `from`; pages beyond it are reached in hops of this size. */
const WINDOW = 10_000;

/** Amounts of different currencies are compared as decimals, so they are indexed with this many digits. */
export const COMPARABLE_DECIMALS = 4;

type FieldKind = 'keyword' | 'date' | 'number';

/** A field of the index by which a list sorts or filters. `number` fields hold decimals of COMPARABLE_DECIMALS. */
export type ListField = {
  readonly field: string;
  readonly kind: FieldKind;
  /** A number that orders, in the same direction, what is alike in all fields that were asked for. */
  readonly within?: string;
};

/** `words` filters match all words given; the others are equality, dates and numbers also ranges. */
export type ListFilter = {
  readonly field: string;
  /** What there is to say of the parameter besides its name; by its kind where nothing is given. */
  readonly description?: string;
} & (
  | {
      readonly kind: 'keyword';
      readonly schema?: Joi.StringSchema;
      /** The notations in which a value may be indexed; only as it is given where this is absent. */
      readonly notations?: (value: string) => readonly string[];
    }
  | { readonly kind: 'words' | 'date' | 'number' }
);

export type ListQuery = Readonly<Record<string, string | number>> & {
  readonly page: number;
  readonly size: number;
  readonly orderBy?: string;
};

/** A page as every list answers it (specification 2.4). */
export type Page<T> = {
  readonly data: readonly T[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly size: number;
};

export type List = {
  /** Validates the query parameters of the route. */
  readonly query: Joi.ObjectSchema;
  /** The page of the view's documents that a validated query asks for, within what `scope` lets the caller see. */
  search<D>(
    readStore: ReadStore,
    view: View,
    query: ListQuery,
    scope: readonly estypes.QueryDslQueryContainer[],
  ): Promise<Page<D>>;
  /**
   * All documents that a validated query asks for, whatever its page, in the order of `search` and in batches, as
   * the view holds them when the first batch is asked for.
   */
  scan<D>(
    readStore: ReadStore,
    view: View,
    query: ListQuery,
    scope: readonly estypes.QueryDslQueryContainer[],
  ): AsyncIterable<readonly D[]>;
};

const RANGE = ['gte', 'gt', 'lte', 'lt'] as const;
type RangeOperator = (typeof RANGE)[number];

/** Describes a list once: what it sorts by, what it filters by, newest first where nothing is asked for. */
export const defineList = (definition: {
  readonly sortable: Readonly<Record<string, ListField>>;
  readonly filters: Readonly<Record<string, ListFilter>>;
  /** Used where nothing is asked for, if ids do not tell which is newest. */
  readonly orderBy?: string;
}): List => ({
  query: querySchema(definition),
  async search<D>(
    readStore: ReadStore,
    view: View,
    query: ListQuery,
    scope: readonly estypes.QueryDslQueryContainer[],
  ) {
    const filter = [...scope, ...toFilters(definition.filters, query)];
    const sort = toSort(definition.sortable, query.orderBy ?? definition.orderBy);
    const { total, documents } = await searchPage<D>(readStore, view, filter, sort, query);
    const { page, size } = query;
    return { data: documents, page, pages: Math.ceil(total / size), total, size };
  },
  scan<D>(
    readStore: ReadStore,
    view: View,
    query: ListQuery,
    scope: readonly estypes.QueryDslQueryContainer[],
  ) {
    const filter = [...scope, ...toFilters(definition.filters, query)];
    const sort = toSort(definition.sortable, query.orderBy ?? definition.orderBy);
    return scanAll<D>(readStore, view, filter, sort);
  },
});

const querySchema = (definition: Parameters<typeof defineList>[0]): Joi.ObjectSchema => {
  const keys: Record<string, Joi.Schema> = {
    size: Joi.number().integer().min(1).max(100).default(10).description('Items per page.'),
    page: Joi.number().integer().min(1).default(1).custom(withinRows).description('Page, from 1.'),
    orderBy: orderBySchema(Object.keys(definition.sortable)),
  };
  for (const [name, filter] of Object.entries(definition.filters)) {
    const value = parameterOf(filter);
    keys[name] = value;
    if (filter.kind === 'date' || filter.kind === 'number')
      for (const operator of RANGE) keys[`${name}[${operator}]`] = value;
  }
  return Joi.object(keys);
};

const MEANINGS: Readonly<Record<ListFilter['kind'], string>> = {
  keyword: 'Only those with exactly this value.',
  words: 'Only those with all of these words, in any order; case and accents do not count.',
  date: 'An ISO 8601 date (that day in UTC) or date-time (UTC where it has no offset).',
  number: 'Decimal.',
};

/** What the parameter of a filter takes. */
const parameterOf = (filter: ListFilter): Joi.Schema =>
  schemaOf(filter).description(filter.description ?? MEANINGS[filter.kind]);

const schemaOf = (filter: ListFilter): Joi.Schema => {
  switch (filter.kind) {
    case 'keyword':
      return filter.schema ?? characters(256);
    case 'words':
      return characters(256);
    case 'date':
      return dateSchema;
    case 'number':
      return Joi.number().unsafe(false);
  }
};

/** A page of the size that the same query has: `size` comes before `page` among the keys. */
const withinRows = (page: number, helpers: Joi.CustomHelpers): number | Joi.ErrorReport => {
  const [{ size }] = helpers.state.ancestors;
  return page * Number(size) > MAX_ROWS
    ? helpers.message({ custom: `page must lie within the first ${MAX_ROWS} rows` })
    : page;
};

const orderBySchema = (allowed: readonly string[]): Joi.StringSchema => {
  const names = allowed.map((name) => name.replaceAll('.', '\\.')).join('|');
  const fault = `orderBy takes each of these fields at most once: ${allowed.join(', ')}`;
  return (
    Joi.string()
      .description(`Comma-separated fields, \`-\` before one for descending: ${allowed.join(', ')}.`)
      // Any of the names, but none that comes again.
      .meta({ pattern: `^(?!(.*,)?-?(${names})(,.*)?,-?\\2(,|$))-?(${names})(,-?(${names}))*$` })
      .messages({ 'string.empty': fault })
      .custom((value: string, helpers) => {
        const given = value.split(',').map((element) => element.replace(/^-/, ''));
        const isValid = given.every((name) => allowed.includes(name)) && new Set(given).size === given.length;
        return isValid ? value : helpers.message({ custom: fault });
      })
  );
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;
const DAY_MS = 86_400_000;

const isCalendarDay = (day: string): boolean => {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
};

/** A date or date-time as list filters take it. */
export const dateSchema = Joi.string()
  .meta({ anyOf: [{ format: 'date' }, { format: 'date-time' }] })
  .description(MEANINGS.date)
  .custom((value: string, helpers) => {
    const day = DATE.test(value) ? value : DATE_TIME.exec(value)?.[1];
    return day !== undefined && isCalendarDay(day) && !Number.isNaN(toInstant(value))
      ? value
      : helpers.message({ custom: '{{#label}} must be an ISO 8601 date or date-time' });
  });

export const toInstant = (value: string): number =>
  Date.parse(
    DATE.test(value) ? `${value}T00:00:00Z` : /(Z|[+-]\d{2}:\d{2})$/.test(value) ? value : `${value}Z`,
  );

/** The last millisecond that a date (its whole day) or date-time stands for. */
export const lastInstantOf = (value: string): number =>
  DATE.test(value) ? toInstant(value) + DAY_MS - 1 : toInstant(value);

type Range = { gte?: number; gt?: number; lte?: number; lt?: number };

/** A date stands for its whole day: `lte` includes it, `gt` begins after it. */
const dateRange = (operator: RangeOperator | 'eq', value: string): Range => {
  const from = toInstant(value);
  if (!DATE.test(value)) return operator === 'eq' ? { gte: from, lte: from } : { [operator]: from };
  const next = from + DAY_MS;
  switch (operator) {
    case 'eq':
      return { gte: from, lt: next };
    case 'gte':
      return { gte: from };
    case 'gt':
      return { gte: next };
    case 'lte':
      return { lt: next };
    case 'lt':
      return { lt: from };
  }
};

/** Above every indexed number and within what the engine's `long` holds. */
const BEYOND_ALL = 1e13;

/** The number in indexed steps, rounded down. Whole numbers are exact also beyond 2^53, as steps are even. */
const toSteps = (value: number): { readonly floor: number; readonly isExact: boolean } => {
  const within = Math.max(-BEYOND_ALL, Math.min(BEYOND_ALL, value));
  const exact = Number.isInteger(within)
    ? within * 10 ** COMPARABLE_DECIMALS
    : scaleDecimal(within, COMPARABLE_DECIMALS);
  if (exact !== null) return { floor: exact, isExact: true };
  const whole = Math.floor(within);
  const fraction = (within - whole).toFixed(20).slice(2, 2 + COMPARABLE_DECIMALS);
  return { floor: whole * 10 ** COMPARABLE_DECIMALS + Number(fraction), isExact: false };
};

/** A number between two indexed steps is moved to the step that keeps the comparison right. */
const numberRange = (operator: RangeOperator | 'eq', value: number): Range => {
  const { floor, isExact } = toSteps(value);
  if (isExact) return operator === 'eq' ? { gte: floor, lte: floor } : { [operator]: floor };
  switch (operator) {
    case 'eq':
      return { gt: floor, lt: floor };
    case 'gte':
    case 'gt':
      return { gt: floor };
    case 'lte':
    case 'lt':
      return { lte: floor };
  }
};

const keywordQuery = (
  field: string,
  value: string | number,
  notations?: (value: string) => readonly string[],
): estypes.QueryDslQueryContainer =>
  notations ? { terms: { [field]: [...notations(String(value))] } } : { term: { [field]: value } };

const toFilters = (
  filters: Readonly<Record<string, ListFilter>>,
  query: ListQuery,
): estypes.QueryDslQueryContainer[] => {
  const result: estypes.QueryDslQueryContainer[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    if (filter.kind === 'keyword' || filter.kind === 'words') {
      const value = query[name];
      if (value === undefined) continue;
      result.push(
        filter.kind === 'keyword'
          ? keywordQuery(filter.field, value, filter.notations)
          : { match: { [filter.field]: { query: String(value), operator: 'and' } } },
      );
      continue;
    }
    for (const operator of ['eq', ...RANGE] as const) {
      const value = query[operator === 'eq' ? name : `${name}[${operator}]`];
      if (value === undefined) continue;
      const range =
        filter.kind === 'date' ? dateRange(operator, String(value)) : numberRange(operator, Number(value));
      result.push({
        range: { [filter.field]: filter.kind === 'date' ? { ...range, format: 'epoch_millis' } : range },
      });
    }
  }
  return result;
};

type Sort = readonly Record<string, { order: 'asc' | 'desc'; missing?: number | '_last' }>[];

/**
 * Nulls come last in both directions. Every field that is named counts; ties that remain are broken by the first one's
 * `within` and then by `id`, so that pages never overlap.
 */
const toSort = (sortable: Readonly<Record<string, ListField>>, orderBy: string | undefined): Sort => {
  const elements = orderBy?.split(',') ?? [];
  const asked = elements.map((element) => {
    const isDescending = element.startsWith('-');
    const name = isDescending ? element.slice(1) : element;
    const target = sortable[name];
    if (!target) throw new Error(`not sortable: ${name}`);
    const last = isDescending ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
    const order = isDescending ? ('desc' as const) : ('asc' as const);
    return {
      by: { [target.field]: { order, missing: target.kind === 'keyword' ? ('_last' as const) : last } },
      within: target.within ? { [target.within]: { order, missing: last } } : null,
    };
  });
  const within = asked.find((element) => element.within !== null)?.within;
  const sort = [...asked.map(({ by }) => by), ...(within ? [within] : [])];
  const isOrderedById = sort.some((element) => 'id' in element);
  return isOrderedById ? sort : [...sort, { id: { order: 'desc' } }];
};

const searchPage = async <D>(
  readStore: ReadStore,
  view: View,
  filter: readonly estypes.QueryDslQueryContainer[],
  sort: Sort,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ total: number; documents: D[] }> => {
  const index = aliasOf(readStore, view);
  const query = { bool: { filter: [...filter] } };
  const offset = (page - 1) * size;
  const count = async (): Promise<number> => (await readStore.client.count({ index, query })).count;
  if (offset + size <= WINDOW) {
    // A search that has to count cannot stop at the page; counting alone is cheap.
    const [found, counted] = await Promise.all([
      readStore.client.search<D>({
        index,
        query,
        sort: [...sort],
        from: offset,
        size,
        track_total_hits: false,
      }),
      count(),
    ]);
    const documents = sourcesOf(found.hits.hits);
    return { total: totalWith(documents.length, offset, size, counted), documents };
  }

  const total = await count();
  if (offset >= total) return { total, documents: [] };
  let after: estypes.SortResults | undefined;
  for (let skipped = 0; skipped < offset; ) {
    const hop = Math.min(WINDOW, offset - skipped);
    const { hits } = await readStore.client.search({
      index,
      query,
      sort: [...sort],
      size: hop,
      _source: false,
      track_total_hits: false,
      filter_path: ['hits.hits.sort'],
      ...(after ? { search_after: after } : {}),
    });
    const last = hits?.hits?.at(-1)?.sort;
    if (!last) return { total, documents: [] };
    after = last;
    skipped += hop;
  }
  const { hits } = await readStore.client.search<D>({
    index,
    query,
    sort: [...sort],
    size,
    track_total_hits: false,
    ...(after ? { search_after: after } : {}),
  });
  return { total, documents: sourcesOf(hits.hits) };
};

/** Documents in hand at a time; one may be 20 KiB (metadata of a charge). */
const SCAN_BATCH = 500;
/** A client may take this long over one batch before the scan is lost. */
const SCAN_KEEP_ALIVE = '5m';

/** Reads from a point in time: what is written meanwhile moves no document over the edge of a batch. */
async function* scanAll<D>(
  readStore: ReadStore,
  view: View,
  filter: readonly estypes.QueryDslQueryContainer[],
  sort: Sort,
): AsyncGenerator<readonly D[]> {
  const { client } = readStore;
  const index = aliasOf(readStore, view);
  let { id } = await client.openPointInTime({ index, keep_alive: SCAN_KEEP_ALIVE });
  try {
    for (let after: estypes.SortResults | undefined; ; ) {
      const { hits, pit_id } = await client.search<D>({
        pit: { id, keep_alive: SCAN_KEEP_ALIVE },
        query: { bool: { filter: [...filter] } },
        sort: [...sort],
        size: SCAN_BATCH,
        track_total_hits: false,
        ...(after ? { search_after: after } : {}),
      });
      id = pit_id ?? id;
      if (hits.hits.length > 0) yield sourcesOf(hits.hits);
      after = hits.hits.at(-1)?.sort;
      if (hits.hits.length < SCAN_BATCH || !after) return;
    }
  } finally {
    await client.closePointInTime({ id }).catch(() => undefined);
  }
}

/** How many match, as the page shows it: between page and count somebody may have written. */
const totalWith = (shown: number, offset: number, size: number, counted: number): number => {
  if (shown === size) return Math.max(counted, offset + size);
  if (shown > 0 || offset === 0) return offset + shown;
  return Math.min(counted, offset);
};

const sourcesOf = <D>(hits: readonly estypes.SearchHit<D>[]): D[] =>
  hits.flatMap((hit) => (hit._source === undefined ? [] : [hit._source]));
