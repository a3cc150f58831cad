import type { Response } from 'supertest';
import { AUDIT_LOG } from '../../src/platform/write-store/audit.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';
import { aCardRequest, aPayoutFee, aSpreadFee } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey, withToken } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
const PASSWORD = 'a password of this test';

let admin: Client;
let merchant: TestMerchant;
let key: Client;
let paula: Client;

const signIn = async (
  merchantId: string | null,
  email: string,
  groups: readonly string[] = [],
): Promise<Client> => {
  await admin
    .post('/v1/admin/users', { email, password: PASSWORD, name: 'Paula Reis', merchantId, groups })
    .expect(201);
  const { body } = await gateway()
    .call('post', '/v1/auth/login')
    .send({ email, password: PASSWORD, environment: 'test' })
    .expect(200);
  return withToken(gateway, body.accessToken);
};

const charge = async (by = key): Promise<string> =>
  (await by.post('/v1/charges', aCardRequest()).expect(201)).body.id;
const write = (by: Client, resourceId: string, text: string) => by.post('/v1/notes', { resourceId, text });
const notesOf = async (by: Client, query: string): Promise<Response['body'][]> =>
  (await by.getAfter('latest', `/v1/notes?${query}`)).body.data;
const textsOf = async (by: Client, query: string): Promise<string[]> =>
  (await notesOf(by, query)).map(({ text }) => text);

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  merchant = await gateway().createMaster();
  key = withKey(gateway, merchant.testKey);
  paula = await signIn(merchant.id, 'paula@example.test');
});

describe('a note', () => {
  it('is written with its author and time, listed, found by its words and shown in the timeline', async () => {
    const id = await charge();
    const { body: note } = await write(paula, id, 'The customer wants to wait for the blue one.').expect(201);
    expect(note).toEqual({
      id: expect.stringMatching(/^nte_[0-9a-f]{32}$/),
      resource: 'charge',
      resourceId: id,
      audience: 'merchant',
      merchantId: merchant.id,
      livemode: false,
      author: { kind: 'user', id: expect.stringMatching(/^usr_/), name: 'Paula Reis' },
      text: 'The customer wants to wait for the blue one.',
      createdAt: expect.any(String),
    });
    await write(key, id, 'Called back.').expect(201);
    expect(await textsOf(paula, `resourceId=${id}`)).toEqual(['Called back.', note.text]);
    expect(await textsOf(key, 'q=blue WAIT')).toEqual([note.text]);
    const { body: found } = await paula.getAfter('latest', '/v1/search?q=blue customer');
    expect(found.data).toEqual([
      expect.objectContaining({
        type: 'note',
        id: note.id,
        title: note.text,
        status: 'charge',
        resourceId: id,
      }),
    ]);
    const { body: timeline } = await key.get(`/v1/charges/${id}/timeline`).expect(200);
    expect(timeline.data.filter(({ kind }: { kind: string }) => kind === 'note')).toEqual([
      {
        kind: 'note',
        at: note.createdAt,
        id: note.id,
        text: note.text,
        author: note.author,
        audience: 'merchant',
      },
      expect.objectContaining({
        text: 'Called back.',
        author: expect.objectContaining({ kind: 'key', name: null }),
      }),
    ]);
  });

  it('is about payouts, sub-merchants and, for operators, merchants', async () => {
    await gateway().setFees(merchant.id, [aSpreadFee(), aPayoutFee()]);
    await charge();
    const { body: payout } = await key.post('/v1/payout-requests', { amount: 1_000 });
    const sub = await createSubMerchant(gateway, merchant);
    for (const [id, resource] of [
      ...(payout.id ? [[payout.id, 'payout_request'] as const] : []),
      [sub.id, 'submerchant'] as const,
    ]) {
      const { body } = await write(paula, id, `about ${id}`).expect(201);
      expect(body.resource).toBe(resource);
      expect(await textsOf(paula, `resourceId=${id}`)).toEqual([`about ${id}`]);
    }
    const { body: inside } = await write(admin, merchant.id, 'pays late').expect(201);
    expect(inside).toMatchObject({ resource: 'merchant', audience: 'operators', livemode: null });
    const live = await operator(gateway, 'live');
    expect(await textsOf(live, `resourceId=${merchant.id}`)).toEqual(['pays late']);
    await write(paula, merchant.id, 'about ourselves').expect(404);
  });

  it('of a master is hidden from its sub-merchant, of operators from merchants, and of others from everybody', async () => {
    const sub = await createSubMerchant(gateway, merchant);
    const subKey = withKey(gateway, sub.testKey);
    const id = await charge(subKey);
    await write(key, id, 'of the master').expect(201);
    await write(subKey, id, 'of the sub-merchant').expect(201);
    await write(admin, id, 'of an operator').expect(201);
    const query = `resourceId=${id}&orderBy=createdAt`;
    expect(await textsOf(subKey, query)).toEqual(['of the sub-merchant']);
    expect(await textsOf(key, query)).toEqual(['of the master', 'of the sub-merchant']);
    expect(await textsOf(admin, query)).toHaveLength(3);
    const seen = async (by: Client) =>
      (await by.get(`/v1/charges/${id}/timeline`).expect(200)).body.data
        .filter(({ kind }: { kind: string }) => kind === 'note')
        .map(({ text }: { text: string }) => text);
    expect(await seen(subKey)).toEqual(['of the sub-merchant']);
    expect(await seen(admin)).toHaveLength(3);
    expect((await subKey.getAfter('latest', '/v1/search?q=operator')).body.data).toEqual([]);
    const other = withKey(gateway, (await gateway().createMerchant()).testKey);
    await write(other, id, 'x').expect(404);
    expect(await notesOf(other, query)).toEqual([]);
    const live = withKey(gateway, merchant.liveKey);
    await write(live, id, 'x').expect(404);
    expect(await notesOf(live, query)).toEqual([]);
  });

  it('is deleted by its author with its text, in the history too, however often it is asked', async () => {
    const id = await charge();
    const text = 'a text that nobody should have written';
    const { body: note } = await write(paula, id, text).expect(201);
    const { body: inside } = await write(admin, id, text).expect(201);
    await key.call('delete', `/v1/notes/${note.id}`).expect(403);
    await admin.call('delete', `/v1/notes/${note.id}`).expect(403);
    await key.call('delete', `/v1/notes/${inside.id}`).expect(404);
    const all = await Promise.all([1, 2, 3].map(() => paula.call('delete', `/v1/notes/${note.id}`)));
    expect(all.map(({ status }) => status)).toEqual([204, 204, 204]);
    await admin.call('delete', `/v1/notes/${inside.id}`).expect(204);
    expect(await notesOf(admin, `resourceId=${id}`)).toEqual([]);
    expect((await paula.getAfter('latest', '/v1/search?q=nobody should')).body.data).toEqual([]);
    const { db } = gateway();
    for (const name of [DOMAIN_EVENTS, AUDIT_LOG.collection, 'notes'])
      expect(JSON.stringify(await db.collection(name).find().toArray())).not.toContain(text);
    const events = await db.collection(DOMAIN_EVENTS).find({ resourceId: note.id }).toArray();
    expect(events.map(({ type }) => type)).toEqual(['note.created', 'note.deleted']);
  });

  it('needs the permission to read its record', async () => {
    const { body: restricted } = await admin
      .post(`/v1/admin/merchants/${merchant.id}/api-keys`, { livemode: false, permissions: ['payouts.read'] })
      .expect(201);
    const reader = withKey(gateway, restricted.secretKey);
    const id = await charge();
    await write(key, id, 'for those who read charges').expect(201);
    await write(reader, id, 'x').expect(404);
    expect(await notesOf(reader, `resourceId=${id}`)).toEqual([]);
    expect((await reader.getAfter('latest', '/v1/search?q=those who read')).body.data).toEqual([]);
  });

  it('is refused where it is empty, too long, about nothing or with a card number', async () => {
    const id = await charge();
    for (const body of [
      { resourceId: id },
      { resourceId: id, text: '' },
      { resourceId: id, text: '   ' },
      { resourceId: id, text: 'x'.repeat(2_001) },
      { resourceId: id, text: 'card 4242424242424242' },
      { text: 'x' },
      { resourceId: id, text: 'x', author: 'somebody else' },
    ])
      await key.post('/v1/notes', body).expect(400);
    for (const unknown of ['chg_unknown', 'po_unknown', 'mer_unknown', 'ref_1', 'x'])
      await write(key, unknown, 'x').expect(404);
    expect(await notesOf(key, `resourceId=${id}`)).toEqual([]);
    await key.call('delete', '/v1/notes/nte_unknown').expect(404);
  });
});
