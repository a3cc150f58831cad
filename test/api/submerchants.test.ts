import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import type { Response, Test } from 'supertest';
import { aCardRequest, aPayoutFee } from '../builders.ts';
import { brokenBodyOf } from '../support/bad-values.ts';
import type { Method } from '../support/call.ts';
import { type Client, operator, PATIENT, withKey, withToken } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'merchants=4,submerchant_documents=4' });
const UNKNOWN = `mer_${'0'.repeat(32)}`;
const FIELDS = { legalName: 'Filial Norte Ltda', email: 'norte@example.test' };

const PASSWORD = 'correct horse battery';

let admin: Client;
let master: TestMerchant;
let key: Client;

const createMaster = (): Promise<TestMerchant> => gateway().createMaster({ timeZone: 'America/Sao_Paulo' });
const enableConnect = (merchant: TestMerchant, content: boolean): Promise<Response> =>
  admin
    .post(`/v1/merchants/${merchant.id}/settings`, { name: 'enable_connect', content })
    .then((answer) => answer);
const create = async (fields: object = {}): Promise<string> =>
  (await key.post('/v1/submerchants', { ...FIELDS, ...fields }).expect(201)).body.id;
const move = (id: string, status: string, reason?: string) =>
  admin.post(`/v1/admin/submerchants/${id}/status`, { status, ...(reason ? { reason } : {}) });
/** For supertest: the body as it came. */
const asBytes = (answer: unknown, done: (error: Error | null, body: Buffer) => void): void => {
  buffer(answer as IncomingMessage).then(
    (body) => done(null, body),
    (error: Error) => done(error, Buffer.alloc(0)),
  );
};
const count = (collection: string, filter: object = {}): Promise<number> =>
  gateway().db.collection(collection).countDocuments(filter);

beforeAll(async () => {
  admin = await operator(gateway);
  master = await createMaster();
  key = withKey(gateway, master.testKey);
});

describe('a new sub-merchant', () => {
  it('answers with its record and with what was left out as null', async () => {
    const { body } = await key.post('/v1/submerchants', FIELDS).expect(201);
    expect(body).toEqual({
      ...FIELDS,
      id: expect.any(String),
      version: 1,
      masterId: master.id,
      livemode: false,
      companyTaxId: null,
      phone: null,
      address: null,
      status: 'pre_approved',
      statusReason: null,
      postbackUrl: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await key.get(`/v1/submerchants/${body.id}`).expect(200)).body).toEqual(body);
  });

  it('gets fees, permissions and settings of its master as they are then, not those of later', async () => {
    const other = await createMaster();
    const path = `/v1/admin/merchants/${other.id}`;
    const fee = (fixed: number) => aPayoutFee(fixed, 1.5);
    const permissions = ['charges.create', 'submerchants.manage'];
    await admin.call('put', `${path}/fee-definitions`, [fee(100)]).expect(200);
    await admin.call('patch', path, { permissions }).expect(200);
    const settings = `/v1/merchants/${other.id}/settings`;
    await admin.post(settings, { name: 'settlement_delay_days', content: { pix: 3 } }).expect(201);
    const { body } = await withKey(gateway, other.testKey).post('/v1/submerchants', FIELDS).expect(201);

    await admin.call('put', `${path}/fee-definitions`, [fee(200)]).expect(200);
    await admin.call('patch', path, { permissions: ['submerchants.manage'] }).expect(200);
    await admin.post(settings, { name: 'settlement_delay_days', content: { pix: 9 } }).expect(200);

    const copy = `/v1/admin/merchants/${body.id}`;
    expect((await admin.get(`${copy}/fee-definitions`)).body).toEqual([fee(100)]);
    expect((await admin.get(copy)).body).toMatchObject({
      permissions,
      role: 'Merchant',
      timeZone: 'America/Sao_Paulo',
    });
    const copied = await admin.getAfter('latest', `/v1/merchants/${body.id}/settings?orderBy=name`);
    expect(copied.body.data.map(({ name, content }: Record<string, unknown>) => [name, content])).toEqual([
      ['enable_connect', true],
      ['settlement_delay_days', { pix: 3 }],
    ]);
  });

  it('leads to the event account.created and a pair of keys, all in one transaction', async () => {
    const id = await create();
    const events = await gateway().db.collection('domain_events').find({ resourceId: id }).toArray();
    expect(events.map(({ type, data }) => [type, data.id])).toContainEqual(['account.created', id]);
    expect(await count('api_keys', { merchantId: id, livemode: false })).toBe(1);
  });

  it('belongs to the environment of the key that made it, where only its master finds it', async () => {
    const live = withKey(gateway, master.liveKey);
    const { body } = await live.post('/v1/submerchants', FIELDS).expect(201);
    expect(body.livemode).toBe(true);
    await key.get(`/v1/submerchants/${body.id}`).expect(404);
    await key.call('patch', `/v1/submerchants/${body.id}`, { phone: '+55 11' }).expect(404);
    await live.get(`/v1/submerchants/${await create()}`).expect(404);
    await live.get(`/v1/submerchants/${body.id}`).expect(200);
    await key.get(`/v1/charges?merchantId=${body.id}`).expect(403);
    await live.get(`/v1/charges?merchantId=${body.id}`).expect(200);
  });

  it.each([
    ['11.222.333/0001-81', '11222333000181'],
    ['529.982.247-25', '52998224725'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ])('with tax id %s keeps its digits', async (companyTaxId, digits) => {
    const { body } = await key.post('/v1/submerchants', { ...FIELDS, companyTaxId }).expect(201);
    expect(body.companyTaxId).toBe(digits);
  });

  it('needs right check digits with a test key and with a live key', async () => {
    const fields = { ...FIELDS, companyTaxId: '11222333000199' };
    for (const secretKey of [master.testKey, master.liveKey]) {
      const caller = withKey(gateway, secretKey);
      const { body } = await caller.post('/v1/submerchants', fields).expect(400);
      expect(body.errors[0].path).toBe('companyTaxId');
      await caller.post('/v1/submerchants', { ...fields, companyTaxId: '11222333000181' }).expect(201);
    }
  });

  it.each<[string, object]>([
    ['legalName', { legalName: '' }],
    ['legalName', { legalName: undefined }],
    ['email', { email: 'nobody' }],
    ['companyTaxId', { companyTaxId: '123' }],
    ['companyTaxId', { companyTaxId: 11222333000181 }],
    ['phone', { phone: 5511 }],
    ['address', { address: 'Rua A' }],
    ['address.country', { address: { city: 'Santos' } }],
    ['postbackUrl', { postbackUrl: 'ftp://example.test' }],
    ['postbackUrl', { postbackUrl: 'http://user:pass@example.test/' }],
    ['status', { status: 'active' }],
    ['masterId', { masterId: UNKNOWN }],
    ['role', { role: 'MerchantMaster' }],
  ])('with a wrong %s (%j) is refused and nothing is written', async (path, fields) => {
    const before = await count('merchants');
    const { body } = await key.post('/v1/submerchants', { ...FIELDS, ...fields }).expect(400);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
    expect(await count('merchants')).toBe(before);
  });
});

describe('a broken body', () => {
  it('of a new sub-merchant is taken as what it means or refused, and then nothing is written', async () => {
    const valid = { ...FIELDS, companyTaxId: '11222333000181', phone: null, address: { country: 'BR' } };
    await fc.assert(
      fc.asyncProperty(brokenBodyOf(valid), async (json) => {
        const before = await count('merchants');
        const { status } = await key.post('/v1/submerchants').type('json').send(json);
        expect([201, 400, 413]).toContain(status);
        expect(await count('merchants')).toBe(before + (status === 201 ? 1 : 0));
      }),
      { numRuns: volume({ usual: 20, proof: 500 }) },
    );
  });
});

describe('the marketplace module', () => {
  it('is for masters with enable_connect, and closes at once when the setting says false', async () => {
    const plain = await gateway().createMerchant();
    const plainKey = withKey(gateway, plain.testKey);
    await enableConnect(plain, true);
    expect((await plainKey.post('/v1/submerchants', FIELDS).expect(403)).body.code).toBe('MASTER_ONLY');
    await plainKey.get('/v1/submerchants').expect(403);

    const other = await createMaster();
    const otherKey = withKey(gateway, other.testKey);
    const { body } = await otherKey.post('/v1/submerchants', FIELDS).expect(201);
    await enableConnect(other, false);
    const routes: [Method, string, object?][] = [
      ['post', '/v1/submerchants', FIELDS],
      ['get', '/v1/submerchants'],
      ['get', `/v1/submerchants/${body.id}`],
      ['patch', `/v1/submerchants/${body.id}`, { phone: '1' }],
    ];
    for (const [method, path, sent] of routes)
      expect((await otherKey.call(method, path, sent).expect(403)).body.code).toBe('CONNECT_NOT_ENABLED');
    await enableConnect(other, true);
    await otherKey.get(`/v1/submerchants/${body.id}`).expect(200);
  });
});

describe('a sub-merchant', () => {
  it('is changed by its master, absent members stay', async () => {
    const id = await create({ companyTaxId: '11222333000181', postbackUrl: 'https://example.test/a' });
    const changes = {
      phone: '+55 11 99999-0000',
      address: { country: 'BR', city: 'Santos' },
      companyTaxId: null,
    };
    const { body } = await key.call('patch', `/v1/submerchants/${id}`, changes).expect(200);
    expect(body).toMatchObject({ ...FIELDS, ...changes, postbackUrl: 'https://example.test/a' });
    expect((await key.get(`/v1/submerchants/${id}`)).body).toEqual(body);
    for (const wrong of [{}, { status: 'active' }, { legalName: null }, { livemode: true }])
      await key.call('patch', `/v1/submerchants/${id}`, wrong).expect(400);
    await key.call('patch', `/v1/submerchants/${UNKNOWN}`, changes).expect(404);
    await key.call('patch', `/v1/submerchants/${master.id}`, changes).expect(404);
  });

  it('is approved as it was reviewed, but not with a tax id that was swapped meanwhile', async () => {
    const id = await create({ companyTaxId: '11222333000181' });
    const path = `/v1/admin/submerchants/${id}`;
    const reviewed = (await admin.get(path).expect(200)).body;
    const listed = (await admin.getAfter('latest', '/v1/admin/submerchants?size=100')).body.data;
    expect(listed).toContainEqual(reviewed);
    const swap = { companyTaxId: '11444777000161' };
    await key.call('patch', `/v1/submerchants/${id}`, swap).expect(200);
    const approval = { status: 'active', version: reviewed.version };
    const { body } = await admin.post(`${path}/status`, approval).expect(409);
    expect(body.code).toBe('VERSION_CHANGED');
    const now = (await admin.get(path).expect(200)).body;
    expect(now).toMatchObject({ ...swap, status: 'pre_approved' });
    await admin.post(`${path}/status`, { ...approval, version: now.version }).expect(200);
    for (const version of [0, '1', null])
      await admin.post(`${path}/status`, { ...approval, version }).expect(400);
  });

  it.each(['11444777000161', null])(
    'keeps its tax id %j after approval, whatever the master says',
    async (taxId) => {
      const id = await create({ companyTaxId: taxId });
      await move(id, 'active').expect(200);
      for (const companyTaxId of ['11222333000181', ...(taxId === null ? [] : [null])]) {
        const { body } = await key.call('patch', `/v1/submerchants/${id}`, { companyTaxId }).expect(422);
        expect(body.code).toBe('COMPANY_TAX_ID_VERIFIED');
      }
      const set = { companyTaxId: '12.abc.345/01de-35' };
      const changed = await admin.call('patch', `/v1/admin/merchants/${id}`, set).expect(200);
      expect(changed.body.companyTaxId).toBe('12ABC34501DE35');
    },
  );

  it('takes a swap of its tax id or the approval of the reviewed one, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await create({ companyTaxId: '11222333000181' });
      const { version } = (await admin.get(`/v1/admin/submerchants/${id}`).expect(200)).body;
      const [approval, swap] = await Promise.all([
        admin.post(`/v1/admin/submerchants/${id}/status`, { status: 'active', version }),
        key.call('patch', `/v1/submerchants/${id}`, { companyTaxId: '11444777000161' }),
      ]);
      expect([
        [200, 422],
        [409, 200],
      ]).toContainEqual([approval.status, swap.status]);
    }
  });

  it('is moved by operators, and of many at once one makes the move', async () => {
    const id = await create();
    expect((await move(id, 'rejected', 'papers missing').expect(200)).body).toMatchObject({
      status: 'rejected',
      statusReason: 'papers missing',
    });
    expect((await move(id, 'active').expect(422)).body.code).toBe('TRANSITION_NOT_ALLOWED');
    expect((await move(id, 'pre_approved').expect(200)).body.statusReason).toBeNull();
    const answers = await Promise.all(Array.from({ length: 5 }, () => move(id, 'active')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    const events = await gateway()
      .db.collection('domain_events')
      .find({ resourceId: id, resource: 'merchant' })
      .toArray();
    expect(events.sort((a, b) => a.version - b.version).map(({ type }) => type)).toEqual([
      'account.created',
      'account.status_changed',
      'account.status_changed',
      'account.approved',
    ]);
    await move(id, 'unknown').expect(400);
    const changes = { status: 'blocked', reason: 'past its review' };
    const past = await admin.call('patch', `/v1/admin/merchants/${id}`, changes).expect(422);
    expect(past.body.code).toBe('TRANSITION_NOT_ALLOWED');
    await move(UNKNOWN, 'active').expect(404);
    await move(master.id, 'blocked').expect(404);
    await key.post(`/v1/admin/submerchants/${id}/status`, { status: 'blocked' }).expect(403);
  });
});

describe('the keys of a sub-merchant', () => {
  it('are the same on every read, work, and every read is in the audit log', async () => {
    const id = await create();
    const read = () => key.get(`/v1/submerchants/${id}/api-keys`);
    const { body } = await read().expect(200);
    expect(body).toEqual({
      publicKey: expect.stringMatching(/^pk_test_/),
      secretKey: expect.stringMatching(/^sk_test_/),
    });
    expect((await read().expect(200)).body).toEqual(body);
    const own = withKey(gateway, body.secretKey);
    expect((await own.get(`/v1/submerchants/${id}`).expect(200)).body.id).toBe(id);
    await withKey(gateway, body.publicKey).get(`/v1/submerchants/${id}`).expect(403);
    const stored = await gateway().db.collection('api_keys').findOne({ merchantId: id });
    expect(JSON.stringify(stored)).not.toContain(body.secretKey);
    const events = await gateway().db.collection('domain_events').find({ resource: 'api_key' }).toArray();
    expect(JSON.stringify(events)).not.toContain(body.secretKey);
    const inTest = await operator(gateway, 'test');
    const audited = await inTest.getAfter('latest', `/v1/admin/audit-log?resourceId=${stored?._id}`);
    expect(audited.body.data.map(({ type, actor }: Record<string, unknown>) => [type, actor])).toEqual(
      ['api_key.secret_read', 'api_key.secret_read', 'api_key.created'].map((type) => [
        type,
        expect.objectContaining({ kind: 'key' }),
      ]),
    );
  });

  it('are not read by a master that is blocked', async () => {
    const blocked = await gateway().createMaster();
    const by = withKey(gateway, blocked.testKey);
    const { body } = await by.post('/v1/submerchants', FIELDS).expect(201);
    await by.get(`/v1/submerchants/${body.id}/api-keys`).expect(200);
    await gateway()
      .db.collection('merchants')
      .updateOne({ id: blocked.id }, { $set: { status: 'blocked' } });
    const refused = await by.get(`/v1/submerchants/${body.id}/api-keys`).expect(403);
    expect(refused.body.code).toBe('MERCHANT_NOT_ACTIVE');
  });

  it('follow a roll, and are not found once revoked', async () => {
    const id = await create();
    const { body: before } = await key.get(`/v1/submerchants/${id}/api-keys`).expect(200);
    const pairs = `/v1/admin/merchants/${id}/api-keys`;
    const [{ id: first }] = (await admin.getAfter('latest', pairs)).body.data;
    const { body: rolled } = await admin.post(`${pairs}/${first}/roll`, { validForSeconds: 60 }).expect(201);
    const { body: after } = await key.get(`/v1/submerchants/${id}/api-keys`).expect(200);
    expect(after).toEqual({ publicKey: rolled.publicKey, secretKey: rolled.secretKey });
    expect(after.secretKey).not.toBe(before.secretKey);
    await admin.call('delete', `${pairs}/${rolled.id}`).expect(204);
    expect((await key.get(`/v1/submerchants/${id}/api-keys`).expect(404)).body.message).toBe(
      'API key not found',
    );
  });

  it('make charges while it is active, at no other time; blocked it reads and refunds', async () => {
    const id = await create();
    const { body: keys } = await key.get(`/v1/submerchants/${id}/api-keys`).expect(200);
    const own = withKey(gateway, keys.secretKey);
    const sell = () => own.post('/v1/charges', aCardRequest());
    expect((await sell().expect(403)).body.code).toBe('MERCHANT_NOT_ACTIVE');
    await move(id, 'active').expect(200);
    const { body: charge } = await sell().expect(201);
    expect(charge).toMatchObject({ status: 'paid', merchantId: id, livemode: false });
    await move(id, 'blocked').expect(200);
    expect((await sell().expect(403)).body.code).toBe('MERCHANT_NOT_ACTIVE');
    expect(await count('charges', { merchantId: id })).toBe(1);
    await own.get(`/v1/charges/${charge.id}`).expect(200);
    await own.post('/v1/refunds', { chargeId: charge.id, reason: 'changed my mind' }).expect(201);
    await move(id, 'active').expect(200);
    await sell().expect(201);
  });
});

describe('the fees of a sub-account', () => {
  const path = (id: string): string => `/v1/connect/sub-accounts/${id}/fees-info`;
  const fee = (fee_type: string, brand: string | null, percentages: number[]) => ({
    fee_type,
    payment_method: 'credit_card',
    currency_code: 'BRL',
    brand,
    definition: { fixed: 0.39, percentages },
  });

  it('are shown as stored to master and sub-account, whatever id the sub-account names', async () => {
    const id = await create({ companyTaxId: '11222333000181' });
    const empty = { merchant: { id, legalName: FIELDS.legalName, companyTaxId: '11222333000181' }, fees: [] };
    expect((await key.get(path(id)).expect(200)).body).toEqual(empty);
    await admin
      .call('put', `/v1/admin/merchants/${id}/fee-definitions`, [
        fee('tx_spread', null, [2.99, 3.49]),
        fee('tx_spread', 'visa', [1.5]),
        fee('anticipation', null, [0]),
        aPayoutFee(100, 1),
      ])
      .expect(200);
    const shown = (feeType: string, brand: string | null, percentages: number[]) => ({
      feeType,
      paymentMethod: 'credit_card',
      currencyCode: 'BRL',
      brand,
      definition: { fixed: 0.39, percentages },
    });
    const fees = [
      shown('tx_spread', null, [2.99, 3.49]),
      shown('tx_spread', 'visa', [1.5]),
      shown('anticipation', null, [0]),
    ];
    expect((await key.get(path(id)).expect(200)).body).toEqual({ ...empty, fees });
    const { body: keys } = await key.get(`/v1/submerchants/${id}/api-keys`).expect(200);
    const own = withKey(gateway, keys.secretKey);
    for (const named of [id, master.id, UNKNOWN, 'anything'])
      expect((await own.get(path(named)).expect(200)).body).toEqual({ ...empty, fees });
  });

  it('are not found for an id that is not linked, and forbidden outside of the module', async () => {
    const id = await create();
    const other = await createMaster();
    const otherKey = withKey(gateway, other.testKey);
    for (const [caller, named] of [
      [key, master.id],
      [key, UNKNOWN],
      [key, other.id],
      [otherKey, id],
      [withKey(gateway, master.liveKey), id],
    ] as const)
      expect((await caller.get(path(named)).expect(404)).body.message).toBe('Sub-account not found');
    const plain = await gateway().createMerchant();
    await withKey(gateway, plain.testKey).get(path(id)).expect(403);
    await admin.get(path(id)).expect(403);
    await withKey(gateway, master.publicKey).get(path(id)).expect(403);
    await gateway().call('get', path(id)).expect(401);
    await enableConnect(other, false);
    expect((await otherKey.get(path(UNKNOWN)).expect(403)).body.message).toBe('Forbidden');
  });

  it('are for a user of the master or of the sub-account too, who logs in for its environment only', async () => {
    const id = await create();
    const login = (email: string, environment: string) =>
      gateway().call('post', '/v1/auth/login').send({ email, password: PASSWORD, environment });
    for (const [email, merchantId] of [
      ['master@login.test', master.id],
      ['sub@login.test', id],
    ]) {
      await admin.post('/v1/admin/users', { email, password: PASSWORD, merchantId, groups: [] }).expect(201);
      const { body } = await login(email ?? '', 'test').expect(200);
      const answer = await withToken(gateway, body.accessToken).get(path(id)).expect(200);
      expect(answer.body.merchant.id).toBe(id);
    }
    const { body: live } = await login('master@login.test', 'live').expect(200);
    await withToken(gateway, live.accessToken).get(path(id)).expect(404);
    expect((await login('sub@login.test', 'live').expect(422)).body.code).toBe('ENVIRONMENT_NOT_AVAILABLE');
  });
});

describe('a document', () => {
  const PDF = Buffer.from('%PDF-1.7 the papers of a sub-merchant, which nobody finds in a store');
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const MAX = 10 * 1024 * 1024;
  const pathOf = (id: string): string => `/v1/submerchants/${id}/documents`;
  const asJson = (content: Buffer, fileName = 'papers.pdf') => ({
    type: 'identity',
    fileName,
    content: content.toString('base64'),
  });
  const sendForm = (id: string, content: Buffer, filename = 'papers.pdf', type = 'identity'): Test =>
    key.call('post', pathOf(id)).field('type', type).attach('file', content, { filename });
  const files = (): Promise<number> => count('submerchant_files.files');

  it('is taken as JSON and as a form, listed, and downloaded by operators as it was sent', async () => {
    const id = await create();
    const { body: first } = await key.post(pathOf(id), asJson(PDF, 'prova nº 1 "a".pdf')).expect(201);
    expect(first).toEqual({
      id: expect.stringMatching(/^doc_/),
      type: 'identity',
      fileName: 'prova nº 1 "a".pdf',
      contentType: 'application/pdf',
      size: PDF.length,
      sha256: createHash('sha256').update(PDF).digest('hex'),
      createdAt: expect.any(String),
    });
    const { body: second } = await sendForm(id, PNG, 'photo.exe', 'bank_proof').expect(201);
    expect(second).toMatchObject({ type: 'bank_proof', fileName: 'photo.png', contentType: 'image/png' });

    expect((await key.getAfter('latest', pathOf(id))).body.data).toEqual([second, first]);
    expect((await key.getAfter('latest', `${pathOf(id)}?type=identity`)).body.data).toEqual([first]);
    const reviewed = `/v1/admin/submerchants/${id}/documents`;
    expect((await admin.getAfter('latest', reviewed)).body.total).toBe(2);

    const file = await admin.get(`${reviewed}/${first.id}`).buffer(true).parse(asBytes).expect(200);
    expect(file.body).toEqual(PDF);
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition':
        'attachment; filename="prova n_ 1 _a_.pdf"; filename*=UTF-8\'\'prova%20n%C2%BA%201%20%22a%22.pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const inTest = await operator(gateway, 'test');
    const audited = await inTest.getAfter('latest', `/v1/admin/audit-log?resourceId=${first.id}`);
    expect(audited.body.data).toEqual([
      expect.objectContaining({ type: 'submerchant_document.downloaded', after: null }),
      expect.objectContaining({ type: 'submerchant_document.added', before: null }),
    ]);
    await admin.get(`/v1/admin/submerchants/${await create()}/documents/${first.id}`).expect(404);
    await admin.get(`${reviewed}/doc_unknown`).expect(404);
  });

  it('is kept sealed, and no store holds its plain content', async () => {
    const id = await create();
    await key.post(pathOf(id), asJson(PDF)).expect(201);
    const chunks = await gateway().db.collection('submerchant_files.chunks').find().toArray();
    expect(chunks.length).toBeGreaterThan(0);
    for (const { data } of chunks) expect(Buffer.from(data.buffer).includes(PDF.subarray(0, 8))).toBe(false);
  });

  it('may have 10 MiB, in several chunks, and not one byte more', async () => {
    const id = await create();
    const content = randomBytes(MAX + 1);
    PDF.copy(content);
    const largest = content.subarray(0, MAX);
    const { body } = await key.post(pathOf(id), asJson(largest)).expect(201);
    const download = `/v1/admin/submerchants/${id}/documents/${body.id}`;
    const file = await admin.get(download).buffer(true).parse(asBytes).expect(200);
    expect(largest.equals(file.body)).toBe(true);
    const before = await files();
    await key.post(pathOf(id), asJson(content)).expect(413);
    await sendForm(id, content).expect(413);
    expect(await files()).toBe(before);
  });

  it('of another kind than PDF, PNG or JPEG is refused whatever its name', async () => {
    const id = await create();
    const before = await files();
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    await key.post(pathOf(id), asJson(page)).expect(415);
    await sendForm(id, page, 'page.pdf').expect(415);
    await key.post(pathOf(id), 'type=identity').type('text/plain').expect(415);
    expect(await files()).toBe(before);
  });

  it('that is not described rightly is refused with 400', async () => {
    const id = await create();
    const before = await files();
    const right = asJson(PDF);
    for (const wrong of [
      {},
      { ...right, type: 'passport' },
      { ...right, fileName: '' },
      { ...right, fileName: 'a\u0000.pdf' },
      { ...right, fileName: '../../a.pdf' },
      { ...right, fileName: 'C:\\a.pdf' },
      { ...right, content: 'not Base64!' },
      { ...right, content: 1 },
      { ...right, size: 1 },
    ])
      await key.post(pathOf(id), wrong).expect(400);
    const form = (): Test => key.call('post', pathOf(id));
    await form().expect(400);
    await form().field('type', 'identity').expect(400);
    await form().field('type', 'identity').field('file', 'no file').expect(400);
    await form().attach('file', PDF, { filename: 'a.pdf' }).expect(400);
    await sendForm(id, PDF, 'a.pdf', 'passport').expect(400);
    await sendForm(id, PDF).field('more', '1').expect(400);
    await sendForm(id, PDF).attach('file', PDF, { filename: 'b.pdf' }).expect(400);
    await form().type('multipart/form-data; boundary=x').send('--x broken').expect(400);
    expect(await files()).toBe(before);
  });

  it('of any bytes is stored as it came or refused with a clear answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('json', 'form'),
        fc.constantFrom(Buffer.alloc(0), PDF, PNG, Buffer.from('ffd8ff', 'hex')),
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        async (form, start, rest, name) => {
          const id = await create(); // a sub-merchant has a limit of documents, which the runs together would reach
          const content = Buffer.concat([start, Buffer.from(rest)]);
          const { status, body } =
            form === 'json' ? await key.post(pathOf(id), asJson(content, name)) : await sendForm(id, content);
          expect([201, 400, 415]).toContain(status);
          if (status === 201)
            expect(body).toMatchObject({
              size: content.length,
              sha256: createHash('sha256').update(content).digest('hex'),
            });
        },
      ),
      { numRuns: volume({ usual: 25, proof: 1_000 }) },
    );
  });

  it('is for the master and the sub-merchant itself; nobody else gets to see that it exists', async () => {
    const id = await create();
    const { body: keys } = await key.get(`/v1/submerchants/${id}/api-keys`).expect(200);
    const own = withKey(gateway, keys.secretKey);
    await own.post(pathOf(id), asJson(PDF)).expect(201);
    expect((await own.getAfter('latest', pathOf(id))).body.total).toBe(1);
    const before = await files();
    const other = withKey(gateway, (await createMaster()).testKey);
    await other.post(pathOf(id), asJson(PDF)).expect(404);
    await other.get(pathOf(id)).expect(404);
    await own.post(pathOf(await create()), asJson(PDF)).expect(404);
    await own.get(`/v1/admin/submerchants/${id}/documents`).expect(403);
    expect(await files()).toBe(before);
  });
});

describe('the list of sub-merchants', () => {
  it('is paged, ordered and filtered, and shows those of the caller in its environment only', async () => {
    const other = await createMaster();
    const mine = withKey(gateway, other.testKey);
    const ids: string[] = [];
    for (const [legalName, email] of [
      ['Ótica Beta', 'Beta@example.test'],
      ['Ótica Alfa', 'alfa@example.test'],
      ['Padaria Gama', 'gama@example.test'],
    ])
      ids.push((await mine.post('/v1/submerchants', { legalName, email }).expect(201)).body.id);
    await withKey(gateway, other.liveKey).post('/v1/submerchants', FIELDS).expect(201);
    const [beta, alfa, gama] = ids;
    await move(alfa ?? '', 'active').expect(200);
    const list = async (query: string): Promise<[number, string[]]> => {
      const { body } = await mine.getAfter('latest', `/v1/submerchants?${query}`);
      return [body.total, body.data.map(({ id }: { id: string }) => id)];
    };
    expect(await list('')).toEqual([3, [gama, alfa, beta]]);
    expect(await list('orderBy=-legalName&size=2')).toEqual([3, [gama, beta]]);
    expect(await list('orderBy=-legalName&size=2&page=2')).toEqual([3, [alfa]]);
    expect(await list('status=active')).toEqual([1, [alfa]]);
    expect(await list('legalName=otica&orderBy=createdAt')).toEqual([2, [beta, alfa]]);
    expect(await list('legalName=oti&orderBy=createdAt')).toEqual([2, [beta, alfa]]);
    expect(await list('legalName=tica')).toEqual([0, []]);
    expect(await list('email=beta@example.test')).toEqual([1, [beta]]);
    expect(await list('createdAt[lt]=2020-01-01')).toEqual([0, []]);
    for (const query of ['status=open', 'orderBy=phone', 'masterId=x', 'size=0', 'createdAt=soon'])
      await mine.get(`/v1/submerchants?${query}`).expect(400);
    const all = await admin.getAfter('latest', `/v1/admin/submerchants?masterId=${other.id}&orderBy=id`);
    expect(all.body.data.map(({ livemode }: { livemode: boolean }) => livemode)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const live = await admin.get(`/v1/admin/submerchants?masterId=${other.id}&livemode=true`).expect(200);
    expect(live.body.total).toBe(1);
    expect((await admin.get(`/v1/admin/submerchants/${beta}`).expect(200)).body.legalName).toBe('Ótica Beta');
    await admin.get(`/v1/admin/submerchants/${other.id}`).expect(404);
  });
});
