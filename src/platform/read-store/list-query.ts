import type { estypes } from '@elastic/elasticsearch';
import Joi from 'joi';
import { scaleDecimal } from '../../kernel/money.ts';
import { fold } from '../../kernel/text.ts';
import { endOfDay, instantIn, isDate } from '../../kernel/time-range.ts';
import { knownCurrency, tidied, timeZone } from '../http/schemas.ts';
import { number, string, type Typed, typed } from '../http/typed.ts';
import {
  COMPARABLE_DECIMALS,
  type Field,
  type Fields,
  type FilterField,
  fieldOf,
  foldedPath,
  type SortField,
} from './fields.ts';

/** The number of rows that pages can reach. */
export const MAX_ROWS = 1_000_000;

/** Longer than any place that the links of a list can name, which leave out an address that is very long. */
const MAX_PLACE_LENGTH = 4_000;

export const PLACE_FAULT = 'after must be a place that a list of this order has named';

/** A sort field of a list: the name of a field, or another name for it. */
type SortBy<F extends Fields> = SortField<F> | Readonly<Record<string, SortField<F>>>;

/**
 * A filter of a list. A `words` field has to contain all words given; other fields are compared for equality, and dates
 * and amounts also by range.
 */
export type Filter<F extends Fields = Fields> = {
  /** The field, where its name differs from the parameter's. */
  readonly field?: FilterField<F>;
  /** Description of the parameter; by default one for the kind of field. */
  readonly description?: string;
  /** The possible values. */
  readonly valid?: readonly string[];
  readonly schema?: Joi.StringSchema;
  /** The value that applies where the query gives none; `all` then stands for no restriction. */
  readonly otherwise?: string;
  /** The notations in which a value may be indexed; by default only the given one. */
  readonly notations?: (value: string) => readonly string[];
  /** Whether the last word of a name may be the beginning of one, for people who type. */
  readonly isTyped?: true;
  /** Whether the value is a merchant's id that the caller must be allowed to name. */
  readonly ofMerchant?: true;
};

/** An unknown currency is refused, as reports do, so that nobody takes a typing error for an empty list. */
export const BY_CURRENCY = { schema: knownCurrency(), description: 'ISO 4217 code.' } as const;

/** The fields of a view by which a list can be sorted and filtered; the newest come first by default. */
export type SearchTerms<F extends Fields> = {
  readonly sort: readonly SortBy<F>[];
  readonly filter: Readonly<Record<string, Filter<F>>>;
  /** The default sort order, where ids do not tell which documents are newest. */
  readonly orderBy?: string;
  /**
   * Documents that are equal in all requested fields come in the order of `by`, in the direction of the first requested
   * field that is among `in`.
   */
  readonly ties?: { readonly by: SortField<F>; readonly in: readonly SortField<F>[] };
};

/** Search terms without the types of the view's fields, which the compiler has checked by then. */
export type Terms = {
  readonly fields: Fields;
  readonly sort: readonly (string | Readonly<Record<string, string>>)[];
  readonly filter: Readonly<Record<string, Omit<Filter, 'field'> & { readonly field?: string }>>;
  readonly orderBy?: string;
  readonly ties?: { readonly by: string; readonly in: readonly string[] };
};
type OneFilter = Terms['filter'][string];

export type ListQuery = Readonly<Record<string, string | number>> & {
  readonly page: number;
  readonly size: number;
  /** Place after which the rows begin, as an earlier page named it; `page` does not count then. */
  readonly after?: string;
  readonly orderBy?: string;
  /** The time zone in which dates without a time are read; UTC where it is absent. */
  readonly timeZone?: string;
};

const RANGE = ['gte', 'gt', 'lte', 'lt'] as const;
type RangeOperator = (typeof RANGE)[number];

const ALL = 'all';

type Target = { readonly path: string; readonly kind: Field['kind'] };

/**
 * The indexed field for a name: amounts with the same number of digits for every currency, and names in folded form.
 */
const targetOf = (fields: Fields, name: string): Target => {
  const { kind } = fieldOf(fields, name);
  if (kind === 'name') return { path: foldedPath(name), kind };
  return { path: kind === 'money' ? `comparable.${name}` : name, kind };
};

const hasRange = ({ kind }: Target): boolean => kind === 'date' || kind === 'money';

/** The sort fields of a list by the names that queries use. */
const sortTargets = ({ fields, sort }: Terms): ReadonlyMap<string, Target> =>
  new Map(
    sort
      .flatMap((by) => (typeof by === 'string' ? [[by, by] as const] : Object.entries(by)))
      .map(([name, field]) => [name, targetOf(fields, field)]),
  );

/** Validates the query parameters of a list. */
export const querySchema = (terms: Terms): Typed<ListQuery, Joi.ObjectSchema> => {
  const keys: Record<string, Joi.Schema> = {
    size: number().integer().min(1).max(100).default(10).description('Items per page.'),
    after: afterSchema,
    page: number().integer().min(1).default(1).custom(withinRows).description('Page, from 1.'),
    orderBy: orderBySchema([...sortTargets(terms).keys()]),
    timeZone: timeZone.description(
      'Name of the IANA time zone database. Dates without time are days of this zone, and a CSV writes its times in it. UTC by default.',
    ),
  };
  for (const [name, filter] of Object.entries(terms.filter)) {
    const target = targetOf(terms.fields, filter.field ?? name);
    const value = parameterOf(target, filter);
    keys[name] = value;
    if (hasRange(target)) for (const operator of RANGE) keys[`${name}[${operator}]`] = value;
  }
  return typed(Joi.object(keys));
};

/** A request names a page or a place. A page that is not given has no value yet, as `after` comes before it. */
const afterSchema = string()
  .max(MAX_PLACE_LENGTH)
  .pattern(/^[A-Za-z0-9_-]+$/)
  .messages({ 'string.pattern.base': PLACE_FAULT })
  .description(
    'Place after which the rows begin: the address with `rel="next"` of an answer\'s `Link` has it. Going on by it repeats and skips no row, whatever comes meanwhile. It belongs to one order, and excludes `page`.',
  )
  .custom((value: string, helpers) =>
    helpers.state.ancestors[0].page === undefined
      ? value
      : helpers.message({ custom: 'after and page exclude each other' }),
  );

const BY_WORDS = 'Only those with all of these words, in any order; case and accents do not count.';
const BY_TYPED_WORDS = `${BY_WORDS} The last one may be the beginning of a word.`;
const WHOLE = 'Only those with exactly this value.';
const MEANINGS: Readonly<Partial<Record<Field['kind'], string>>> = {
  name: BY_WORDS,
  words: BY_WORDS,
  date: 'An ISO 8601 date (that day in `timeZone`) or date-time (local to `timeZone` where it has no offset).',
  money: 'Decimal.',
};

/** The schema of a filter's parameter. */
const parameterOf = ({ kind }: Target, filter: OneFilter): Joi.Schema =>
  schemaOf(kind, filter).description(
    filter.description ?? (filter.isTyped ? BY_TYPED_WORDS : MEANINGS[kind]) ?? WHOLE,
  );

const schemaOf = (kind: Field['kind'], { schema, valid, otherwise }: OneFilter): Joi.Schema => {
  if (kind === 'date') return dateSchema;
  if (kind === 'money') return number().unsafe(false);
  if (kind === 'flag') return string().valid('true', 'false');
  if (!valid) return schema ?? tidied(256);
  return otherwise === undefined
    ? string().valid(...valid)
    : string()
        .valid(...valid, ALL)
        .default(otherwise);
};

/** 400 for a page beyond the last row that pages can reach. `size` is validated before `page`, so it is known here. */
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
    string()
      .description(`Comma-separated fields, \`-\` before one for descending: \`${allowed.join(', ')}\`.`)
      // Any of the names, none of them twice.
      .meta({ pattern: `^(?!(.*,)?-?(${names})(,.*)?,-?\\2(,|$))-?(${names})(,-?(${names}))*$` })
      .messages({ 'string.empty': fault })
      .custom((value: string, helpers) => {
        const given = value.split(',').map((element) => element.replace(/^-/, ''));
        const isValid = given.every((name) => allowed.includes(name)) && new Set(given).size === given.length;
        return isValid ? value : helpers.message({ custom: fault });
      })
  );
};

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

const isCalendarDay = (day: string): boolean => {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
};

/** A date or date-time, as filters of lists accept it. */
export const dateSchema = string()
  .meta({ anyOf: [{ format: 'date' }, { format: 'date-time' }] })
  .description(String(MEANINGS.date))
  .custom((value: string, helpers) => {
    const day = isDate(value) ? value : DATE_TIME.exec(value)?.[1];
    return day !== undefined && isCalendarDay(day) && !Number.isNaN(instantIn(value, 'UTC'))
      ? value
      : helpers.message({ custom: '{{#label}} must be an ISO 8601 date or date-time' });
  });

/** The last millisecond of a date (its whole day in UTC) or of a date-time. */
export const lastInstantOf = (value: string): number =>
  isDate(value) ? endOfDay(value, 'UTC') - 1 : instantIn(value, 'UTC');

type Range = { gte?: number; gt?: number; lte?: number; lt?: number };

/** The range for a date, which stands for its whole day in the zone: `lte` includes the day, `gt` begins after it. */
const dateRange = (operator: RangeOperator | 'eq', value: string, timeZone: string): Range => {
  const from = instantIn(value, timeZone);
  if (!isDate(value)) return operator === 'eq' ? { gte: from, lte: from } : { [operator]: from };
  const next = endOfDay(value, timeZone);
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

/** Above every indexed number, and within the engine's `long`. */
const BEYOND_ALL = 1e13;

/** The number in indexed steps, rounded down. Whole numbers are exact even beyond 2^53, because steps are even. */
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

/** The range for a number. One between two indexed steps is moved to the step that keeps the comparison right. */
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

/** The filters of a validated query. */
export const toFilters = ({ fields, filter }: Terms, query: ListQuery): estypes.QueryDslQueryContainer[] =>
  Object.entries(filter).flatMap(([name, one]) => {
    const target = targetOf(fields, one.field ?? name);
    return hasRange(target) ? rangeQueries(name, target, query) : valueQuery(target, one, query[name]);
  });

const valueQuery = (
  { path, kind }: Target,
  { notations, otherwise, isTyped }: OneFilter,
  value: string | number | undefined,
): estypes.QueryDslQueryContainer[] => {
  if (value === undefined || (otherwise !== undefined && value === ALL)) return [];
  if (kind === 'words') return [inWords(path, String(value))];
  if (kind === 'name') return [inWords(`${path}.words`, String(value), isTyped)];
  return notations ? [{ terms: { [path]: [...notations(String(value))] } }] : [{ term: { [path]: value } }];
};

/** Matches documents that contain all words of a text in a field that is indexed in folded form. */
export const inWords = (path: string, text: string, isTyped = false): estypes.QueryDslQueryContainer => {
  const words = { [path]: { query: fold(text), operator: 'and' } } as const;
  return isTyped ? { match_bool_prefix: words } : { match: words };
};

const rangeQueries = (
  name: string,
  { path, kind }: Target,
  query: ListQuery,
): estypes.QueryDslQueryContainer[] =>
  (['eq', ...RANGE] as const).flatMap((operator) => {
    const value = query[operator === 'eq' ? name : `${name}[${operator}]`];
    if (value === undefined) return [];
    const range =
      kind === 'date'
        ? { ...dateRange(operator, String(value), query.timeZone ?? 'UTC'), format: 'epoch_millis' }
        : numberRange(operator, Number(value));
    return [{ range: { [path]: range } }];
  });

const HAS_NO_NUMBER: ReadonlySet<Field['kind']> = new Set(['keyword', 'name', 'flag']);

export type Sort = readonly Record<string, { order: 'asc' | 'desc'; missing?: number | '_last' }>[];

/**
 * The sort order. Nulls come last in both directions. Remaining ties are broken by the list's own field and then by
 * `id`, so that pages never overlap.
 */
export const toSort = (terms: Terms, orderBy = terms.orderBy): Sort => {
  const targets = sortTargets(terms);
  const asked = (orderBy?.split(',') ?? []).map((element) => {
    const isDescending = element.startsWith('-');
    const name = isDescending ? element.slice(1) : element;
    const target = targets.get(name);
    if (!target) throw new Error(`not sortable: ${name}`);
    const order = isDescending ? ('desc' as const) : ('asc' as const);
    const last = isDescending ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
    const missing = HAS_NO_NUMBER.has(target.kind) ? ('_last' as const) : last;
    const tie = terms.ties?.in.includes(name) ? { [terms.ties.by]: { order, missing: last } } : null;
    return { by: { [target.path]: { order, missing } }, tie };
  });
  const tie = asked.find((element) => element.tie !== null)?.tie;
  const sort = [...asked.map(({ by }) => by), ...(tie ? [tie] : [])];
  return sort.some((element) => 'id' in element) ? sort : [...sort, { id: { order: 'desc' } }];
};
