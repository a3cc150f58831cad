import fc from 'fast-check';
import type { Response } from 'supertest';
import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { everythingInElastic, everythingInMongo } from '../support/everything.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { OF_TESTS } from '../support/statements.ts';

jest.setTimeout(60_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'customers=4' });

let master: TestMerchant;
let shop: Client;
let stranger: Client;

beforeAll(async () => {
  master = await gateway().createMaster();
  shop = withKey(gateway, master.testKey);
  stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
}, 180_000);

const ANA = {
  name: 'Ana Souza',
  email: 'ana@example.test',
  document: { type: 'cpf', id: '529.982.247-25' },
  phone: '+55 11 98765-4321',
  address: { country: 'BR', line1: 'Rua das Flores, 12', city: 'São Paulo', postalCode: '01001-000' },
  reference: 'customer-1001',
  metadata: { loyalty: 'gold', points: 12.5 },
};
const STORED = { ...ANA, document: { type: 'cpf', id: '52998224725' } };
const NOBODY = {
  name: null,
  email: null,
  document: null,
  phone: null,
  address: null,
  reference: null,
  metadata: null,
};

const create = async (fields: object = {}, by = shop) =>
  (await by.post('/v1/customers', { ...ANA, ...fields }).expect(201)).body;
const change = (id: string, changes: object, by = shop) => by.call('patch', `/v1/customers/${id}`, changes);
const remove = (id: string, by = shop) => by.call('delete', `/v1/customers/${id}`);
const read = async (id: string, by = shop) => (await by.get(`/v1/customers/${id}`).expect(200)).body;
const listed = async (query: string, by = shop): Promise<string[]> =>
  (await by.getAfter('latest', `/v1/customers?${query}`)).body.data.map(({ id }: { id: string }) => id);
const charge = (request: object, by = shop) => {
  const { customer: _, ...payment } = aCardRequest();
  return by.post('/v1/charges', { ...payment, ...request });
};
const code = ({ status, body }: Response): readonly unknown[] => [status, body.code];

describe('a customer', () => {
  it('is made, read, changed and deleted by its merchant', async () => {
    const made = await create();
    expect(made).toMatchObject({ ...STORED, merchantId: master.id, livemode: false, deletedAt: null });
    expect(await read(made.id)).toEqual(made);
    const { body } = await change(made.id, { name: 'Ana Lima', phone: null }).expect(200);
    expect(body).toEqual({ ...made, name: 'Ana Lima', phone: null, updatedAt: body.updatedAt });
    await remove(made.id).expect(204);
    const deleted = await read(made.id);
    expect(deleted).toEqual({
      ...made,
      ...NOBODY,
      updatedAt: deleted.deletedAt,
      deletedAt: expect.any(String),
    });
    await remove(made.id).expect(204);
    expect(await read(made.id)).toEqual(deleted);
    expect(code(await change(made.id, { phone: null }))).toEqual([404, 'NOT_FOUND']);
  });

  it('needs a name and an e-mail address alone', async () => {
    const { body } = await shop.post('/v1/customers', { name: 'Bia', email: 'bia@example.test' }).expect(201);
    expect(body).toMatchObject({ ...NOBODY, name: 'Bia', email: 'bia@example.test' });
  });

  it('has the kind of its document in lower case and without blanks', async () => {
    const document = { type: ' CPF ', id: '529.982.247-25' };
    const { body } = await shop.post('/v1/customers', { ...ANA, document }).expect(201);
    expect(body.document).toEqual({ type: 'cpf', id: '52998224725' });
  });

  it.each([
    ['without a name', { name: undefined }, 'name'],
    ['without an e-mail address', { email: undefined }, 'email'],
    ['with a blank name', { name: ' \u200b' }, 'name'],
    [
      'with a CPF whose check digits are wrong',
      { document: { type: 'cpf', id: '52998224726' } },
      'document.id',
    ],
    ['with a document of an unknown kind', { document: { type: 'cpf.', id: 'A1' } }, 'document.type'],
    ['with a document that is text', { document: '52998224725' }, 'document'],
    ['with an address without country', { address: { city: 'Recife' } }, 'address.country'],
    ['with a reference of 65 characters', { reference: 'r'.repeat(65) }, 'reference'],
    ['with more than 16 KiB of metadata', { metadata: { note: 'n'.repeat(16_384) } }, 'metadata'],
    ['with a card number', { metadata: { note: '4242 4242 4242 4242' } }, 'metadata.note'],
    ['with an unknown field', { vip: true }, 'vip'],
  ])('%s is refused with 400', async (_, fields, path) => {
    const before = await gateway().db.collection('customers').countDocuments();
    const { body } = await shop.post('/v1/customers', { ...ANA, ...fields }).expect(400);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
    expect(await gateway().db.collection('customers').countDocuments()).toBe(before);
  });

  it('takes whatever is a JSON object for metadata as it is, or refuses it and stores nothing', async () => {
    const { id } = await create({ metadata: null });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), async (metadata) => {
        const before = await read(id);
        const { status, body } = await change(id, { metadata });
        expect([200, 400]).toContain(status);
        expect(await read(id)).toEqual(status === 200 ? body : before);
        if (status === 200) expect(body.metadata).toEqual(JSON.parse(JSON.stringify(metadata)));
      }),
      { numRuns: 40 },
    );
  });

  it('is changed by one request at a time', async () => {
    const { id } = await create();
    const names = Array.from({ length: 12 }, (_, index) => `Ana ${index}`);
    const answers = await Promise.all(names.map((name) => change(id, { name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const events = await gateway().db.collection('domain_events').find({ resourceId: id }).toArray();
    const versions = events.map(({ version }) => version).sort((one, other) => one - other);
    expect(versions).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  });

  it('that is deleted while it is changed stays empty', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'Doroteia' })));
    await Promise.all(
      customers.flatMap(({ id }) => [change(id, { name: 'Doroteia Dois' }), remove(id), remove(id)]),
    );
    for (const { id } of customers) expect(await read(id)).toMatchObject(NOBODY);
    const events = JSON.stringify(
      await gateway()
        .db.collection('domain_events')
        .find({ resourceId: { $in: customers.map(({ id }) => id) } })
        .toArray(),
    );
    expect(events).not.toContain('Doroteia');
  });
});

describe('a customer that was changed a thousand times', () => {
  it('is changed no more, but deleted', async () => {
    const { id } = await create();
    await gateway()
      .db.collection<{ _id: string }>('customers', OF_TESTS)
      .updateOne({ _id: id }, { $set: { version: 1_000 } });
    expect(code(await change(id, { phone: null }))).toEqual([422, 'CUSTOMER_CHANGES_EXHAUSTED']);
    await remove(id).expect(204);
    expect(await read(id)).toMatchObject(NOBODY);
  });
});

describe("somebody else's customer", () => {
  it('does not exist for other merchants, for the other environment and for public keys', async () => {
    const { id } = await create();
    for (const by of [stranger, withKey(gateway, master.liveKey)]) {
      expect(code(await by.get(`/v1/customers/${id}`))).toEqual([404, 'NOT_FOUND']);
      expect(code(await change(id, { name: 'Mine' }, by))).toEqual([404, 'NOT_FOUND']);
      expect(code(await remove(id, by))).toEqual([404, 'NOT_FOUND']);
      expect(code(await charge({ customerId: id }, by))).toEqual([404, 'NOT_FOUND']);
      expect(await listed('', by)).not.toContain(id);
    }
    const hidden = withKey(gateway, master.publicKey);
    expect(code(await hidden.get(`/v1/customers/${id}`))).toEqual([403, 'SECRET_KEY_REQUIRED']);
    expect(await read(id)).toMatchObject(STORED);
  });

  it('of a sub-merchant is read by its master, who can neither change nor charge it', async () => {
    const branch = await createSubMerchant(gateway, master);
    const { id } = await create({ name: 'Filialina' }, withKey(gateway, branch.testKey));
    expect(await read(id)).toMatchObject({ merchantId: branch.id, name: 'Filialina' });
    expect(await listed(`merchantId=${branch.id}`)).toEqual([id]);
    expect(code(await change(id, { name: 'Mine' }))).toEqual([403, 'CUSTOMER_OWNER_ONLY']);
    expect(code(await remove(id))).toEqual([403, 'CUSTOMER_OWNER_ONLY']);
    expect(code(await charge({ customerId: id }))).toEqual([404, 'NOT_FOUND']);
  });

  it('is read by operators, and changed by none', async () => {
    const admin = await operator(gateway, 'test');
    const { id } = await create();
    expect(await read(id, admin)).toMatchObject(STORED);
    expect(await listed(`merchantId=${master.id}`, admin)).toContain(id);
    expect(code(await change(id, { name: 'Mine' }, admin))).toEqual([403, 'MERCHANTS_ONLY']);
  });

  it('needs the permission', async () => {
    const admin = await operator(gateway);
    const keys = `/v1/admin/merchants/${master.id}/api-keys`;
    const { body } = await admin.post(keys, { livemode: false, permissions: ['charges.create'] }).expect(201);
    const restricted = withKey(gateway, body.secretKey);
    for (const answer of [await restricted.get('/v1/customers'), await restricted.post('/v1/customers', ANA)])
      expect(answer.body).toMatchObject({ code: 'PERMISSION_MISSING', permission: 'customers.manage' });
  });
});

describe('the list of customers', () => {
  let seller: Client;
  let ids: readonly string[];

  beforeAll(async () => {
    seller = withKey(gateway, (await gateway().createMerchant()).testKey);
    const named = (name: string, email: string, changes: object = {}) =>
      create({ name, email, document: null, reference: null, ...changes }, seller);
    ids = [
      await named('Zé', 'ZE@example.test', { reference: 'r-1' }),
      await named('ana', 'ana@example.test', { document: ANA.document }),
      await named('Ágata Nunes', 'agata@example.test'),
    ].map(({ id }) => id);
  });

  it.each([
    ['email=ze%40EXAMPLE.test', [0]],
    ['document=52998224725', [1]],
    ['document=529.982.247-25', [1]],
    ['reference=r-1', [0]],
    ['reference=r', []],
    ['q=agata', [2]],
    ['q=nunes%20agata', [2]],
    ['createdAt=2020-01-01', []],
    ['orderBy=name', [2, 1, 0]],
    ['orderBy=-email', [0, 1, 2]],
    ['orderBy=createdAt', [0, 1, 2]],
  ])('%s finds them', async (query, expected) => {
    expect(await listed(query, seller)).toEqual(expected.map((index) => ids[index]));
  });

  it('is a CSV file, too, and leaves out those that were deleted', async () => {
    const { id } = await create({ name: 'Gone' }, seller);
    await remove(id, seller).expect(204);
    expect(await listed('', seller)).not.toContain(id);
    const answer = await seller.get('/v1/customers?orderBy=name').set('Accept', 'text/csv').expect(200);
    const [head, ...rows] = parseCsv(answer.text);
    expect(head).toContain('document.id');
    expect(rows.map((row) => row[head?.indexOf('name') ?? -1])).toEqual(['Ágata Nunes', 'ana', 'Zé']);
  });
});

describe('a charge of a customer', () => {
  it('has the facts of that moment, which later changes and a deletion leave', async () => {
    const { id } = await create();
    const { body } = await charge({ customerId: id }).expect(201);
    const { name, email, phone } = STORED;
    const facts = { name, email, phone, document: '52998224725', address: { country: 'BR' } };
    const customer = { id, ...facts };
    expect(body.customer).toEqual(customer);
    await change(id, { name: 'Ana Lima' }).expect(200);
    const { body: second } = await charge({ customerId: id }).expect(201);
    expect(second.customer).toEqual({ ...customer, name: 'Ana Lima' });
    await remove(id).expect(204);
    for (const [charged, expected] of [
      [body.id, 'Ana Souza'],
      [second.id, 'Ana Lima'],
    ])
      expect((await shop.get(`/v1/charges/${charged}`)).body.customer.name).toBe(expected);
    const found = await shop.getAfter('latest', `/v1/charges?customerId=${id}`);
    expect(found.body.data.map((row: { id: string }) => row.id)).toEqual([second.id, body.id]);
    expect(code(await charge({ customerId: id }))).toEqual([404, 'NOT_FOUND']);
  });

  it('names it or tells its facts, one of both', async () => {
    const { id } = await create();
    const { customer } = aCardRequest();
    const before = await gateway().db.collection('charges').countDocuments();
    for (const request of [{}, { customer, customerId: id }])
      expect(code(await charge(request))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await charge({ customerId: `cus_${'0'.repeat(32)}` }))).toEqual([404, 'NOT_FOUND']);
    expect(await gateway().db.collection('charges').countDocuments()).toBe(before);
  });
});

describe("an operator's erasure", () => {
  it('empties the customers of all merchants with that address, and what was recorded of them', async () => {
    const email = 'quirina@example.test';
    const fields = { name: 'Quirina', email, reference: 'ref-quirina', metadata: { note: 'quirina' } };
    const owners = [shop, stranger];
    const customers = await Promise.all(owners.map((by) => create(fields, by)));
    await change(customers[0].id, { phone: 'quirina-phone' }).expect(200);
    await charge({ customerId: customers[0].id }).expect(201);
    const admin = await operator(gateway, 'test');
    const { body } = await admin.post('/v1/admin/customers/erase', { email }).expect(200);
    expect(body).toMatchObject({ charges: 1, customers: 2 });
    for (const [index, { id }] of customers.entries())
      expect(await read(id, owners[index])).toMatchObject(NOBODY);
    const found = async (): Promise<readonly string[]> => {
      const texts = [
        ...(await everythingInMongo(gateway().db)),
        ...(await everythingInElastic(gateway().readStore)),
      ];
      return texts.filter(([, text]) => /quirina/i.test(text)).map(([place]) => place);
    };
    expect(await pollUntil(found, (places) => places.length === 0)).toEqual([]);
  });
});
