import { randomUUID } from 'node:crypto';
import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey, withToken } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: '4' });

type Match = {
  readonly type: string;
  readonly id: string;
  readonly title: string;
  readonly matched: string;
};

let merchant: TestMerchant;
let key: Client;
let admin: Client;
let card: { readonly id: string; readonly pspRefId: string };
let pix: { readonly id: string; readonly paymentDetails: { readonly endToEndId: string } };
let refundId: string;

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  merchant = await gateway().createMerchant({
    legalName: 'Padaria Jabuticaba Ltda',
    email: 'padaria@jabuticaba.test',
    companyTaxId: '11.222.333/0001-81',
    role: 'MerchantMaster',
  });
  key = withKey(gateway, merchant.testKey);
  const customer = {
    name: 'João Araújo',
    email: 'Joao@Example.test',
    document: { type: 'cpf', id: '529.982.247-25' },
  };
  const first = aCardRequest({ customer, reference: 'order-77' }, { number: '378282246310005', cvv: '1234' });
  card = (await key.post('/v1/charges', first).expect(201)).body;
  const second = { ...aCardRequest(), paymentMethod: { type: 'pix', installments: 1 } };
  pix = (await key.post('/v1/charges', second).expect(201)).body;
  refundId = (await key.post('/v1/refunds', { chargeId: card.id, reason: 'wish' }).expect(201)).body.id;
});

const search = async (client: Client, q: string): Promise<readonly Match[]> =>
  (await client.getAfter('latest', `/v1/search?q=${encodeURIComponent(q)}`)).body.data;
const found = async (client: Client, q: string): Promise<readonly string[]> =>
  (await search(client, q)).map(({ type, id }) => `${type} ${id}`);

describe('GET /v1/search', () => {
  it('finds a charge by everything that people know of it', async () => {
    const names = [
      card.id,
      card.pspRefId,
      'order-77',
      'joao@example.TEST',
      '0005',
      'joao araujo',
      'Araújo order-77',
    ];
    for (const q of names)
      expect([q, await found(key, q)]).toEqual([q, expect.arrayContaining([`charge ${card.id}`])]);
    for (const q of ['529.982.247-25', '52998224725'])
      expect(await found(key, q)).toContain(`charge ${card.id}`);
    expect(await found(key, pix.paymentDetails.endToEndId)).toEqual([`charge ${pix.id}`]);
  });

  it('finds what a request changed by its id, for those who may read it', async () => {
    const { body, headers } = await key.post('/v1/charges', aCardRequest()).expect(201);
    const requestId = headers['x-request-id'] ?? '';
    for (const client of [key, admin]) {
      expect(await found(client, requestId)).toEqual([`charge ${body.id}`]);
      expect(await found(client, requestId.toUpperCase())).toEqual([`charge ${body.id}`]);
    }
    const other = await gateway().createMerchant();
    expect(await found(withKey(gateway, other.testKey), requestId)).toEqual([]);
    expect(await found(key, randomUUID())).toEqual([]);
  });

  it('finds a charge and its refunds by the id of the charge', async () => {
    expect(await found(key, card.id)).toEqual([`charge ${card.id}`, `refund ${refundId}`]);
    expect(await found(key, refundId)).toEqual([`refund ${refundId}`]);
  });

  it('finds merchants for operators and sub-merchants for their master', async () => {
    const sub = await createSubMerchant(gateway, merchant, { legalName: 'Filial Pitanga' });
    expect(await found(admin, 'jabuticaba')).toEqual([`merchant ${merchant.id}`]);
    expect(await found(admin, '11222333000181')).toContain(`merchant ${merchant.id}`);
    expect(await found(admin, 'PADARIA@jabuticaba.test')).toEqual([`merchant ${merchant.id}`]);
    expect(await found(key, 'pitanga')).toEqual([`submerchant ${sub.id}`]);
    expect(await found(admin, 'pitanga')).toEqual([`submerchant ${sub.id}`]);
    expect(await found(key, 'jabuticaba')).toEqual([]);
  });

  it('finds nothing of others, of the other environment, or without the permission', async () => {
    const other = await gateway().createMerchant();
    expect(await found(withKey(gateway, other.testKey), card.id)).toEqual([]);
    expect(await found(withKey(gateway, merchant.liveKey), card.id)).toEqual([]);
    const restricted = await gateway().createMerchant();
    const { body } = await withKey(gateway, restricted.testKey)
      .post('/v1/charges', aCardRequest())
      .expect(201);
    await admin
      .call('patch', `/v1/admin/merchants/${restricted.id}`, { permissions: ['fees.read'] })
      .expect(200);
    expect(await found(withKey(gateway, restricted.testKey), body.id)).toEqual([]);
  });

  it('finds payout requests for users, and none for keys', async () => {
    const payer = await gateway().createMerchant({ companyTaxId: '11222333000181' });
    const fees = [{ fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0 } }];
    await admin.call('put', `/v1/admin/merchants/${payer.id}/fee-definitions`, fees).expect(200);
    const own = withKey(gateway, payer.testKey);
    const { body: payout } = await own.post('/v1/payout-requests', { amount: 1_550 }).expect(201);
    const login = { email: 'finance@payer.test', password: 'a password of this test' };
    await admin.post('/v1/admin/users', { ...login, merchantId: payer.id, groups: [] }).expect(201);
    const { body } = await gateway()
      .call('post', '/v1/auth/login')
      .send({ ...login, environment: 'test' })
      .expect(200);
    expect(await search(withToken(gateway, body.accessToken), payout.id)).toMatchObject([
      { type: 'payout_request', id: payout.id, amount: 15.5, currency: 'BRL' },
    ]);
    expect(await found(own, payout.id)).toEqual([]);
  });

  it('finds users by e-mail and name for those who manage them, and says by what', async () => {
    const { id: merchantId } = await gateway().createMerchant();
    const login = { email: 'bia@found.test', password: 'a password of this test' };
    const user = { ...login, name: 'Bia Quaresma', merchantId, groups: [] };
    const { body: bia } = await admin.post('/v1/admin/users', user).expect(201);
    for (const [q, matched] of [
      ['BIA@found.test', 'email'],
      ['quaresma', 'name'],
      [bia.id, 'id'],
    ])
      expect(await search(admin, q ?? '')).toMatchObject([
        { type: 'user', id: bia.id, merchantId, title: 'Bia Quaresma', status: 'active', matched },
      ]);
    const boss = { ...login, email: 'chefe@quaresma.test', name: null, merchantId: null };
    const { body: operating } = await admin
      .post('/v1/admin/users', { ...boss, groups: ['operators'] })
      .expect(201);
    expect(await search(admin, boss.email)).toMatchObject([
      { type: 'user', id: operating.id, merchantId: null, title: boss.email },
    ]);
    const reader = await gateway()
      .call('post', '/v1/auth/login')
      .send({ ...login, environment: 'test' })
      .expect(200);
    // A user without the permission, a key, and somebody of another merchant find nobody.
    for (const client of [withToken(gateway, reader.body.accessToken), key])
      expect(await found(client, login.email)).toEqual([]);
  });

  it('says what a record was found by', async () => {
    const by = async (q: string) => (await search(key, q)).map((match) => match.matched);
    expect(await by('order-77')).toEqual(['reference']);
    expect(await by('0005')).toEqual(['digits']);
    expect(await by('joao araujo')).toEqual(['words']);
    expect(await by(card.id)).toEqual(['id', 'record']);
  });

  it('answers five of each type at most, the newest first', async () => {
    const busy = withKey(gateway, (await gateway().createMerchant()).testKey);
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1)
      ids.push((await busy.post('/v1/charges', aCardRequest({ reference: 'same' })).expect(201)).body.id);
    expect((await search(busy, 'same')).map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 5));
  });

  it('refuses less than two characters', async () => {
    const { body } = await key.get('/v1/search?q=a').expect(400);
    expect(body.errors[0].path).toBe('q');
    await key.get('/v1/search').expect(400);
  });
});
