import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { anticipationMigrations } from '../../src/modules/anticipations/write/anticipations.store.ts';
import { aCardRequest, aPixRequest } from '../builders.ts';
import { PATIENT } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(60_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'anticipations=4' });
const { aGroup, balanceOf, differences, statementOf } = createLedgerTools(gateway);

let merchant: TestMerchant;
let partner: Pick<TestMerchant, 'id' | 'testKey'>;

beforeEach(async () => {
  ({ merchant, partner } = await aGroup());
}, 180_000);

const get = async (key: string, path: string, accept = 'application/json'): Promise<Response> =>
  gateway().call('get', path).auth(key, '').set('X-Consistency-Token', 'latest').set('Accept', accept);
const post = async (key: string, path: string, body: object): Promise<Response> =>
  gateway().call('post', path).auth(key, '').send(body);
const operator = async (method: 'get' | 'post' | 'put', path: string, body?: object): Promise<Response> => {
  const request = gateway()
    .call(method, path)
    .auth(await gateway().operatorToken('test'), { type: 'bearer' })
    .set('X-Consistency-Token', 'latest');
  return body === undefined ? request : request.send(body);
};
const anticipate = (key: string, body: object): Promise<Response> => post(key, '/v1/anticipations', body);
const codeOf = ({ status, body }: Response): readonly unknown[] => [status, body.code];

/** 97.00 net in three parts of 32.34, 32.33 and 32.33, with a share of the partner's. */
const charge = async (share = 0, number = '4242424242424242'): Promise<string> => {
  const request = aCardRequest({ amount: 100 }, { number });
  const { body } = await post(merchant.testKey, '/v1/charges', {
    ...request,
    paymentMethod: { ...request.paymentMethod, installments: 3 },
    ...(share > 0 ? { split: [{ merchantId: partner.id, percentage: share }] } : {}),
  });
  expect(body.status).toBe('paid');
  return body.id;
};
/** 0.07 + 1.99 %, 4.05 % and 6.5 % of the parts in their months. */
const FEE = 7 + 64 + 1_31 + 2_10;

describe('an anticipation of a charge', () => {
  it('costs what the quote says, is available at once, and is in statement, summary, revenue and list', async () => {
    const chargeId = await charge();
    const quoted = await get(merchant.testKey, `/v1/anticipations/quote?chargeId=${chargeId}`);
    expect([quoted.status, quoted.body]).toMatchObject([
      200,
      { amount: 97, fee: FEE / 100, netAmount: (97_00 - FEE) / 100, currency: 'BRL' },
    ]);
    expect(await balanceOf(merchant.testKey)).toEqual({ available: 0, reserved: 97_00 });

    const made = await anticipate(merchant.testKey, { chargeId });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...quoted.body,
      chargeId,
      requestedAmount: null,
      chargeCount: 1,
      partCount: 3,
    });
    expect(made.body.charges[0].parts.map((part: { days: number }) => part.days)).toEqual([30, 60, 90]);
    expect(await balanceOf(merchant.testKey)).toEqual({ available: 97_00 - FEE, reserved: 0 });

    const lines = await statementOf(merchant.testKey, merchant.id);
    const ofIt = lines.filter(({ referenceId }) => referenceId === made.body.id);
    expect(
      ofIt.map(({ movement_type, referenceType, bucket, amount }) => [
        movement_type,
        referenceType,
        bucket,
        amount,
      ]),
    ).toEqual([
      ['anticipation', 'anticipation', 'reserved', -97],
      ['anticipation', 'anticipation', 'available', 97],
      ['anticipation_fee', 'anticipation', 'available', -FEE / 100],
    ]);
    const explanations = await Promise.all(
      ofIt.map(async ({ id }) => (await get(merchant.testKey, `/v1/statement/${id}/explain`)).body),
    );
    for (const { charge } of explanations) expect(charge).toMatchObject({ id: chargeId, gross: 100 });
    expect(explanations.map(({ calculation }) => calculation)).toEqual([
      `-97.00 BRL by anticipation ${made.body.id}: 32.34 (part 1 of 3) + 32.33 (part 2 of 3) + 32.33 (part 3 of 3): -97.00 BRL.`,
      `97.00 BRL by anticipation ${made.body.id}: 32.34 (part 1 of 3) + 32.33 (part 2 of 3) + 32.33 (part 3 of 3): 97.00 BRL.`,
      `-4.12 BRL by the fee of anticipation ${made.body.id} (0.07 + 1.99 % of 32.34 × 30 / 30 days + 4.05 % of 32.33 × 60 / 60 days + 6.5 % of 32.33 × 90 / 90 days, each rounded half up, by version 1 of the fee definitions): -4.12 BRL.`,
    ]);

    const { body: summary } = await get(merchant.testKey, '/v1/statement/summary');
    expect(summary.data[0].movements).toContainEqual(
      expect.objectContaining({ movement_type: 'anticipation_fee', available: -FEE / 100 }),
    );
    const { body: revenue } = await operator('get', `/v1/admin/reports/revenue?merchantId=${merchant.id}`);
    expect(revenue.totals).toMatchObject([{ amount: 3 + FEE / 100, spread: 3, anticipationFees: FEE / 100 }]);

    expect((await get(merchant.testKey, `/v1/anticipations/${made.body.id}`)).body).toEqual(made.body);
    const { charges: _, ...listed } = made.body;
    const list = await get(merchant.testKey, `/v1/anticipations?chargeId=${chargeId}&orderBy=-fee,amount`);
    expect([list.body.total, list.body.data]).toEqual([1, [listed]]);
    const csv = await get(merchant.testKey, '/v1/anticipations', 'text/csv');
    expect(parseCsv(csv.text)[1]?.slice(0, 2)).toEqual([made.body.id, merchant.id]);
    expect(await differences()).toEqual([]);
  });

  it('is not settled again, and comes out of available where the charge is refunded; its fee does not come back', async () => {
    const chargeId = await charge();
    await anticipate(merchant.testKey, { amount: 65, currency: 'BRL' });
    const fee = 7 + 64 + 1_31;
    const settle = () =>
      post(merchant.testKey, '/v1/test-helpers/settlements/run', {
        until: new Date(Date.now() + 61 * DAY_MS).toISOString(),
      });
    expect((await settle()).body.parts).toBe(0);
    expect(await balanceOf(merchant.testKey)).toEqual({ available: 64_67 - fee, reserved: 32_33 });
    expect(codeOf(await post(merchant.testKey, '/v1/refunds', { chargeId, reason: 'sent back' }))[0]).toBe(
      201,
    );
    expect(await balanceOf(merchant.testKey)).toEqual({ available: -3_00 - fee, reserved: 0 });
    expect(codeOf(await anticipate(merchant.testKey, { chargeId }))).toEqual([
      422,
      'CHARGE_NOT_ANTICIPATABLE',
    ]);
    expect(await differences()).toEqual([]);
  });

  it('comes back as it was where the refund comes to nothing', async () => {
    const chargeId = await charge(10, '4000000000007726');
    await anticipate(partner.testKey, { chargeId });
    const [own, others] = [await balanceOf(merchant.testKey), await balanceOf(partner.testKey)];
    const refund = await post(merchant.testKey, '/v1/refunds', { chargeId, reason: 'sent back' });
    expect(await balanceOf(partner.testKey)).toEqual({ available: others.available - 9_70, reserved: 0 });
    expect(codeOf(await anticipate(merchant.testKey, { chargeId }))).toEqual([
      422,
      'CHARGE_NOT_ANTICIPATABLE',
    ]);
    await post(merchant.testKey, `/v1/test-helpers/refunds/${refund.body.id}/refuse`, {});
    expect([await balanceOf(merchant.testKey), await balanceOf(partner.testKey)]).toEqual([own, others]);
    expect(await differences()).toEqual([]);
  });

  it('takes the own parts only, of master and sub-merchant alike', async () => {
    const chargeId = await charge(10);
    const [quoted] = (await get(partner.testKey, `/v1/anticipations/quote?chargeId=${chargeId}`)).body
      .charges;
    expect([quoted.amount, quoted.parts.map((part: { amount: number }) => part.amount)]).toEqual([
      9.7,
      [3.24, 3.23, 3.23],
    ]);
    const made = await anticipate(partner.testKey, { chargeId });
    expect(await balanceOf(merchant.testKey)).toEqual({ available: 0, reserved: 87_30 });
    expect((await balanceOf(partner.testKey)).reserved).toBe(0);
    expect(codeOf(await anticipate(partner.testKey, { chargeId }))).toEqual([422, 'NOTHING_TO_ANTICIPATE']);
    // A master sees what its sub-merchants anticipated, not the other way round.
    expect((await get(merchant.testKey, `/v1/anticipations?merchantId=${partner.id}`)).body.total).toBe(1);
    expect((await get(merchant.testKey, `/v1/anticipations/${made.body.id}`)).status).toBe(200);
    const own = await anticipate(merchant.testKey, { chargeId });
    expect(own.body.amount).toBe(87.3);
    expect((await get(partner.testKey, `/v1/anticipations/${own.body.id}`)).status).toBe(404);
    expect((await get(partner.testKey, '/v1/anticipations')).body.total).toBe(1);
    expect((await get(partner.testKey, `/v1/anticipations?merchantId=${merchant.id}`)).status).toBe(403);
    expect((await operator('get', `/v1/anticipations?chargeId=${chargeId}`)).body.total).toBe(2);
    // The money of everybody is settled: nothing of it is due any more.
    const { body } = await post(merchant.testKey, '/v1/test-helpers/settlements/run', {
      until: '2199-01-01',
    });
    expect(body.parts).toBe(0);
    expect(await differences()).toEqual([]);
  });
});

describe('an anticipation of an amount', () => {
  it('takes what is due soonest, over several charges and those of others in which it has a share', async () => {
    const first = await charge();
    const second = await charge(50);
    const made = await anticipate(merchant.testKey, { amount: 50, currency: 'BRL' });
    expect(made.body).toMatchObject({ chargeId: null, requestedAmount: 50, amount: 48.52, partCount: 2 });
    expect(
      made.body.charges.map(({ chargeId, amount }: { chargeId: string; amount: number }) => [
        chargeId,
        amount,
      ]),
    ).toEqual([
      [first, 32.34],
      [second, 16.18],
    ]);
    const share = await anticipate(partner.testKey, { amount: 1_000, currency: 'BRL' });
    expect([share.body.amount, share.body.charges[0].chargeId]).toEqual([48.5, second]);
    expect(await differences()).toEqual([]);
  });

  it('takes no part twice where two are asked for at once', async () => {
    await charge();
    await charge();
    const answers = await Promise.all(
      [1, 2, 3].map(() => anticipate(merchant.testKey, { amount: 100, currency: 'BRL' })),
    );
    const took = answers.reduce((sum, { body }) => sum + Math.round((body.amount ?? 0) * 100), 0);
    expect(took).toBe(194_00);
    expect(
      answers.filter(({ status, body }) => status !== 201 && body.code !== 'NOTHING_TO_ANTICIPATE'),
    ).toEqual([]);
    expect((await balanceOf(merchant.testKey)).reserved).toBe(0);
    expect(await differences()).toEqual([]);
  });
});

describe('refused anticipations', () => {
  const both = async (
    key: string,
    asked: Readonly<Record<string, string | number>>,
  ): Promise<readonly unknown[]> => {
    const query = new URLSearchParams(
      Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const answers = [await anticipate(key, asked), await get(key, `/v1/anticipations/quote?${query}`)];
    const [codes, others] = answers.map(codeOf);
    expect(others).toEqual(codes);
    return codes ?? [];
  };

  it.each<[string, Readonly<Record<string, string | number>>]>([
    ['nothing asked for', {}],
    ['two things at once', { chargeId: 'chg_1', amount: 1, currency: 'BRL' }],
    ['an amount without currency', { amount: 1 }],
    ['a charge with a currency', { chargeId: 'chg_1', currency: 'BRL' }],
    ['nothing', { amount: 0, currency: 'BRL' }],
    ['less than nothing', { amount: -1, currency: 'BRL' }],
    ['more decimals than the currency has', { amount: 1.001, currency: 'BRL' }],
    ['too much', { amount: 10_000_000_000.01, currency: 'BRL' }],
    ['an unknown currency', { amount: 1, currency: 'XTS' }],
    ['an unknown field', { amount: 1, currency: 'BRL', to: 'me' }],
  ])('is %s: 400', async (_, asked) => {
    expect(await both(merchant.testKey, asked)).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('is a charge that is unknown, of somebody else or of the other environment: 404', async () => {
    const chargeId = await charge();
    const other = await gateway().createMerchant();
    expect(await both(merchant.testKey, { chargeId: 'chg_0' })).toEqual([404, 'NOT_FOUND']);
    for (const key of [other.testKey, merchant.liveKey, partner.testKey])
      expect(await both(key, { chargeId })).toEqual([404, 'NOT_FOUND']);
  });

  it('is whatever has no fee, nothing left, no net amount or a merchant that is not active: 422', async () => {
    const chargeId = await charge();
    const amount = { amount: 1_000, currency: 'BRL' };
    expect(await both(merchant.testKey, { amount: 1, currency: 'USD' })).toEqual([
      422,
      'ANTICIPATION_FEE_NOT_CONFIGURED',
    ]);
    expect(await both(merchant.testKey, { amount: 1, currency: 'BRL' })).toEqual([
      422,
      'NOTHING_TO_ANTICIPATE',
    ]);
    expect(await both(partner.testKey, amount)).toEqual([422, 'NOTHING_TO_ANTICIPATE']);
    const pix = await post(merchant.testKey, '/v1/charges', aPixRequest());
    expect(await both(merchant.testKey, { chargeId: pix.body.id })).toEqual([
      422,
      'CHARGE_NOT_ANTICIPATABLE',
    ]);
    const dear = {
      fee_type: 'anticipation',
      payment_method: 'credit_card',
      currency_code: 'BRL',
      brand: null,
    };
    await operator('put', `/v1/admin/merchants/${merchant.id}/fee-definitions`, [
      { ...dear, definition: { fixed: 97, percentages: [1, 1, 1] } },
    ]);
    expect(await both(merchant.testKey, { chargeId })).toEqual([422, 'ANTICIPATION_AMOUNT_TOO_LOW']);
    await operator('put', `/v1/admin/merchants/${merchant.id}/fee-definitions`, []);
    for (const asked of [{ chargeId }, amount])
      expect(await both(merchant.testKey, asked)).toEqual([422, 'ANTICIPATION_FEE_NOT_CONFIGURED']);
    await gateway()
      .db.collection('merchants')
      .updateOne({ id: merchant.id }, { $set: { status: 'blocked' } });
    for (const asked of [{ chargeId }, amount])
      expect(await both(merchant.testKey, asked)).toEqual([422, 'MERCHANT_NOT_ACTIVE']);
    expect(await balanceOf(merchant.testKey)).toEqual({ available: 0, reserved: 97_00 });
  });
});

describe('a merchant from before anticipations', () => {
  it('may anticipate where it may take money out', async () => {
    const { db } = gateway();
    const merchants = db.collection<{ id: string; permissions: string[] }>('merchants');
    const permissionsOf = async ({ id }: Pick<TestMerchant, 'id'>): Promise<readonly string[]> =>
      (await merchants.findOne({ id }))?.permissions ?? [];
    const all = await permissionsOf(merchant);
    const older = all.filter((permission) => permission !== 'anticipations.create');
    const without = older.filter((permission) => permission !== 'payouts.create');
    expect(without.length).toBe(all.length - 2);
    await merchants.updateOne({ id: merchant.id }, { $set: { permissions: older } });
    await merchants.updateOne({ id: partner.id }, { $set: { permissions: without } });
    const step = anticipationMigrations.find(({ id }) => id === '231-anticipations-by-who-is-paid-out');
    for (let times = 0; times < 2; times += 1) await step?.up(db);
    expect([...(await permissionsOf(merchant))].sort()).toEqual([...all].sort());
    expect(await permissionsOf(partner)).toEqual(without);
  });
});
