import type { Response } from 'supertest';
import { aCardRequest } from '../builders.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { startReceiver } from '../support/receiver.ts';

const gateway = useGateway(PATIENT);
const REFUSED = '4000000000005423';
const ITEMS = [{ title: 'Café', type: 'product', description: 'moído', unit_price: 24.95, quantity: 2 }];
const METADATA = { order: 'A-7' };

let key: Client;
beforeAll(async () => {
  key = withKey(gateway, (await gateway().createMerchant()).testKey);
});

const charge = async (request: object, number?: string, by = key): Promise<Response['body']> =>
  (await by.post('/v1/charges', aCardRequest(request, number ? { number } : {})).expect(201)).body;
const eventsOf = (id: string) =>
  gateway().db.collection('domain_events').find({ resource: 'charge', resourceId: id }).toArray();

describe('items and metadata', () => {
  it('lie in the document of the charge alone, and are sent and shown wherever they were', async () => {
    const receiver = await startReceiver();
    try {
      const own = withKey(gateway, (await gateway().createMerchant()).testKey);
      await own.post('/v1/webhook-endpoints', { url: receiver.url, events: ['charge.paid'] }).expect(201);
      const made = await charge({ items: ITEMS, metadata: METADATA }, undefined, own);
      expect(made).toMatchObject({ items: ITEMS, metadata: METADATA });
      expect((await own.get(`/v1/charges/${made.id}`).expect(200)).body).toMatchObject({ items: ITEMS });

      const events = await eventsOf(made.id);
      expect(events.length).toBeGreaterThan(1);
      for (const { data } of events) {
        expect(data).not.toHaveProperty('items');
        expect(data).not.toHaveProperty('metadata');
      }
      const [listed] = (await own.getAfter('latest', '/v1/charges?q=a-7')).body.data;
      expect(listed).toMatchObject({ id: made.id, metadata: METADATA });
      const shown = (await own.getAfter('latest', `/v1/events?resourceId=${made.id}`)).body.data;
      expect(shown).toHaveLength(2);
      for (const { data, body } of shown) {
        expect(data).toMatchObject({ items: ITEMS, metadata: METADATA });
        expect(JSON.parse(body).data).toEqual(data);
      }
      const [sent] = await pollUntil(
        async () => receiver.received,
        ({ length }) => length === 1,
      );
      expect(JSON.parse(sent?.body ?? '').data).toMatchObject({ items: ITEMS, metadata: METADATA });
    } finally {
      await receiver.close();
    }
  });

  it('that an event of a former version holds are shown as they are there', async () => {
    const { id } = await charge({ items: ITEMS, metadata: METADATA });
    const [first] = await eventsOf(id);
    const before = { 'data.items': [{ ...ITEMS[0], title: 'before' }], 'data.metadata': '{"a":1}' };
    await gateway().db.collection('domain_events').updateOne({ id: first?.id }, { $set: before });
    const { body } = await key.get(`/v1/events/${first?.id}`).expect(200);
    expect(body.data).toMatchObject({ items: [{ title: 'before' }], metadata: { a: 1 } });
  });

  it('are in no picture that the audit log takes of an operator’s change', async () => {
    const admin = await operator(gateway, 'test');
    const { id } = await charge({ items: ITEMS, metadata: METADATA });
    await admin.post(`/v1/admin/charges/${id}/chargeback`).expect(200);
    const { body } = await admin.getAfter('latest', `/v1/admin/audit-log?resourceId=${id}`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0].after).toMatchObject({ id, status: 'chargeback' });
    expect(body.data[0].after).not.toHaveProperty('items');
    const { body: after } = await admin.get(`/v1/charges/${id}`).expect(200);
    expect(after).toMatchObject({ status: 'chargeback', items: ITEMS, metadata: METADATA });
  });

  it('are left out of lists, but for a page that asks for items and has at most 1 MB', async () => {
    const own = withKey(gateway, (await gateway().createMerchant()).testKey);
    const many = Array.from({ length: 31 }, () => ({ description: 'x'.repeat(1_000) }));
    for (let index = 0; index < 40; index += 1) await charge({ items: many }, undefined, own);
    const list = async (query: string) => own.getAfter('latest', `/v1/charges?${query}`);
    expect((await list('size=100')).body.data[0]).not.toHaveProperty('items');
    const page = await list('size=25&expand=items');
    expect(page.body.data).toHaveLength(25);
    expect(page.headers.link).toContain('expand=items');
    for (const { items } of page.body.data) expect(items).toHaveLength(31);
    const refused = await own.get('/v1/charges?size=100&expand=items').expect(422);
    expect(refused.body.code).toBe('PAGE_TOO_LARGE');
    await own.get('/v1/charges?expand=metadata').expect(400);
  });
});

describe('the history of a charge', () => {
  it('has twenty refunds at most, and is read in pages', async () => {
    const { id } = await charge({ items: ITEMS, metadata: METADATA }, REFUSED);
    const refund = () => key.post('/v1/refunds', { chargeId: id, reason: 'sent back' });
    for (let attempt = 1; attempt <= 20; attempt += 1)
      expect((await refund().expect(201)).body.status).toBe('refused');
    expect((await refund().expect(422)).body.code).toBe('REFUND_ATTEMPTS_EXHAUSTED');
    expect((await key.get(`/v1/charges/${id}`).expect(200)).body.status).toBe('paid');

    const path = `/v1/charges/${id}/timeline`;
    const all = await pollUntil(
      async () => (await key.getAfter('latest', path)).body,
      ({ total }) => total > 100,
    );
    expect(all).toMatchObject({ page: 1, size: 100 });
    expect(all.data).toHaveLength(100);
    const second = await key.get(`${path}?page=2`).expect(200);
    expect(second.body.data).toHaveLength(second.body.total - 100);
    const small = await key.get(`${path}?size=7&page=2`).expect(200);
    expect(small.body.data).toEqual(all.data.slice(7, 14));
    expect(small.headers.link).toContain('<?size=7&page=3>; rel="next"');
    await key.get(`${path}?size=101`).expect(400);
  });
});
