import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import type { MerchantId } from '../../src/kernel/ids.ts';
import { DELIVERIES, deliveryToUrl } from '../../src/modules/webhooks/write/delivery.ts';
import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/write/event-kinds.ts';
import { createAttemptsStore } from '../../src/modules/webhooks/write/sending/attempts.store.ts';
import { QUEUES } from '../../src/modules/webhooks/write/webhooks.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest, aPayoutFee, aPixRequest, aSentEvent, aSpreadFee } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { anOperator } from '../support/operators.ts';
import { recordWebhook } from '../support/recorder.ts';

/** One retry, a second after the first attempt. */
const gateway = useGateway({ ...PATIENT, WEBHOOK_RETRY_SCHEDULE: '1' });
const REFUSED_CARD = '4000000000000002';
const TAX_ID = '11222333000181';

type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** Answers with the status that the path begins with: /200/a, /500/b. A path below /later fails until it is healed. */
const received: Received[] = [];
let healed = false;
let server: Server;
let base: string;

const statusOf = (path: string): number => {
  const [, first = ''] = path.split('/');
  return first === 'later' ? (healed ? 200 : 500) : Number(first);
};
const at = (path: string): readonly Received[] => received.filter((one) => one.path === path);
const untilReceived = async (path: string, count: number): Promise<readonly Received[]> => {
  const all = await pollUntil(
    async () => at(path),
    (some) => some.length >= count,
  );
  expect({ path, count: all.length }).toEqual({ path, count });
  return all;
};
const bodiesAt = async (path: string, count: number) =>
  (await untilReceived(path, count)).map(({ body }) => JSON.parse(body));

let admin: Client;
let merchant: TestMerchant;
let key: Client;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(chunks).toString();
      received.push({ path, headers: request.headers, body });
      recordWebhook(body);
      response.writeHead(statusOf(path), { Location: '/200/redirected' }).end('x'.repeat(3_000));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  admin = await operator(gateway, 'test');
  merchant = await gateway().createMerchant({ companyTaxId: TAX_ID });
  key = withKey(gateway, merchant.testKey);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const settings = (path: string, fields: object = {}): object => ({
  url: `${base}${path}`,
  events: ['charge.paid'],
  ...fields,
});
const create = async (path: string, fields: object = {}, by = key): Promise<Response['body']> =>
  (await by.post('/v1/webhook-endpoints', settings(path, fields)).expect(201)).body;
/** A new charge as events show it: without its settlements. */
const pay = async (fields: object = {}, by = key, card = {}): Promise<Response['body']> => {
  const { settlements: _, ...charge } = (await by.post('/v1/charges', aCardRequest(fields, card)).expect(201))
    .body;
  return charge;
};
/** The deliveries that match, once none of them is in flight. */
const deliveriesOf = async (query: string, count: number, by = key): Promise<Response['body'][]> => {
  const list = await pollUntil(
    () => by.getAfter('latest', `/v1/webhook-deliveries?size=100&${query}`),
    ({ body: { data } }) =>
      data.length >= count && data.every(({ status }: { status: string }) => status !== 'pending'),
  );
  expect({ query, count: list.body.data.length }).toEqual({ query, count });
  return list.body.data;
};

describe('a webhook endpoint', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const other = withKey(gateway, (await gateway().createMerchant()).testKey);
    const endpoint = await create('/200/crud', { description: 'of the shop' }, other);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-f]{32}$/),
      merchantId: expect.any(String),
      livemode: false,
      url: `${base}/200/crud`,
      events: ['charge.paid'],
      enabled: true,
      disabledReason: null,
      description: 'of the shop',
      includeSubmerchants: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    expect((await other.get(path).expect(200)).body).toEqual(endpoint);
    const changed = await other.call('patch', path, { enabled: false, events: ['*'] }).expect(200);
    expect(changed.body).toMatchObject({ enabled: false, events: ['*'], url: endpoint.url });
    expect((await other.getAfter('latest', '/v1/webhook-endpoints')).body.data).toEqual([changed.body]);
    expect((await other.getAfter('latest', '/v1/webhook-endpoints?enabled=true')).body.total).toBe(0);
    expect((await admin.get(`/v1/admin/webhook-endpoints/${endpoint.id}`).expect(200)).body).toEqual(
      changed.body,
    );
    await other.call('delete', path).expect(204);
    await other.get(path).expect(404);
    await other.call('delete', path).expect(404);
    expect((await other.getAfter('latest', '/v1/webhook-endpoints')).body.total).toBe(0);
  });

  it.each<[string, object]>([
    ['no URL', { url: undefined }],
    ['a URL of another kind', { url: 'ftp://example.test/' }],
    ['credentials in its URL', { url: 'https://user:secret@example.test/' }],
    ['an empty part in its host', { url: 'https://exa..mple.com/' }],
    ['a port that there is not', { url: 'https://example.com:99999/' }],
    ['a private address', { url: 'http://10.0.0.1/' }],
    ['a metadata address in decimal', { url: 'http://2852039166/' }],
    ['no events', { events: [] }],
    ['an unknown event', { events: ['charge.exploded'] }],
    ['the event of postbacks', { events: ['charge.updated'] }],
    ['an event twice', { events: ['charge.paid', 'charge.paid'] }],
    ['a text for enabled', { enabled: 'true' }],
    ['a card number in its description', { description: 'card 4111 1111 1111 1111' }],
    ['an unknown field', { secret: 'x' }],
  ])('with %s is refused', async (_, fields) => {
    const before = await gateway().db.collection('webhook_endpoints').countDocuments({});
    await key.post('/v1/webhook-endpoints', settings('/200/bad', fields)).expect(400);
    expect(await gateway().db.collection('webhook_endpoints').countDocuments({})).toBe(before);
  });

  it.each([
    ['HTTPS://Shop.Example/Hooks', 'https://shop.example/Hooks'],
    [' https://münchen.example:8443 ', 'https://xn--mnchen-3ya.example:8443'],
  ])('has its address as the URL standard writes it: %s', async (url, written) => {
    const { body } = await key
      .post('/v1/webhook-endpoints', { url, events: ['account.updated'] })
      .expect(201);
    expect(body.url).toBe(written);
    await key.call('delete', `/v1/webhook-endpoints/${body.id}`).expect(204);
  });

  it('whose receiver answers 410 is disabled at once, with that reason', async () => {
    const { id } = await create('/410/gone', { events: ['charge.created'] });
    await key.post('/v1/charges', aCardRequest()).expect(201);
    const read = async () => (await key.get(`/v1/webhook-endpoints/${id}`).expect(200)).body;
    const endpoint = await pollUntil(read, ({ enabled }) => !enabled);
    expect(endpoint).toMatchObject({ enabled: false, disabledReason: 'The receiver answered 410 Gone' });
    expect(await untilReceived('/410/gone', 1)).toHaveLength(1);
    await key.call('delete', `/v1/webhook-endpoints/${id}`).expect(204);
  });

  it('cannot be changed into what could not be created', async () => {
    const { id } = await create('/200/patch', { events: ['account.updated'] });
    const path = `/v1/webhook-endpoints/${id}`;
    for (const changes of [{ url: 'http://169.254.169.254/' }, { events: ['charge.updated'] }, {}])
      await key.call('patch', path, changes).expect(400);
    await key.call('delete', path).expect(204);
  });

  it('is one of twenty at most, however many are created at once', async () => {
    const other = withKey(gateway, (await gateway().createMerchant()).testKey);
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => other.post('/v1/webhook-endpoints', settings('/200/many'))),
    );
    // All wait for one another, so a busy machine may ask the last ones to come again.
    const refusals = answers.filter(({ status }) => status !== 201 && status !== 503);
    for (const { status, body } of refusals)
      expect([status, body.code]).toEqual([422, 'WEBHOOK_ENDPOINT_LIMIT_REACHED']);
    const created = async (): Promise<number> =>
      (await other.getAfter('latest', '/v1/webhook-endpoints')).body.total;
    while ((await created()) < 20) await other.post('/v1/webhook-endpoints', settings('/200/many'));
    await other.post('/v1/webhook-endpoints', settings('/200/many')).expect(422);
    expect(await created()).toBe(20);
    const [one] = answers.filter(({ status }) => status === 201);
    await other.call('delete', `/v1/webhook-endpoints/${one?.body.id}`).expect(204);
    await other.post('/v1/webhook-endpoints', settings('/200/many')).expect(201);
  });

  it('belongs to its merchant and its environment', async () => {
    const { id } = await create('/200/own', { events: ['account.updated'] });
    const path = `/v1/webhook-endpoints/${id}`;
    const strangers = [
      withKey(gateway, merchant.liveKey),
      withKey(gateway, (await gateway().createMerchant()).testKey),
    ];
    for (const stranger of strangers) {
      await stranger.get(path).expect(404);
      await stranger.call('patch', path, { enabled: false }).expect(404);
      await stranger.call('delete', path).expect(404);
      await stranger.post(`${path}/test`).expect(404);
      await stranger.post(`${path}/recover`, { since: '2026-01-01' }).expect(404);
    }
    await key.get(`/v1/admin/webhook-endpoints/${id}`).expect(403);
    await key.call('delete', path).expect(204);
  });

  it('can be made and watched by an operator, whose changes are audited', async () => {
    const command = { ...settings('/200/admin', { events: ['payout.approved'] }), merchantId: merchant.id };
    const { body } = await admin.post('/v1/admin/webhook-endpoints', command).expect(201);
    expect(body).toMatchObject({ merchantId: merchant.id, livemode: false });
    const path = `/v1/admin/webhook-endpoints/${body.id}`;
    await admin.post(`${path}/test`, {}).expect(202);
    await admin.call('patch', path, { description: 'x' }).expect(200);
    await admin.call('delete', path).expect(204);
    const log = await admin.getAfter('latest', `/v1/admin/audit-log?resourceId=${body.id}&orderBy=id`);
    expect(log.body.data.map(({ type }: { type: string }) => type)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.tested',
      'webhook_endpoint.updated',
      'webhook_endpoint.deleted',
    ]);
    const unknown = { ...command, merchantId: `mer_${'0'.repeat(32)}` };
    await admin.post('/v1/admin/webhook-endpoints', unknown).expect(404);
  });
});

describe('a charge event', () => {
  it('reaches the endpoints that want it, as it is, and is logged as it was sent', async () => {
    const endpoint = await create('/200/paid');
    const all = await create('/200/all', { events: ['*'] });
    const charge = await pay({ metadata: { note: 'ação' } });
    const [post] = await untilReceived('/200/paid', 1);
    const envelope = JSON.parse(post?.body ?? '');
    expect(envelope).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      event: 'charge.paid',
      livemode: false,
      data: charge,
    });
    expect(post?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringContaining('Portico'),
      'x-event-id': envelope.id,
      'x-delivery-attempt': '1',
      'x-delivery-sequence': '1',
    });
    const kinds = (await bodiesAt('/200/all', 2)).map(({ event }) => event);
    expect(kinds).toEqual(['charge.created', 'charge.paid']);
    expect(at('/200/all').map(({ headers }) => headers['x-delivery-sequence'])).toEqual(['1', '2']);

    const events = await key.getAfter('latest', `/v1/events?resourceId=${charge.id}&orderBy=id`);
    expect(events.body.data.map(({ event }: { event: string }) => event)).toEqual(kinds);
    const sent = (await key.get(`/v1/events/${envelope.id}`).expect(200)).body;
    expect(events.body.data).toContainEqual(sent);
    expect(sent).toMatchObject({
      id: envelope.id,
      event: 'charge.paid',
      resourceId: charge.id,
      data: charge,
    });
    expect(sent.body).toBe(post?.body);

    const [delivery] = await deliveriesOf(`eventId=${envelope.id}&endpointId=${endpoint.id}`, 1);
    expect(delivery).toMatchObject({
      channel: 'endpoint',
      event: 'charge.paid',
      url: `${base}/200/paid`,
      status: 'delivered',
      sequence: 1,
      nextAttemptAt: null,
    });
    expect(delivery.attempts).toEqual([
      {
        at: expect.any(String),
        statusCode: 200,
        durationMs: expect.any(Number),
        response: 'x'.repeat(2_048),
        error: null,
      },
    ]);
    expect((await key.get(`/v1/webhook-deliveries/${delivery.id}`).expect(200)).body).toEqual(delivery);
    const theirs = await admin.getAfter('latest', `/v1/admin/webhook-deliveries?eventId=${envelope.id}`);
    expect(theirs.body.total).toBe(2);
    for (const { id } of [endpoint, all]) await key.call('delete', `/v1/webhook-endpoints/${id}`).expect(204);

    const stranger = withKey(gateway, merchant.liveKey);
    await stranger.get(`/v1/events/${envelope.id}`).expect(404);
    await stranger.get(`/v1/webhook-deliveries/${delivery.id}`).expect(404);
    await stranger.post(`/v1/webhook-deliveries/${delivery.id}/resend`).expect(404);
    expect((await stranger.getAfter('latest', '/v1/events')).body.total).toBe(0);
    expect((await stranger.getAfter('latest', '/v1/webhook-deliveries')).body.total).toBe(0);
  });

  it('reaches the postback, which alone gets charge.updated', async () => {
    const endpoint = await create('/200/refusals', { events: ['charge.refused'] });
    await pay({ postbackUrl: `${base}/200/postback` }, key, { number: REFUSED_CARD });
    const posts = await bodiesAt('/200/postback', 2);
    expect(posts.map(({ event }) => event)).toEqual(['charge.created', 'charge.updated']);
    expect(posts[1].data).toMatchObject({ status: 'refused', failureReason: 'card_declined' });
    const [refused] = await bodiesAt('/200/refusals', 1);
    expect(refused).toMatchObject({ event: 'charge.refused', data: posts[1].data });
    expect(refused.id).not.toBe(posts[1].id);
    expect(at('/200/postback').map(({ headers }) => headers['x-delivery-sequence'])).toEqual([
      undefined,
      undefined,
    ]);
    await key.call('delete', `/v1/webhook-endpoints/${endpoint.id}`).expect(204);
  });

  it('has of a Pix charge the end-to-end id only', async () => {
    const request = aPixRequest({ postbackUrl: `${base}/200/pix` });
    const { body: charge } = await key.post('/v1/charges', request).expect(201);
    const [, pending] = await bodiesAt('/200/pix', 2);
    expect(pending).toMatchObject({ event: 'charge.pending', data: { id: charge.id } });
    expect(pending.data.paymentDetails).toEqual({ endToEndId: charge.paymentDetails.endToEndId });
    expect(
      at('/200/pix')
        .map(({ body }) => body)
        .join(),
    ).not.toContain(charge.paymentDetails.copyPaste);
  });
});

describe('an event that nobody listened to', () => {
  const namesOf = ({ body }: Response): readonly string[] =>
    body.data.map(({ event }: { event: string }) => event);
  const recover = (id: string, since: string, by: Client) =>
    by.post(`/v1/webhook-endpoints/${id}/recover`, { since }).expect(202);

  it('is listed and read with the body that would be sent, and sent with just that once it is recovered', async () => {
    const quiet = withKey(gateway, (await gateway().createMerchant()).testKey);
    const charge = await pay({ metadata: { note: 'ação' } }, quiet);
    const path = `/v1/events?resourceId=${charge.id}&orderBy=id`;
    const events = await quiet.getAfter('latest', path);
    expect(namesOf(events)).toEqual(['charge.created', 'charge.paid']);
    const [, paid] = events.body.data;
    expect(paid).toMatchObject({ resourceId: charge.id, livemode: false, data: charge });
    expect(JSON.parse(paid.body)).toEqual({
      id: paid.id,
      event: 'charge.paid',
      livemode: false,
      data: charge,
    });
    expect((await quiet.get(`/v1/events/${paid.id}`).expect(200)).body).toEqual(paid);
    expect((await quiet.getAfter('latest', '/v1/webhook-deliveries')).body.total).toBe(0);
    await key.get(`/v1/events/${paid.id}`).expect(404);

    const late = await create('/200/late', { events: ['*'] }, quiet);
    const other = await create('/200/other', { events: ['*'] }, quiet);
    await quiet.post(`/v1/webhook-endpoints/${other.id}/test`).expect(202);
    expect((await recover(late.id, charge.createdAt, quiet)).body).toEqual({
      resent: 0,
      missed: 2,
      complete: true,
    });
    const posts = await untilReceived('/200/late', 2);
    expect(posts.map(({ body }) => body)).toEqual(events.body.data.map(({ body }: { body: string }) => body));
    expect(posts.map(({ headers }) => headers['x-delivery-sequence'])).toEqual(['1', '2']);
    await deliveriesOf(`endpointId=${late.id}`, 2, quiet);
    expect((await recover(late.id, charge.createdAt, quiet)).body).toEqual({
      resent: 0,
      missed: 0,
      complete: true,
    });
    expect((await quiet.getAfter('latest', path)).body.data).toEqual(events.body.data);
    // The other one asked for nothing, and a sample is nothing that could be missed.
    expect(at('/200/other')).toHaveLength(1);
  });

  it('because its endpoint was disabled or wanted others can be recovered, and fills no gap twice', async () => {
    const shop = withKey(gateway, (await gateway().createMerchant()).testKey);
    const endpoint = await create('/200/gap', { events: ['charge.paid'] }, shop);
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    const before = await pay({}, shop);
    await untilReceived('/200/gap', 1);
    await shop.call('patch', path, { enabled: false }).expect(200);
    const meanwhile = await pay({}, shop);
    await shop.getAfter('latest', '/v1/webhook-deliveries');
    await shop.call('patch', path, { enabled: true }).expect(200);
    const after = await pay({}, shop);
    await untilReceived('/200/gap', 2);
    expect((await recover(endpoint.id, before.createdAt, shop)).body).toEqual({
      resent: 0,
      missed: 1,
      complete: true,
    });
    const posts = await bodiesAt('/200/gap', 3);
    expect(posts.map(({ data }) => data.id)).toEqual([before.id, after.id, meanwhile.id]);
    expect(at('/200/gap').map(({ headers }) => headers['x-delivery-sequence'])).toEqual(['1', '2', '3']);

    await shop.call('patch', path, { events: ['charge.created'] }).expect(200);
    expect((await recover(endpoint.id, after.createdAt, shop)).body).toEqual({
      resent: 0,
      missed: 1,
      complete: true,
    });
    expect((await bodiesAt('/200/gap', 4)).at(-1)).toMatchObject({ event: 'charge.created' });
  });

  it('of a sub-merchant is recovered by the master for events that its endpoint gets', async () => {
    const master = await gateway().createMerchant({ role: 'MerchantMaster' });
    const masterKey = withKey(gateway, master.testKey);
    const sub = await createSubMerchant(gateway, master);
    await admin.call('patch', `/v1/admin/merchants/${sub.id}`, { legalName: 'Filial Norte' }).expect(200);
    const charge = await pay({}, withKey(gateway, sub.testKey));
    const since = '2026-01-01';
    const alone = await create('/200/alone', { events: ['*'] }, masterKey);
    expect((await recover(alone.id, since, masterKey)).body.missed).toBe(1);
    expect(await bodiesAt('/200/alone', 1)).toMatchObject([
      { event: 'account.updated', data: { id: sub.id } },
    ]);
    const both = await create('/200/both', { events: ['*'], includeSubmerchants: true }, masterKey);
    expect((await recover(both.id, since, masterKey)).body.missed).toBe(3);
    const posts = await bodiesAt('/200/both', 3);
    expect(posts.map(({ data }) => data.id)).toEqual([sub.id, charge.id, charge.id]);
    const unrelated = await create('/200/unrelated', { events: ['*'], includeSubmerchants: true });
    expect((await recover(unrelated.id, new Date().toISOString(), key)).body.missed).toBe(0);
    await key.call('delete', `/v1/webhook-endpoints/${unrelated.id}`).expect(204);
  });

  it('forgets a customer who asked for it', async () => {
    const shop = withKey(gateway, (await gateway().createMerchant()).testKey);
    const charge = await pay({ customer: { name: 'Caio Reis', email: 'caio@example.test' } }, shop);
    const path = `/v1/events?resourceId=${charge.id}`;
    const before = await shop.getAfter('latest', path);
    expect(JSON.stringify(before.body.data)).toContain('Caio Reis');
    await admin.post('/v1/admin/customers/erase', { email: 'caio@example.test' }).expect(200);
    const after = await shop.getAfter('latest', path);
    expect(namesOf(after)).toEqual(namesOf(before));
    expect(JSON.stringify(after.body.data)).not.toMatch(/Caio|caio@/);
    const late = await create('/200/late-erased', { events: ['*'] }, shop);
    expect((await recover(late.id, charge.createdAt, shop)).body.missed).toBe(2);
    await untilReceived('/200/late-erased', 2);
    expect(JSON.stringify(at('/200/late-erased'))).not.toMatch(/Caio|caio@/);
  });
});

describe('deliveries that were sent', () => {
  it('forgets a customer who asked for it', async () => {
    const customer = { name: 'Bia Lima', email: 'bia@example.test' };
    const charge = await pay({ customer, postbackUrl: `${base}/200/erased` });
    await untilReceived('/200/erased', 2);
    const path = `/v1/events?resourceId=${charge.id}`;
    const before = (await key.getAfter('latest', path)).body.data;
    expect(before.map(({ body }: { body: string }) => body.includes('Bia Lima'))).toEqual([true, true]);
    await admin.post('/v1/admin/customers/erase', { email: customer.email }).expect(200);
    const after = (await key.getAfter('latest', path)).body.data;
    expect(after.map(({ id }: { id: string }) => id)).toEqual(before.map(({ id }: { id: string }) => id));
    expect(JSON.stringify(after)).not.toMatch(/Bia|bia@/);
  });
});

describe('a delivery', () => {
  it('that fails is tried again with the same bytes, and can be sent again later', async () => {
    const endpoint = await create('/later/shop');
    const redirected = await create('/307/away');
    await pay();
    const failed = await deliveriesOf(`endpointId=${endpoint.id}`, 1);
    expect(failed).toMatchObject([{ status: 'failed', sequence: 1 }]);
    expect(failed[0].attempts.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual([
      500, 500,
    ]);
    const [away] = await deliveriesOf(`endpointId=${redirected.id}`, 1);
    expect([away.status, away.attempts[0].statusCode, at('/200/redirected').length]).toEqual([
      'failed',
      307,
      0,
    ]);
    for (const [code, { length }] of [
      [307, [away]],
      [500, []],
    ] as const)
      await deliveriesOf(`statusCode=${code}&endpointId=${redirected.id}`, length);
    const [first, second] = at('/later/shop');
    expect(second?.body).toBe(first?.body);
    expect([first, second].map((post) => post?.headers['x-delivery-attempt'])).toEqual(['1', '2']);

    healed = true;
    const again = await key.post(`/v1/webhook-deliveries/${failed[0].id}/resend`).expect(202);
    expect(again.body).toMatchObject({ id: failed[0].id, status: 'pending' });
    const [resent] = await deliveriesOf(`endpointId=${endpoint.id}`, 1);
    expect([resent.status, resent.sequence, resent.attempts.length]).toEqual(['delivered', 1, 3]);
    expect(at('/later/shop').at(-1)).toMatchObject({
      body: first?.body,
      headers: { 'x-delivery-attempt': '3', 'x-delivery-sequence': '1' },
    });

    const path = `/v1/webhook-endpoints/${redirected.id}`;
    await key.call('patch', path, { url: `${base}/200/moved` }).expect(200);
    const since = away.createdAt;
    const recovered = (await key.post(`${path}/recover`, { since }).expect(202)).body;
    expect(recovered).toEqual({ resent: 1, missed: 0, complete: true });
    expect(await deliveriesOf(`endpointId=${redirected.id}`, 1)).toMatchObject([
      { id: away.id, status: 'delivered', url: `${base}/200/moved` },
    ]);
    expect((await key.post(`${path}/recover`, { since }).expect(202)).body.resent).toBe(0);
    for (const body of [{}, { since: 'yesterday' }, { since: '2026-02-30' }])
      await key.post(`${path}/recover`, body).expect(400);
    for (const { id } of [endpoint, redirected])
      await key.call('delete', `/v1/webhook-endpoints/${id}`).expect(204);
  });

  it('that waits for its next attempt can be sent at once', async () => {
    const endpoint = await create('/500/waiting');
    await pay();
    const [delivery] = await deliveriesOf(`endpointId=${endpoint.id}`, 1);
    const deliveries = gateway().db.collection<{ _id: string }>(DELIVERIES.collection);
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const waiting = { status: 'pending', tried: 1, dueAt: inAnHour };
    await deliveries.updateOne({ _id: delivery.id }, { $set: waiting, $inc: { version: 1 } });
    const path = `/v1/webhook-deliveries/${delivery.id}`;
    expect((await key.get(path)).body).toMatchObject({ status: 'pending', nextAttemptAt: inAnHour });
    const { body } = await key.post(`${path}/resend`).expect(202);
    expect(body.status).toBe('pending');
    expect(Date.parse(body.nextAttemptAt)).toBeLessThan(Date.now() + 1);
    const posts = await untilReceived('/500/waiting', 3);
    expect(posts.at(-1)?.headers).toMatchObject({ 'x-delivery-attempt': '2', 'x-delivery-sequence': '1' });
    // The schedule goes on where it was: there was one retry left.
    expect(await deliveriesOf(`endpointId=${endpoint.id}`, 1)).toMatchObject([{ status: 'failed' }]);

    const underWay = { status: 'pending', begunAt: inAnHour, dueAt: inAnHour };
    await deliveries.updateOne({ _id: delivery.id }, { $set: underWay, $inc: { version: 1 } });
    expect((await key.post(`${path}/resend`).expect(422)).body.code).toBe('WEBHOOK_DELIVERY_PENDING');
    await deliveries.updateOne(
      { _id: delivery.id },
      { $set: { status: 'failed', begunAt: null, dueAt: null } },
    );
    await key.call('delete', `/v1/webhook-endpoints/${endpoint.id}`).expect(204);
  });

  it('to an endpoint that is disabled is not sent, and can be recovered', async () => {
    const endpoint = await create('/200/disabled', { events: ['charge.refunded'] });
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    const { body: test } = await key.post(`${path}/test`, { event: 'charge.refunded' }).expect(202);
    await deliveriesOf(`endpointId=${endpoint.id}`, 1);
    await key.call('patch', path, { enabled: false }).expect(200);
    const refusal = (await key.post(`/v1/webhook-deliveries/${test.id}/resend`).expect(422)).body;
    expect(refusal.code).toBe('WEBHOOK_ENDPOINT_DISABLED');
    expect((await key.post(`${path}/test`).expect(422)).body.code).toBe('WEBHOOK_ENDPOINT_DISABLED');
    await key.post(`${path}/recover`, { since: '2026-01-01' }).expect(422);

    // A delivery that was in flight when the endpoint was disabled.
    const deliveries = gateway().db.collection<{ _id: string }>(DELIVERIES.collection);
    await deliveries.updateOne({ _id: test.id }, { $set: { status: 'pending', dueAt: test.createdAt } });
    const [refused] = await deliveriesOf(`endpointId=${endpoint.id}&status=failed`, 1);
    expect(refused.attempts.at(-1)).toMatchObject({ statusCode: null, error: 'endpoint_disabled' });
    expect(at('/200/disabled')).toHaveLength(1);
    await key.call('patch', path, { enabled: true }).expect(200);
    await key.post(`${path}/recover`, { since: test.createdAt }).expect(202);
    await untilReceived('/200/disabled', 2);
    await key.call('delete', path).expect(204);
  });

  it('of a sample can be asked for, says that it is one, and is of the chosen kind and environment', async () => {
    const endpoint = await create('/200/sample', { events: ['charge.refunded', 'payout.rejected'] });
    const path = `/v1/webhook-endpoints/${endpoint.id}/test`;
    const { body } = await key.post(path).expect(202);
    expect(body).toMatchObject({ endpointId: endpoint.id, event: 'charge.refunded', status: 'pending' });
    await key.post(path, { event: 'payout.rejected' }).expect(202);
    await key.post(path, { event: 'subscription.created' }).expect(202);
    const posts = await bodiesAt('/200/sample', 3);
    expect(posts).toContainEqual({
      id: body.eventId,
      event: 'charge.refunded',
      livemode: false,
      data: expect.objectContaining({ id: `chg_${'0'.repeat(32)}`, status: 'refunded' }),
    });
    expect(posts).toContainEqual({
      id: `po_${'0'.repeat(32)}`,
      event: 'payout.rejected',
      data: expect.objectContaining({ status: 'rejected', rejectionReason: 'sample' }),
    });
    expect(at('/200/sample').map(({ headers }) => headers['x-test-event'])).toEqual(['true', 'true', 'true']);
    await key.post(path, { event: 'charge.updated' }).expect(400);

    const live = withKey(gateway, merchant.liveKey);
    const ofLive = await create('/200/live-sample', {}, live);
    await live.post(`/v1/webhook-endpoints/${ofLive.id}/test`).expect(202);
    expect(await bodiesAt('/200/live-sample', 1)).toMatchObject([{ event: 'charge.paid', livemode: true }]);
    await live.call('delete', `/v1/webhook-endpoints/${ofLive.id}`).expect(204);
    await key.call('delete', `/v1/webhook-endpoints/${endpoint.id}`).expect(204);
  });

  it('of a sample can be of each kind that endpoints may want', async () => {
    const endpoint = await create('/200/kinds', { events: ['*'] });
    const path = `/v1/webhook-endpoints/${endpoint.id}/test`;
    for (const event of WEBHOOK_EVENTS) await key.post(path, { event }).expect(202);
    const posts = await bodiesAt('/200/kinds', WEBHOOK_EVENTS.length);
    expect(posts.map(({ event }) => event).sort()).toEqual([...WEBHOOK_EVENTS].sort());
    await key.call('delete', `/v1/webhook-endpoints/${endpoint.id}`).expect(204);
  });

  it('that is unknown is not found, nor is an event', async () => {
    const nought = '0'.repeat(32);
    await key.get(`/v1/webhook-deliveries/whd_${nought}`).expect(404);
    await key.post(`/v1/webhook-deliveries/whd_${nought}/resend`).expect(404);
    await key.get(`/v1/events/evt_${nought}`).expect(404);
    for (const query of ['status=lost', 'channel=mail', 'orderBy=url', 'createdAt=now', 'statusCode=50'])
      await key.get(`/v1/webhook-deliveries?${query}`).expect(400);
    await key.get('/v1/events?event=charge.exploded').expect(400);
    for (const list of ['events', 'webhook-deliveries', 'webhook-endpoints'])
      await key.get(`/v1/${list}?merchantId=mer_${nought}`).expect(403);
  });
});

describe('a caller without the permission to read what an event is about', () => {
  it('sees neither the event nor its deliveries, and sends none again', async () => {
    const shop = await gateway().createMerchant();
    const shopKey = withKey(gateway, shop.testKey);
    const endpoint = await create('/500/hidden', {}, shopKey);
    const charge = await pay({}, shopKey);
    const [delivery] = await deliveriesOf(`endpointId=${endpoint.id}`, 1, shopKey);
    const paths = [`/v1/events/${delivery.eventId}`, `/v1/webhook-deliveries/${delivery.id}`];
    const may = (...permissions: readonly string[]) =>
      admin.call('patch', `/v1/admin/merchants/${shop.id}`, { permissions }).expect(200);
    await may('webhooks.manage');
    for (const path of paths)
      expect((await shopKey.get(path).expect(403)).body.code).toBe('PERMISSION_MISSING');
    expect((await shopKey.post(`${paths[1]}/resend`).expect(403)).body.code).toBe('PERMISSION_MISSING');
    for (const list of [`events?resourceId=${charge.id}`, `webhook-deliveries?endpointId=${endpoint.id}`])
      expect((await shopKey.getAfter('latest', `/v1/${list}`)).body).toMatchObject({ data: [], total: 0 });
    await may('webhooks.manage', 'charges.read');
    for (const path of paths) await shopKey.get(path).expect(200);
    expect((await shopKey.getAfter('latest', `/v1/events?resourceId=${charge.id}`)).body.total).toBe(2);
    await shopKey.post(`${paths[1]}/resend`).expect(202);
  });
});

describe('a payout event', () => {
  it('is sent once, with the id of the payout, however it is answered', async () => {
    await gateway().setFees(merchant.id, [aPayoutFee()]);
    const endpoint = await create('/500/payouts', { events: ['payout.rejected'] });
    const { id } = (await key.post('/v1/payout-requests', { amount: 5_000 }).expect(201)).body;
    const reject = `/v1/admin/payout-requests/${id}/reject`;
    const { body: rejected } = await admin.post(reject, { rejectionReason: 'no' }).expect(200);
    const [delivery] = await deliveriesOf(`endpointId=${endpoint.id}`, 1);
    expect(delivery).toMatchObject({ channel: 'payout', status: 'failed' });
    expect(delivery.attempts).toHaveLength(1);
    const facts = { amount: 5_000, currency: 'BRL', payoutFee: 100, netAmount: 4_900 };
    expect(await bodiesAt('/500/payouts', 1)).toEqual([
      {
        id,
        event: 'payout.rejected',
        data: {
          ...facts,
          id,
          merchantId: merchant.id,
          status: 'rejected',
          processedAt: rejected.processedAt,
          rejectionReason: 'no',
        },
      },
    ]);
    const { body } = await key.getAfter('latest', `/v1/events?resourceId=${id}`);
    expect(body.data).toMatchObject([
      { event: 'payout.rejected', id: expect.stringMatching(/^evt_/) },
      { event: 'payout.requested' },
    ]);
    await key.call('delete', `/v1/webhook-endpoints/${endpoint.id}`).expect(204);
  });
});

describe('commands that somebody else has to approve', () => {
  it('reports analysis, authentication, failed refunds and transfers of payouts', async () => {
    const shop = await gateway().createMerchant({ companyTaxId: TAX_ID });
    const shopKey = withKey(gateway, shop.testKey);
    await gateway().setFees(shop.id, [aPayoutFee()]);
    const rare = [
      'charge.in_analysis',
      'charge.authentication_required',
      'refund.refused',
      'refund.failed',
      'payout.sent',
      'payout.failed',
    ];
    await create('/200/rare', { events: rare }, shopKey);
    const postbackUrl = `${base}/200/rare-postback`;
    await pay({ postbackUrl }, shopKey, { number: '4000000000005126' });
    await pay({}, shopKey, { number: '4000002500003155' });
    const refunds: string[] = [];
    for (const number of ['4000000000005423', '4000000000003220']) {
      const charge = await pay({}, shopKey, { number });
      const { body } = await shopKey.post('/v1/refunds', { chargeId: charge.id, reason: 'x' }).expect(201);
      refunds.push(body.id);
    }
    await shopKey.post('/v1/test-helpers/settlements/run', { until: '2099-01-01' }).expect(200);
    const { id } = (await shopKey.post('/v1/payout-requests', { amount: 5_000 }).expect(201)).body;
    await admin.post(`/v1/admin/payout-requests/${id}/approve`).expect(200);
    const transfer = `/v1/admin/payout-requests/${id}/transfer`;
    await admin.post(transfer, { status: 'sent', reference: 'bank-1' }).expect(200);
    await admin.post(transfer, { status: 'failed', reason: 'account closed' }).expect(200);

    const bodies = await bodiesAt('/200/rare', 6);
    const shown = new Map(bodies.map(({ event, data }) => [event, data]));
    expect([...shown.keys()].sort()).toEqual([...rare].sort());
    expect(shown.get('charge.in_analysis')).toMatchObject({ status: 'in_analysis' });
    expect(shown.get('charge.authentication_required').status).toBe('authentication_required');
    for (const [index, status] of ['refused', 'failed'].entries()) {
      const refund = (await shopKey.get(`/v1/refunds/${refunds[index]}`).expect(200)).body;
      expect(shown.get(`refund.${status}`)).toEqual(refund);
      expect(refund.status).toBe(status);
    }
    expect(shown.get('payout.sent')).toMatchObject({
      id,
      transferStatus: 'sent',
      transferReference: 'bank-1',
    });
    expect(shown.get('payout.failed')).toMatchObject({ id, transferFailureReason: 'account closed' });
    const postbacks = await bodiesAt('/200/rare-postback', 2);
    expect(postbacks.map(({ event }) => event)).toEqual(['charge.created', 'charge.updated']);
  });
});

describe('an event that has to be named', () => {
  it('reaches the endpoints that name it, and none that wants all', async () => {
    const shop = await gateway().createMerchant({ companyTaxId: TAX_ID });
    const shopKey = withKey(gateway, shop.testKey);
    await gateway().setFees(shop.id, [
      aPayoutFee(0, 0),
      { ...aSpreadFee({ definition: { fixed: 0, percentages: [1] } }), fee_type: 'anticipation' },
    ]);
    const named = [
      'charge.settled',
      'refund.pending',
      'payout.requested',
      'anticipation.created',
      'adjustment.created',
    ];
    await create('/200/named', { events: named }, shopKey);
    await create('/200/unnamed', { events: ['*'] }, shopKey);
    const refunded = await pay({}, shopKey, { number: '4000000000007726' });
    await shopKey.post('/v1/refunds', { chargeId: refunded.id, reason: 'x' }).expect(201);
    const early = await pay({}, shopKey);
    await shopKey.post('/v1/anticipations', { chargeId: early.id }).expect(201);
    const settled = await pay({}, shopKey);
    await shopKey.post('/v1/test-helpers/settlements/run', { until: '2099-01-01' }).expect(200);
    const payout = (await shopKey.post('/v1/payout-requests', { amount: 5_000 }).expect(201)).body;
    const author = await anOperator(gateway, ['admin.adjustments.create']);
    const approver = await anOperator(gateway, ['admin.adjustments.approve']);
    const asked = { merchantId: shop.id, amount: -12.5, currency: 'BRL', reason: 'a fee' };
    const adjustment = (await author.post('/v1/admin/adjustments', asked)).body;
    await approver.post(`/v1/admin/adjustments/${adjustment.id}/approve`);

    const bodies = await bodiesAt('/200/named', 5);
    const shown = new Map(bodies.map(({ event, data }) => [event, data]));
    expect([...shown.keys()].sort()).toEqual([...named].sort());
    expect(shown.get('charge.settled')).toMatchObject({ id: settled.id, status: 'paid' });
    expect(shown.get('refund.pending')).toMatchObject({ chargeId: refunded.id, status: 'pending' });
    expect(shown.get('payout.requested')).toMatchObject({ id: payout.id, status: 'pending' });
    expect(shown.get('anticipation.created')).toMatchObject({ chargeId: early.id, amount: 100 });
    expect(shown.get('adjustment.created')).toEqual({
      ...asked,
      id: adjustment.id,
      livemode: false,
      ledgerEntryId: expect.stringMatching(/^led_/),
      createdAt: expect.any(String),
    });
    const all = await shopKey.getAfter('latest', '/v1/events?size=100');
    const kinds = all.body.data.map(({ event }: { event: string }) => event);
    expect(kinds).toEqual(expect.arrayContaining(named));
    const others = (await bodiesAt('/200/unnamed', kinds.length - named.length)).map(({ event }) => event);
    expect(others.filter((event) => named.includes(event))).toEqual([]);
  });
});

describe('an event of a sub-merchant', () => {
  it('reaches its own endpoints and, as asked, its master’s; the status postback gets the status', async () => {
    const master = await gateway().createMaster();
    const masterKey = withKey(gateway, master.testKey);
    const endpoint = await create('/200/master', { events: ['*'], includeSubmerchants: true }, masterKey);
    await create('/200/master-alone', { events: ['*'] }, masterKey);
    const fields = {
      legalName: 'Filial',
      email: 'filial@example.test',
      postbackUrl: `${base}/200/status`,
    };
    const { body: sub } = await masterKey.post('/v1/submerchants', fields).expect(201);
    const { body: active } = await admin
      .post(`/v1/admin/submerchants/${sub.id}/status`, { status: 'active' })
      .expect(200);
    const keys = `/v1/admin/merchants/${sub.id}/api-keys`;
    const { secretKey } = (await admin.post(keys, { livemode: false }).expect(201)).body;
    const subKey = withKey(gateway, secretKey);
    const own = await create('/200/own-events', { events: ['charge.paid'] }, subKey);
    const charge = await pay({}, subKey);
    await masterKey.call('patch', `/v1/submerchants/${sub.id}`, { email: fields.email }).expect(200);
    const posts = await bodiesAt('/200/master', 3);
    expect(posts.map(({ event }) => event)).toEqual(['account.approved', 'charge.created', 'charge.paid']);
    expect(posts[0]).toMatchObject({
      livemode: false,
      data: { id: sub.id, masterId: master.id, status: 'active' },
    });
    expect(await bodiesAt('/200/own-events', 1)).toEqual([posts[2]]);
    const [status] = await untilReceived('/200/status', 1);
    expect(JSON.parse(status?.body ?? '')).toEqual({
      merchantId: sub.id,
      status: 'active',
      date: active.updatedAt,
    });

    // The sub-merchant sees its own deliveries, the master those of both; each changes what is its own.
    const ofCharge = `eventId=${posts[2].id}`;
    expect(await deliveriesOf(ofCharge, 1, subKey)).toMatchObject([{ endpointId: own.id }]);
    const both = await deliveriesOf(ofCharge, 2, masterKey);
    expect(both.map(({ endpointId }) => endpointId).sort()).toEqual([own.id, endpoint.id].sort());
    expect((await deliveriesOf(`channel=status`, 1, masterKey))[0]).toMatchObject({ status: 'delivered' });
    await masterKey.call('patch', `/v1/webhook-endpoints/${own.id}`, { enabled: false }).expect(403);
    await subKey.get(`/v1/webhook-endpoints/${endpoint.id}`).expect(404);
    expect((await subKey.getAfter('latest', `/v1/events?resourceId=${charge.id}`)).body.total).toBe(2);
    await masterKey.call('patch', `/v1/submerchants/${sub.id}`, { email: 'new@example.test' }).expect(200);
    await admin.call('patch', `/v1/admin/merchants/${sub.id}`, { email: 'new@example.test' }).expect(200);
    await admin.call('patch', `/v1/admin/merchants/${sub.id}`, { legalName: 'Filial Sul' }).expect(200);
    // Nobody hears about what changes nothing; of accounts a master hears unasked, of charges it does not.
    const alone = (await bodiesAt('/200/master-alone', 3)).map(({ event, data }) => [event, data.legalName]);
    expect(alone).toEqual([
      ['account.approved', 'Filial'],
      ['account.updated', 'Filial'],
      ['account.updated', 'Filial Sul'],
    ]);
  });
});

describe('an operator', () => {
  it('sees and sends again what goes to all merchants', async () => {
    const endpoint = await create('/200/operator');
    const charge = await pay();
    const [posted] = await bodiesAt('/200/operator', 1);
    const list = async (path: string) => (await admin.getAfter('latest', `/v1/admin/${path}`)).body.data;
    const ids = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);
    expect(ids(await list(`webhook-endpoints?size=1&orderBy=-createdAt`))).toEqual([endpoint.id]);
    expect(ids(await list(`events?resourceId=${charge.id}&event=charge.paid`))).toEqual([posted.id]);
    expect((await admin.get(`/v1/admin/events/${posted.id}`).expect(200)).body.body).toContain(charge.id);
    await deliveriesOf(`endpointId=${endpoint.id}`, 1);
    const [{ id }] = await list(`webhook-deliveries?endpointId=${endpoint.id}`);
    expect((await admin.get(`/v1/admin/webhook-deliveries/${id}`).expect(200)).body.status).toBe('delivered');
    await admin.post(`/v1/admin/webhook-deliveries/${id}/resend`).expect(202);
    await untilReceived('/200/operator', 2);
    const since = { since: charge.createdAt };
    await admin.post(`/v1/admin/webhook-endpoints/${endpoint.id}/recover`, since).expect(202);
  });
});

describe('numbers of deliveries', () => {
  const far = new Date('2999-01-01T00:00:00Z');
  const useStore = () => {
    const { container, db } = gateway();
    return { db, store: createAttemptsStore({ db, transact: container.get(platform.services).transact }) };
  };
  const addDeliveries = async (queue: `whe_${string}`) => {
    const { db } = useStore();
    const event = (number: number) =>
      aSentEvent({ id: `evt_${queue}_${number}`, merchantId: merchant.id as MerchantId });
    const due = [0, 1, 2, 3].map((number) => ({
      ...deliveryToUrl(event(number), 'postback', `${base}/200/raced`, far),
      dueAt: far.toISOString(),
      endpointId: queue,
      queue,
    }));
    const stored = due.map((one) => ({ ...one, _id: one.id, tenantId: merchant.id }));
    await db.collection<{ _id: string }>(DELIVERIES.collection).insertMany(stored);
    return due;
  };

  it('are given once each and without gaps where two senders race, and one of them begins', async () => {
    const due = await addDeliveries('whe_raced');
    const { store } = useStore();
    const raced = due.flatMap((one) => [1, 2].map((tried) => store.begin(one, { ...one, tried })));
    const begun = (await Promise.all(raced)).filter((one) => one !== null);
    expect(begun.map(({ id }) => id).sort()).toEqual(due.map(({ id }) => id).sort());
    expect(begun.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3, 4]);
  });

  it('go on after those of an older version, which is still at work', async () => {
    const [first, second] = await addDeliveries('whe_older');
    const { db, store } = useStore();
    const queues = db.collection<{ _id: string }>(QUEUES.collection);
    if (!first || !second) throw new Error('no deliveries');
    await queues.insertOne({ _id: 'whe_older', sequence: 7, failingSince: null } as { _id: string });
    expect(await store.begin(first, first)).toMatchObject({ sequence: 8 });
    await queues.updateOne({ _id: 'whe_older' }, { $set: { sequence: 9 } });
    expect(await store.begin(second, second)).toMatchObject({ sequence: 10 });
  });
});
