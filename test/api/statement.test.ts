import { createHash } from 'node:crypto';
import type { Response, Test } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { STATEMENT_VIEW } from '../../src/modules/statement/read/statement.view.ts';
import { aliasOf } from '../../src/platform/read-store/view.ts';
import { aCardRequest, aPixRequest, aSpreadFee } from '../builders.ts';
import { createSubMerchant, PATIENT } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(30_000);
const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'charges=4,statement=4' });

type Line = {
  readonly id: string;
  readonly movement_type: string;
  readonly amount: number;
  readonly bucket: 'reserved' | 'available';
  readonly balanceAfter: number;
  readonly description: string;
  readonly createdAt: string;
};

const post = async (key: string, path: string, body?: object): Promise<Response> => {
  const request = gateway().call('post', path).auth(key, '');
  return body === undefined ? request : request.send(body);
};
const get = (key: string, path: string, token = 'latest'): Test =>
  gateway().call('get', path).auth(key, '').set('X-Consistency-Token', token);
const pay = async (key: string, body: object = aCardRequest()): Promise<Response> => {
  const response = await post(key, '/v1/charges', body);
  expect([response.status, response.body.status]).toEqual([201, 'paid']);
  return response;
};
const settle = (key: string, until?: string): Promise<Response> =>
  post(key, '/v1/test-helpers/settlements/run', until === undefined ? {} : { until });
const linesOf = async (key: string, query = ''): Promise<readonly Line[]> =>
  (await get(key, `/v1/statement?size=100&orderBy=createdAt${query}`)).body.data;
const fees = (merchant: TestMerchant, percentages: readonly number[], fixed = 0): Promise<void> =>
  gateway().setFees(merchant.id, [aSpreadFee({ definition: { fixed, percentages } })]);
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const inMoney = (lines: readonly Line[]): string[] =>
  lines.map(
    ({ movement_type, bucket, amount, balanceAfter }) =>
      `${movement_type} ${bucket} ${amount} ${balanceAfter}`,
  );

/** A master and a sub-merchant of it, both with test keys. */
const aGroup = async () => {
  const master = await gateway().createMerchant({ role: 'MerchantMaster' });
  return { master, sub: await createSubMerchant(gateway, master) };
};

describe('the statement', () => {
  it('is empty for a merchant without movements', async () => {
    const { testKey } = await gateway().createMerchant();
    const { status, body } = await get(testKey, '/v1/statement');
    expect([status, body]).toEqual([200, { data: [], page: 1, pages: 0, total: 0, size: 10 }]);
  });

  it('shows a paid charge once its token has been waited for, with the balance after each line', async () => {
    const merchant = await gateway().createMerchant();
    await fees(merchant, [3]);
    const charge = await pay(merchant.testKey);
    const { body } = await get(merchant.testKey, '/v1/statement', charge.headers['x-consistency-token']);
    expect(body.data.map(({ id: _, ...line }: Line) => line)).toEqual([
      {
        merchantId: merchant.id,
        movement_type: 'charge_spread',
        referenceType: 'charge',
        referenceId: charge.body.id,
        chargeId: charge.body.id,
        amount: -3,
        currency: 'BRL',
        bucket: 'reserved',
        balanceAfter: 97,
        description: `Fee of charge ${charge.body.id}`,
        createdAt: expect.any(String),
      },
      expect.objectContaining({ movement_type: 'charge', amount: 100, balanceAfter: 100 }),
    ]);
  });

  it('moves the parts of a charge to available when they are due, odd cents in the first', async () => {
    const merchant = await gateway().createMerchant();
    await pay(merchant.testKey, {
      ...aCardRequest(),
      paymentMethod: { ...aCardRequest().paymentMethod, installments: 3 },
    });
    expect((await settle(merchant.testKey)).body).toMatchObject({ charges: 0, parts: 0 });
    expect((await settle(merchant.testKey, inDays(29))).body.parts).toBe(0);
    expect((await settle(merchant.testKey, inDays(31))).body).toMatchObject({ charges: 1, parts: 1 });
    expect((await settle(merchant.testKey, inDays(31))).body).toMatchObject({ charges: 0, parts: 0 });
    expect((await settle(merchant.testKey, inDays(91))).body).toMatchObject({ charges: 1, parts: 2 });
    expect(inMoney(await linesOf(merchant.testKey))).toEqual([
      'charge reserved 100 100',
      'settlement reserved -33.34 66.66',
      'settlement available 33.34 33.34',
      'settlement reserved -33.33 33.33',
      'settlement available 33.33 66.67',
      'settlement reserved -33.33 0',
      'settlement available 33.33 100',
    ]);
    const { body } = await get(merchant.testKey, '/v1/balance');
    expect(body.data).toEqual([{ currency: 'BRL', available: 100, reserved: 0 }]);
  });

  it('settles Pix at once, and other methods after the days that the merchant or the gateway has set', async () => {
    const merchant = await gateway().createMerchant();
    const { body: pix } = await post(merchant.testKey, '/v1/charges', aPixRequest());
    await post(merchant.testKey, `/v1/test-helpers/charges/${pix.id}/pay`);
    // The worker may have been faster.
    expect((await settle(merchant.testKey)).status).toBe(200);
    const { body: balance } = await get(merchant.testKey, '/v1/balance');
    expect(balance.data).toEqual([{ currency: 'BRL', available: 100, reserved: 0 }]);
    const token = await gateway().operatorToken();
    const set = (path: string, content: object) =>
      gateway()
        .call('post', path)
        .auth(token, { type: 'bearer' })
        .send({ name: 'settlement_delay_days', content });
    await set('/v1/admin/settings', { credit_card: 5, pix: 3 }).expect(201);
    await set(`/v1/merchants/${merchant.id}/settings`, { pix: 1 }).expect(201);
    await pay(merchant.testKey);
    const { body: second } = await post(merchant.testKey, '/v1/charges', aPixRequest({ amount: 7 }));
    await post(merchant.testKey, `/v1/test-helpers/charges/${second.id}/pay`);
    await set(`/v1/merchants/${merchant.id}/settings`, { pix: 9 }).expect(200);
    expect((await settle(merchant.testKey, inDays(0.9))).body.parts).toBe(0);
    expect((await settle(merchant.testKey, inDays(1.1))).body.parts).toBe(1);
    expect((await settle(merchant.testKey, inDays(4.9))).body.parts).toBe(0);
    expect((await settle(merchant.testKey, inDays(5.1))).body.parts).toBe(1);
    // Other tests count on the built-in delays.
    await set('/v1/admin/settings', {}).expect(200);
  });

  it('settles no charge with a refund that is pending or done', async () => {
    const { testKey } = await gateway().createMerchant();
    const pending = await pay(testKey, aCardRequest({}, { number: '4000000000007726' }));
    const refused = await pay(testKey, aCardRequest({ amount: 50 }, { number: '4000000000005423' }));
    const done = await pay(testKey, aCardRequest({ amount: 20 }));
    const refund = async (id: string): Promise<Response> =>
      post(testKey, '/v1/refunds', { chargeId: id, reason: 'sent back' });
    const { body: open } = await refund(pending.body.id);
    await refund(refused.body.id);
    await refund(done.body.id);
    expect((await settle(testKey, inDays(40))).body).toMatchObject({ charges: 1, parts: 1 });
    expect(inMoney(await linesOf(testKey, `&referenceId=${refused.body.id}`)).slice(1)).toEqual([
      'settlement reserved -50 0',
      'settlement available 50 50',
    ]);
    await post(testKey, `/v1/test-helpers/refunds/${open.id}/fail`);
    expect((await settle(testKey, inDays(40))).body).toMatchObject({ charges: 1, parts: 1 });
    const { body } = await get(testKey, '/v1/balance');
    expect(body.data).toEqual([{ currency: 'BRL', available: 150, reserved: 0 }]);
  });

  it('settles for the caller and its sub-merchants only, in the test environment only', async () => {
    const { master, sub } = await aGroup();
    const other = await gateway().createMerchant();
    for (const key of [master.testKey, sub.testKey, other.testKey]) await pay(key);
    expect((await settle(sub.testKey, inDays(31))).body).toMatchObject({ charges: 1 });
    expect((await settle(master.testKey, inDays(31))).body).toMatchObject({ charges: 1 });
    expect((await settle(master.liveKey, inDays(31))).status).toBe(403);
    expect((await settle(other.testKey, 'tomorrow')).status).toBe(400);
    expect((await settle(other.testKey, inDays(31))).body).toMatchObject({ charges: 1 });
  });

  it('is run for whoever has a share of the charge, too', async () => {
    const { master, sub } = await aGroup();
    await pay(master.testKey, { ...aCardRequest(), split: [{ merchantId: sub.id, percentage: 25 }] });
    expect((await settle(sub.testKey, inDays(31))).body).toMatchObject({ charges: 1, parts: 1 });
    const { body } = await get(sub.testKey, '/v1/balance');
    expect(body.data).toEqual([{ currency: 'BRL', available: 25, reserved: 0 }]);
    expect((await settle(master.testKey, inDays(31))).body).toMatchObject({ charges: 0 });
  });

  it('of a split charge gives each participant its lines, and a master those of a sub-merchant that it names', async () => {
    const { master, sub } = await aGroup();
    await pay(
      master.testKey,
      aCardRequest({ amount: 10.01, split: [{ merchantId: sub.id, percentage: 50 }] } as object),
    );
    await settle(master.testKey, inDays(31));
    expect(inMoney(await linesOf(sub.testKey))).toEqual([
      'split_credit reserved 5.01 5.01',
      'settlement reserved -5.01 0',
      'settlement available 5.01 5.01',
    ]);
    for (const query of ['', `&merchantId=${master.id}`])
      expect(inMoney(await linesOf(master.testKey, query))).toEqual([
        'charge reserved 10.01 10.01',
        'split_debit reserved -5.01 5',
        'settlement reserved -5 0',
        'settlement available 5 5',
      ]);
    expect(await linesOf(master.testKey, `&merchantId=${sub.id}`)).toEqual(await linesOf(sub.testKey));
    for (const path of ['/v1/statement', '/v1/statement/summary', '/v1/balance']) {
      expect((await get(sub.testKey, `${path}?merchantId=${master.id}`)).status).toBe(403);
      expect((await get(master.testKey, `${path}?merchantId=mer_unknown`)).status).toBe(403);
      expect((await get(master.liveKey, `${path}?merchantId=${sub.id}`)).status).toBe(403);
      expect((await get(master.testKey, `${path}?submerchantId=${sub.id}`)).status).toBe(400);
    }
    expect((await get(master.testKey, `/v1/statement/summary?merchantId=${sub.id}`)).body.data).toEqual([
      expect.objectContaining({ closingBalance: { available: 5.01, reserved: 0, total: 5.01 } }),
    ]);
  });

  it('adds up to the balance and to the summary, of the caller as of a sub-merchant that it names', async () => {
    const { master, sub } = await aGroup();
    const split = [{ merchantId: sub.id, percentage: 33.33 }];
    await pay(master.testKey, { ...aCardRequest({ amount: 10.01 }), split });
    await settle(master.testKey, inDays(31));
    await pay(master.testKey, { ...aCardRequest({ amount: 7 }), split });
    await pay(sub.testKey);
    for (const query of ['', `merchantId=${master.id}`, `merchantId=${sub.id}`]) {
      const sums = { available: 0, reserved: 0 };
      for (const { bucket, amount } of await linesOf(master.testKey, `&${query}`))
        sums[bucket] += Math.round(amount * 100);
      const { body: balance } = await get(master.testKey, `/v1/balance?${query}`);
      const { body: summary } = await get(master.testKey, `/v1/statement/summary?${query}`);
      const [available, reserved] = [sums.available / 100, sums.reserved / 100];
      expect(balance.data).toEqual([{ currency: 'BRL', available, reserved }]);
      expect(summary.data[0].closingBalance).toMatchObject({ available, reserved });
    }
    const ofSub = (await get(sub.testKey, '/v1/balance')).body;
    expect((await get(master.testKey, `/v1/balance?merchantId=${sub.id}`)).body).toEqual(ofSub);
  });

  it('sorts by every field that is named, as a page and as CSV', async () => {
    const { id: routing, testKey } = await gateway().createMerchant();
    for (const amount of [5, 3, 9, 1]) await pay(testKey, aCardRequest({ amount }));
    // All lines of one kind were booked at one time, so that the amount decides.
    const line = { createdAt: '2026-05-01T12:00:00.000Z' };
    const { readStore } = gateway();
    const { body: before } = await get(testKey, '/v1/statement');
    for (const { id } of before.data)
      await readStore.client.update({ index: aliasOf(readStore, STATEMENT_VIEW), id, routing, doc: line });
    await readStore.client.indices.refresh({ index: aliasOf(readStore, STATEMENT_VIEW) });
    for (const [orderBy, amounts] of [
      ['createdAt', [5, 3, 9, 1]],
      ['-createdAt', [1, 9, 3, 5]],
      ['createdAt,amount', [1, 3, 5, 9]],
      ['-createdAt,-amount', [9, 5, 3, 1]],
      ['createdAt,movement_type,-amount', [9, 5, 3, 1]],
      ['referenceType,-createdAt', [1, 9, 3, 5]],
    ] as const) {
      const { body } = await get(testKey, `/v1/statement?orderBy=${orderBy}`);
      expect([orderBy, body.data.map(({ amount }: Line) => amount)]).toEqual([orderBy, amounts]);
      const csv = await get(testKey, `/v1/statement?orderBy=${orderBy}`).set('Accept', 'text/csv');
      const [titles = [], ...rows] = parseCsv(csv.text);
      expect(rows.map((row) => Number(row[titles.indexOf('amount')]))).toEqual(amounts);
    }
  });

  it('filters and sorts', async () => {
    const merchant = await gateway().createMerchant();
    await fees(merchant, [3]);
    const { body: first } = await pay(merchant.testKey);
    await pay(merchant.testKey, aCardRequest({ amount: 2000, currency: 'CLP' }));
    await post(merchant.testKey, '/v1/refunds', { chargeId: first.id, reason: 'sent back' });
    const amounts = async (query: string): Promise<number[]> =>
      (await linesOf(merchant.testKey, query)).map(({ amount }) => amount);
    expect(await amounts('&movement_type=charge')).toEqual([100, 2000]);
    expect(await amounts('&referenceType=refund')).toEqual([-97, -3]);
    expect(await amounts(`&referenceId=${first.id}`)).toEqual([100, -3]);
    expect(await amounts(`&chargeId=${first.id}`)).toEqual([100, -3, -97, -3]);
    expect(await amounts('&currency=CLP')).toEqual([2000]);
    expect(await amounts('&bucket=available')).toEqual([-3]);
    expect(await amounts('&createdAt[gte]=2999-01-01')).toEqual([]);
    expect(await amounts('&referenceType=chargeback_alert')).toEqual([]);
    const sorted = async (orderBy: string): Promise<number[]> =>
      (await get(merchant.testKey, `/v1/statement?orderBy=${orderBy}`)).body.data.map(
        ({ amount }: Line) => amount,
      );
    expect(await sorted('amount')).toEqual([-97, -3, -3, 100, 2000]);
    expect(await sorted('-amount')).toEqual([2000, 100, -3, -3, -97]);
    expect(await sorted('movement_type,-amount')).toEqual([2000, 100, -3, -3, -97]);
    for (const wrong of ['referenceType=card', 'bucket=all', 'movement_type=x', 'orderBy=id', 'charge=1'])
      expect((await get(merchant.testKey, `/v1/statement?${wrong}`)).status).toBe(400);
  });

  it('is for merchants that may read it', async () => {
    const merchant = await gateway().createMerchant();
    const token = await gateway().operatorToken();
    await gateway()
      .call('patch', `/v1/admin/merchants/${merchant.id}`)
      .auth(token, { type: 'bearer' })
      .send({ permissions: ['charges.read'] })
      .expect(200);
    for (const path of [
      '/v1/statement',
      '/v1/statement/summary',
      '/v1/balance',
      '/v1/statement/led_1/explain',
    ])
      expect((await get(merchant.testKey, path)).status).toBe(403);
  });

  it('keeps the environments apart', async () => {
    const merchant = await gateway().createMerchant();
    await pay(merchant.testKey);
    expect((await get(merchant.liveKey, '/v1/statement')).body.total).toBe(0);
    const [line] = await linesOf(merchant.testKey);
    expect((await get(merchant.liveKey, `/v1/statement/${line?.id}/explain`)).status).toBe(404);
  });

  it('comes whole as CSV', async () => {
    const merchant = await gateway().createMerchant();
    for (let paid = 0; paid < 12; paid += 1) await pay(merchant.testKey, aCardRequest({ amount: 1 + paid }));
    const response = await gateway()
      .call('get', '/v1/statement?orderBy=createdAt')
      .auth(merchant.testKey, '')
      .set('Accept', 'text/csv')
      .set('X-Consistency-Token', 'latest');
    expect(response.headers['content-type']).toMatch(/^text\/csv/);
    const [head, ...rows] = response.text.trim().split('\r\n');
    expect(head).toBe(
      'id,merchantId,movement_type,referenceType,referenceId,chargeId,amount,currency,bucket,balanceAfter,description,createdAt',
    );
    expect(rows.map((row) => row.split(',').slice(6, 10).join(' '))).toEqual(
      Array.from({ length: 12 }, (_, n) => `${n + 1} BRL reserved ${((n + 1) * (n + 2)) / 2}`),
    );
  });
});

describe('the receivables agenda', () => {
  const agenda = (key: string, query = '') =>
    gateway().call('get', `/v1/settlements/upcoming${query}`).auth(key, '');
  const inInstallments = (installments: number) => ({
    ...aCardRequest(),
    paymentMethod: { ...aCardRequest().paymentMethod, installments },
  });

  it('has each part on its day, odd cents in the first, and adds up to what is reserved', async () => {
    const merchant = await gateway().createMerchant();
    const { body: charge } = await pay(merchant.testKey, inInstallments(3));
    expect(charge.settlements).toEqual([
      { part: 1, dueAt: expect.any(String), amount: 33.34, status: 'pending' },
      { part: 2, dueAt: expect.any(String), amount: 33.33, status: 'pending' },
      { part: 3, dueAt: expect.any(String), amount: 33.33, status: 'pending' },
    ]);
    const days = charge.settlements.map(({ dueAt }: { dueAt: string }) => dueAt.slice(0, 10));
    const { body } = await agenda(merchant.testKey).expect(200);
    expect(body).toEqual({
      merchantId: merchant.id,
      data: [33.34, 33.33, 33.33].map((amount, index) => ({
        day: days[index],
        currency: 'BRL',
        amount,
        parts: 1,
      })),
      totals: [{ currency: 'BRL', amount: 100, parts: 3 }],
    });
    await settle(merchant.testKey, inDays(31));
    expect((await agenda(merchant.testKey)).body.totals).toEqual([
      { currency: 'BRL', amount: 66.66, parts: 2 },
    ]);
    const read = await get(merchant.testKey, `/v1/charges/${charge.id}`);
    const statuses = read.body.settlements.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['settled', 'pending', 'pending']);
    expect((await get(merchant.testKey, '/v1/balance')).body.data).toMatchObject([{ reserved: 66.66 }]);
    const later = await agenda(merchant.testKey, `?from=${days[2]}&to=${days[2]}`);
    expect(later.body.data).toEqual([{ day: days[2], currency: 'BRL', amount: 33.33, parts: 1 }]);
    expect((await agenda(merchant.testKey, '?currency=USD')).body.data).toEqual([]);
  });

  it("has days of the zone that is asked for, like a spreadsheet's rows", async () => {
    const merchant = await gateway().createMerchant();
    const { body: charge } = await pay(merchant.testKey);
    const at = Date.parse(charge.settlements[0].dueAt);
    for (const timeZone of [
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'Asia/Kathmandu',
      'America/Sao_Paulo',
    ]) {
      const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
      const { text } = await agenda(merchant.testKey, `?timeZone=${timeZone}`).set('Accept', 'text/csv');
      expect(parseCsv(text)).toEqual([
        ['day', 'currency', 'amount', 'parts'],
        [day, 'BRL', '100', '1'],
      ]);
      const { body } = await agenda(merchant.testKey, `?timeZone=${timeZone}&from=${day}&to=${day}`);
      expect(body.data).toHaveLength(1);
    }
  });

  it('has no part that a refund took, nor of a charge that failed', async () => {
    const merchant = await gateway().createMerchant();
    const { body: charge } = await pay(merchant.testKey, inInstallments(2));
    await post(merchant.testKey, '/v1/refunds', { chargeId: charge.id, reason: 'changed my mind' });
    expect((await agenda(merchant.testKey)).body).toMatchObject({ data: [], totals: [] });
    const refunded = await get(merchant.testKey, `/v1/charges/${charge.id}`);
    expect(refunded.body.settlements.map(({ status }: { status: string }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    const pix = await post(merchant.testKey, '/v1/charges', aPixRequest());
    expect(pix.body.settlements).toBeNull();
  });

  it("is the caller's own or a sub-merchant's, with its part of a split, and nobody else's", async () => {
    const { master, sub } = await aGroup();
    await pay(master.testKey, { ...aCardRequest(), split: [{ merchantId: sub.id, percentage: 25 }] });
    const own = await agenda(master.testKey).expect(200);
    expect(own.body.totals).toEqual([{ currency: 'BRL', amount: 75, parts: 1 }]);
    for (const answer of [
      await agenda(sub.testKey).expect(200),
      await agenda(master.testKey, `?merchantId=${sub.id}`).expect(200),
    ]) {
      expect(answer.body.merchantId).toBe(sub.id);
      expect(answer.body.totals).toEqual([{ currency: 'BRL', amount: 25, parts: 1 }]);
    }
    await agenda(sub.testKey, `?merchantId=${master.id}`).expect(403);
    const stranger = await gateway().createMerchant();
    await agenda(stranger.testKey, `?merchantId=${sub.id}`).expect(403);
    expect((await agenda(master.liveKey).expect(200)).body.data).toEqual([]);
  });

  it('refuses zones and days that there are not', async () => {
    const { testKey } = await gateway().createMerchant();
    for (const query of ['timeZone=Mars/Base', 'from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'page=1'])
      await agenda(testKey, `?${query}`).expect(400);
  });
});

describe('the summary of the statement', () => {
  it('ends before its end, so that adjacent ones count every entry once', async () => {
    const { testKey } = await gateway().createMerchant();
    for (const amount of [1, 2, 3]) await pay(testKey, aCardRequest({ amount }));
    const [first, second, third] = (await linesOf(testKey)).map(({ createdAt }) => createdAt);
    const sums = async (query: string): Promise<unknown> => {
      const [data] = (await get(testKey, `/v1/statement/summary?${query}`)).body.data;
      return [data?.openingBalance.total, data?.movements[0]?.total ?? 0, data?.closingBalance.total];
    };
    expect([...new Set([first, second, third])]).toHaveLength(3);
    expect(await sums(`from=${first}&to=${second}`)).toEqual([0, 1, 1]);
    expect(await sums(`from=${second}&to=${third}`)).toEqual([1, 2, 3]);
    expect(await sums(`from=${third}`)).toEqual([3, 3, 6]);
    expect(await sums(`from=${second}&to=${second}`)).toEqual([1, 0, 1]);
  });

  it('leads from the opening to the closing balance', async () => {
    const merchant = await gateway().createMerchant();
    await fees(merchant, [3]);
    const { body: first } = await pay(merchant.testKey);
    const between = new Date().toISOString();
    await pay(merchant.testKey, aCardRequest({ amount: 50 }));
    await post(merchant.testKey, '/v1/refunds', { chargeId: first.id, reason: 'sent back' });
    await pay(merchant.testKey, aCardRequest({ amount: 9, currency: 'CLP' }));
    const summary = async (query: string): Promise<Response> =>
      get(merchant.testKey, `/v1/statement/summary?${query}`);
    const { body } = await summary(`from=${between}&currency=BRL`);
    expect(body).toEqual({
      merchantId: merchant.id,
      from: between,
      to: null,
      data: [
        {
          currency: 'BRL',
          openingBalance: { available: 0, reserved: 97, total: 97 },
          movements: [
            { movement_type: 'charge', count: 1, available: 0, reserved: 50, total: 50 },
            { movement_type: 'charge_spread', count: 1, available: 0, reserved: -1.5, total: -1.5 },
            { movement_type: 'refund', count: 2, available: -3, reserved: -97, total: -100 },
          ],
          closingBalance: { available: -3, reserved: 48.5, total: 45.5 },
        },
      ],
    });
    expect((await summary('')).body.data.map((of: { currency: string }) => of.currency)).toEqual([
      'BRL',
      'CLP',
    ]);
    expect((await summary(`to=${between}`)).body.data).toEqual([
      expect.objectContaining({
        openingBalance: { available: 0, reserved: 0, total: 0 },
        closingBalance: { available: 0, reserved: 97, total: 97 },
      }),
    ]);
    const day = new Date().toISOString().slice(0, 10);
    expect((await summary(`from=${day}&to=${day}`)).body.data).toHaveLength(2);
    const empty = await summary(`from=${between}&to=${between}&currency=BRL`);
    expect([empty.status, empty.body.data]).toEqual([
      200,
      [expect.objectContaining({ movements: [], closingBalance: { available: 0, reserved: 97, total: 97 } })],
    ]);
    const reversed = await summary(`from=${day}&to=2020-01-01`);
    expect([reversed.status, reversed.body.errors]).toEqual([
      400,
      [{ path: 'to', message: 'to must not lie before from' }],
    ]);
    expect((await summary('from=yesterday')).status).toBe(400);
    expect((await summary('currency=XTS')).status).toBe(400);
  });
});

describe('the explanation of an entry', () => {
  it('names gross, fee with its version, split with the odd cent, and installments', async () => {
    const { master, sub } = await aGroup();
    await fees(master, [1, 2, 2.5], 0.1);
    await fees(master, [1, 2, 3.3333], 0.1);
    const { body: charge } = await pay(master.testKey, {
      ...aCardRequest({ amount: 10.01 }),
      paymentMethod: { ...aCardRequest().paymentMethod, installments: 3 },
      split: [{ merchantId: sub.id, percentage: 50 }],
    });
    // 0.10 + 3.3333 % of 10.01 = 0.43366…
    expect([charge.spread, charge.net]).toEqual([0.43, 9.58]);
    await settle(master.testKey, inDays(31));
    const explain = async (key: string, merchantId: string, movement_type: string, bucket = 'reserved') => {
      const query = `&merchantId=${merchantId}&movement_type=${movement_type}&bucket=${bucket}`;
      const [line] = await linesOf(key, query);
      return (await get(key, `/v1/statement/${line?.id}/explain`)).body;
    };
    expect(await explain(master.testKey, master.id, 'charge_spread')).toMatchObject({
      amount: -0.43,
      charge: { id: charge.id, gross: 10.01, spread: 0.43, net: 9.58, installments: 3 },
      fee: { definitionVersion: 2, fixed: 0.1, percentage: 3.3333, rounding: 'half_up' },
      split: {
        rule: 'largest_remainder',
        parts: [{ merchantId: sub.id, percentage: 50, amount: 4.79, oddCent: false }],
        originator: { merchantId: master.id, percentage: 50, amount: 4.79, oddCent: false },
      },
      calculation:
        '0.10 BRL + 3.3333 % of 10.01 BRL, rounded half up, at most the gross amount, by version 2 of the fee ' +
        'definitions: -0.43 BRL.',
    });
    expect(await explain(master.testKey, master.id, 'split_debit')).toMatchObject({ passedTo: sub.id });
    expect(await explain(sub.testKey, sub.id, 'settlement', 'available')).toMatchObject({
      amount: 1.61,
      share: { role: 'participant', amount: 4.79 },
      installments: { parts: 3, settled: 0, first: 1.61, each: 1.59, delayDays: 30, daysBetween: 30 },
      // Terms between the master and the gateway are none of the participant's business.
      charge: { gross: null, spread: null, net: 9.58 },
      fee: null,
      split: {
        net: 9.58,
        parts: [{ merchantId: sub.id, percentage: 50, amount: 4.79 }],
        originator: null,
      },
    });
  });

  it('of an entry out of sight is not found', async () => {
    const [one, other] = [await gateway().createMerchant(), await gateway().createMerchant()];
    await pay(one.testKey);
    const [line] = await linesOf(one.testKey);
    expect((await get(one.testKey, `/v1/statement/${line?.id}/explain`)).status).toBe(200);
    for (const [key, id] of [
      [other.testKey, line?.id],
      [one.testKey, `led_${'0'.repeat(32)}`],
    ])
      expect((await get(key ?? '', `/v1/statement/${id}/explain`)).body).toEqual({
        statusCode: 404,
        message: 'Statement entry not found',
        code: 'NOT_FOUND',
      });
  });
});

describe('the hash chain of a statement', () => {
  it('can be recomputed from the answers, page by page, for the caller and its sub-merchants only', async () => {
    const { master, sub } = await aGroup();
    for (const amount of [10, 20, 30]) await pay(sub.testKey, aCardRequest({ amount }));
    const lines = await linesOf(sub.testKey);
    const pages = `/v1/statement/chain?currency=BRL&merchantId=${sub.id}&size=2`;
    let previous = '0'.repeat(64);
    const ids: string[] = [];
    for (let after = 0; after < lines.length; after += 2) {
      const { body } = await get(master.testKey, `${pages}&after=${after}`);
      expect(body.end.place).toBe(lines.length);
      for (const { place, id, content, hash } of body.data) {
        expect(createHash('sha256').update(content).digest('hex')).toBe(hash);
        expect(JSON.parse(content).slice(0, 4)).toEqual([previous, `${sub.id}:test:BRL`, place, id]);
        previous = hash;
        ids.push(id);
      }
    }
    expect(ids).toEqual(lines.map(({ id }) => id));
    const other = await gateway().createMerchant();
    expect((await get(other.testKey, pages)).status).toBe(403);
    expect((await get(other.testKey, '/v1/statement/chain?currency=BRL')).body).toMatchObject({
      end: { place: 0 },
      data: [],
    });
    for (const query of ['', '?currency=XXY', '?currency=BRL&size=501', '?currency=BRL&after=-1'])
      expect((await get(other.testKey, `/v1/statement/chain${query}`)).status).toBe(400);
  });

  it('is read by operators for the merchant that they name, like its summary', async () => {
    const { master, sub } = await aGroup();
    await pay(sub.testKey, aCardRequest({ amount: 10 }));
    // The chain waits for nobody, unlike the view: once the view has the lines, they are in the chain.
    expect(await linesOf(sub.testKey)).not.toEqual([]);
    const token = await gateway().operatorToken('test');
    const read = (path: string): Test =>
      gateway().call('get', path).auth(token, { type: 'bearer' }).set('X-Consistency-Token', 'latest');
    for (const path of ['/v1/statement/chain?currency=BRL', '/v1/statement/summary?currency=BRL']) {
      const named = `${path}&merchantId=${sub.id}`;
      const { body } = await get(master.testKey, named);
      expect(body.data.length).toBeGreaterThan(0);
      expect((await read(named)).body).toEqual(body);
      const refused = await read(path);
      expect(refused.status).toBe(400);
      expect(refused.body.errors).toMatchObject([{ path: 'merchantId', message: 'merchantId is required' }]);
      for (const id of [`mer_${'0'.repeat(32)}`, '0', '%00'])
        expect((await read(`${path}&merchantId=${id}`)).body).toEqual({
          statusCode: 404,
          message: 'Merchant not found',
          code: 'NOT_FOUND',
        });
    }
  });
});
