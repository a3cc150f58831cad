import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey } from '../support/client.ts';
import { OPERATOR, type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);

/** Names as a Mac writes them (NFD), where Windows and most of the web write NFC. */
const onMac = (name: string): string => name.normalize('NFD');
const BLANK_TEXTS = [' ', '\u00a0', '\u200b', '\u200e\u200f', '\u2066\u2069', '\u3164'];

let master: TestMerchant;
let key: Client;
let admin: Client;

beforeAll(async () => {
  master = await gateway().createMaster();
  key = withKey(gateway, master.testKey);
  admin = await operator(gateway, 'test');
});

const named = (name: string, changes: object = {}): object =>
  aCardRequest({ customer: { name, email: 'payer@example.test' }, ...changes });
const charge = async (request: object) => (await key.post('/v1/charges', request).expect(201)).body;
const listed = async (by: Client, path: string) => (await by.getAfter('latest', path)).body.data;
const foundBy = async (q: string): Promise<string[]> =>
  (await listed(key, `/v1/search?q=${encodeURIComponent(q)}`)).map(({ id }: { id: string }) => id);

describe('a name with accents', () => {
  it('is stored in one form and found in both', async () => {
    const { id, customer } = await charge(named(onMac('Conceição Sé')));
    expect(customer.name).toBe('Conceição Sé');
    for (const q of ['Conceição', onMac('Conceição'), 'conceicao se', ' Conceição\u200b ']) {
      expect(await listed(key, `/v1/charges?q=${encodeURIComponent(q)}`)).toMatchObject([{ id }]);
      expect(await foundBy(q)).toEqual([id]);
    }
  });

  it('of a sub-merchant is found in both forms', async () => {
    const { body } = await key
      .post('/v1/submerchants', { legalName: onMac('Pães São João'), email: 'paes@example.test' })
      .expect(201);
    for (const name of ['Pães', onMac('são joão'), 'PAES']) {
      const path = `/v1/submerchants?legalName=${encodeURIComponent(name)}`;
      expect(await listed(key, path)).toMatchObject([{ id: body.id, legalName: 'Pães São João' }]);
      expect(await foundBy(name)).toEqual([body.id]);
    }
  });

  it('that a former version stored as it came is found and ordered all the same', async () => {
    const { id } = await createSubMerchant(gateway, master, { legalName: onMac('Água Límpida') });
    expect(await listed(key, '/v1/submerchants?legalName=%C3%A1gua')).toMatchObject([{ id }]);
  });
});

describe('the order of names', () => {
  const NAMES = ['Zé', 'ana', 'Ágata', 'eva', onMac('Érico'), 'Bia'];
  const IN_ORDER = ['Ágata', 'ana', 'Bia', 'Érico', 'eva', 'Zé'];

  it('of customers counts neither case nor accents', async () => {
    const seller = await gateway().createMerchant();
    const client = withKey(gateway, seller.testKey);
    for (const name of NAMES) await client.post('/v1/charges', named(name)).expect(201);
    const up = await listed(client, '/v1/charges?orderBy=customer.name');
    expect(up.map((row: { customer: { name: string } }) => row.customer.name)).toEqual(IN_ORDER);
    const down = await listed(client, '/v1/charges?orderBy=-customer.name');
    expect(down.map((row: { customer: { name: string } }) => row.customer.name)).toEqual(
      IN_ORDER.toReversed(),
    );
  });

  it('of merchants, sub-merchants, users and groups neither', async () => {
    const owner = await gateway().createMaster({ legalName: 'Zz' });
    const client = withKey(gateway, owner.testKey);
    for (const [index, name] of NAMES.entries()) {
      const email = `n${index}@example.test`;
      await client.post('/v1/submerchants', { legalName: name, email }).expect(201);
      await admin.post('/v1/admin/groups', { name, permissions: [] }).expect(201);
      const user = { email, password: 'a long password', name, merchantId: owner.id, groups: [] };
      await admin.post('/v1/admin/users', user).expect(201);
    }
    const namesOf = async (by: Client, path: string, member: string): Promise<string[]> =>
      (await listed(by, path)).map((row: Record<string, string>) => row[member]);
    expect(await namesOf(client, '/v1/submerchants?orderBy=legalName', 'legalName')).toEqual(IN_ORDER);
    const users = `/v1/admin/users?merchantId=${owner.id}&orderBy=name`;
    expect(await namesOf(admin, users, 'name')).toEqual(IN_ORDER);
    const groups = await namesOf(admin, '/v1/admin/groups?orderBy=name&size=100', 'name');
    expect(groups.filter((name) => IN_ORDER.includes(name))).toEqual(IN_ORDER);
    const merchants = await namesOf(admin, '/v1/admin/merchants?orderBy=legalName&size=100', 'legalName');
    expect(merchants.filter((name) => IN_ORDER.includes(name))).toEqual(IN_ORDER);
  });
});

describe('a text with nothing to be seen', () => {
  it.each(BLANK_TEXTS)('is refused where a name is required: %j', async (blank) => {
    const fault = (path: string) => [{ path, message: `${path} must have a character that can be seen` }];
    const refused = async (path: string, body: object) =>
      (await key.post(path, body).expect(400)).body.errors;
    expect(await refused('/v1/charges', named(blank))).toEqual(fault('customer.name'));
    expect(await refused('/v1/charges', named('Ana', { reference: blank }))).toEqual(fault('reference'));
    const submerchant = { legalName: blank, email: 'a@example.test' };
    expect(await refused('/v1/submerchants', submerchant)).toEqual(fault('legalName'));
    const group = await admin.post('/v1/admin/groups', { name: blank, permissions: [] }).expect(400);
    expect(group.body.errors).toEqual(fault('name'));
  });
});

describe('outer blanks', () => {
  it('are no part of a reference, however it is asked for', async () => {
    const { id, reference } = await charge(named('Ana', { reference: '  order-17\t' }));
    expect(reference).toBe('order-17');
    for (const given of ['order-17', '%20order-17%20'])
      expect(await listed(key, `/v1/charges?reference=${given}`)).toMatchObject([{ id }]);
  });

  it('are no part of an e-mail address at the login', async () => {
    const login = (email: string) =>
      gateway()
        .call('post', '/v1/auth/login')
        .send({ ...OPERATOR, email });
    await login(` ${OPERATOR.email.toUpperCase()}\n`).expect(200);
  });
});
