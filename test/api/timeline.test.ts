import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { startReceiver } from '../support/receiver.ts';

const gateway = useGateway(PATIENT);

type Entry = {
  readonly kind: string;
  readonly at: string;
  readonly type?: string;
  readonly resource?: string;
  readonly status?: string;
  readonly requestId?: string;
  readonly statusCode?: number | null;
  readonly actor?: { readonly kind: string; readonly id: string | null };
  readonly entries?: readonly { readonly merchantId: string | null; readonly amount: number }[];
};

let admin: Client;
let merchant: TestMerchant;
let key: Client;
beforeAll(async () => {
  admin = await operator(gateway, 'test');
  merchant = await gateway().createMerchant({ role: 'MerchantMaster' });
  key = withKey(gateway, merchant.testKey);
  await admin
    .post(`/v1/merchants/${merchant.id}/settings`, { name: 'enable_connect', content: true })
    .expect(201);
});

const timeline = async (client: Client, id: string) =>
  (await client.getAfter('latest', `/v1/charges/${id}/timeline`)).body;
const of = (kind: string, data: readonly Entry[]) => data.filter((entry) => entry.kind === kind);

describe('GET /v1/charges/{id}/timeline', () => {
  it('tells of a refunded charge who did what, what the provider answered, and which money moved', async () => {
    const created = await key.post('/v1/charges', aCardRequest()).expect(201);
    const { id } = created.body;
    const refunded = await key.post('/v1/refunds', { chargeId: id, reason: 'wish' }).expect(201);
    // Calls to providers are stored four times a second.
    const { chargeId, data, omitted } = await pollUntil(
      () => timeline(key, id),
      (shown) => of('provider_call', shown.data).length === 2,
    );
    expect([chargeId, omitted]).toEqual([id, []]);
    expect(data.map(({ at }: Entry) => at)).toEqual(data.map(({ at }: Entry) => at).toSorted());
    const requestIds = of('event', data).map(({ requestId }) => requestId);
    expect(new Set(requestIds)).toEqual(
      new Set([created.headers['x-request-id'], refunded.headers['x-request-id']]),
    );
    expect(of('event', data).map(({ type, status }) => [type, status])).toEqual(
      expect.arrayContaining([
        ['charge.created', 'pending'],
        ['charge.paid', 'paid'],
        ['refund.opened', 'pending'],
        ['charge.refunded', 'refunded'],
      ]),
    );
    expect(of('event', data)[0]?.actor).toEqual({ kind: 'key', id: expect.stringMatching(/^key_/) });
    expect(of('provider_call', data)).toMatchObject([
      { provider: 'simulator', operation: 'authorize', reference: id, outcome: 'paid' },
      { provider: 'simulator', operation: 'refund', reference: refunded.body.id, outcome: 'refunded' },
    ]);
    const journals = of('journal', data);
    expect(journals.map(({ entries = [] }) => entries.map(({ amount }) => amount))).toEqual([[100], [-100]]);
  });

  it('shows an operator all accounts of each journal, which sum to zero', async () => {
    const { body } = await key.post('/v1/charges', aCardRequest()).expect(201);
    const { data } = await timeline(admin, body.id);
    const journals = of('journal', data);
    expect(journals.length).toBeGreaterThan(0);
    for (const { entries = [] } of journals)
      expect(entries.reduce((total, { amount }) => total + amount, 0)).toBe(0);
  });

  it('shows a master the accounts of its sub-merchants, and a sub-merchant its own only', async () => {
    const sub = await createSubMerchant(gateway, merchant);
    const split = [{ merchantId: merchant.id, percentage: 25 }];
    const subKey = withKey(gateway, sub.testKey);
    const { body } = await subKey.post('/v1/charges', aCardRequest({ split } as object)).expect(201);
    const owners = async (client: Client) => {
      const { data } = await timeline(client, body.id);
      return new Set(
        of('journal', data).flatMap(({ entries = [] }) => entries.map(({ merchantId }) => merchantId)),
      );
    };
    expect(await owners(key)).toEqual(new Set([merchant.id, sub.id]));
    expect(await owners(subKey)).toEqual(new Set([sub.id]));
    expect(await owners(admin)).toEqual(new Set([merchant.id, sub.id, null]));
  });

  it('hides from a merchant the name of an operator, and shows the alert with its manual refund', async () => {
    const fee = { name: 'chargeback_alert_fee', content: { amount: 15.5, currency: 'BRL' } };
    await admin.post(`/v1/merchants/${merchant.id}/settings`, fee).expect(201);
    const { body } = await key
      .post('/v1/charges', aCardRequest({}, { number: '4000000000006975' }))
      .expect(201);
    await admin.post('/v1/admin/chargeback-alerts', { chargeId: body.id, reason: 'fraud' }).expect(201);
    const actorOfAlert = async (client: Client) => {
      const { data } = await timeline(client, body.id);
      const types = of('event', data).map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['charge.pre_chargeback', 'chargeback_alert.registered']));
      expect(of('event', data).map(({ resource }) => resource)).toContain('manual_refund_request');
      return of('event', data).find(({ type }) => type === 'chargeback_alert.registered')?.actor;
    };
    expect(await actorOfAlert(key)).toEqual({ kind: 'operator', id: null });
    expect(await actorOfAlert(admin)).toEqual({ kind: 'operator', id: expect.stringMatching(/^usr_/) });
  });

  it('shows deliveries with the last answer', async () => {
    const receiver = await startReceiver();
    try {
      await key.post('/v1/webhook-endpoints', { url: receiver.url, events: ['charge.paid'] }).expect(201);
      const { body } = await key.post('/v1/charges', aCardRequest()).expect(201);
      const deliveries = await pollUntil(
        async () => of('delivery', (await timeline(key, body.id)).data),
        ([first]) => first?.statusCode === 200,
      );
      expect(deliveries).toMatchObject([
        { event: 'charge.paid', channel: 'endpoint', status: 'delivered', attempts: 1, statusCode: 200 },
      ]);
    } finally {
      await receiver.close();
    }
  });

  it('names the parts that the caller has no permission for', async () => {
    const restricted = await gateway().createMerchant();
    const own = withKey(gateway, restricted.testKey);
    const { body } = await own.post('/v1/charges', aCardRequest()).expect(201);
    const permissions = ['charges.read'];
    await admin.call('patch', `/v1/admin/merchants/${restricted.id}`, { permissions }).expect(200);
    const { data, omitted } = await timeline(own, body.id);
    expect(omitted).toEqual([
      { part: 'journals', reason: 'permission_missing' },
      { part: 'deliveries', reason: 'permission_missing' },
    ]);
    expect(of('journal', data)).toEqual([]);
    expect(of('event', data).length).toBeGreaterThan(1);
  });

  it('is not found for another merchant and in the other environment', async () => {
    const { body } = await key.post('/v1/charges', aCardRequest()).expect(201);
    const other = withKey(gateway, (await gateway().createMerchant()).testKey);
    await other.get(`/v1/charges/${body.id}/timeline`).expect(404);
    await withKey(gateway, merchant.liveKey).get(`/v1/charges/${body.id}/timeline`).expect(404);
  });
});
