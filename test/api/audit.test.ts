import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest } from '../builders.ts';
import type { Method } from '../support/call.ts';
import { PATIENT } from '../support/client.ts';
import { everythingInElastic, everythingInMongo } from '../support/everything.ts';
import { OPERATOR, useGateway } from '../support/gateway.ts';

jest.setTimeout(30_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'audit_log=4' });

const admin = async (
  method: Method,
  path: string,
  body?: object,
  environment: 'live' | 'test' = 'live',
): Promise<Response> => {
  const request = gateway()
    .call(method, path)
    .auth(await gateway().operatorToken(environment), { type: 'bearer' });
  if (method === 'get') request.set('X-Consistency-Token', 'latest');
  return body === undefined ? request : request.send(body);
};
const log = async (query: string, environment: 'live' | 'test' = 'live'): Promise<Response['body']> =>
  (await admin('get', `/v1/admin/audit-log?${query}`, undefined, environment)).body;
const operatorId = async (): Promise<string> =>
  String((await gateway().db.collection('users').findOne({ email: OPERATOR.email }))?._id);

const MERCHANT = { legalName: 'Antes Ltda', email: 'antes@example.test', role: 'Merchant' };

describe('the audit log', () => {
  it('says who did what when, with before, after and the request', async () => {
    const created = await admin('post', '/v1/admin/merchants', MERCHANT);
    const { id } = created.body;
    const changed = await admin('patch', `/v1/admin/merchants/${id}`, { legalName: 'Depois SA' });
    const { data, total } = await log(`resourceId=${id}&orderBy=createdAt`);
    expect(total).toBe(2);
    const actor = { kind: 'operator', id: await operatorId() };
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        type: 'merchant.created',
        actor,
        resource: 'merchant',
        resourceId: id,
        livemode: null,
        requestId: created.headers['x-request-id'],
        address: '127.0.0.1',
        details: null,
        before: null,
        after: expect.objectContaining({ legalName: 'Antes Ltda', version: 1 }),
        createdAt: expect.any(String),
      },
      expect.objectContaining({
        type: 'merchant.updated',
        requestId: changed.headers['x-request-id'],
        before: expect.objectContaining({ legalName: 'Antes Ltda', version: 1 }),
        after: expect.objectContaining({ legalName: 'Depois SA', version: 2 }),
      }),
    ]);
    for (const filter of [
      `actor=${actor.id}`,
      'resource=merchant',
      'type=merchant.updated',
      `requestId=${changed.headers['x-request-id']}`,
      'address=127.0.0.1',
      `createdAt[gte]=${data[1].createdAt}`,
    ])
      expect((await log(`resourceId=${id}&${filter}`)).data).toContainEqual(data[1]);
    for (const filter of [
      'actor=usr_1',
      'resource=charge',
      'type=charge.paid',
      'createdAt[lt]=2020-01-01',
      'address=::1',
    ])
      expect((await log(`resourceId=${id}&${filter}`)).total).toBe(0);
    expect((await admin('get', '/v1/admin/audit-log?orderBy=password')).status).toBe(400);
  });

  it('has nothing of a command that was refused', async () => {
    const { id } = await gateway().createMerchant();
    const before = (await log('size=1')).total;
    expect((await admin('patch', `/v1/admin/merchants/${id}`, { role: 'King' })).status).toBe(400);
    const unknown = {
      email: `${randomUUID()}@example.test`,
      password: 'long enough to be',
      merchantId: null,
    };
    expect((await admin('post', '/v1/admin/users', { ...unknown, groups: ['none'] })).status).toBe(422);
    expect((await log('size=1')).total).toBe(before);
  });

  it('has every administrative command, and no secret', async () => {
    const merchant = await gateway().createMerchant();
    const password = `the first password ${randomUUID()}`;
    const email = `${randomUUID()}@example.test`;
    const group = `group ${randomUUID()}`;
    const { body: created } = await admin('post', '/v1/admin/groups', { name: group, permissions: [] });
    const user = await admin('post', '/v1/admin/users', {
      email,
      password,
      merchantId: null,
      groups: [group],
    });
    await admin('patch', `/v1/admin/users/${user.body.id}`, { name: 'Ana' });
    const reset = await admin('post', `/v1/admin/users/${user.body.id}/password-reset`);
    const { oneTimePassword } = reset.body;
    const login = await gateway().call('post', '/v1/auth/login').send({ email, password: oneTimePassword });
    await gateway()
      .call('post', '/v1/auth/password')
      .auth(login.body.accessToken, { type: 'bearer' })
      .send({ currentPassword: oneTimePassword, newPassword: `${password} 3` })
      .expect(204);
    const keys = `/v1/admin/merchants/${merchant.id}/api-keys`;
    const key = await admin('post', keys, { livemode: true });
    const rolled = await admin('post', `${keys}/${key.body.id}/roll`, { validForSeconds: 60 });
    await admin('delete', `${keys}/${rolled.body.id}`);
    await admin('put', `/v1/admin/merchants/${merchant.id}/fee-definitions`, []);
    await admin('patch', `/v1/admin/groups/${encodeURIComponent(group)}`, {
      permissions: ['admin.audit.read'],
    });
    const setting = await admin('post', `/v1/merchants/${merchant.id}/settings`, {
      name: 'a',
      content: { 'x.$y': 1 },
    });

    const types = async (resourceId: string): Promise<string[]> =>
      (await log(`resourceId=${encodeURIComponent(resourceId)}&orderBy=createdAt`)).data.map(
        (entry: { type: string }) => entry.type,
      );
    expect(await types(user.body.id)).toEqual([
      'user.created',
      'user.updated',
      'user.password_reset',
      'user.logged_in',
      'user.password_changed',
    ]);
    expect(await types(key.body.id)).toEqual(['api_key.created', 'api_key.rolled']);
    expect(await types(rolled.body.id)).toEqual(['api_key.created', 'api_key.revoked']);
    expect(await types(merchant.id)).toEqual(['merchant.created', 'fee_definitions.replaced']);
    expect(await types(created.id)).toEqual(['group.created', 'group.updated']);
    expect(await types(setting.body.id)).toEqual(['setting.created']);
    expect((await log('resource=administration')).total).toBe(0);

    const { db, readStore } = gateway();
    const stored = JSON.stringify([
      // Beside an entry there is the salt of its digest.
      await db
        .collection('audit_log')
        .find({}, { projection: { secret: 0 } })
        .toArray(),
      await db.collection('domain_events').find().toArray(),
      (await readStore.client.search({ index: `${readStore.prefix}audit_log`, size: 1_000 })).hits.hits,
    ]);
    const secrets = [password, oneTimePassword, key.body.secretKey, rolled.body.secretKey, merchant.liveKey];
    for (const secret of [
      ...secrets,
      '$argon2',
      'passwordHash',
      'secretKeyHash',
      'sealedSecretKey',
      '"secret"',
    ])
      expect([secret, stored.includes(secret)]).toEqual([secret, false]);
  });

  it('has what merchants do to their endpoints and passwords, for the operators of that environment', async () => {
    const merchant = await gateway().createMerchant();
    const asMerchant = (method: Method, path: string, body?: object) =>
      gateway().call(method, path).auth(merchant.testKey, '').send(body);
    const endpoint = { url: 'http://127.0.0.1:9/hooks', events: ['*'] };
    const { body: created } = await asMerchant('post', '/v1/webhook-endpoints', endpoint).expect(201);
    await asMerchant('delete', `/v1/webhook-endpoints/${created.id}`).expect(204);
    const { data } = await log(`resourceId=${created.id}&orderBy=createdAt`, 'test');
    const actor = { kind: 'key', id: expect.stringMatching(/^key_/) };
    expect(data).toEqual([
      expect.objectContaining({
        type: 'webhook_endpoint.created',
        actor,
        address: '127.0.0.1',
        before: null,
      }),
      expect.objectContaining({ type: 'webhook_endpoint.deleted', actor }),
    ]);
    expect((await log(`resourceId=${created.id}`)).total).toBe(0);

    const user = { email: `${randomUUID()}@example.test`, password: 'a first long password' };
    const { body: owner } = await admin('post', '/v1/admin/users', {
      ...user,
      merchantId: merchant.id,
      groups: [],
    });
    const login = await gateway().call('post', '/v1/auth/login').send(user).expect(200);
    await gateway()
      .call('post', '/v1/auth/password')
      .auth(login.body.accessToken, { type: 'bearer' })
      .send({ currentPassword: user.password, newPassword: 'a second long password' })
      .expect(204);
    expect((await log(`resourceId=${owner.id}&type=user.password_changed`)).data).toEqual([
      expect.objectContaining({ actor: { kind: 'user', id: owner.id } }),
    ]);
  });

  it('has what an operator was refused, whether by a missing permission or by a rule', async () => {
    const reader = { email: `${randomUUID()}@example.test`, password: 'a long password' };
    const group = `readers ${randomUUID()}`;
    await admin('post', '/v1/admin/groups', { name: group, permissions: ['admin.charges.read'] });
    const { body: user } = await admin('post', '/v1/admin/users', {
      ...reader,
      merchantId: null,
      groups: [group],
    });
    const { body: session } = await gateway().call('post', '/v1/auth/login').send(reader).expect(200);
    const refused = await gateway()
      .call('get', '/v1/admin/users')
      .auth(session.accessToken, { type: 'bearer' })
      .expect(403);
    const { data } = await log(`actor=${user.id}&type=permission.denied`);
    expect(data).toEqual([
      expect.objectContaining({
        resource: 'route',
        resourceId: 'GET /v1/admin/users',
        requestId: refused.headers['x-request-id'],
        address: '127.0.0.1',
        livemode: true,
        details: expect.objectContaining({ needed: ['admin.users.update'] }),
      }),
    ]);
  });

  it('leaves out what else merchants do, and keeps the environments apart', async () => {
    const merchant = await gateway().createMerchant();
    await admin('post', `/v1/merchants/${merchant.id}/settings`, {
      name: 'chargeback_alert_fee',
      content: { amount: 1, currency: 'BRL' },
    });
    const { body: charge } = await gateway()
      .call('post', '/v1/charges')
      .auth(merchant.testKey, '')
      .send({
        amount: 10,
        currency: 'BRL',
        customer: { name: 'Ana', email: 'ana@example.test' },
        paymentMethod: {
          type: 'credit_card',
          installments: 1,
          number: '4242424242424242',
          holderName: 'Ana',
          expirationMonth: '12',
          expirationYear: '2035',
          cvv: '123',
        },
      })
      .expect(201);
    expect((await log(`resourceId=${charge.id}`, 'test')).total).toBe(0);
    const alert = await admin('post', '/v1/admin/chargeback-alerts', { chargeId: charge.id }, 'test');
    expect(alert.status).toBe(201);
    const { data } = await log(`resourceId=${charge.id}`, 'test');
    expect(data).toEqual([
      expect.objectContaining({
        type: 'charge.pre_chargeback',
        livemode: false,
        before: expect.objectContaining({ status: 'paid' }),
        after: expect.objectContaining({ status: 'pre_chargeback' }),
      }),
    ]);
    expect((await log(`resourceId=${alert.body.id}&type=chargeback_alert.registered`, 'test')).total).toBe(1);
    expect((await log(`resourceId=${charge.id}`)).total).toBe(0);
  });

  it('records a reading that must leave a trace, for every reader', async () => {
    const { transact } = gateway().container.get(platform.services);
    const context = {
      actor: { kind: 'key', id: 'key_1' },
      requestId: randomUUID(),
      address: null,
      tenantId: null,
      commits: [],
    } as const;
    const resourceId = `key_${randomUUID()}`;
    await transact({ ...context, commits: [] }, (tx) =>
      tx.audit({ type: 'api_key.read', resource: 'api_key', resourceId, livemode: false }),
    );
    expect((await log(`resourceId=${resourceId}`, 'test')).data).toEqual([
      expect.objectContaining({ type: 'api_key.read', actor: context.actor, before: null, after: null }),
    ]);
    expect((await log(`resourceId=${resourceId}`)).total).toBe(0);
  });
});

describe('erasing a customer', () => {
  const WORDS = ['Quirina', 'quirina@example.test', '52998224725', '+55 11 5555-0199', 'Portugalia'];
  const customer = {
    name: 'Quirina Xavantes',
    email: WORDS[1],
    phone: WORDS[3],
    document: { type: 'cpf', id: WORDS[2] },
    address: { country: WORDS[4] },
  };
  const create = async (key: string, changes: object): Promise<{ id: string; amount: number }> =>
    (
      await gateway()
        .call('post', '/v1/charges')
        .auth(key, '')
        .send({ ...aCardRequest({}, { holderName: 'Quirina Xavantes' }), customer, ...changes })
        .expect(201)
    ).body;
  const erase = (body: object): Promise<Response> => admin('post', '/v1/admin/customers/erase', body, 'test');
  const everything = async (): Promise<string> =>
    [...(await everythingInMongo(gateway().db)), ...(await everythingInElastic(gateway().readStore))]
      .map(([name, text]) => `${name} ${text}`)
      .join('\n');

  it('takes names, e-mails, documents, phones and addresses from everywhere, and leaves the money', async () => {
    const { testKey } = await gateway().createMerchant();
    const byCard = await create(testKey, { amount: 71.5 });
    const byPix = await create(testKey, { paymentMethod: { type: 'pix', installments: 1 } });
    const other = await create(testKey, { customer: { name: 'Bia', email: 'bia@example.test' } });
    const confirmed = await admin('post', `/v1/admin/charges/${byCard.id}/chargeback`, {}, 'test');
    expect(confirmed.status).toBe(200);
    for (const word of WORDS) expect(await everything()).toContain(word);

    const erased = await erase({ email: WORDS[1]?.toUpperCase() });
    expect(erased.body).toEqual({ id: expect.stringMatching(/^ers_/), charges: 2, customers: 0 });
    // The old documents of an index are gone for searches once the view has the new ones.
    await gateway()
      .call('get', '/v1/charges')
      .auth(testKey, '')
      .set('X-Consistency-Token', erased.headers['x-consistency-token'] ?? '')
      .expect(200);
    const { data } = await log('resource=charge', 'test');
    expect(data.map(({ type }: { type: string }) => type)).toContain('charge.chargeback');

    // The holder's name of the other charge is its own customer's business.
    const left = (await everything()).replaceAll('"holderName":"Quirina Xavantes"', '');
    for (const word of WORDS) expect(left).not.toContain(word);
    const read = (id: string): Promise<Response> =>
      gateway().call('get', `/v1/charges/${id}`).auth(testKey, '').expect(200);
    const { body } = await read(byCard.id);
    expect(body).toMatchObject({
      amount: 71.5,
      status: 'chargeback',
      customer: {
        id: 'cus_erased',
        name: 'erased',
        email: 'erased@erased.invalid',
        document: null,
        phone: null,
      },
      paymentMethod: { firstSix: '424242', lastFour: '4242', holderName: 'erased' },
    });
    expect((await read(byPix.id)).body.status).toBe('pending');
    expect((await read(other.id)).body.customer.name).toBe('Bia');

    const [entry] = (await log('type=customer.erased', 'test')).data;
    expect(entry).toMatchObject({ resourceId: erased.body.id, before: null, after: null });
    expect((await erase({ email: WORDS[1] })).body.charges).toBe(0);
  });

  it('by document finds the same customer, in the environment of the token only', async () => {
    const { testKey, liveKey } = await gateway().createMerchant();
    await create(testKey, {});
    const live = await gateway().call('get', '/v1/charges?size=1').auth(liveKey, '').expect(200);
    expect(live.body.total).toBe(0);
    const inLive = await admin('post', '/v1/admin/customers/erase', { document: WORDS[2] }, 'live');
    expect(inLive.body.charges).toBe(0);
    expect((await erase({ document: WORDS[2] })).body.charges).toBe(1);
  });

  it('is refused without one name, or with two', async () => {
    for (const body of [
      {},
      { email: 'ana@example.test', document: '1' },
      { email: 'nobody' },
      { name: 'Ana' },
    ])
      expect((await erase(body)).status).toBe(400);
  });
});
