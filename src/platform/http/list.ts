import type Joi from 'joi';
import type { Resource } from '../../kernel/event.ts';
import { memoized } from '../../kernel/memoized.ts';
import { callerOf, type Principal } from '../../kernel/principal.ts';
import type { FairTurns } from '../fair-turns.ts';
import type { AnswerOf, DocumentOf, Fields, FilterField } from '../read-store/fields.ts';
import { type Filter, type ListQuery, MAX_ROWS, type SearchTerms } from '../read-store/list-query.ts';
import type { ReadView } from '../read-store/read-view.ts';
import { type Conditions, scopeOf } from '../read-store/scope.ts';
import { createSearch, type Search } from '../read-store/search.ts';
import type { FieldView, View } from '../read-store/view.ts';
import { acceptsCsv, CSV, type CsvColumns, csvReply, inZone } from './csv.ts';
import { columnsOfAnswer, timesOfAnswer } from './csv-columns.ts';
import { pageTooLarge, withinBytes } from './expanded.ts';
import { consistencyTokenOf, type Reply, type Route, type RouteRequest, route } from './route.ts';
import { count, pageOf } from './schemas.ts';
import { string, typed } from './typed.ts';

/** The scope of a caller. It may throw 404 for a resource in the path. */
export type Within<Needs = unknown> = (
  asked: Pick<RouteRequest, 'principal' | 'params'>,
  needs: Needs,
) => Conditions | Promise<Conditions>;

/** The scope of a list for operators that covers both environments. */
export const EVERYTHING: Within = () => [];

/** A route of a list. */
export type ListRoute<Needs = unknown> = Pick<
  Route,
  | 'operationId'
  | 'path'
  | 'tag'
  | 'summary'
  | 'description'
  | 'access'
  | 'params'
  | 'errors'
  | 'refusals'
  | 'holdsSecret'
> & {
  /** The scope of this route; the list's own where it is absent. */
  readonly within?: Within<Needs>;
};

/** Dependencies of every list. */
export type ListDeps = {
  readonly readView: ReadView;
  /** Callers take turns for large pages, each of which keeps the processor busy and its rows in memory. */
  readonly largePages: FairTurns;
  /** 403 for the id of a merchant that the caller may not name. */
  readonly assertMayName: (principal: Principal, merchantId: string) => Promise<void>;
};

/** A list searches a view. Its routes follow from its declaration and its dependencies. */
export type List<D = unknown, Needs = unknown> = {
  readonly view: View;
  readonly search: Search<D>;
  readonly routes: (deps: ListDeps & Needs) => readonly Route[];
};

type Declaration<T extends Resource, F extends Fields, A, Needs> = Omit<SearchTerms<F>, 'filter'> & {
  readonly view: FieldView<T, F>;
  /** Plural name of the listed resources; the name of the view where it is absent. */
  readonly what?: string;
  /**
   * The schema of one row. A page is named after the schema's label, or after `label` where that would be no good name.
   */
  readonly answer: Joi.Schema;
  readonly label?: string;
  /** Presents documents; absent where the view does. */
  readonly show?: (
    documents: readonly DocumentOf<T, F>[],
    needs: Needs,
  ) => readonly A[] | Promise<readonly A[]>;
  /** The most bytes of a page, for rows that may be large; 422 PAGE_TOO_LARGE beyond it. */
  readonly pageBytes?: number;
  /**
   * Members that are too large for every answer, each with a function that finds it for the documents of a page. A
   * request names them by `expand`.
   */
  readonly expand?: Readonly<
    Record<string, (documents: readonly DocumentOf<T, F>[], needs: Needs) => Promise<readonly unknown[]>>
  >;
  /**
   * The list as CSV, which contains all rows and not only a page. It has a column for each member of an answer, or the
   * columns that are given here.
   */
  readonly csv?: {
    /** Name of the file; the name of the listed resources where it is absent. */
    readonly name?: string;
    readonly columns?: CsvColumns<A>;
    readonly without?: readonly (keyof A & string)[];
  };
  /** Values of filters that apply where the caller gives none. */
  readonly defaults?: (principal: Principal) => Readonly<Record<string, string>>;
  /** Numbers beside the page, by name: how many rows of a kind there are, whatever the query. */
  readonly counts?: Readonly<
    Record<string, { readonly description: string; readonly of: Readonly<Record<string, string>> }>
  >;
  /**
   * Where this is absent, the scope is the caller's environment, and for a merchant the merchant and its sub-merchants.
   */
  readonly within?: Within<Needs>;
  readonly routes: readonly ListRoute<Needs>[];
};

/** Filters by fields of the view. A filter with another name than its field has to name the field. */
type Filters<F extends Fields, N extends string> = {
  readonly [K in N]: K extends FilterField<F> ? Filter<F> : Filter<F> & { readonly field: FilterField<F> };
};

/** Declares a list, from which validation, OpenAPI document, CSV, scope and consistency of its routes follow. */
export const defineList = <
  T extends Resource,
  F extends Fields,
  N extends string,
  A extends object = AnswerOf<T, F>,
  Needs = unknown,
>(
  declaration: Declaration<T, F, A, Needs> & { readonly filter: Filters<F, N> },
): List<DocumentOf<T, F>, Needs> => {
  const search = createSearch(declaration.view, declaration);
  const what = declaration.view.name.replaceAll(/[_-]/g, ' ');
  const list = { what, ...declaration, search } as unknown as Declared;
  return {
    view: declaration.view,
    search,
    routes: (deps) => list.routes.map((one) => routeOf(list, one, deps)),
  };
};

/** A list without its types, which the compiler has checked at its declaration. */
type Declared = Declaration<Resource, Fields, object, ListDeps> & {
  readonly what: string;
  readonly filter: Readonly<Record<string, Filter>>;
  readonly search: Search<DocumentOf<Resource, Fields>>;
};

const routeOf = (
  list: Declared,
  { within = list.within ?? ofCaller, ...about }: ListRoute<ListDeps>,
  deps: ListDeps,
): Route => {
  const { search, defaults } = list;
  const csv = memoized(() => csvOf(list));
  const merchantFilters = Object.entries(list.filter).flatMap(([name, { ofMerchant }]) =>
    ofMerchant ? name : [],
  );
  return route({
    ...about,
    description: [about.description ?? [], EVERY_LIST].flat().join(' '),
    method: 'get',
    query: queryOf(list),
    refusals: [...(about.refusals ?? []), ...(list.expand || list.pageBytes ? [pageTooLarge] : [])],
    consistent: true,
    responses: { 200: pageAnswer(list) },
    async handle(request): Promise<Reply> {
      const { principal, headers } = request;
      const query = { ...defaults?.(principal), ...request.query };
      for (const filter of merchantFilters)
        if (query[filter] !== undefined) await deps.assertMayName(principal, String(query[filter]));
      const scope = await within(request, deps);
      const token = consistencyTokenOf(request);
      if (acceptsCsv(headers)) {
        const documents = await deps.readView.scan(search, scope, query, token);
        const { name, columns, times } = csv();
        const { timeZone } = query;
        const written = timeZone === undefined ? columns : inZone(columns, times, timeZone);
        return csvReply(name, written, showBatches(list, documents, deps));
      }
      const answer = async (since: string | null): Promise<Reply> => {
        const { next, ...page } = await deps.readView.search(search, scope, query, since);
        const counts = await countsOf(list, scope, deps);
        const data = await expanded(list, query.expand, page.data, deps);
        const headers = linksOf(request.query, page, next);
        return { status: 200, headers, body: { ...page, data, ...counts } };
      };
      if (query.size <= SMALL_PAGE) return answer(token);
      // The wait for the view comes before the turn, so that it keeps nobody else from having one.
      await deps.readView.ready(search.view, token);
      return deps.largePages(callerOf(principal), () => answer(null));
    },
  });
};

/** A page of this many rows needs no turn, because it costs little whatever the rows contain. */
const SMALL_PAGE = 10;

const EVERY_LIST =
  'The newest come first by default. With `Accept: text/csv` the answer has every row, whatever `page`, `after` and `size`.';

/** The header of a page, and its description. */
export const PAGE_LINKS = {
  Link: 'Addresses of the first, previous, next and last page, if there are such pages.',
};

const PLACE_LINKS = {
  Link: `${PAGE_LINKS.Link} That of the next page has \`after\` in place of \`page\`: going on by it repeats and skips no row.`,
};

const MAX_LINK_LENGTH = 2_000;

/** Parameters that name where a page begins; an address has one of them. */
const PLACES = ['page', 'after'];

/**
 * Links to the first, previous, next and last page (RFC 8288), relative to the address of the request; none where the
 * address is very long.
 */
export const linksOf = (
  query: Readonly<Record<string, string | number>> & Pick<ListQuery, 'page' | 'size'>,
  { page, pages }: { readonly page: number; readonly pages: number },
  /** The place where the next page begins, for lists that have such. */
  after?: string | null,
) => {
  const last = Math.max(1, Math.min(pages, Math.floor(MAX_ROWS / query.size)));
  const next = after ? { after } : { page: page + 1 };
  const hasNext = after === undefined ? page < last : after !== null;
  const others: readonly (readonly [string, Readonly<Record<string, string | number>>])[] = [
    ['first', { page: 1 }],
    ...(page > 1 ? [['prev', { page: Math.min(page - 1, last) }] as const] : []),
    ...(hasNext ? [['next', next] as const] : []),
    ['last', { page: last }],
  ];
  const links = others.map(([rel, place]) => {
    const parameters = Object.entries({ ...query, ...place })
      .filter(([name]) => name in place || !PLACES.includes(name))
      .map(([name, value]): [string, string] => [name, String(value)]);
    return `<?${new URLSearchParams(parameters)}>; rel="${rel}"`;
  });
  const isShort = links.every((link) => link.length <= MAX_LINK_LENGTH);
  return isShort ? { Link: links.join(', ') } : {};
};

const ofCaller: Within = ({ principal }) => scopeOf(principal);

const csvOf = ({ what, answer, csv = {} }: Declared) => {
  const { name = what.replaceAll(/[^a-z]+/gi, '-'), without = [], columns = columnsOfAnswer(answer) } = csv;
  const left = Object.entries(columns).filter(([column]) => !(without as readonly string[]).includes(column));
  return { name, columns: Object.fromEntries(left), times: timesOfAnswer(answer) };
};

const pageAnswer = ({ what, answer, label, counts = {} }: Declared) => {
  const item: unknown = answer.$_getFlag('label');
  const besides = Object.entries(counts).map(([name, { description }]) => [name, count(description)]);
  const page = pageOf(answer).append(Object.fromEntries(besides));
  return {
    description: `A page of ${what}, or all of them as CSV.`,
    headers: PLACE_LINKS,
    schema: page.label(label ?? (typeof item === 'string' ? `${item}Page` : 'page')),
    otherTypes: [CSV],
  };
};

type Documents = Parameters<NonNullable<Declared['show']>>[0];

const shownOf = ({ show, view }: Declared, documents: Documents, deps: ListDeps) =>
  show ? show(documents, deps) : documents.map((document) => view.present(document));

const queryOf = ({ search, expand }: Declared): Search<unknown>['query'] =>
  expand
    ? typed(
        search.query.keys({
          expand: string()
            .valid(...Object.keys(expand))
            .description(
              'Member to include, which the list otherwise leaves out. The page then has at most 1 MB. Not for CSV.',
            ),
        }),
      )
    : search.query;

const expanded = async (
  list: Declared,
  member: string | number | undefined,
  documents: Documents,
  deps: ListDeps,
): Promise<readonly object[]> => {
  const page = await pageShown(list, documents, deps);
  const find = list.expand?.[String(member)];
  if (!find) return page;
  const values = await find(documents, deps);
  return withinBytes(page.map((one, place) => ({ ...one, [String(member)]: values[place] })));
};

/** Rows of a CSV that are written at a time; rows of events have a body each. */
const SHOWN_AT_ONCE = 100;

/** Rows that are read at a time for a page with a size limit: no more than these are held beyond the limit. */
const READ_AT_ONCE = 10;

const pageShown = async (
  list: Declared,
  documents: Documents,
  deps: ListDeps,
): Promise<readonly object[]> => {
  const { pageBytes } = list;
  if (pageBytes === undefined) return shownOf(list, documents, deps);
  const rows: object[] = [];
  let bytes = 0;
  for (let start = 0; start < documents.length; start += READ_AT_ONCE) {
    const part = await shownOf(list, documents.slice(start, start + READ_AT_ONCE), deps);
    bytes += Buffer.byteLength(JSON.stringify(part));
    if (bytes > pageBytes) throw pageTooLarge();
    rows.push(...part);
  }
  return rows;
};

async function* showBatches(
  list: Declared,
  batches: AsyncIterable<Documents>,
  deps: ListDeps,
): AsyncGenerator<readonly object[]> {
  for await (const batch of batches)
    for (let start = 0; start < batch.length; start += SHOWN_AT_ONCE)
      yield await shownOf(list, batch.slice(start, start + SHOWN_AT_ONCE), deps);
}

const countsOf = async ({ search, counts = {} }: Declared, scope: Conditions, { readView }: ListDeps) => {
  const found: Record<string, number> = {};
  for (const [name, { of }] of Object.entries(counts)) {
    const { total } = await readView.search(search, scope, { ...of, page: 1, size: 1 } as ListQuery, null);
    found[name] = total;
  }
  return found;
};
