import fc from 'fast-check';
import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { exponentOf } from '../../src/kernel/money.ts';
import { fold } from '../../src/kernel/text.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { aCardRequest, aPixRequest, later } from '../builders.ts';
import { indexCharges, numberedId, VIEWS_ALONE } from '../support/charge-view.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { someOf, volume } from '../support/volume.ts';

const gateway = useGateway({
  ...PATIENT,
  ...VIEWS_ALONE,
  VIEW_SHARDS: 'charges=4',
});

type Listed = { readonly id: string } & Readonly<Record<string, unknown>>;
type List = { data: Listed[]; page: number; pages: number; total: number; size: number };

const query = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
const list = async (by: Client, parameters: object = {}): Promise<List> =>
  (await by.get(`/v1/charges?${query(parameters)}`).expect(200)).body;
const idsOf = ({ data }: List): string[] => data.map(({ id }) => id);
const refuse = async (by: Client, parameters: object): Promise<Response['body']> => {
  const { body } = await by.get(`/v1/charges?${query(parameters)}`).expect(400);
  expect(body).toMatchObject({ statusCode: 400, message: expect.any(String) });
  return body;
};
/** A merchant of its own for each group of tests: all that it lists is what the group made. */
const newClient = async (): Promise<{ id: string; client: Client; live: Client }> => {
  const merchant = await gateway().createMerchant();
  return {
    id: merchant.id,
    client: withKey(gateway, merchant.testKey),
    live: withKey(gateway, merchant.liveKey),
  };
};

describe('a list of charges', () => {
  const COUNT = 25;
  let client: Client;
  let made: string[];
  beforeAll(async () => {
    ({ client } = await newClient());
    made = [];
    for (let number = 0; number < COUNT; number += 1)
      made.push((await client.post('/v1/charges', aCardRequest({ amount: number + 1 })).expect(201)).body.id);
    await client.getAfter('latest', '/v1/charges');
  });

  it('has ten of the newest on its first page by default', async () => {
    const answer = await list(client);
    expect(answer).toEqual({ data: expect.any(Array), page: 1, pages: 3, total: 25, size: 10 });
    expect(idsOf(answer)).toEqual(made.toReversed().slice(0, 10));
  });

  it('lists each charge as it is read by id', async () => {
    for (const listed of (await list(client, { size: 3 })).data) {
      const {
        settlements: _,
        items: __,
        ...read
      } = (await client.get(`/v1/charges/${listed.id}`).expect(200)).body;
      expect(read).toEqual(listed);
    }
  });

  it.each([
    [1, 1, 25],
    [1, 100, 1],
    [3, 10, 3],
    [25, 1, 25],
    [5, 5, 5],
    [2, 24, 2],
  ])('page %d of size %d', async (page, size, pages) => {
    const answer = await list(client, { page, size });
    expect(answer).toMatchObject({ page, size, pages, total: 25 });
    expect(idsOf(answer)).toEqual(made.toReversed().slice((page - 1) * size, page * size));
  });

  it.each([{ page: 4 }, { page: 100_000 }, { page: 10_000, size: 100 }, { page: 26, size: 1 }])(
    'past its end is empty: %j',
    async (parameters) => {
      expect(await list(client, parameters)).toMatchObject({ data: [], total: 25, page: parameters.page });
    },
  );

  it('of a merchant without charges is empty', async () => {
    const other = await newClient();
    expect(await list(other.client)).toEqual({ data: [], page: 1, pages: 0, total: 0, size: 10 });
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=one',
    'page=',
    'page=1e3',
    'page=0x10',
    'page=9007199254740992',
    'page=99999999999999999999999',
    'page=1&page=2',
    'size=0',
    'size=101',
    'size=ten',
    'size=10&size=10',
    'orderBy=amount&orderBy=id',
    'status=paid&status=paid',
  ])('is refused for ?%s', async (search) => {
    const { body } = await client.get(`/v1/charges?${search}`).expect(400);
    expect(body.errors[0].path).toBe(search.split('=')[0]);
  });

  it.each([
    'unknown',
    'Status',
    'name',
    'amount[eq]',
    'amount[gte',
    'createdAt[]',
    'merchantid',
    '__proto__',
  ])('does not know the parameter %s and says so', async (name) => {
    expect(await refuse(client, { [name]: 1 })).toMatchObject({ message: expect.stringContaining(name) });
  });

  it.each([
    'unknown',
    'amount,',
    ',amount',
    'amount,amount',
    'amount,-amount',
    '-',
    '--id',
    'customer',
    'metadata',
  ])('cannot be ordered by %j and names what it can be ordered by', async (orderBy) => {
    const { message } = await refuse(client, { orderBy });
    const sortable = [
      ...['id', 'status', 'amount', 'currency', 'spread', 'net', 'merchantId', 'pspRefId', 'reference'],
      ...['customer.name', 'customer.email', 'paymentMethod.type', 'paidAt', 'createdAt', 'updatedAt'],
    ];
    expect(message).toContain(sortable.join(', '));
  });
});

describe('the order of a list', () => {
  const COUNT = 240;
  const CURRENCIES = ['BRL', 'CLP', 'KWD'];
  const NAMES = ['Ana', 'Bia', 'Zé', 'ana', null];
  let client: Client;
  let charges: Charge[];

  beforeAll(async () => {
    const merchant = await newClient();
    client = merchant.client;
    charges = await indexCharges(gateway(), merchant.id, COUNT, (number) => ({
      amount: (number % 7) * 1_000 + 1,
      spread: number % 3,
      currency: CURRENCIES[number % 3] ?? '',
      status: number % 2 === 0 ? 'paid' : 'refused',
      paidAt: number % 2 === 0 ? later(number % 5).toISOString() : null,
      reference: NAMES[number % 5] ?? null,
      pspRefId: number % 4 === 0 ? null : `psp_${number % 4}`,
      createdAt: later(number % 11).toISOString(),
      updatedAt: later(-(number % 13)).toISOString(),
      customer: {
        id: 'c',
        name: `Name ${number % 9}`,
        email: `${number % 6}@example.test`,
        phone: null,
        document: null,
        address: null,
      },
    }));
  });

  const walk = async (orderBy: string | undefined, size: number): Promise<List[]> => {
    const pages: List[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await list(client, { page, size, ...(orderBy ? { orderBy } : {}) });
      expect(answer).toMatchObject({ total: COUNT, pages: Math.ceil(COUNT / size) });
      if (answer.data.length === 0) return pages;
      pages.push(answer);
    }
  };

  const decimal = (field: 'amount' | 'spread' | 'net') => (charge: Charge) =>
    charge[field] / 10 ** exponentOf(charge.currency);
  const KEYS: Readonly<Record<string, (charge: Charge) => string | number | null>> = {
    id: ({ id }) => id,
    status: ({ status }) => status,
    amount: decimal('amount'),
    currency: ({ currency }) => currency,
    spread: decimal('spread'),
    net: decimal('net'),
    merchantId: ({ merchantId }) => merchantId,
    pspRefId: ({ pspRefId }) => pspRefId,
    reference: ({ reference }) => reference,
    'customer.name': ({ customer }) => fold(customer.name),
    'customer.email': ({ customer }) => customer.email,
    'paymentMethod.type': ({ paymentMethod }) => paymentMethod.type,
    paidAt: ({ paidAt }) => paidAt,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
  };

  /** The rule once more: fields in turn, nulls last in both directions, then the newest id. */
  const sorted = (orderBy: string | undefined): string[] => {
    const elements = (orderBy?.split(',') ?? []).map((element) => ({
      key: KEYS[element.replace('-', '')] ?? (() => null),
      sign: element.startsWith('-') ? -1 : 1,
    }));
    const compare = (left: Charge, right: Charge): number => {
      for (const { key, sign } of elements) {
        const [a, b] = [key(left), key(right)];
        if (a === b) continue;
        if (a === null) return 1;
        if (b === null) return -1;
        return a < b ? -sign : sign;
      }
      return left.id < right.id ? 1 : -1;
    };
    return charges.toSorted(compare).map(({ id }) => id);
  };

  it.each([undefined, ...Object.keys(KEYS).flatMap((name) => [name, `-${name}`])])(
    'by %s is the same on every walk through the pages, none overlapping, nulls last',
    async (orderBy) => {
      expect((await walk(orderBy, 100)).flatMap(idsOf)).toEqual(sorted(orderBy));
    },
  );

  it.each([
    'status,-amount',
    'reference,currency,-net',
    '-pspRefId,paidAt,customer.name',
    '-paidAt,-reference,id',
  ])('by several fields (%s) goes by each in turn', async (orderBy) => {
    expect((await walk(orderBy, 37)).flatMap(idsOf)).toEqual(sorted(orderBy));
  });

  it('by any fields is what the rule says', async () => {
    const orders = fc
      .shuffledSubarray(Object.keys(KEYS), { minLength: 1, maxLength: 5 })
      .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))))
      .map((elements) => elements.join(','));
    await fc.assert(
      fc.asyncProperty(orders, async (orderBy) => {
        expect((await walk(orderBy, 100)).flatMap(idsOf)).toEqual(sorted(orderBy));
      }),
      { numRuns: volume({ usual: 5, proof: 15 }) },
    );
  });
});

describe('the filters of a list', () => {
  let client: Client;
  let merchantId: string;
  const made: Record<string, Response['body']> = {};
  const named = async (parameters: object): Promise<string[]> => {
    const answer = await list(client, { size: 100, ...parameters });
    expect(answer.total).toBe(answer.data.length);
    return Object.keys(made)
      .filter((name) => idsOf(answer).includes(made[name].id))
      .sort();
  };

  beforeAll(async () => {
    const merchant = await newClient();
    client = merchant.client;
    merchantId = merchant.id;
    const ana = {
      name: 'Ana Conceição',
      email: 'ana@example.test',
      document: { type: 'cpf', id: '52998224725' },
    };
    const bia = { name: 'Bia Lima', email: 'bia@example.test' };
    const requests: Record<string, object> = {
      brl: aCardRequest({
        amount: 100.5,
        customer: ana,
        reference: 'order-1',
        metadata: { tags: ['azul', 7], deep: { note: 'Entrega expressa' } },
      }),
      clp: aCardRequest({ amount: 101, currency: 'CLP', customer: bia, reference: 'order-2' }),
      kwd: aCardRequest({ amount: 100.501, currency: 'KWD', customer: bia }),
      refused: aCardRequest(
        { amount: 5, customer: ana, reference: 'order-1' },
        { number: '4000000000000002' },
      ),
      pix: aPixRequest({ amount: 7, customer: bia, metadata: { azul: 'vermelho' } }),
    };
    for (const [name, request] of Object.entries(requests))
      made[name] = (await client.post('/v1/charges', request).expect(201)).body;
    await client.getAfter('latest', '/v1/charges');
  });

  it.each<[object, string[]]>([
    [{}, ['brl', 'clp', 'kwd', 'pix', 'refused']],
    [{ status: 'paid' }, ['brl', 'clp', 'kwd']],
    [{ status: 'pending' }, ['pix']],
    [{ status: 'refused' }, ['refused']],
    [{ status: 'chargeback' }, []],
    [{ reference: 'order-1' }, ['brl', 'refused']],
    [{ reference: 'ORDER-1' }, []],
    [{ reference: 'order' }, []],
    [{ currency: 'CLP' }, ['clp']],
    [{ paymentMethod: 'pix' }, ['pix']],
    [{ paymentMethod: 'credit_card', status: 'refused' }, ['refused']],
    [{ paymentMethod: 'voucher' }, []],
    [{ customerEmail: 'ana@example.test' }, ['brl', 'refused']],
    [{ customerEmail: 'Ana@Example.test' }, ['brl', 'refused']],
    [{ customerDocument: '52998224725' }, ['brl', 'refused']],
    [{ amount: 100.5 }, ['brl']],
    [{ amount: 101 }, ['clp']],
    [{ amount: 100.501 }, ['kwd']],
    [{ 'amount[gte]': 100.5 }, ['brl', 'clp', 'kwd']],
    [{ 'amount[gt]': 100.5 }, ['clp', 'kwd']],
    [{ 'amount[gt]': 100.5005 }, ['clp', 'kwd']],
    [{ 'amount[lte]': 100.501 }, ['brl', 'kwd', 'pix', 'refused']],
    [{ 'amount[lt]': 100.501 }, ['brl', 'pix', 'refused']],
    [{ 'amount[gte]': 5, 'amount[lt]': 100.50001 }, ['brl', 'pix', 'refused']],
    [{ 'amount[gt]': -1 }, ['brl', 'clp', 'kwd', 'pix', 'refused']],
    [{ 'amount[gt]': 9_007_199_254_740_991 }, []],
    [{ 'amount[gte]': 200, 'amount[lt]': 100 }, []],
    [{ q: 'conceicao' }, ['brl', 'refused']],
    [{ q: 'CONCEIÇÃO ana' }, ['brl', 'refused']],
    [{ q: 'bia conceicao' }, []],
    [{ q: 'ana@example.test' }, ['brl', 'refused']],
    [{ q: 'azul' }, ['brl']],
    [{ q: 'azul expressa' }, ['brl']],
    [{ q: '7' }, ['brl']],
    [{ q: 'vermelho' }, ['pix']],
    [{ q: 'order-2' }, ['clp']],
    [{ q: '"(azul OR *) AND ~!' }, []],
    [{ q: '!!!' }, []],
    [{ currency: 'BRL', status: 'paid', 'amount[lt]': 1_000, q: 'ana', orderBy: '-amount' }, ['brl']],
  ])('%j', async (parameters, expected) => {
    expect(await named(parameters)).toEqual(expected);
  });

  it('by the end-to-end identifier of a Pix, which is in the CSV, too', async () => {
    const key = withKey(gateway, (await gateway().createMerchant()).testKey);
    const { body: pix } = await key.post('/v1/charges', aPixRequest()).expect(201);
    await key.post('/v1/charges', aPixRequest()).expect(201);
    const { body: card } = await key.post('/v1/charges', aCardRequest()).expect(201);
    const { endToEndId } = pix.paymentDetails;
    const path = `/v1/charges?endToEndId=${endToEndId}`;
    const ids = async (of: string) =>
      (await key.getAfter('latest', of)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(path)).toEqual([pix.id]);
    expect(await ids('/v1/charges?endToEndId=E0')).toEqual([]);
    const csv = async (of: string) => parseCsv((await key.get(of).set('Accept', 'text/csv')).text);
    const [head = [], row = []] = await csv(path);
    expect(row[head.indexOf('paymentDetails.endToEndId')]).toBe(endToEndId);
    expect(row[head.indexOf('paymentMethod.brand')]).toBe('');
    const [, ofCard = []] = await csv(`/v1/charges?pspRefId=${card.pspRefId}`);
    expect(ofCard[head.indexOf('paymentMethod.brand')]).toBe('visa');
    const { body: found } = await key.get(`/v1/search?q=${endToEndId}`).expect(200);
    expect(JSON.stringify(found)).toContain(pix.id);
  });

  it('by pspRefId and by merchant', async () => {
    expect(await named({ pspRefId: made.kwd.pspRefId })).toEqual(['kwd']);
    expect(await named({ merchantId })).toHaveLength(5);
  });

  it.each(['createdAt', 'updatedAt', 'paidAt'])('by %s: a day, an instant, ranges', async (name) => {
    const at: string = made.clp[name];
    const day = at.slice(0, 10);
    const before = new Date(Date.parse(at) - 1).toISOString();
    const dayBefore = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
    const dayAfter = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
    expect(await named({ [name]: at, currency: 'CLP' })).toEqual(['clp']);
    expect(await named({ [name]: before, currency: 'CLP' })).toEqual([]);
    expect(await named({ [name]: day, currency: 'CLP' })).toEqual(['clp']);
    expect(await named({ [name]: dayBefore, currency: 'CLP' })).toEqual([]);
    expect(await named({ [`${name}[gte]`]: at, [`${name}[lte]`]: at, currency: 'CLP' })).toEqual(['clp']);
    expect(await named({ [`${name}[gt]`]: at, currency: 'CLP' })).toEqual([]);
    expect(await named({ [`${name}[gt]`]: before, currency: 'CLP' })).toEqual(['clp']);
    expect(await named({ [`${name}[lt]`]: at, currency: 'CLP' })).toEqual([]);
    expect(await named({ [`${name}[gte]`]: day, [`${name}[lte]`]: day, currency: 'CLP' })).toEqual(['clp']);
    expect(await named({ [`${name}[lt]`]: day, currency: 'CLP' })).toEqual([]);
    expect(await named({ [`${name}[gte]`]: dayAfter, currency: 'CLP' })).toEqual([]);
    const local = `${new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, -1)}-03:00`;
    expect(await named({ [name]: local, currency: 'CLP' })).toEqual(['clp']);
  });

  it('by a date finds nothing where there is none', async () => {
    expect(await named({ 'paidAt[gte]': '0001-01-01' })).toEqual(['brl', 'clp', 'kwd']);
    expect(await named({ 'paidAt[lt]': '9999-12-31' })).toEqual(['brl', 'clp', 'kwd']);
    expect(await named({ 'createdAt[gte]': '0000-01-01', 'createdAt[lte]': '9999-12-31' })).toHaveLength(5);
  });

  it.each([
    { status: 'done' },
    { status: '' },
    { paymentMethod: 'cash' },
    { amount: '1,5' },
    { amount: '1e3' },
    { amount: 'NaN' },
    { 'amount[gte]': '9007199254740993' },
    { createdAt: 'yesterday' },
    { createdAt: '2026-02-30' },
    { 'paidAt[gte]': '2026-13-01' },
    { 'updatedAt[lt]': '2026-01-01T99:00:00Z' },
    { q: '' },
    { reference: 'x'.repeat(257) },
  ])('%j is refused and named', async (parameters) => {
    const { errors } = await refuse(client, parameters);
    expect(errors[0].path).toBe(Object.keys(parameters)[0]);
  });
});

describe('amounts at both ends of what is possible', () => {
  it('are found and ordered exactly, whatever the decimals of their currency', async () => {
    const { client } = await newClient();
    const amounts: [string, number][] = [
      ['CLP', 1_000_000_000_000],
      ['CLP', 920_000_000_000],
      ['BRL', 10_000_000_000],
      ['BRL', 9_999_999_999.99],
      ['KWD', 0.001],
      ['CLP', 1],
    ];
    for (const [currency, amount] of amounts)
      await client.post('/v1/charges', aCardRequest({ currency, amount })).expect(201);
    await client.getAfter('latest', '/v1/charges');
    const found = async (parameters: object) =>
      (await list(client, { orderBy: '-amount', ...parameters })).data.map(({ amount }) => amount);
    expect(await found({})).toEqual([
      1_000_000_000_000, 920_000_000_000, 10_000_000_000, 9_999_999_999.99, 1, 0.001,
    ]);
    expect(await found({ amount: 1_000_000_000_000 })).toEqual([1_000_000_000_000]);
    expect(await found({ 'amount[gte]': 950_000_000_000 })).toEqual([1_000_000_000_000]);
    expect(await found({ 'amount[gt]': 9_999_999_999.99, 'amount[lt]': 920_000_000_000 })).toEqual([
      10_000_000_000,
    ]);
    expect(await found({ 'amount[lte]': 0.001 })).toEqual([0.001]);
  });
});

describe('a long list', () => {
  const COUNT = 30_050;
  let client: Client;
  let merchantId: string;
  beforeAll(async () => {
    const merchant = await newClient();
    client = merchant.client;
    merchantId = merchant.id;
    await indexCharges(gateway(), merchant.id, COUNT, (number) => ({
      amount: (number % 100) + 1,
      reference: number % 3 === 0 ? null : `reference-${number % 50}`,
      paidAt: number % 2 === 0 ? null : later(number).toISOString(),
      status: number % 2 === 0 ? 'refused' : 'paid',
    }));
  });

  it('counts exactly', async () => {
    expect(await list(client)).toMatchObject({ total: COUNT, pages: 3_005 });
    expect(await list(client, { status: 'paid', size: 100 })).toMatchObject({ total: 15_025, pages: 151 });
  });

  it.each([
    [1_000, 10],
    [1_001, 10],
    [100, 100],
    [101, 100],
    [102, 99],
    [201, 100],
    [300, 100],
    [301, 100],
    [30_050, 1],
  ])('has page %d of %d where it belongs', async (page, size) => {
    const answer = await list(client, { page, size });
    const first = COUNT - 1 - (page - 1) * size;
    const expected = Array.from({ length: Math.min(size, first + 1) }, (_, index) =>
      numberedId(merchantId, first - index),
    );
    expect(idsOf(answer)).toEqual(expected);
    expect(answer).toMatchObject({ page, size, total: COUNT });
  });

  it.each([
    [302, 100],
    [3_006, 10],
    [10_000, 100],
  ])('has an empty page %d of %d past its end, however deep', async (page, size) => {
    expect(await list(client, { page, size })).toMatchObject({ data: [], total: COUNT });
  });

  it.each(someOf(['-paidAt', '-reference', 'paidAt', 'reference', '-amount,reference'], 2))(
    'by %s has nulls last beyond ten thousand rows too, and no page overlaps another',
    async (orderBy) => {
      const seen: Listed[] = [];
      for (const page of [99, 100, 101, 102, 199, 200, 201, 202, 300, 301])
        seen.push(...(await list(client, { page, size: 100, orderBy })).data);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(950);
      const [element = ''] = orderBy.split(',');
      const field = element.replace('-', '');
      const values = seen.map((charge) => charge[field] as string | number | null);
      const sign = element.startsWith('-') ? -1 : 1;
      values.slice(1).forEach((value, index) => {
        const before = values[index] ?? null;
        if (value === null || before === null) expect(before === null && value !== null).toBe(false);
        else expect(before === value || before < value === sign > 0).toBe(true);
      });
    },
  );
});

describe('the consistency token of a list', () => {
  it('lets a list show what its command did, at once', async () => {
    const { client } = await newClient();
    for (let round = 0; round < volume({ usual: 2, proof: 10 }); round += 1) {
      const created = await client.post('/v1/charges', aPixRequest()).expect(201);
      const token = created.headers['x-consistency-token'] ?? '';
      const { body } = await client.getAfter(token, '/v1/charges');
      expect(body.data[0]).toMatchObject({ id: created.body.id, status: 'pending' });
      const paid = await client.post(`/v1/test-helpers/charges/${created.body.id}/pay`).expect(200);
      const { body: after } = await client.getAfter(paid.headers['x-consistency-token'], '/v1/charges');
      expect(after.data[0]).toMatchObject({ id: created.body.id, status: 'paid' });
    }
  });

  it('latest shows everything that was recorded before the request', async () => {
    const { client } = await newClient();
    for (let round = 1; round <= 2; round += 1) {
      await Promise.all(
        Array.from({ length: 4 }, () => client.post('/v1/charges', aPixRequest()).expect(201)),
      );
      const { body } = await client.getAfter('latest', '/v1/charges');
      expect(body.total).toBe(4 * round);
    }
  });

  it('of an unknown commit waits for nothing', async () => {
    const { client } = await newClient();
    await client.getAfter(newCommitId(), '/v1/charges');
  });

  it('that the view does not reach in time is answered with 503 and Retry-After', async () => {
    const { client } = await newClient();
    const commit = newCommitId();
    await gateway()
      .db.collection(OUTBOX)
      .insertOne({
        consumer: 'view-charges',
        state: 'waiting',
        shard: 0,
        subject: 'evt_x',
        key: 'x',
        commit,
        failures: 1,
        retryAt: new Date(Date.now() + 3_600_000),
        error: null,
        createdAt: new Date(),
      });
    const { body, headers } = await client.get('/v1/charges').set('X-Consistency-Token', commit).expect(503);
    expect(body).toMatchObject({ statusCode: 503, message: expect.any(String) });
    expect(headers['retry-after']).toMatch(/^\d+$/);
    await gateway().db.collection(OUTBOX).deleteMany({ commit });
  });

  it.each([
    'x',
    'LATEST',
    '',
    `${newCommitId()}.`,
    `${newCommitId()},${newCommitId()}`,
    Array(101).fill(newCommitId()).join('.'),
  ])('that is none (%j) is refused', async (token) => {
    const { client } = await newClient();
    const { body } = await client.get('/v1/charges').set('X-Consistency-Token', token).expect(400);
    expect(body.errors[0].path).toBe('X-Consistency-Token');
  });
});

describe('whose charges a list shows', () => {
  it('is those of the key, its sub-merchants included, in its environment', async () => {
    const master = await gateway().createMerchant({ role: 'MerchantMaster' });
    const sub = await createSubMerchant(gateway, master);
    const stranger = await newClient();
    const byMaster = withKey(gateway, master.testKey);
    const bySub = withKey(gateway, sub.testKey);
    const ids = await Promise.all(
      [byMaster, bySub, stranger.client].map(
        async (by) => (await by.post('/v1/charges', aPixRequest()).expect(201)).body.id as string,
      ),
    );
    await byMaster.getAfter('latest', '/v1/charges');
    const [ofMaster, ofSub] = ids;
    expect(idsOf(await list(byMaster)).sort()).toEqual([ofMaster, ofSub].sort());
    expect(idsOf(await list(bySub))).toEqual([ofSub]);
    expect(idsOf(await list(byMaster, { merchantId: sub.id }))).toEqual([ofSub]);
    expect(idsOf(await list(byMaster, { merchantId: master.id }))).toEqual([ofMaster]);
    expect(idsOf(await list(withKey(gateway, master.liveKey)))).toEqual([]);

    const forbidden = { statusCode: 403, message: 'Forbidden', code: 'MERCHANT_NOT_VISIBLE' };
    for (const [by, merchantId] of [
      [byMaster, stranger.id],
      [byMaster, 'mer_unknown'],
      [bySub, master.id],
      [stranger.client, sub.id],
    ] as const)
      await by.get(`/v1/charges?merchantId=${merchantId}`).expect(403, forbidden);

    const inTest = await operator(gateway, 'test');
    expect(idsOf(await list(inTest, { merchantId: sub.id }))).toEqual([ofSub]);
    expect(idsOf(await list(inTest, { merchantId: stranger.id }))).toEqual([ids[2]]);
    const inLive = await operator(gateway, 'live');
    expect(idsOf(await list(inLive, { merchantId: stranger.id }))).toEqual([]);
  });
});
