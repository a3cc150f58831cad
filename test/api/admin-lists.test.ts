import { get, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Response } from 'supertest';
import { type MerchantId, newId } from '../../src/kernel/ids.ts';
import type { StatementDocument } from '../../src/modules/statement/read/statement.view.ts';
import { STATEMENT_VIEW } from '../../src/modules/statement/read/statement.view.ts';
import { aliasOf } from '../../src/platform/read-store/view.ts';
import { aCardRequest, aPixRequest } from '../builders.ts';
import { VIEWS_ALONE } from '../support/charge-view.ts';
import { PATIENT } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(60_000);
const gateway = useGateway({ ...PATIENT, ...VIEWS_ALONE, VIEW_SHARDS: '4' });
const merchants: TestMerchant[] = [];

beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) {
    const merchant = await gateway().createMerchant();
    merchants.push(merchant);
    const charge = (body: object) =>
      gateway().call('post', '/v1/charges').auth(merchant.testKey, '').send(body).expect(201);
    await charge(aCardRequest({ amount: 10.5 + count, reference: '=HYPERLINK("x")' }));
    await charge(aPixRequest({ metadata: { note: 'comma, "quote"' } }));
    await charge(aCardRequest({ amount: 3_000, currency: 'CLP' }));
  }
}, 180_000);

const ask = async (path: string, accept = 'application/json', environment: 'live' | 'test' = 'test') => {
  const token = await gateway().operatorToken(environment);
  return gateway()
    .call('get', path)
    .set('X-Consistency-Token', 'latest')
    .set('Accept', accept)
    .buffer(true)
    .auth(token, { type: 'bearer' });
};
const rowsOf = ({ text }: Response): Record<string, string>[] => {
  const [titles = [], ...lines] = parseCsv(text);
  return lines.map((line) => Object.fromEntries(titles.map((title, index) => [title, line[index] ?? ''])));
};

describe('the charges of all merchants', () => {
  it('are those of every merchant of the environment', async () => {
    const { status, body } = await ask('/v1/admin/charges?size=100');
    expect(status).toBe(200);
    expect(body.total).toBe(9);
    const ids = body.data.map((charge: { merchantId: string }) => charge.merchantId);
    expect(new Set(ids)).toEqual(new Set(merchants.map((merchant) => merchant.id)));
    expect((await ask('/v1/admin/charges', undefined, 'live')).body).toMatchObject({ total: 0, data: [] });
  });

  it('take the filters of a merchant, and the merchant', async () => {
    const merchant = merchants[1] as TestMerchant;
    const own = await gateway()
      .call('get', '/v1/charges?orderBy=amount&currency=BRL')
      .auth(merchant.testKey, '')
      .expect(200);
    const { body } = await ask(`/v1/admin/charges?orderBy=amount&currency=BRL&merchantId=${merchant.id}`);
    expect(body).toEqual(own.body);
    expect(body.total).toBe(2);
    expect((await ask('/v1/admin/charges?status=nonsense')).status).toBe(400);
    expect((await ask('/v1/admin/charges?size=101')).status).toBe(400);
  });

  it('come as CSV, all that the filters leave, in the same order and with the same figures', async () => {
    const query = 'orderBy=-amount,createdAt&createdAt[gte]=2020-01-01';
    const listed = await ask(`/v1/admin/charges?${query}&size=100`);
    const csv = await ask(`/v1/admin/charges?${query}&size=1&page=2`, 'text/csv');
    expect(csv.status).toBe(200);
    expect(csv.headers['content-disposition']).toBe('attachment; filename="charges.csv"');
    const fields = ['id', 'status', 'currency', 'merchantId', 'createdAt', 'amount', 'spread', 'net'];
    const pick = (row: Record<string, unknown>) => fields.map((field) => String(row[field]));
    expect(rowsOf(csv).map(pick)).toEqual(listed.body.data.map(pick));
    const notes = rowsOf(csv).filter((row) => row['paymentMethod.type'] === 'pix');
    expect(notes.map((row) => row.metadata)).toEqual(Array(3).fill('{"note":"comma, \\"quote\\""}'));
    expect(csv.text).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv.text).not.toContain(',=HYPERLINK');
  });

  it('answer a HEAD request with CSV headers and hold nothing open', async () => {
    const token = await gateway().operatorToken('test');
    const answer = await fetch(`${gateway().url}/v1/admin/charges`, {
      method: 'HEAD',
      headers: { Accept: 'text/csv', Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    await untilNothingIsOpen();
  });
});

describe('the statements of all merchants', () => {
  it('are the lines of every merchant of the environment, filtered as a merchant filters its own', async () => {
    const { body } = await ask('/v1/admin/statement?size=100&orderBy=createdAt');
    expect(new Set(body.data.map((line: { merchantId: string }) => line.merchantId)).size).toBe(3);
    const merchant = merchants[2] as TestMerchant;
    const query = 'movement_type=charge&currency=CLP&orderBy=amount';
    const own = await gateway().call('get', `/v1/statement?${query}`).auth(merchant.testKey, '').expect(200);
    expect((await ask(`/v1/admin/statement?${query}&merchantId=${merchant.id}`)).body).toEqual(own.body);
    expect(own.body.total).toBe(1);
    expect((await ask('/v1/admin/statement', undefined, 'live')).body.total).toBe(0);
    expect((await ask('/v1/admin/statement?movement_type=nonsense')).status).toBe(400);
  });

  it('come as CSV', async () => {
    const { body } = await ask('/v1/admin/statement?size=100');
    const csv = await ask('/v1/admin/statement?size=1', 'text/csv');
    const asText = (row: object) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
    expect(rowsOf(csv)).toEqual(body.data.map(asText));
  });
});

it('lists all merchants for operators with the permission only', async () => {
  const token = await gateway().operatorToken();
  const admin = (path: string, body: object) =>
    gateway().call('post', path).auth(token, { type: 'bearer' }).send(body).expect(201);
  const tokenWith = async (permission: string): Promise<string> => {
    await admin('/v1/admin/groups', { name: permission, permissions: [permission] });
    const credentials = { email: `${permission}@portico.test`, password: 'correct horse battery' };
    await admin('/v1/admin/users', { ...credentials, merchantId: null, groups: [permission] });
    const { body } = await gateway().call('post', '/v1/auth/login').send(credentials).expect(200);
    return body.accessToken;
  };
  const charges = await tokenWith('admin.charges.read');
  const reports = await tokenWith('admin.reports.read');
  for (const accept of ['application/json', 'text/csv']) {
    const statusOf = async (path: string, bearer: string): Promise<number> =>
      (await gateway().call('get', path).set('Accept', accept).auth(bearer, { type: 'bearer' })).status;
    expect(await statusOf('/v1/admin/charges', charges)).toBe(200);
    expect(await statusOf('/v1/admin/charges', reports)).toBe(403);
    expect(await statusOf('/v1/admin/statement', reports)).toBe(200);
    expect(await statusOf('/v1/admin/statement', charges)).toBe(403);
    for (const path of ['/v1/admin/charges', '/v1/admin/statement']) {
      const { testKey, publicKey } = merchants[0] as TestMerchant;
      await gateway().call('get', path).set('Accept', accept).auth(testKey, '').expect(403);
      await gateway().call('get', path).set('Accept', accept).auth(publicKey, '').expect(403);
      await gateway().call('get', path).set('Accept', accept).expect(401);
    }
  }
});

/** 100,000 lines of one merchant are in test/integration/statement-csv.test.ts. */
describe('a long CSV', () => {
  const LINES = 12_000;
  /** So long that the buffers of a connection hold only a part of all lines. */
  const DESCRIPTION = `Payment of charge chg_1 ${'.'.repeat(1_000)}`;
  const merchantId: MerchantId = `mer_${'9'.repeat(32)}`;

  beforeAll(async () => {
    const { readStore } = gateway();
    const index = aliasOf(readStore, STATEMENT_VIEW);
    for (let done = 0; done < LINES; done += 4_000) {
      const operations = Array.from({ length: 4_000 }, (_, number) => {
        const document = aLine(done + number + 1);
        const named = {
          _id: document.id,
          routing: merchantId,
          version: 1,
          version_type: 'external' as const,
        };
        return [{ index: named }, document];
      }).flat();
      const { errors } = await readStore.client.bulk({ index, operations, filter_path: ['errors'] });
      expect(errors).toBe(false);
    }
    await readStore.client.indices.refresh({ index });
  }, 120_000);

  const aLine = (seq: number): StatementDocument => ({
    id: newId('led'),
    merchantId,
    masterId: null,
    livemode: false,
    movement_type: 'charge',
    referenceType: 'charge',
    referenceId: 'chg_1',
    chargeId: 'chg_1',
    amount: seq,
    comparable: { amount: seq * 100 },
    currency: 'BRL',
    bucket: 'reserved',
    balanceAfter: (seq * (seq + 1)) / 2,
    description: DESCRIPTION,
    seq,
    createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(seq / 7) * 1_000).toISOString(),
  });

  const request = async (): Promise<IncomingMessage> => {
    const token = await gateway().operatorToken('test');
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/csv' };
    const url = `${gateway().url}/v1/admin/statement?merchantId=${merchantId}&orderBy=createdAt`;
    return new Promise((resolve, reject) => get(url, { headers }, resolve).on('error', reject));
  };

  it('is complete, in order, and held in no more memory at its end than at its start', async () => {
    const response = await request();
    let lines = -1;
    let sum = 0;
    let last = 0;
    let rest = '';
    const heap: number[] = [];
    for await (const chunk of response.setEncoding('utf8')) {
      const parts = (rest + chunk).split('\r\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        lines += 1;
        if (lines === 0) continue;
        const cents = Math.round(Number(part.split(',')[6]) * 100);
        if (cents !== last + 1) throw new Error(`line ${lines} is not in its place: ${part}`);
        last = cents;
        sum += cents;
        if (lines % 4_000 === 1_000) heap.push(heapUsed());
      }
    }
    expect({ lines, sum, rest }).toEqual({ lines: LINES, sum: (LINES * (LINES + 1)) / 2, rest: '' });
    // As documents the lines are several times that.
    expect(Math.max(...heap) - (heap[0] ?? 0)).toBeLessThan(6_000_000);
  });

  it('is held in little memory while a client does not read, and ends with one that leaves', async () => {
    const response = await request();
    response.once('data', () => response.pause());
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = heapUsed();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(heapUsed() - before).toBeLessThan(10_000_000);
    response.destroy();
    await untilNothingIsOpen();
  }, 180_000);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapUsed = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

/** Other searches hold a context too, but not for long: what stays is a point in time. */
const untilNothingIsOpen = async (): Promise<void> => {
  for (let tries = 0, open = -1; open !== 0; tries += 1) {
    if (tries === 200) throw new Error(`there are still ${open} open contexts`);
    open = await openContexts();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Contexts that the views hold open in the engine. */
const openContexts = async (): Promise<number> => {
  const { client, prefix } = gateway().readStore;
  const { indices = {} } = await client.indices.stats({ index: `${prefix}*`, metric: 'search' });
  return Object.values(indices).reduce((open, { total }) => open + (total?.search?.open_contexts ?? 0), 0);
};
