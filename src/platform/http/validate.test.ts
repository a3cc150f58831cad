import type { Request } from 'express';
import Joi from 'joi';
import { GatewayError, type InputFault } from '../../kernel/errors.ts';
import { route } from './route.ts';
import { text } from './schemas.ts';
import { validatorOf } from './validate.ts';

const PAN = '4242424242424242';

const routeWith = (schemas: { query?: Joi.ObjectSchema; body?: Joi.Schema }) =>
  route({
    method: 'post',
    operationId: 'doThing',
    path: '/v1/things',
    summary: 'Do',
    tag: 'Things',
    access: null,
    ...schemas,
    responses: { 200: { description: 'Done.' } },
    handle: async () => ({ status: 200 }),
  });

const queryOf = (schema: Joi.ObjectSchema | undefined, search: string): unknown =>
  validatorOf(routeWith(schema ? { query: schema } : {}))(
    { originalUrl: `/v1/things${search}`, params: {} } as Request,
    undefined,
  ).query;

const bodyOf = (schema: Joi.Schema | undefined, body: unknown): unknown =>
  validatorOf(routeWith(schema ? { body: schema } : {}))(
    { originalUrl: '/v1/things', params: {} } as Request,
    body,
  ).body;

const faultsOf = (act: () => unknown): readonly InputFault[] => {
  try {
    act();
  } catch (error) {
    if (error instanceof GatewayError && error.statusCode === 400) return error.errors ?? [];
    throw error;
  }
  throw new Error('nothing was refused');
};

const list = Joi.object({
  page: Joi.number().integer().min(1).default(1),
  'amount[gte]': Joi.number(),
  status: Joi.string(),
  enabled: Joi.boolean(),
});

describe('a fault inside of a list', () => {
  it('names its place in one notation, in path and message', () => {
    const items = Joi.array().items(
      Joi.object({ title: Joi.string(), tags: Joi.array().items(Joi.number()) }),
    );
    const faults = faultsOf(() =>
      bodyOf(Joi.object({ items }), { items: [{ title: 1 }, { tags: [1, 'x'], more: 1 }] }),
    );
    expect(faults).toEqual([
      { path: 'items.0.title', message: 'items.0.title must be a string' },
      { path: 'items.1.tags.1', message: 'items.1.tags.1 must be a number' },
      { path: 'items.1.more', message: 'items.1.more is not allowed; allowed are title, tags' },
    ]);
  });
});

describe('the query of a request', () => {
  it.each([
    ['', { page: 1 }],
    ['?', { page: 1 }],
    ['?page=2&status=paid', { page: 2, status: 'paid' }],
    ['?amount[gte]=10.50', { page: 1, 'amount[gte]': 10.5 }],
    ['?amount%5Bgte%5D=-3', { page: 1, 'amount[gte]': -3 }],
    ['?status=10', { page: 1, status: '10' }],
    ['?status=a%20b+c', { page: 1, status: 'a b c' }],
    ['?enabled=false', { page: 1, enabled: false }],
  ])('is read by the types of its parameters: %s', (search, expected) => {
    expect(queryOf(list, search)).toEqual(expected);
  });

  it.each([
    ['?page=1e1', 'page'],
    ['?page=0x10', 'page'],
    ['?page=%201', 'page'],
    ['?page=', 'page'],
    ['?page=1.5', 'page'],
    ['?page=9007199254740993', 'page'],
    ['?page=99999999999999999999', 'page'],
    ['?page=1.0000000000000000001', 'page'],
    ['?amount[gte]=1.999999999999999999', 'amount[gte]'],
    ['?amount[gte]=Infinity', 'amount[gte]'],
    ['?status=', 'status'],
    ['?enabled=yes', 'enabled'],
    ['?unknown=1', 'unknown'],
    ['?status[]=paid', 'status[]'],
    ['?status[x]=paid', 'status[x]'],
    ['?__proto__=1', '__proto__'],
    ['?constructor=1', 'constructor'],
    ['?Page=1', 'Page'],
    ['?=1', ''],
  ])('is refused with the name of the parameter: %s', (search, path) => {
    expect(faultsOf(() => queryOf(list, search))).toEqual([{ path, message: expect.any(String) }]);
  });

  it.each(['?status=paid&status=paid', '?page=1&page=2', '?x=1&x=2'])(
    'names no parameter twice: %s',
    (search) => {
      expect(faultsOf(() => queryOf(list, search))[0]?.message).toMatch(/^\w+ is given more than once$/);
    },
  );

  it('has no parameters where the route describes none', () => {
    expect(queryOf(undefined, '')).toEqual({});
    expect(faultsOf(() => queryOf(undefined, '?a=1'))).toEqual([{ path: 'a', message: 'a is not allowed' }]);
  });
});

const payment = Joi.object({
  number: Joi.string().pattern(/^\d{12,15}$/, { name: '12 to 15 digits' }),
  month: Joi.string().pattern(/^\d{2}$/),
  amount: Joi.number(),
  name: text(5),
  brand: Joi.string().valid('visa'),
  code: Joi.string().pattern(/4/, { invert: true }),
  other: Joi.string().pattern(/4/, { invert: true, name: 'four' }),
  link: Joi.string().uri(),
  parts: Joi.array().items(Joi.string().max(3)).max(1).unique(),
  nested: Joi.object({ id: Joi.string().hex().required() }),
});

describe('the body of a request', () => {
  it('is never coerced', () => {
    expect(faultsOf(() => bodyOf(payment, { amount: '10' }))).toEqual([
      { path: 'amount', message: 'amount must be a number' },
    ]);
    expect(faultsOf(() => bodyOf(payment, { name: 10 }))[0]?.path).toBe('name');
  });

  it('names every fault by its path', () => {
    const faults = faultsOf(() => bodyOf(payment, { month: '1', nested: { x: 1 }, extra: 1 }));
    expect(faults.map(({ path }) => path).sort()).toEqual(['extra', 'month', 'nested.id', 'nested.x']);
    expect(faults).toContainEqual({ path: 'nested.x', message: 'nested.x is not allowed' });
  });

  it('is never repeated in a message', () => {
    const fields = ['number', 'month', 'amount', 'name', 'brand', 'code', 'other', 'link'];
    for (const body of [
      Object.fromEntries(fields.map((name) => [name, PAN])),
      { parts: [PAN, PAN], nested: PAN, number: { [PAN.slice(0, 0) || 'x']: PAN } },
      { nested: { id: `${PAN}x` }, parts: PAN },
      PAN,
      [PAN],
    ])
      expect(JSON.stringify(faultsOf(() => bodyOf(payment, body)))).not.toContain(PAN);
  });

  it('is required where the route describes one', () => {
    expect(faultsOf(() => bodyOf(payment, undefined))).toEqual([{ path: '', message: 'body is required' }]);
    expect(faultsOf(() => bodyOf(payment, null))[0]?.path).toBe('');
  });

  it('counts as {} where it is optional and missing', () => {
    const schema = Joi.object({ notes: Joi.string(), kind: Joi.string().default('none') }).optional();
    expect(bodyOf(schema, undefined)).toEqual({ kind: 'none' });
    expect(faultsOf(() => bodyOf(schema, null))).toHaveLength(1);
  });

  it('may be missing or {} where the route describes none', () => {
    expect(bodyOf(undefined, undefined)).toBeUndefined();
    expect(bodyOf(undefined, {})).toEqual({});
    expect(faultsOf(() => bodyOf(undefined, { a: 1 }))).toEqual([{ path: 'a', message: 'a is not allowed' }]);
  });

  it('is told of a list that is too long before any of its items', () => {
    const lists = Joi.object({
      hosts: Joi.array().items(Joi.string().hex()).max(50),
      rules: Joi.object().pattern(Joi.string(), Joi.array().items(Joi.number()).max(2)),
      nested: Joi.array().items(Joi.object({ tags: Joi.array().items(Joi.number()).max(1) })),
    });
    const longer = (path: string, max: number) => [
      { path, message: `${path} must contain less than or equal to ${max} items` },
    ];
    expect(faultsOf(() => bodyOf(lists, { hosts: Array(9_990).fill('?') }))).toEqual(longer('hosts', 50));
    expect(faultsOf(() => bodyOf(lists, { rules: { a: [1], b: ['x', 'x', 'x'] } }))).toEqual(
      longer('rules.b', 2),
    );
    expect(faultsOf(() => bodyOf(lists, { nested: [{ tags: [1] }, { tags: ['x', 'x'] }] }))).toEqual(
      longer('nested.1.tags', 1),
    );
    expect(faultsOf(() => bodyOf(lists, { hosts: ['?', 'ab', '!'] })).map(({ path }) => path)).toEqual([
      'hosts.0',
      'hosts.2',
    ]);
  });

  it.each([
    ['wrong items', { parts: [], list: Array(9_990).fill('x') }],
    ['unknown members', Object.fromEntries(Array.from({ length: 9_990 }, (_, index) => [`k${index}`, 1]))],
  ])('takes little time with thousands of %s', (_, body) => {
    const schema = payment.append({ list: Joi.array().items(Joi.number()) });
    const before = process.cpuUsage();
    faultsOf(() => bodyOf(schema, body));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(150);
  });

  it('is answered with few faults and short names, however many unknown fields it has', () => {
    const body = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`${'k'.repeat(200)}${index}`, 1]),
    );
    const faults = faultsOf(() => bodyOf(payment, body));
    expect(faults).toHaveLength(20);
    expect(JSON.stringify(faults).length).toBeLessThan(10_000);
  });
});
