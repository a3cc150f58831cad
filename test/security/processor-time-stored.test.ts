import type { Test } from 'supertest';
import { aCardRequest, aSpreadFee } from '../builders.ts';
import { callAt } from '../support/call.ts';
import { PATIENT } from '../support/client.ts';
import { removeData, startTestGateway, testVariables } from '../support/gateway.ts';
import { MOST_MS, processorTimeOf } from '../support/processor-time.ts';
import { buildProgram, endPrograms, startProgram, untilPrinted } from '../support/program.ts';

jest.setTimeout(900_000);

const CHARGES = 100;
/** As many members as fit: each costs whoever reads it, though a value of the same length would not. */
const METADATA = Object.fromEntries(Array.from({ length: 1_600 }, (_, index) => [`m${index}`, 1]));
const ITEMS = Array.from({ length: 200 }, (_, index) => ({
  title: `"${index}"`,
  unit_price: 1.5,
  quantity: 2,
}));
const WORST = {
  items: ITEMS,
  metadata: METADATA,
  customer: { name: 'Ana Souza'.padEnd(200, ' da Silva'), email: 'ana@example.test' },
};
const REFUSED = '4000000000005423';

type Paths = Readonly<
  Record<string, { readonly get?: { readonly parameters?: readonly { readonly name: string }[] } }>
>;

let url: string;
let paths: Paths;
let token: string;
let key: string;
/** A charge with twenty refunds and a former version's history. */
let refundedId: string;
const variables = { ...testVariables(), ...PATIENT, PORT: '0', LOG_LEVEL: 'silent' };

/** Stores what former versions stored of a charge: all of it again with each event. */
const addFormerHistory = async (
  db: Awaited<ReturnType<typeof startTestGateway>>['db'],
  id: string,
): Promise<void> => {
  const [event] = await db.collection('domain_events').find({ resourceId: id }).limit(1).toArray();
  const items = Array.from({ length: 240 }, () => ({ title: 'x', description: 'x'.repeat(1_020) }));
  const events = Array.from({ length: 100 }, (_, index) => {
    const eventId = `evt_${String(index).padStart(32, '0')}`;
    const version = 1_000 + index;
    return { ...event, _id: eventId, id: eventId, version, data: { ...event?.data, items } };
  });
  for (const one of events) await db.collection('domain_events').insertOne(one as never);
};

beforeAll(async () => {
  await buildProgram();
  const gateway = await startTestGateway(variables);
  const master = await gateway.createMaster();
  key = master.testKey;
  token = await gateway.operatorToken('test');
  const definition = { fixed: 0, percentages: Array.from({ length: 12 }, () => 1) };
  await gateway.setFees(master.id, [
    aSpreadFee({ definition }),
    aSpreadFee({ fee_type: 'anticipation', definition }),
  ]);
  const by = (method: 'get' | 'post', path: string, body?: object): Test =>
    gateway
      .call(method, path)
      .auth(key, '')
      .send(body as object);
  await by('post', '/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/', events: ['*'] }).expect(201);
  for (let index = 0; index < 10; index += 1)
    await by('post', '/v1/submerchants', {
      legalName: 'Filial '.padEnd(100, 'x'),
      email: 'a@example.test',
    }).expect(201);
  for (let index = 0; index < CHARGES; index += 1)
    await by('post', '/v1/charges', aCardRequest(WORST as object, { installments: 12 } as never)).expect(201);
  const { body } = await by('post', '/v1/charges', aCardRequest(WORST, { number: REFUSED })).expect(201);
  refundedId = body.id;
  for (let attempt = 0; attempt < 20; attempt += 1)
    await by('post', '/v1/refunds', { chargeId: refundedId, reason: 'x'.repeat(200) }).expect(201);
  await addFormerHistory(gateway.db, refundedId);
  for (let index = 0; index < 100; index += 1)
    await by('post', '/v1/customers', {
      name: 'x'.repeat(255),
      email: 'a@example.test',
      metadata: WORST.metadata,
    }).expect(201);
  for (const list of ['charges', 'customers', 'refunds', 'events', 'statement', 'webhook-deliveries'])
    await by('get', `/v1/${list}`).set('X-Consistency-Token', 'latest');
  paths = (await gateway.call('get', '/v1/openapi.json')).body.paths;
  await gateway.stop({ keepData: true });
  const program = startProgram('dist/src/main/main.js', { ...variables, ROLE: 'api', LOG_LEVEL: 'info' });
  url = (await untilPrinted(program, /listening on (http\S+)/))[1] ?? '';
}, 600_000);
afterAll(async () => {
  await endPrograms();
  await removeData(variables);
});

type Caller = (test: Test) => Test;
const asMerchant: Caller = (test) => test.auth(key, '');
const asOperator: Caller = (test) => test.auth(token, { type: 'bearer' });

/** The id of the first row of the list that a path lies below, as the caller sees it. */
const idBelow = async (path: string, by: Caller): Promise<string | null> => {
  if (path.startsWith('/v1/charges/{id}')) return refundedId;
  const { status, body } = await by(callAt(url, 'get', path.slice(0, path.indexOf('/{'))));
  const [first] = status === 200 && Array.isArray(body.data) ? body.data : [];
  return first?.id ?? null;
};

/** Every address that answers a query, with the largest page. */
const addresses = async (by: Caller): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get) continue;
    const names = (get.parameters ?? []).map(({ name }) => name);
    const id = path.includes('{') ? await idBelow(path, by) : '';
    if (id === null) continue;
    const address = path.replaceAll(/\{\w+\}/g, id);
    found.push(names.includes('size') ? `${address}?size=100` : address);
    if (names.includes('expand')) found.push(`${address}?size=30&expand=items`);
  }
  return found;
};

describe('the processor time of a request over the worst data that requests have stored', () => {
  it.each([
    ['a merchant', () => asMerchant],
    ['an operator', () => asOperator],
  ])('is below 250 ms on every route that %s reads', async (_, callerOf) => {
    const by = callerOf();
    const slow: unknown[] = [];
    const asked = await addresses(by);
    expect(asked.length).toBeGreaterThan(25);
    for (const address of asked) {
      // The first call of a route compiles it.
      await by(callAt(url, 'get', address));
      const time = await processorTimeOf(url, () => by(callAt(url, 'get', address)), MOST_MS);
      if (time > MOST_MS) slow.push([address, Math.round(time)]);
    }
    expect(slow).toEqual([]);
  });

  it('is below 250 ms for the quote of an anticipation of all charges, and for each of several bookings', async () => {
    const asked = 'amount=1000000&currency=BRL';
    const quoteOf = () => asMerchant(callAt(url, 'get', `/v1/anticipations/quote?${asked}`));
    const { status, body } = await quoteOf();
    expect([status, body.charges.length]).toEqual([200, 100]);
    expect(await processorTimeOf(url, quoteOf, MOST_MS)).toBeLessThan(MOST_MS);
    const book = () =>
      asMerchant(callAt(url, 'post', '/v1/anticipations').send({ amount: 800, currency: 'BRL' }));
    await book();
    expect(await processorTimeOf(url, book, MOST_MS)).toBeLessThan(MOST_MS);
  });

  it('leaves the memory of six timelines at once in bounds', async () => {
    const residentBytes = async (): Promise<number> =>
      Number(
        /^process_resident_memory_bytes (\S+)/m.exec((await callAt(url, 'get', '/metrics')).text)?.[1] ?? 0,
      );
    const before = await residentBytes();
    const timelines = Array.from({ length: 6 }, () =>
      asMerchant(callAt(url, 'get', `/v1/charges/${refundedId}/timeline`)),
    );
    for (const { status, body } of await Promise.all(timelines)) {
      expect(status).toBe(200);
      expect(body.total).toBeGreaterThan(150);
    }
    expect((await residentBytes()) - before).toBeLessThan(100 * 1024 * 1024);
  });
});
