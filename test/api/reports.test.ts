import type { Response } from 'supertest';
import type { MerchantId } from '../../src/kernel/ids.ts';
import { newId } from '../../src/kernel/ids.ts';
import { exponentOf, toDecimal } from '../../src/kernel/money.ts';
import { CHARGES_VIEW } from '../../src/modules/charges/read/charge.view.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import type { Journal } from '../../src/modules/ledger/write/journal.ts';
import type { StatementLine } from '../../src/modules/ledger/write/statement-line.ts';
import { STATEMENT_VIEW } from '../../src/modules/statement/read/statement.view.ts';
import { aliasOf, indexResources } from '../../src/platform/read-store/view.ts';
import { withoutTenant } from '../../src/platform/write-store/stored-resource.ts';
import { aCardRequest, aPaidCharge, aPixRequest, aSpreadFee } from '../builders.ts';
import { VIEWS_ALONE } from '../support/charge-view.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(60_000);
const gateway = useGateway({ ...PATIENT, ...VIEWS_ALONE, VIEW_SHARDS: 'charges=4,statement=4' });

type Row = Record<string, number> & {
  readonly period: string;
  readonly group: string | null;
  readonly currency: string;
};
type Report = { readonly data: readonly Row[]; readonly totals: readonly Row[] };
type Query = Readonly<Record<string, string>>;

const REFUSED = '4000000000000002';
const FEES = ['BRL', 'CLP', 'KWD'].map((currency_code) =>
  aSpreadFee({ currency_code, definition: { fixed: 1, percentages: [3.33] } }),
);

const ask = async (
  name: string,
  query: Query = {},
  environment: 'live' | 'test' = 'test',
  accept = 'application/json',
): Promise<Response> => {
  const token = await gateway().operatorToken(environment);
  const get = async () =>
    gateway()
      .call('get', `/v1/admin/reports/${name}?${new URLSearchParams(query)}`)
      .set('X-Consistency-Token', 'latest')
      .set('Accept', accept)
      .buffer(true)
      .auth(token, { type: 'bearer' });
  return pollUntil(get, ({ status }) => status !== 503);
};
const report = async (name: string, query: Query = {}, environment?: 'live' | 'test'): Promise<Report> => {
  const { status, body } = await ask(name, query, environment);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

/** The sums of a column by currency, in minor units, so that they are exact. */
const sums = (rows: readonly Row[], column: string): Record<string, number> => {
  const result: Record<string, number> = {};
  for (const row of rows) {
    const minor = Math.round((row[column] ?? 0) * 10 ** exponentOf(row.currency));
    result[row.currency] = (result[row.currency] ?? 0) + minor;
  }
  return result;
};
const decimals = (amounts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [currency, toDecimal(amount, currency)]),
  );
const column = (rows: readonly Row[], name: string): Record<string, number> =>
  Object.fromEntries(rows.map((row) => [row.currency, row[name] ?? 0]));
const add = <T>(items: readonly T[], of: (item: T) => readonly [string, number]): Record<string, number> => {
  const result: Record<string, number> = {};
  for (const item of items) {
    const [key, amount] = of(item);
    result[key] = (result[key] ?? 0) + amount;
  }
  return result;
};

const index = async (charges: readonly Charge[]): Promise<void> => {
  const { readStore } = gateway();
  expect(await indexResources(readStore, CHARGES_VIEW, charges.map(withoutTenant))).toEqual(new Map());
  await readStore.client.indices.refresh({ index: aliasOf(readStore, CHARGES_VIEW) });
};

describe('reports of what really happened', () => {
  const merchants: TestMerchant[] = [];
  const charge = async (merchant: TestMerchant, body: object): Promise<string> => {
    const answer = await gateway().call('post', '/v1/charges').auth(merchant.testKey, '').send(body);
    expect(answer.status).toBe(201);
    return answer.body.id;
  };

  beforeAll(async () => {
    const token = await gateway().operatorToken();
    for (let count = 0; count < 2; count += 1) {
      const merchant = await gateway().createMerchant();
      await gateway()
        .call('put', `/v1/admin/merchants/${merchant.id}/fee-definitions`)
        .auth(token, { type: 'bearer' })
        .send(FEES)
        .expect(200);
      merchants.push(merchant);
    }
    const [first, second] = merchants as [TestMerchant, TestMerchant];
    await charge(first, aCardRequest({ amount: 100.01 }));
    await charge(first, aCardRequest({ amount: 0.99 }));
    await charge(first, aCardRequest({ amount: 50 }, { number: REFUSED }));
    await charge(first, aPixRequest({ amount: 20 }));
    await charge(first, aCardRequest({ amount: 9_999, currency: 'CLP' }));
    await charge(second, aCardRequest({ amount: 1.234, currency: 'KWD' }));
    const alerted = await charge(second, aCardRequest({ amount: 77.77 }));
    const refunded = await charge(second, aCardRequest({ amount: 33.33 }));
    await gateway()
      .call('post', '/v1/refunds')
      .auth(second.testKey, '')
      .send({ chargeId: refunded, reason: 'sent back' })
      .expect(201);
    const admin = async (path: string, body: object): Promise<void> => {
      const bearer = await gateway().operatorToken('test');
      await gateway().call('post', path).auth(bearer, { type: 'bearer' }).send(body).expect(201);
    };
    const fee = { amount: 15.5, currency: 'USD' };
    await admin('/v1/admin/settings', { name: 'chargeback_alert_fee', content: fee });
    await admin('/v1/admin/chargeback-alerts', { chargeId: alerted });
  }, 180_000);

  const stored = () => gateway().db.collection<Charge>('charges').find({ livemode: false }).toArray();
  const journals = () => gateway().db.collection<Journal>('journals').find({ livemode: false }).toArray();

  it('count and sum the charges of the write store, each currency by itself', async () => {
    const charges = await stored();
    const paid = charges.filter((one) => one.paidAt !== null);
    const { data, totals } = await report('volume');
    expect(totals.map((row) => row.currency)).toEqual(['BRL', 'CLP', 'KWD']);
    expect(column(totals, 'count')).toEqual(add(charges, (one) => [one.currency, 1]));
    expect(column(totals, 'amount')).toEqual(decimals(add(charges, (one) => [one.currency, one.amount])));
    expect(column(totals, 'paidCount')).toEqual(add(paid, (one) => [one.currency, 1]));
    expect(column(totals, 'paidAmount')).toEqual(decimals(add(paid, (one) => [one.currency, one.amount])));
    expect(decimals(sums(data, 'amount'))).toEqual(column(totals, 'amount'));
    expect(data.every((row) => row.group === null)).toBe(true);
  });

  it.each([
    ['status', (one: Charge) => one.status],
    ['paymentMethod', (one: Charge) => one.paymentMethod.type],
    ['currency', (one: Charge) => one.currency],
    ['merchantId', (one: Charge) => one.merchantId],
  ])('group the charges by %s', async (groupBy, groupOf) => {
    const charges = await stored();
    const { data, totals } = await report('volume', { groupBy, interval: 'month' });
    const key = (row: Row): string => `${row.group} ${row.currency}`;
    expect(Object.fromEntries(data.map((row) => [key(row), row.count]))).toEqual(
      add(charges, (one) => [`${groupOf(one)} ${one.currency}`, 1]),
    );
    expect(decimals(sums(data, 'amount'))).toEqual(column(totals, 'amount'));
  });

  it('show as revenue what the ledger booked as revenue', async () => {
    const postings = (await journals()).flatMap(({ currency, postings: all }) =>
      all.filter(({ bucket }) => bucket === 'revenue').map((posting) => ({ ...posting, currency })),
    );
    const booked = (movement?: string) =>
      postings.filter(({ movement_type }) => movement === undefined || movement_type === movement);
    const amountOf = ({ currency, amount }: { currency: string; amount: number }) =>
      [currency, amount] as const;
    const { data, totals } = await report('revenue', { groupBy: 'merchantId' });
    const expected = decimals(add(booked(), amountOf));
    expect(Object.keys(expected).sort()).toEqual(['BRL', 'CLP', 'KWD', 'USD']);
    expect(column(totals, 'amount')).toEqual(expected);
    expect(decimals(sums(data, 'amount'))).toEqual(expected);
    expect(column(totals, 'spread')).toMatchObject(decimals(add(booked('charge_spread'), amountOf)));
    expect(column(totals, 'chargebackAlertFees')).toEqual({ BRL: 0, CLP: 0, KWD: 0, USD: 15.5 });
    expect(column(totals, 'count')).toEqual(add(postings, ({ currency }) => [currency, 1]));
  });

  it.each([
    ['status', (one: Charge) => one.status],
    ['paymentMethod', (one: Charge) => one.paymentMethod.type],
  ])('group the spreads among the revenue by %s of the charge', async (groupBy, groupOf) => {
    const earned = (await stored()).filter(({ paidAt, spread }) => paidAt !== null && spread > 0);
    const { data, totals } = await report('revenue', { groupBy, interval: 'month' });
    expect(Object.fromEntries(data.map((row) => [`${row.group} ${row.currency}`, row.count]))).toEqual(
      add(earned, (one) => [`${groupOf(one)} ${one.currency}`, 1]),
    );
    expect(column(totals, 'amount')).toMatchObject(
      decimals(add(earned, ({ currency, spread }) => [currency, spread])),
    );
  });

  it.each([
    ['balances', 'status', 'currency, merchantId'],
    ['payouts', 'paymentMethod', 'currency, merchantId'],
    ['payouts', 'status', 'currency, merchantId'],
  ])('say what %s can be grouped by instead of %s', async (name, groupBy, allowed) => {
    const { status, body } = await ask(name, { groupBy });
    expect({ status, message: body.errors?.[0]?.message }).toEqual({
      status: 400,
      message: expect.stringContaining(`[${allowed}]`),
    });
  });

  it('show the balances that the merchants see', async () => {
    const { data, totals } = await report('balances');
    for (const merchant of merchants) {
      const { body } = await gateway().call('get', '/v1/balance').auth(merchant.testKey, '').expect(200);
      const shown = data
        .filter((row) => row.group === merchant.id)
        .map(({ currency, available, reserved }) => ({ currency, available, reserved }));
      expect(shown).toEqual(body.data);
    }
    expect(decimals(sums(data, 'available'))).toEqual(column(totals, 'available'));
    expect(decimals(sums(data, 'amount'))).toEqual(column(totals, 'amount'));
    const byCurrency = await report('balances', { groupBy: 'currency' });
    expect(byCurrency.totals).toEqual(totals);
    expect(byCurrency.data.map((row) => row.group)).toEqual(totals.map((row) => row.currency));
  });

  it('show no balance of a time before the first charge, and the same ones day by day', async () => {
    expect(await report('balances', { to: '2020-12-31' })).toEqual({ data: [], totals: [] });
    const now = await report('balances');
    const daily = await report('balances', { interval: 'day' });
    const today = daily.data.filter((row) => row.period === daily.data.at(-1)?.period);
    expect(today.map(({ period: _, ...row }) => row)).toEqual(now.data.map(({ period: _, ...row }) => row));
    expect(daily.totals).toEqual(now.totals);
    expect(await report('balances', { interval: 'month', from: '2020-01-01' })).toMatchObject({
      totals: now.totals,
    });
  });

  it('show no payouts where there are none', async () => {
    expect(await report('payouts')).toEqual({ data: [], totals: [] });
  });

  it('narrow to a merchant and a currency', async () => {
    const merchantId = merchants[0]?.id ?? '';
    const { totals } = await report('volume', { merchantId, currency: 'CLP' });
    expect(totals).toEqual([{ currency: 'CLP', count: 1, amount: 9_999, paidCount: 1, paidAmount: 9_999 }]);
    const revenue = await report('revenue', { merchantId, currency: 'CLP' });
    expect(revenue.totals).toMatchObject([{ currency: 'CLP', count: 1 }]);
  });

  it('tell a merchant what it sold, and nothing of others', async () => {
    const [{ id, testKey }, other] = merchants as [TestMerchant, TestMerchant];
    const read = (query: Query) =>
      gateway()
        .call('get', `/v1/reports/volume?${new URLSearchParams(query)}`)
        .set('X-Consistency-Token', 'latest')
        .auth(testKey, '');
    const charges = (await stored()).filter(({ merchantId }) => merchantId === id);
    const paid = charges.filter((one) => one.paidAt !== null);
    const { body } = await read({ groupBy: 'merchantId', interval: 'month' }).expect(200);
    expect(body.data.every(({ group }: Row) => group === id)).toBe(true);
    expect(column(body.totals, 'count')).toEqual(add(charges, (one) => [one.currency, 1]));
    expect(column(body.totals, 'spread')).toEqual(decimals(add(paid, (one) => [one.currency, one.spread])));
    expect(column(body.totals, 'net')).toEqual(decimals(add(paid, (one) => [one.currency, one.net])));
    const { text } = await read({ currency: 'CLP' }).set('Accept', 'text/csv').expect(200);
    expect(parseCsv(text)).toHaveLength(2);
    const refused = await read({ merchantId: other.id }).expect(403);
    expect(refused.body.code).toBe('MERCHANT_NOT_VISIBLE');
  });

  it('keep the environments apart', async () => {
    for (const name of ['volume', 'revenue', 'balances'])
      expect(await report(name, {}, 'live')).toEqual({ data: [], totals: [] });
  });

  it.each(['volume', 'revenue', 'balances', 'payouts'])('say the same of %s in CSV', async (name) => {
    const query = { groupBy: 'merchantId' };
    const { data } = await report(name, query);
    const answer = await ask(name, query, 'test', 'text/csv');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${name}.csv"`);
    const [titles = [], ...lines] = parseCsv(answer.text);
    expect(titles.slice(0, 5)).toEqual(['period', 'group', 'currency', 'count', 'amount']);
    expect(lines).toEqual(data.map((row) => titles.map((title) => String(row[title] ?? ''))));
  });
});

describe('reports of indexed charges', () => {
  let marker = 0;
  /** Charges of a merchant of their own, in the live environment. */
  const chargesAt = (instants: readonly string[], changes: Partial<Charge> = {}): Charge[] => {
    marker += 1;
    const merchantId: MerchantId = `mer_${String(marker).padStart(32, '0')}`;
    return instants.map((createdAt) =>
      aPaidCharge({ id: newId('chg'), livemode: true, merchantId, createdAt, ...changes }),
    );
  };

  /** The calendar day of an instant somewhere, told by another way than the code under test. */
  const dayIn = (zone: string, instant: string): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date(instant));

  it.each([
    ['America/Sao_Paulo', '2018-02-15T00:00:00Z'],
    ['America/Sao_Paulo', '2018-11-02T00:00:00Z'],
    ['America/New_York', '2026-03-06T00:00:00Z'],
    ['America/New_York', '2026-10-30T00:00:00Z'],
    ['Asia/Kathmandu', '2026-03-01T00:00:00Z'],
    ['Pacific/Kiritimati', '2026-12-29T00:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-03T00:00:00Z'],
    ['UTC', '2024-02-27T00:00:00Z'],
  ])('cut the days of %s after %s where people there do', async (timeZone, start) => {
    const instants = Array.from({ length: 4 * 24 * 2 }, (_, half) =>
      new Date(Date.parse(start) + half * 1_800_000).toISOString(),
    );
    const edges = instants.map((instant) => new Date(Date.parse(instant) - 1).toISOString());
    const charges = chargesAt([...instants, ...edges]);
    await index(charges);
    const merchantId = charges[0]?.merchantId ?? '';
    const { data } = await report('volume', { timeZone, merchantId }, 'live');
    const expected = add(charges, ({ createdAt }) => [dayIn(timeZone, createdAt), 1]);
    expect(Object.fromEntries(data.map((row) => [row.period, row.count]))).toEqual(expected);
    expect(data.map((row) => row.period)).toEqual(Object.keys(expected).sort());

    // A day asked for by its date is exactly that day, and days follow each other without gap or overlap.
    for (const day of Object.keys(expected).slice(0, 3)) {
      const only = await report('volume', { timeZone, merchantId, from: day, to: day }, 'live');
      expect(only.data.map(({ period, count }) => ({ period, count }))).toEqual([
        { period: day, count: expected[day] },
      ]);
    }
  });

  it('add up weeks from Monday and months', async () => {
    const days = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-08', '2026-03-09', '2026-03-31'];
    const charges = chargesAt(days.map((day) => `${day}T12:00:00.000Z`));
    await index(charges);
    const merchantId = charges[0]?.merchantId ?? '';
    const counts = async (interval: string): Promise<object> =>
      Object.fromEntries(
        (await report('volume', { interval, merchantId }, 'live')).data.map((row) => [row.period, row.count]),
      );
    expect(await counts('week')).toEqual({
      '2026-02-23': 2,
      '2026-03-02': 2,
      '2026-03-09': 1,
      '2026-03-30': 1,
    });
    expect(await counts('month')).toEqual({ '2026-02-01': 1, '2026-03-01': 5 });
  });

  it('take instants as limits, the first in and the last out', async () => {
    const charges = chargesAt([
      '2026-05-01T10:00:00.000Z',
      '2026-05-01T10:00:00.001Z',
      '2026-05-01T11:59:59.999Z',
      '2026-05-01T12:00:00.000Z',
    ]);
    await index(charges);
    const merchantId = charges[0]?.merchantId ?? '';
    const count = async (query: Query): Promise<number> =>
      (await report('volume', { merchantId, ...query }, 'live')).totals[0]?.count ?? 0;
    expect(await count({ from: '2026-05-01T10:00:00.001Z', to: '2026-05-01T12:00:00Z' })).toBe(2);
    expect(await count({ from: '2026-05-01T07:00:00-03:00', to: '2026-05-01T12:00:00.001Z' })).toBe(4);
    // Without an offset: the clock of the zone.
    const timeZone = 'America/Sao_Paulo';
    expect(await count({ from: '2026-05-01T07:00:00', to: '2026-05-01T09:00:00', timeZone })).toBe(3);
  });

  it('lose no group of thousands, and sum large amounts exactly', async () => {
    const amounts = Array.from({ length: 2_500 }, (_, number) => 999_999_999_989 + number);
    const charges = amounts.flatMap((amount, number) => {
      const currency = ['BRL', 'CLP', 'KWD'][number % 3] ?? 'BRL';
      return chargesAt(['2019-01-15T12:00:00.000Z'], { amount, currency });
    });
    await index(charges);
    const range = { from: '2019-01-01', to: '2019-01-31' };
    const { data, totals } = await report(
      'volume',
      { ...range, groupBy: 'merchantId', interval: 'month' },
      'live',
    );
    expect(data).toHaveLength(2_500);
    expect(new Set(data.map((row) => row.group)).size).toBe(2_500);
    const expected = decimals(add(charges, (one) => [one.currency, one.amount]));
    expect(column(totals, 'amount')).toEqual(expected);
    expect(decimals(sums(data, 'amount'))).toEqual(expected);
    const ungrouped = await report('volume', { ...range, interval: 'month' }, 'live');
    expect(ungrouped.totals).toEqual(totals);
    const csv = await ask(
      'volume',
      { ...range, groupBy: 'merchantId', interval: 'month' },
      'live',
      'text/csv',
    );
    expect(parseCsv(csv.text)).toHaveLength(2_501);
  });

  it('tell each row once where the engine gives it in two pages, paid and unpaid charges apart', async () => {
    // The second day has two kinds of charges for each merchant, and 10,000 is an odd place in it.
    const merchantIds = Array.from(
      { length: 4_001 },
      (_, number): MerchantId => `mer_${`9${number}`.padStart(32, '0')}`,
    );
    const charges = merchantIds.flatMap((merchantId, number) => {
      const changes = { merchantId, amount: 1 + number };
      const [first = [], second = []] = ['2019-03-15T23:59:59.999Z', '2019-03-16T00:00:00.000Z'].map((at) =>
        chargesAt([at], changes),
      );
      const unpaid = chargesAt(['2019-03-16T12:00:00.000Z'], { ...changes, status: 'refused', paidAt: null });
      return [...first, ...(number === 0 ? [] : [...second, ...unpaid])];
    });
    await index(charges);
    const range = { from: '2019-03-01', to: '2019-03-31' };
    const { data, totals } = await report('volume', { ...range, groupBy: 'merchantId' }, 'live');
    const rowOf = (period: string, counts: object) => (group: string, number: number) => ({
      ...{ period, group, currency: 'BRL', ...counts },
      ...{ amount: toDecimal((period.endsWith('15') ? 1 : 2) * (1 + number), 'BRL') },
      paidAmount: toDecimal(1 + number, 'BRL'),
    });
    const expected = [
      ...merchantIds.map(rowOf('2019-03-15', { count: 1, paidCount: 1 })),
      ...merchantIds.map(rowOf('2019-03-16', { count: 2, paidCount: 1 })).slice(1),
    ].sort((left, right) => (left.period + left.group < right.period + right.group ? -1 : 1));
    expect(data).toEqual(expected);
    expect(totals).toMatchObject([{ count: 12_001, paidCount: 8_001 }]);
  });

  it('answer a report without rows', async () => {
    const query = { from: '1999-01-01', to: '1999-12-31' };
    expect(await report('volume', query, 'live')).toEqual({ data: [], totals: [] });
    const csv = await ask('volume', query, 'live', 'text/csv');
    expect(csv.text).toBe('period,group,currency,count,amount,paidCount,paidAmount\r\n');
  });
});

describe('the balances of indexed statement lines', () => {
  const merchantId: MerchantId = `mer_${'8'.repeat(32)}`;
  const timeZone = 'America/Sao_Paulo';
  const aLine = (createdAt: string, bucket: 'available' | 'reserved', amount: number, currency = 'BRL') =>
    ({
      id: newId('led'),
      version: 1,
      merchantId,
      masterId: null,
      livemode: true,
      movement_type: 'charge',
      referenceType: 'charge',
      referenceId: 'chg_1',
      chargeId: null,
      settlement: null,
      amount,
      currency,
      bucket,
      balanceAfter: 0,
      createdAt,
    }) as unknown as StatementLine;

  beforeAll(async () => {
    const { readStore } = gateway();
    const lines = [
      aLine('2026-01-10T12:00:00.000Z', 'reserved', 100_00),
      // 23:59:59.999 of 31 January there, and the next instant.
      aLine('2026-02-01T02:59:59.999Z', 'reserved', -40_00),
      aLine('2026-02-01T03:00:00.000Z', 'available', 40_00),
      aLine('2026-04-15T12:00:00.000Z', 'available', -50_00),
      aLine('2026-02-20T12:00:00.000Z', 'available', 1_234, 'KWD'),
    ];
    expect(await indexResources(readStore, STATEMENT_VIEW, lines.map(withoutTenant))).toEqual(new Map());
    await readStore.client.indices.refresh({ index: aliasOf(readStore, STATEMENT_VIEW) });
  });

  const balances = async (query: Query) => {
    const { data, totals } = await report('balances', { merchantId, timeZone, ...query }, 'live');
    const short = ({ period, currency, available, reserved }: Row) =>
      [period, currency, available, reserved].join(' ');
    return { data: data.map(short), totals: totals.map(short) };
  };

  it('are those at the end of the day or instant asked for', async () => {
    expect((await balances({ to: '2026-01-31' })).data).toEqual(['2026-01-31 BRL 0 60']);
    expect((await balances({ to: '2026-02-01' })).data).toEqual(['2026-02-01 BRL 40 60']);
    expect((await balances({ to: '2026-02-01T02:59:59.999Z' })).data).toEqual(['2026-01-31 BRL 0 100']);
    expect((await balances({ to: '2026-04-30' })).data).toEqual([
      '2026-04-30 BRL -10 60',
      '2026-04-30 KWD 1.234 0',
    ]);
    expect((await balances({ to: '2026-01-09' })).data).toEqual([]);
  });

  it('go on from period to period, also through those without movement', async () => {
    const monthly = await balances({ to: '2026-05-15', interval: 'month' });
    expect(monthly.data).toEqual([
      '2026-01-01 BRL 0 60',
      '2026-02-01 BRL 40 60',
      '2026-02-01 KWD 1.234 0',
      '2026-03-01 BRL 40 60',
      '2026-03-01 KWD 1.234 0',
      '2026-04-01 BRL -10 60',
      '2026-04-01 KWD 1.234 0',
      '2026-05-01 BRL -10 60',
      '2026-05-01 KWD 1.234 0',
    ]);
    expect(monthly.totals).toEqual([' BRL -10 60', ' KWD 1.234 0']);
    const range = { from: '2026-03-10', to: '2026-04-30' };
    const late = await balances({ ...range, interval: 'month', groupBy: 'currency', currency: 'BRL' });
    expect(late.data).toEqual(['2026-03-01 BRL 40 60', '2026-04-01 BRL -10 60']);
    expect((await balances({ ...range, interval: 'day' })).data).toHaveLength(2 * 52);
  });
});

describe('a reconciliation', () => {
  const differences = async (query: Query = {}, environment?: 'live' | 'test') =>
    report('reconciliation', query, environment) as unknown as {
      checkedUpTo: string;
      data: { kind: string; subject: string; message: string; merchantId: string | null; currency: string }[];
      totals: unknown[];
    };

  it('is empty where the ledger ties up', async () => {
    await checkLedger(gateway());
    expect(await differences()).toMatchObject({ fullCheckAt: expect.any(String), data: [], totals: [] });
    const csv = await ask('reconciliation', {}, 'test', 'text/csv');
    expect(csv.text).toBe(
      'period,group,currency,count,amount,merchantId,kind,subject,message,foundAt,lastSeenAt,resolvedAt\r\n',
    );
  });

  it('lists each difference with the record that it is about', async () => {
    const { db } = gateway();
    const journals = db.collection<Journal>('journals');
    const charge = await db.collection<Charge>('charges').findOne({ status: 'paid', currency: 'KWD' });
    const booked = await journals.findOne({ referenceId: charge?.id ?? '' });
    if (!charge || !booked) throw new Error('there is no such charge');
    const about = { merchantId: charge.merchantId, currency: 'KWD' };
    const wrong = booked.postings.map((posting) => ({ ...posting, amount: posting.amount * 2 }));
    await journals.updateOne({ _id: booked._id }, { $set: { postings: wrong } });
    try {
      await checkLedger(gateway());
      const { data, totals } = await differences({ groupBy: 'currency', interval: 'month' });
      expect(data).toContainEqual({
        period: `${charge.createdAt.slice(0, 7)}-01`,
        group: 'KWD',
        count: 1,
        amount: 1.234,
        ...about,
        kind: 'charge',
        subject: charge.id,
        message: expect.stringContaining('2468'),
        foundAt: expect.any(String),
        lastSeenAt: expect.any(String),
        resolvedAt: null,
      });
      expect(data).toContainEqual(
        expect.objectContaining({ ...about, kind: 'balance', subject: `${charge.merchantId}:test:KWD` }),
      );
      expect(totals).toEqual([expect.objectContaining({ currency: 'KWD', count: data.length })]);

      expect((await differences(about)).data).toHaveLength(data.length);
      expect((await differences({ currency: 'BRL' })).data).toEqual([]);
      expect((await differences({ merchantId: `mer_${'0'.repeat(32)}` })).data).toEqual([]);
      expect((await differences({ to: '2020-01-01' })).data.map((row) => row.kind)).not.toContain('charge');
      expect((await differences({}, 'live')).data).toEqual([]);
      const csv = await ask('reconciliation', {}, 'test', 'text/csv');
      expect(parseCsv(csv.text)).toHaveLength(data.length + 1);
    } finally {
      await journals.updateOne({ _id: booked._id }, { $set: { postings: booked.postings } });
    }
    await checkLedger(gateway());
    const { data, totals } = await differences();
    expect(totals).toEqual([]);
    expect(data).not.toEqual([]);
    for (const row of data) expect(row).toMatchObject({ resolvedAt: expect.any(String) });
    expect((await differences({ status: 'open' })).data).toEqual([]);
    expect((await differences({ status: 'resolved' })).data).toEqual(data);
  });
});

describe('a report', () => {
  const NAMES = ['volume', 'revenue', 'balances', 'payouts', 'reconciliation'];

  it.each<[string, Query, string]>([
    ['an unknown parameter', { page: '1' }, 'page'],
    ['a wrong date', { from: '2026-02-30' }, 'from'],
    ['a word for a date', { to: 'yesterday' }, 'to'],
    ['an empty date', { to: '' }, 'to'],
    ['a range that ends before it begins', { from: '2026-02-02', to: '2026-02-01' }, 'to'],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['an offset for a time zone', { timeZone: '-03:00' }, 'timeZone'],
    ['an unknown interval', { interval: 'hour' }, 'interval'],
    ['an unknown group', { groupBy: 'customer' }, 'groupBy'],
    ['two groups', { groupBy: 'status,currency' }, 'groupBy'],
    ['an unknown currency', { currency: 'XTS' }, 'currency'],
    ['an empty merchant', { merchantId: '' }, 'merchantId'],
    ['a merchant that can be none', { merchantId: 'x' }, 'merchantId'],
  ])('is refused with %s', async (_name, query, path) => {
    for (const name of NAMES) {
      const { status, body } = await ask(name, query);
      expect({ name, status, body }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
  });

  it('is refused with a parameter given twice', async () => {
    const token = await gateway().operatorToken();
    const path = '/v1/admin/reports/volume?currency=BRL&currency=CLP';
    await gateway().call('get', path).auth(token, { type: 'bearer' }).expect(400);
  });

  it('takes a time zone in any case', async () => {
    expect(await report('volume', { timeZone: 'america/sao_paulo' })).toEqual(
      await report('volume', { timeZone: 'America/Sao_Paulo' }),
    );
  });

  it('is for operators with admin.reports.read only', async () => {
    const token = await gateway().operatorToken();
    const admin = (path: string, body: object) =>
      gateway().call('post', path).auth(token, { type: 'bearer' }).send(body).expect(201);
    await admin('/v1/admin/groups', { name: 'reporters', permissions: ['admin.reports.read'] });
    const others = ['admin.charges.read', 'admin.merchants.read', 'admin.refunds.manual', 'admin.audit.read'];
    await admin('/v1/admin/groups', { name: 'others', permissions: others });
    const tokenOf = async (group: string): Promise<string> => {
      const credentials = { email: `${group}@portico.test`, password: 'correct horse battery' };
      await admin('/v1/admin/users', { ...credentials, merchantId: null, groups: [group] });
      const { body } = await gateway().call('post', '/v1/auth/login').send(credentials).expect(200);
      return body.accessToken;
    };
    const [reporter, other] = [await tokenOf('reporters'), await tokenOf('others')];
    const { testKey, publicKey } = await gateway().createMerchant();
    for (const name of NAMES) {
      const get = () => gateway().call('get', `/v1/admin/reports/${name}`);
      await get().auth(reporter, { type: 'bearer' }).expect(200);
      await get().auth(other, { type: 'bearer' }).expect(403);
      await get().auth(testKey, '').expect(403);
      await get().auth(publicKey, '').expect(403);
      await get().expect(401);
    }
  });
});
