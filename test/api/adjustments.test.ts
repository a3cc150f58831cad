import type { Response } from 'supertest';
import { operator } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { anOperator, type TestOperator } from '../support/operators.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(30_000);

const gateway = useGateway({ VIEW_SHARDS: 'adjustments=4' });

let merchant: TestMerchant;
let author: TestOperator;
let approver: TestOperator;

beforeAll(async () => {
  merchant = await gateway().createMerchant();
  author = await anOperator(gateway, ['admin.adjustments.create', 'admin.adjustments.approve']);
  approver = await anOperator(gateway, ['admin.adjustments.approve']);
}, 180_000);

const ask = (fields: object = {}): Promise<Response> =>
  author.post('/v1/admin/adjustments', {
    merchantId: merchant.id,
    amount: -12.34,
    currency: 'BRL',
    reason: 'chargeback of last year',
    ...fields,
  });
const available = async (currency = 'BRL'): Promise<number> => {
  const { body } = await gateway().call('get', '/v1/balance').auth(merchant.testKey, '').expect(200);
  return body.data.find((one: { currency: string }) => one.currency === currency)?.available ?? 0;
};
const code = ({ status, body }: Response): readonly [number, string | undefined] => [status, body.code];

describe('an adjustment', () => {
  it('is booked when a second operator approves it, and not before', async () => {
    const before = await available();
    const { status, body } = await ask();
    expect([status, body.status, body.amount, body.ledgerEntryId]).toEqual([201, 'pending', -12.34, null]);
    expect(await available()).toBe(before);
    expect(code(await author.post(`/v1/admin/adjustments/${body.id}/approve`))).toEqual([
      403,
      'APPROVAL_BY_AUTHOR',
    ]);
    expect(await available()).toBe(before);

    const approved = await approver.post(`/v1/admin/adjustments/${body.id}/approve`);
    expect(approved.status).toBe(200);
    expect(approved.body).toMatchObject({ status: 'approved', processedAt: expect.any(String) });
    expect(approved.body.processedByUserId).not.toBe(body.createdByUserId);
    expect(await available()).toBeCloseTo(before - 12.34);
    const [journal] = await gateway().db.collection('journals').find({ referenceId: body.id }).toArray();
    expect(journal).toMatchObject({
      referenceType: 'adjustment',
      postings: [
        { id: approved.body.ledgerEntryId, movement_type: 'adjustment', amount: -1234, bucket: 'available' },
        { movement_type: 'adjustment', amount: 1234, merchantId: null },
      ],
    });
    for (const by of [author, approver]) {
      expect((await by.get(`/v1/admin/adjustments/${body.id}`)).body).toEqual(approved.body);
      const list = await by.getAfter('latest', `/v1/admin/adjustments?status=approved&orderBy=-amount`);
      expect(list.body.data).toContainEqual(approved.body);
    }
  });

  it('says in the statement why it was booked, as a page, as CSV and to operators', async () => {
    const { body } = await ask({ reason: 'fee of April, charged twice' });
    await approver.post(`/v1/admin/adjustments/${body.id}/approve`);
    const line = { movement_type: 'adjustment', chargeId: null, description: 'fee of April, charged twice' };
    const read = (path: string, accept = 'application/json') =>
      gateway()
        .call('get', `${path}?referenceId=${body.id}`)
        .set('X-Consistency-Token', 'latest')
        .set('Accept', accept);
    const own = await read('/v1/statement').auth(merchant.testKey, '');
    expect(own.body.data).toEqual([expect.objectContaining(line)]);
    const admin = await gateway().operatorToken('test');
    const all = await read('/v1/admin/statement').auth(admin, { type: 'bearer' });
    expect(all.body.data).toEqual(own.body.data);
    const csv = await read('/v1/statement', 'text/csv').auth(merchant.testKey, '');
    expect(parseCsv(csv.text)[1]).toContain(line.description);
  });

  it('is booked once, however many approve it at once', async () => {
    const before = await available('USD');
    const { body } = await ask({ amount: 5, currency: 'USD' });
    const approve = (): Promise<Response> => approver.post(`/v1/admin/adjustments/${body.id}/approve`);
    const answers = await Promise.all([approve(), approve(), approve(), approve()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect(code(await approve())).toEqual([422, 'ADJUSTMENT_ALREADY_PROCESSED']);
    expect(await available('USD')).toBeCloseTo(before + 5);
  });

  it('that is rejected is never booked', async () => {
    const before = await available();
    const { body } = await ask();
    const path = `/v1/admin/adjustments/${body.id}`;
    const rejected = await author.post(`${path}/reject`, { rejectionReason: 'a mistake' });
    expect(rejected.body).toMatchObject({
      status: 'rejected',
      rejectionReason: 'a mistake',
      ledgerEntryId: null,
    });
    expect(code(await approver.post(`${path}/approve`))).toEqual([422, 'ADJUSTMENT_ALREADY_PROCESSED']);
    expect(await available()).toBe(before);
  });

  it.each<[string, object]>([
    ['of nothing', { amount: 0 }],
    ['with too many decimals', { amount: 1.001 }],
    ['that is too large', { amount: -1e13 }],
    ['in a currency that is none', { currency: 'XTS' }],
    ['without a reason', { reason: '' }],
    ['with an amount that is a text', { amount: '1' }],
  ])('%s is refused', async (_, fields) => {
    expect((await ask(fields)).status).toBe(400);
  });

  it('of an unknown merchant, or unknown itself, is not found', async () => {
    expect((await ask({ merchantId: `mer_${'0'.repeat(32)}` })).status).toBe(404);
    const path = `/v1/admin/adjustments/adj_${'0'.repeat(32)}`;
    expect((await approver.get(path)).status).toBe(404);
    expect((await approver.post(`${path}/approve`)).status).toBe(404);
    expect((await approver.post('/v1/admin/adjustments', {})).status).toBe(403);
  });

  it('belongs to the environment of its token', async () => {
    const { body } = await ask();
    const live = await operator(gateway, 'live');
    const path = `/v1/admin/adjustments/${body.id}`;
    expect((await live.get(path)).status).toBe(404);
    expect((await live.post(`${path}/approve`)).status).toBe(404);
    expect((await live.getAfter('latest', '/v1/admin/adjustments')).body.total).toBe(0);
  });
});
