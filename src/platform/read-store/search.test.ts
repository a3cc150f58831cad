import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Resource } from '../../kernel/event.ts';
import { exponentOf, MAX_AMOUNT } from '../../kernel/money.ts';
import { store } from '../../kernel/store.ts';
import { toParameters } from '../http/json-schema.ts';
import type { ReadStore } from './elastic.ts';
import { COMPARABLE_DECIMALS, date, from, integer, keyword, money, name, object, words } from './fields.ts';
import type { ListQuery } from './list-query.ts';
import { tenantCondition } from './scope.ts';
import { createSearch } from './search.ts';
import { defineView } from './view.ts';

type Thing = Resource & {
  readonly customer: { readonly name: string; readonly city: string };
  readonly amount: number;
  readonly total: number;
  readonly currency: string;
  readonly paidAt: string | null;
  readonly bookedAt: string;
  readonly place: number;
};

const view = defineView({
  name: 'things',
  version: 1,
  source: store<Thing>('things', 'thing'),
  fields: {
    id: keyword(),
    customer: object({ name: name(), city: keyword() }),
    amount: money(),
    total: money(),
    currency: keyword(),
    paidAt: date(),
    bookedAt: date(),
    place: integer(),
    words: from(words(), ({ customer }: Thing) => customer.name),
  },
});

const list = createSearch(view, {
  sort: ['id', { name: 'customer.name' }, 'amount', 'paidAt', 'bookedAt', 'total'],
  ties: { by: 'place', in: ['bookedAt', 'total'] },
  filter: {
    name: { field: 'customer.name' },
    city: { field: 'customer.city' },
    q: { field: 'words' },
    amount: {},
    paidAt: {},
  },
});

type Sent = Readonly<Record<string, unknown>> & { sort: object[]; query: { bool: { filter: object[] } } };

/** Validates a query as the API does. */
const accept = (query: object): ListQuery => {
  const { error, value } = list.query.validate(query, { convert: false });
  if (error) throw error;
  return value;
};
const faultOf = (query: object): string | undefined =>
  list.query.validate(query, { convert: false }).error?.message;

/** The number of rows up to and including the place that a query names; 0 where it names none. */
const rowsUpTo = (query: object, of: readonly number[]): number => {
  const [, last] = /"id":\{"gte":(-?\d+)\}/.exec(JSON.stringify(query)) ?? [];
  return last === undefined ? 0 : of.filter((number) => number <= Number(last)).length;
};

/** A read store with `total` documents, numbered from 0, which records the searches. */
const createFakeReadStore = (total: number) => {
  const searches: Sent[] = [];
  const counts: Pick<Sent, 'query' | 'routing'>[] = [];
  let numbers: readonly number[] = Array.from({ length: total }, (_, index) => index);
  const client = {
    search: async (request: Sent) => {
      searches.push(request);
      const { from = 0, size = 10, search_after } = request as unknown as Record<string, number & number[]>;
      const start = search_after
        ? numbers.filter((number) => number <= Number(search_after[0])).length
        : from + rowsUpTo(request.query, numbers);
      const hits = numbers
        .slice(start, start + size)
        .map((number) => ({ _source: { number }, sort: [number] }));
      return { hits: { total: { value: numbers.length }, hits } };
    },
    count: async (request: Pick<Sent, 'query' | 'routing'>) => {
      counts.push(request);
      return { count: rowsUpTo(request.query, numbers) || numbers.length };
    },
  };
  return {
    readStore: { client, prefix: 'test-' } as unknown as ReadStore,
    searches,
    counts,
    /** Puts a row before all others. */
    arrive: () => {
      numbers = [(numbers[0] ?? 0) - 1, ...numbers];
    },
  };
};

const searchFor = async (query: object): Promise<Sent> => {
  const { readStore, searches } = createFakeReadStore(1);
  await list.page(readStore, accept(query), [{ term: { livemode: true } }]);
  const [search] = searches;
  if (!search) throw new Error('nothing was searched');
  return search;
};
const filtersOf = async (query: object): Promise<object[]> =>
  (await searchFor(query)).query.bool.filter.slice(1);
const sortOf = async (orderBy?: string): Promise<object[]> =>
  (await searchFor(orderBy === undefined ? {} : { orderBy })).sort;

describe('the page of a list', () => {
  it('is the first one of ten where nothing is asked for', () => {
    expect(accept({})).toEqual({ page: 1, size: 10 });
  });

  it.each([
    { page: 0 },
    { page: -1 },
    { page: 1.5 },
    { page: '2' },
    { page: 2 ** 53 },
    { size: 0 },
    { size: 101 },
  ])('%j is refused', (query) => {
    expect(faultOf(query)).toBeDefined();
  });

  it('lies within the first million rows', () => {
    expect(faultOf({ page: 10_000, size: 100 })).toBeUndefined();
    expect(faultOf({ page: 10_001, size: 100 })).toBe('page must lie within the first 1000000 rows');
    expect(list.query.validate({ page: 10_001, size: 100 }).error?.details[0]?.path).toEqual(['page']);
    expect(faultOf({ page: 100_000 })).toBeUndefined();
    expect(faultOf({ page: 100_001 })).toBeDefined();
  });

  it('is the same rows by any way through the list, the last one shorter, those past the end empty', async () => {
    const total = 20_537;
    const { readStore } = createFakeReadStore(total);
    for (const [page, size] of [
      [1, 10],
      [1_000, 10],
      [1_001, 10],
      [100, 100],
      [101, 100],
      [102, 99],
      [200, 100],
      [206, 100],
      [207, 100],
      [10_000, 100],
    ] as const) {
      const found = await list.page(readStore, accept({ page, size }), []);
      const first = (page - 1) * size;
      const count = Math.max(0, Math.min(size, total - first));
      expect(found).toMatchObject({
        data: Array.from({ length: count }, (_, index) => ({ number: first + index })),
        page,
        pages: Math.ceil(total / size),
        total,
        size,
      });
    }
  });

  it('far from the beginning is found from a place near it, also while rows arrive', async () => {
    const own = createSearch(view, { sort: ['id'], filter: {} });
    const { readStore, searches, arrive } = createFakeReadStore(20_000);
    let arrived = 0;
    const ask = async (page: number): Promise<number> => {
      const { data } = await own.page(readStore, { page, size: 10 }, []);
      const first = (page - 1) * 10 - arrived;
      expect(data).toEqual(Array.from({ length: 10 }, (_, index) => ({ number: first + index })));
      return searches.length;
    };
    const searchesOf = async (page: number): Promise<number> => {
      const before = searches.length;
      return (await ask(page)) - before;
    };
    const rowsRead = (): number => Number(searches.at(-1)?.from) + Number(searches.at(-1)?.size);
    await ask(500);
    expect(rowsRead()).toBe(5_000);
    for (const page of [500, 501, 502, 510, 515, 520, 500]) {
      expect(await searchesOf(page)).toBe(1);
      expect(rowsRead()).toBeLessThanOrEqual(210);
    }
    for (let rows = 0; rows < 120; rows += 1) {
      arrive();
      arrived += 1;
      await ask(500);
    }
    await ask(1_500);
    expect(await searchesOf(1_501)).toBe(1);
    expect(rowsRead()).toBeLessThanOrEqual(210);
  });

  it('asks one shard by any way through the list where the caller names the tenant', async () => {
    const own = createSearch({ ...view, tenants: 'routed' }, { sort: ['id'], filter: {} });
    const { readStore, searches, counts } = createFakeReadStore(20_000);
    for (const page of [1, 100, 101, 1_500, 1_501])
      await own.page(readStore, { page, size: 10 }, tenantCondition('mer_1'));
    const asked = [...searches, ...counts].map(({ routing }) => routing);
    expect(searches.some(({ search_after }) => search_after !== undefined)).toBe(true);
    expect(counts.some(({ query }) => query.bool.filter.length > 1)).toBe(true);
    expect(new Set(asked)).toEqual(new Set(['mer_1']));
  });

  it('of an empty list is empty, and there are no pages', async () => {
    const { readStore } = createFakeReadStore(0);
    for (const page of [1, 2_000])
      expect(await list.page(readStore, accept({ page }), [])).toEqual({
        data: [],
        page,
        pages: 0,
        total: 0,
        size: 10,
        next: null,
      });
  });

  it('begins after a place, however many rows have come before it', async () => {
    const own = createSearch(view, { sort: ['id', 'amount'], filter: {} });
    const { readStore, arrive } = createFakeReadStore(25);
    const rows: unknown[] = [];
    const pages: number[] = [];
    let after: string | null = null;
    do {
      const place = after === null ? {} : { after };
      const found = await own.page(readStore, { page: 1, size: 10, ...place }, []);
      rows.push(...found.data);
      pages.push(found.page);
      after = found.next;
      arrive();
    } while (after !== null);
    expect(rows).toEqual(Array.from({ length: 25 }, (_, number) => ({ number })));
    expect(pages).toEqual([1, 2, 3]);
  });

  it.each([
    ['no place', 'x'],
    ['no list', Buffer.from('{"id":1}').toString('base64url')],
    ['another order', Buffer.from('["-amount,-id",1,2]').toString('base64url')],
    ['too few values', Buffer.from('["-id"]').toString('base64url')],
    ['a value that is none', Buffer.from('["-id",{"a":1}]').toString('base64url')],
  ])('is refused where it is to begin after %s', async (_, after) => {
    const { readStore, searches } = createFakeReadStore(25);
    const found = list.page(readStore, accept({ after }), []);
    await expect(found).rejects.toMatchObject({ statusCode: 400, errors: [{ path: 'after' }] });
    expect(searches).toEqual([]);
  });

  it('has a number or a place, not both', () => {
    expect(faultOf({ after: 'abc' })).toBeUndefined();
    expect(faultOf({ after: 'abc', page: 2 })).toBe('after and page exclude each other');
    expect(faultOf({ after: 'a=' })).toBe('after must be a place that a list of this order has named');
  });
});

describe('the order of a list', () => {
  it('is newest first where nothing is asked for', async () => {
    expect(await sortOf()).toEqual([{ id: { order: 'desc' } }]);
  });

  it('has nulls last in both directions and ends in the id', async () => {
    expect(await sortOf('name,-paidAt')).toEqual([
      { 'folded.customer_name': { order: 'asc', missing: '_last' } },
      { paidAt: { order: 'desc', missing: -Number.MAX_SAFE_INTEGER } },
      { id: { order: 'desc' } },
    ]);
    expect(await sortOf('-name,amount')).toEqual([
      { 'folded.customer_name': { order: 'desc', missing: '_last' } },
      { 'comparable.amount': { order: 'asc', missing: Number.MAX_SAFE_INTEGER } },
      { id: { order: 'desc' } },
    ]);
  });

  it('counts every field before the order within the first of them', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    expect(await sortOf('name,-bookedAt,total')).toEqual([
      { 'folded.customer_name': { order: 'asc', missing: '_last' } },
      { bookedAt: { order: 'desc', missing: -last } },
      { 'comparable.total': { order: 'asc', missing: last } },
      { place: { order: 'desc', missing: -last } },
      { id: { order: 'desc' } },
    ]);
  });

  it('by id needs no other field to break ties', async () => {
    expect(await sortOf('id')).toEqual([{ id: { order: 'asc', missing: '_last' } }]);
  });

  it.each([
    '',
    ',',
    'name,',
    ',name',
    'name,,id',
    '-',
    '--name',
    'unknown',
    'Name',
    'name,name',
    'name,-name',
    'name, id',
    '+name',
    '__proto__',
    'constructor',
  ])('%j is refused with the allowed fields', (orderBy) => {
    expect(faultOf({ orderBy })).toBe(
      'orderBy takes each of these fields at most once: id, name, amount, paidAt, bookedAt, total',
    );
  });

  it('is described by a pattern that takes the same', () => {
    const described = toParameters(list.query, new Map()).find(({ name }) => name === 'orderBy');
    const isDescribed = new Ajv2020({ strict: false }).compile(described?.schema ?? false);
    const element = fc.constantFrom('id', '-id', 'name', '-name', 'amount', 'paidAt', '', '-', 'ids', 'nam');
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 5 }), (elements) => {
        const orderBy = elements.join(',');
        expect([orderBy, isDescribed(orderBy)]).toEqual([orderBy, faultOf({ orderBy }) === undefined]);
      }),
    );
  });
});

describe('a parameter that a list does not have', () => {
  it.each(['unknown', 'name[gte]', 'amount[eq]', 'paidAt[gte', 'id', 'q[lt]'])(
    'like %s is refused',
    (name) => {
      expect(faultOf({ [name]: 'x' })).toBe(`"${name}" is not allowed`);
    },
  );
});

describe('a filter by words or by equality', () => {
  it('is part of the search beside what the caller may see', async () => {
    expect(
      (await searchFor({ name: 'Ána ', city: 'Recife', q: 'pa\u0303o francês' })).query.bool.filter,
    ).toEqual([
      { term: { livemode: true } },
      { match: { 'folded.customer_name.words': { query: 'ana', operator: 'and' } } },
      { term: { 'customer.city': 'Recife' } },
      { match: { words: { query: 'pao frances', operator: 'and' } } },
    ]);
  });

  it.each([{ name: '' }, { name: 'x'.repeat(257) }, { q: '' }])('%j is refused', (query) => {
    expect(faultOf(query)).toBeDefined();
  });
});

/** Whether an indexed number is within the ranges of a search. */
const isInside = (filters: readonly object[], stored: number | bigint): boolean =>
  filters.every((filter) => {
    const [range] = Object.values((filter as { range: object }).range) as Record<string, number>[];
    return Object.entries(range ?? {}).every(([operator, bound]) => {
      if (operator === 'gte') return stored >= bound;
      if (operator === 'gt') return stored > bound;
      if (operator === 'lte') return stored <= bound;
      return operator === 'lt' ? stored < bound : true;
    });
  });

describe('the parameter of a filter', () => {
  const descriptionsOf = (field: 'customer.city' | 'amount', description?: string): readonly unknown[] => {
    const { query } = createSearch(view, {
      sort: ['id'],
      filter: { it: { field, ...(description === undefined ? {} : { description }) } },
    });
    return toParameters(query, new Map())
      .filter(({ name }) => name.startsWith('it'))
      .map(({ schema }) => schema.description);
  };

  it('is described by its kind unless the list has more to say', () => {
    expect(descriptionsOf('customer.city')).toEqual(['Only those with exactly this value.']);
    // One for the parameter itself, and one for each of the four ends of a range.
    expect(descriptionsOf('amount', 'Decimal, in BRL.')).toEqual(Array(5).fill('Decimal, in BRL.'));
  });
});

describe('a date filter', () => {
  const DAY = Date.UTC(2026, 0, 31);
  const NEXT = Date.UTC(2026, 1, 1);

  it.each([
    ['a day means all of it', 'paidAt', '2026-01-31', [DAY, DAY + 1, NEXT - 1], [DAY - 1, NEXT]],
    ['gte a day begins with it', 'paidAt[gte]', '2026-01-31', [DAY, NEXT], [DAY - 1]],
    ['gt a day begins after it', 'paidAt[gt]', '2026-01-31', [NEXT], [DAY, NEXT - 1]],
    ['lte a day ends with it', 'paidAt[lte]', '2026-01-31', [DAY - 1, NEXT - 1], [NEXT]],
    ['lt a day ends before it', 'paidAt[lt]', '2026-01-31', [DAY - 1], [DAY, NEXT]],
    ['an instant means that instant', 'paidAt', '2026-01-31T00:00:00Z', [DAY], [DAY - 1, DAY + 1]],
    ['an offset counts', 'paidAt', '2026-01-30T21:00:00-03:00', [DAY], [DAY - 1, DAY + 1]],
    ['without an offset it is UTC', 'paidAt', '2026-01-31T00:00', [DAY], [DAY - 1, DAY + 1]],
    ['milliseconds count', 'paidAt[gt]', '2026-01-31T00:00:00.001Z', [DAY + 2], [DAY, DAY + 1]],
    ['gte an instant', 'paidAt[gte]', '2026-01-31T00:00:00Z', [DAY], [DAY - 1]],
    ['lt an instant', 'paidAt[lt]', '2026-01-31T00:00:00Z', [DAY - 1], [DAY]],
    ['a leap day', 'paidAt', '2028-02-29', [Date.UTC(2028, 1, 29)], [Date.UTC(2028, 2, 1)]],
  ])('%s', async (_, name, value, inside, outside) => {
    const filters = await filtersOf({ [name]: value });
    for (const at of inside) expect(isInside(filters, at)).toBe(true);
    for (const at of outside) expect(isInside(filters, at)).toBe(false);
  });

  /** Days in zones far from UTC, including days that summer time makes shorter or longer. */
  it.each([
    ['America/Sao_Paulo', '2026-11-25', '2026-11-25T03:00:00Z', '2026-11-26T03:00:00Z'],
    ['Asia/Tokyo', '2026-11-25', '2026-11-24T15:00:00Z', '2026-11-25T15:00:00Z'],
    ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00Z', '2026-03-09T07:00:00Z'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00Z', '2026-11-02T08:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
  ])('of a day is that of %s: %s', async (timeZone, day, from, to) => {
    const [first, after] = [Date.parse(from), Date.parse(to)];
    const inside = (filters: Awaited<ReturnType<typeof filtersOf>>) =>
      [first - 1, first, after - 1, after].map((at) => isInside(filters, at));
    expect(inside(await filtersOf({ paidAt: day, timeZone }))).toEqual([false, true, true, false]);
    expect(inside(await filtersOf({ 'paidAt[gt]': day, timeZone }))).toEqual([false, false, false, true]);
    expect(inside(await filtersOf({ 'paidAt[lte]': day, timeZone }))).toEqual([true, true, true, false]);
  });

  it('reads a date-time without an offset from the clock of the zone', async () => {
    const filters = await filtersOf({ paidAt: '2026-11-25T00:00', timeZone: 'Asia/Tokyo' });
    expect(isInside(filters, Date.parse('2026-11-24T15:00:00Z'))).toBe(true);
  });

  it('refuses a zone that there is not', () => {
    expect(faultOf({ timeZone: 'Mars/Olympus' })).toContain('IANA');
  });

  it('can have both ends', async () => {
    const filters = await filtersOf({ 'paidAt[gte]': '2026-01-01', 'paidAt[lt]': '2026-02-01' });
    expect(isInside(filters, DAY)).toBe(true);
    expect(isInside(filters, NEXT)).toBe(false);
  });

  it.each([
    '',
    'today',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '2027-02-29',
    '2026-1-1',
    '01/02/2026',
    '2026-01-01T',
    '2026-01-01 00:00:00',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+0300',
    '2026-01-01T00:00:00+99:00',
    '1767225600000',
    '+002026-01-01',
    '-000001-01-01',
  ])('%j is refused', (paidAt) => {
    expect(faultOf({ paidAt })).toBeDefined();
    expect(faultOf({ 'paidAt[gte]': paidAt })).toBeDefined();
  });
});

describe('an amount filter', () => {
  const currencies = fc.constantFrom('CLP', 'BRL', 'KWD', 'CLF');
  /** The indexed form of an amount, computed without the code under test. */
  const comparable = (amount: number, currency: string): bigint =>
    BigInt(amount) * 10n ** BigInt(COMPARABLE_DECIMALS - exponentOf(currency));

  /** The value of a filter as an exact fraction: its digits, and how many of them are decimals. */
  const values = fc.record({
    digits: fc.oneof(fc.nat(100_000), fc.nat({ max: 10 * MAX_AMOUNT })),
    places: fc.integer({ min: 0, max: 7 }),
  });

  it.each(['eq', 'gte', 'gt', 'lte', 'lt'])(
    '%s compares amounts of all currencies exactly',
    async (operator) => {
      await fc.assert(
        fc.asyncProperty(
          values,
          currencies,
          fc.integer({ min: -2, max: 2 }),
          async ({ digits, places }, currency, near) => {
            const unit = 10 ** exponentOf(currency);
            const amount = Math.floor((digits / 10 ** places) * unit) + near;
            fc.pre(amount > 0 && amount <= MAX_AMOUNT);
            const name = operator === 'eq' ? 'amount' : `amount[${operator}]`;
            const stored = comparable(amount, currency);
            const filters = await filtersOf({ [name]: Number(`${digits}e-${places}`) });
            const left = BigInt(amount) * 10n ** BigInt(places);
            const right = BigInt(digits) * BigInt(unit);
            const expected = {
              eq: left === right,
              gte: left >= right,
              gt: left > right,
              lte: left <= right,
              lt: left < right,
            };
            expect(isInside(filters, stored)).toBe(expected[operator as keyof typeof expected]);
          },
        ),
        { numRuns: 1_000 },
      );
    },
  );

  it('reaches the largest amount of a currency without decimals', async () => {
    const largest = comparable(MAX_AMOUNT, 'CLP');
    expect(isInside(await filtersOf({ amount: MAX_AMOUNT }), largest)).toBe(true);
    expect(isInside(await filtersOf({ 'amount[gt]': MAX_AMOUNT - 1 }), largest)).toBe(true);
    expect(isInside(await filtersOf({ 'amount[lt]': MAX_AMOUNT }), largest)).toBe(false);
    expect(
      isInside(await filtersOf({ 'amount[gte]': 950_000_000_000 }), comparable(920_000_000_000, 'CLP')),
    ).toBe(false);
  });

  it.each([
    ['amount[gte]', Number.MAX_SAFE_INTEGER, false],
    ['amount[lte]', Number.MAX_SAFE_INTEGER, true],
    ['amount[gte]', -Number.MAX_SAFE_INTEGER, true],
    ['amount[lt]', -0.00001, false],
    ['amount[gt]', -0.00001, true],
    ['amount[gt]', 0.000001, true],
  ])('%s %d asks for nothing that the engine cannot hold', async (name, value, expected) => {
    const filters = await filtersOf({ [name]: value });
    expect(isInside(filters, comparable(1, 'BRL'))).toBe(expected);
    const bounds = JSON.stringify(filters).match(/-?\d+/g) ?? [];
    for (const bound of bounds) expect(Math.abs(Number(bound))).toBeLessThan(2 ** 63);
  });

  it.each([
    { amount: '10' },
    { amount: 2 ** 53 },
    { 'amount[gte]': Number.NaN },
    { amount: Number.POSITIVE_INFINITY },
  ])('%j is refused', (query) => {
    expect(faultOf(query)).toBeDefined();
  });
});
