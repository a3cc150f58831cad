import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import Joi from 'joi';
import type { Resource } from '../../kernel/event.ts';
import type { MerchantId } from '../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../kernel/principal.ts';
import { store } from '../../kernel/store.ts';
import { date, flag, hidden, keyword } from '../read-store/fields.ts';
import type { ListQuery } from '../read-store/list-query.ts';
import type { Conditions } from '../read-store/scope.ts';
import { defineView } from '../read-store/view.ts';
import { columnsOf } from './csv.ts';
import { defineList, type ListDeps, type ListRoute } from './list.ts';
import type { RouteRequest } from './route.ts';

type Thing = Resource & { readonly name: string; readonly merchantId: string; readonly livemode: boolean };
type ThingAnswer = { readonly id: string; readonly name: string; readonly merchantId: string };

const view = defineView({
  name: 'things',
  version: 1,
  source: store<Thing & { readonly createdAt: string }>('things', 'thing'),
  fields: {
    id: keyword(),
    name: keyword(),
    merchantId: keyword(),
    livemode: hidden(flag()),
    createdAt: hidden(date()),
  },
});
const answer = Joi.object({ id: Joi.string(), name: Joi.string() });
const terms = {
  view,
  what: 'things',
  answer,
  sort: ['id', 'name'],
  filter: { name: {}, merchantId: { ofMerchant: true } },
} as const;
const route: ListRoute = {
  operationId: 'listThings',
  path: '/v1/things',
  tag: 'Things',
  summary: 'List things',
  access: { merchant: 'charges.read' },
};

const merchantId: MerchantId = 'mer_1';
const principal: MerchantPrincipal = {
  kind: 'merchant',
  actor: { kind: 'key', id: 'key_1' },
  credential: 'secret_key',
  merchantId,
  masterId: null,
  livemode: false,
  permissions: ['charges.read'],
};
const document = { id: 'thi_1', name: 'a "b"', merchantId, livemode: false, createdAt: '2026-01-01' };

/** The dependencies of a list, which record the queries that they get. */
const createDeps = () => {
  const asked: { scope: Conditions; query: ListQuery; token: string | null }[] = [];
  const named: string[] = [];
  const deps = {
    readView: {
      async search(_search: unknown, scope: Conditions, query: ListQuery, token: string | null) {
        asked.push({ scope, query, token });
        return { data: [document], page: 1, pages: 1, total: 1, size: 10, next: null };
      },
      async scan(_search: unknown, scope: Conditions, query: ListQuery, token: string | null) {
        asked.push({ scope, query, token });
        return (async function* () {
          yield [document];
        })();
      },
    },
    async assertMayName(_: unknown, id: string) {
      named.push(id);
      if (id !== merchantId) throw new Error('not its own');
    },
  } as unknown as ListDeps;
  return { deps, asked, named };
};

const requestOf = (query: object, headers: object = {}, params: object = {}): RouteRequest =>
  ({ principal, params, headers, query: { page: 1, size: 10, ...query } }) as unknown as RouteRequest;

describe('the routes of a list', () => {
  it('follow from its declaration', () => {
    const [only] = defineList({ ...terms, label: 'ThingList', routes: [route] }).routes(createDeps().deps);
    expect(only).toMatchObject({ ...route, method: 'get', consistent: true });
    expect(only?.description).toBe(
      'The newest come first by default. With `Accept: text/csv` the answer has every row, whatever `page`, `after` and `size`.',
    );
    expect(only?.responses[200]?.description).toBe('A page of things, or all of them as CSV.');
    expect(only?.query?.validate({ name: 'x', orderBy: '-name' }).error).toBeUndefined();
    expect(only?.query?.validate({ livemode: 'true' }).error).toBeDefined();
  });

  it('answer a page of what the caller may see, no older than its token', async () => {
    const { deps, asked } = createDeps();
    const [only] = defineList({ ...terms, routes: [route] }).routes(deps);
    const reply = await only?.handle(requestOf({ name: 'a' }, { 'x-consistency-token': 'latest' }));
    expect(reply).toEqual({
      status: 200,
      headers: { Link: '<?page=1&size=10&name=a>; rel="first", <?page=1&size=10&name=a>; rel="last"' },
      body: { data: [{ id: 'thi_1', name: 'a "b"', merchantId }], page: 1, pages: 1, total: 1, size: 10 },
    });
    expect(asked).toEqual([
      {
        scope: [
          { term: { tenantId: merchantId } },
          { term: { livemode: false } },
          {
            bool: {
              should: [{ term: { merchantId } }, { term: { masterId: merchantId } }],
              minimum_should_match: 1,
            },
          },
        ],
        query: { page: 1, size: 10, name: 'a' },
        token: 'latest',
      },
    ]);
  });

  it.each([
    [1, 3, 'abc', 'first 1, next abc, last 3'],
    [2, 3, 'def', 'first 1, prev 1, next def, last 3'],
    [9, 3, null, 'first 1, prev 3, last 3'],
    [1, 1, null, 'first 1, last 1'],
    [1, 0, null, 'first 1, last 1'],
    [1, 200_000, 'abc', 'first 1, next abc, last 100000'],
  ])('link to the pages around page %i of %i', async (page, pages, next, links) => {
    const { deps } = createDeps();
    const readView = { search: async () => ({ data: [], page, pages, total: 0, size: 10, next }) };
    const [only] = defineList({ ...terms, routes: [route] }).routes({ ...deps, readView } as never);
    const reply = await only?.handle(requestOf({ page, name: 'a&b' }));
    const expected = links.split(', ').map((link) => {
      const [rel, place] = link.split(' ');
      return rel === 'next'
        ? `<?size=10&name=a%26b&after=${place}>; rel="next"`
        : `<?page=${place}&size=10&name=a%26b>; rel="${rel}"`;
    });
    expect(reply?.headers?.Link).toBe(expected.join(', '));
  });

  it('refuse a merchant that the caller may not name, and search nothing', async () => {
    const { deps, asked } = createDeps();
    const [only] = defineList({ ...terms, routes: [route] }).routes(deps);
    await expect(only?.handle(requestOf({ merchantId: 'mer_2' }))).rejects.toThrow('not its own');
    expect(asked).toEqual([]);
  });

  it('use defaults where the caller names no value', async () => {
    const { deps, asked, named } = createDeps();
    const list = defineList({ ...terms, defaults: () => ({ merchantId, name: 'a' }), routes: [route] });
    await list.routes(deps)[0]?.handle(requestOf({ name: 'b' }));
    expect(named).toEqual([merchantId]);
    expect(asked[0]?.query).toEqual({ page: 1, size: 10, merchantId, name: 'b' });
  });

  it('have the scope of the route before that of the list', async () => {
    const { deps, asked } = createDeps();
    const ofPath: ListRoute = {
      ...route,
      within: async ({ params }) => [{ term: { name: params.name } }],
    };
    const list = defineList({ ...terms, within: () => [], routes: [route, ofPath] });
    for (const one of list.routes(deps)) await one.handle(requestOf({}, {}, { name: 'x' }));
    expect(asked.map(({ scope }) => scope)).toEqual([[], [{ term: { name: 'x' } }]]);
  });

  it('count besides the page, whatever the query', async () => {
    const { deps, asked } = createDeps();
    const counts = { named: { description: 'All of this name.', of: { name: 'z' } } };
    const [only] = defineList({ ...terms, counts, routes: [route] }).routes(deps);
    expect((await only?.handle(requestOf({ name: 'a' })))?.body).toMatchObject({ named: 1 });
    expect(asked[1]?.query).toEqual({ name: 'z', page: 1, size: 1 });
  });

  it('get what their declaration needs, as pages and as CSV', async () => {
    const { deps, asked } = createDeps();
    type Needs = { readonly suffix: string };
    const list = defineList({
      ...terms,
      show: (documents, { suffix }: Needs) => documents.map(({ id }) => ({ id: id + suffix })),
      within: (_asked, { suffix }: Needs) => [{ term: { name: suffix } }],
      routes: [route],
    });
    const [only] = list.routes({ ...deps, suffix: '!' });
    expect((await only?.handle(requestOf({})))?.body).toMatchObject({ data: [{ id: 'thi_1!' }] });
    const reply = await only?.handle(requestOf({}, { accept: 'text/csv' }));
    expect(await text(reply?.stream ?? Readable.from([]))).toBe('id,name\r\nthi_1!,\r\n');
    expect(asked.map(({ scope }) => scope)).toEqual([[{ term: { name: '!' } }], [{ term: { name: '!' } }]]);
    // @ts-expect-error Its needs are missing.
    expect(() => list.routes(deps)).not.toThrow();
  });
});

describe('a list as CSV', () => {
  it('leaves out the members that it names', async () => {
    const shorter = defineList({
      ...terms,
      csv: { name: 'things', without: ['name'] },
      routes: [route],
    });
    const [only] = shorter.routes(createDeps().deps);
    const reply = await only?.handle(requestOf({}, { accept: 'text/csv' }));
    expect(await text(reply?.stream ?? Readable.from([]))).toBe('id\r\nthi_1\r\n');
  });

  const columns = columnsOf<ThingAnswer>('id', 'name', { owner: (thing) => thing.merchantId });
  const list = defineList({
    ...terms,
    show: (documents) => documents.map(({ id, name }): ThingAnswer => ({ id, name, merchantId: 'shown' })),
    csv: { name: 'things', columns },
    routes: [route],
  });

  it('comes where the request prefers it, in the form of the answers', async () => {
    const reply = await list.routes(createDeps().deps)[0]?.handle(requestOf({}, { accept: 'text/csv' }));
    expect(reply?.headers?.['Content-Disposition']).toBe('attachment; filename="things.csv"');
    expect(await text(reply?.stream ?? Readable.from([]))).toBe('id,name,owner\r\nthi_1,"a ""b""",shown\r\n');
  });

  it('has a column for each member where it declares none, JSON where that is no plain value', async () => {
    const owner = Joi.object({ name: Joi.string(), city: Joi.string() });
    const every = defineList({
      ...terms,
      what: 'small things',
      answer: Joi.object({ id: Joi.string(), owner, tags: Joi.array(), none: Joi.string() }),
      show: () => [{ id: 'thi_1', owner: { name: '=Ana' }, tags: ['a', 'b'] }],
      routes: [route],
    });
    const [only] = every.routes(createDeps().deps);
    const reply = await only?.handle(requestOf({}, { accept: 'text/csv' }));
    expect(reply?.headers?.['Content-Disposition']).toBe('attachment; filename="small-things.csv"');
    expect(await text(reply?.stream ?? Readable.from([]))).toBe(
      'id,owner.name,owner.city,tags,none\r\nthi_1,\'=Ana,,"[""a"",""b""]",\r\n',
    );
  });
});
