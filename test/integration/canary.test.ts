import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import { openReadStore, type ReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore, type WriteStore } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { aCard, aCardRequest } from '../builders.ts';
import { callAt } from '../support/call.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { everythingInElastic, everythingInMongo, everythingInRedis } from '../support/everything.ts';
import { OPERATOR, startTestGateway, testVariables } from '../support/gateway.ts';
import { buildProgram, endPrograms, type Program, startProgram, untilPrinted } from '../support/program.ts';

jest.setTimeout(240_000);

/** A Visa number with its check digit, of which no other part of the program knows. */
const numberOf = (seed: number): string => {
  const body = `492917${String(seed).padStart(3, '0')}283645`;
  const total = [...body].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (total % 10)) % 10}`;
};

const HOLDER = 'Quitéria Xavantina';
/** A CVV of three digits is looked for as a value of its own; one that is too long wherever it may be. */
const CVV = '917';
const LONG_CVV = '91728364554';

const sent: string[] = [];
const answers: Response[] = [];
let program: Program;
let url: string;
let testKey: string;
let liveKey: string;
let writeStore: WriteStore;
let readStore: ReadStore;
let variables: Readonly<Record<string, string>>;

/** A card of its own for each request; its number must be found nowhere. */
const newCard = (): ReturnType<typeof aCard> => {
  const number = numberOf(sent.length);
  sent.push(number);
  return aCard({ number, cvv: CVV, holderName: HOLDER });
};
const knownCard = (number: string): ReturnType<typeof aCard> => {
  sent.push(number);
  return aCard({ number, cvv: CVV, holderName: HOLDER });
};

const post = async (
  body: object | string,
  key = testKey,
  path = '/v1/charges',
  type = 'json',
): Promise<Response> => {
  const answer = await callAt(url, 'post', path).auth(key, '').type(type).send(body);
  answers.push(answer);
  return answer;
};
const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> => {
  const answer = await callAt(url, 'get', path).auth(testKey, '').set(headers);
  answers.push(answer);
  return answer;
};
const charge = (card: object, changes: object = {}, key = testKey): Promise<Response> =>
  post(
    { ...aCardRequest(), paymentMethod: { type: 'credit_card', installments: 1, ...card }, ...changes },
    key,
  );

beforeAll(async () => {
  await buildProgram();
  variables = { ...testVariables(), PORT: '0', LOG_LEVEL: 'trace', ...PATIENT };
  const preparing = await startTestGateway({ ...variables, LOG_LEVEL: 'silent' });
  ({ testKey, liveKey } = await preparing.createMerchant());
  await preparing.stop({ keepData: true });
  program = startProgram('dist/src/main/main.js', variables);
  url = (await untilPrinted(program, /listening on (http\S+)/))[1] ?? '';
  writeStore = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
  readStore = openReadStore(variables.ELASTICSEARCH_NODE ?? '', `${variables.KEY_PREFIX}-`);
});
afterAll(async () => {
  await endPrograms();
  await writeStore.db.dropDatabase();
  await writeStore.client.close();
  await readStore.client.close();
});

/** Ways in which a number could be written down. */
const formsOf = (number: string): string[] => {
  const groups = number.match(/.{1,4}/g) ?? [];
  const hashes = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) => {
    const hash = createHash(algorithm).update(number);
    return [hash.copy().digest('hex'), hash.digest('base64')];
  });
  const base64 = Buffer.from(number).toString('base64').replace(/=+$/, '');
  return [number, groups.join(' '), groups.join('-'), base64, Buffer.from(number).toString('hex'), ...hashes];
};

/** Card numbers and CVVs that a text holds. */
const secretsIn = (text: string): string[] => [
  ...sent.filter((number) => formsOf(number).some((form) => text.includes(form))),
  ...(text.includes(LONG_CVV) ? [LONG_CVV] : []),
  ...(new RegExp(`["']${CVV}["']`).test(text) ? [CVV] : []),
];

describe('card numbers and CVVs', () => {
  it('can be sent in every way, right and wrong', async () => {
    for (const key of [testKey, liveKey]) expect((await charge(newCard(), {}, key)).status).toBeLessThan(500);
    for (const number of ['4000000000000002', '4000000000000119', '4000002500003155', '4000000000005126'])
      expect((await charge(knownCard(number))).status).toBe(201);
    const timedOut = await charge(knownCard('4000000000004954'));
    expect(timedOut.body.status).toBe('pending');
    const paid = await charge(newCard());
    expect(paid.body.status).toBe('paid');
    await post({ chargeId: paid.body.id, reason: 'sent back' }, testKey, '/v1/refunds');
    await charge(knownCard('378282246310005'), {});

    const card = newCard();
    const wrong: readonly [object, object?][] = [
      [{ ...card, number: `${card.number.slice(0, -1)}x` }],
      [{ ...card, number: Number(card.number) }],
      [{ ...card, number: [card.number] }],
      [{ ...card, number: ` ${card.number}` }],
      [{ ...card, cvv: card.number }],
      [{ ...card, cvv: LONG_CVV }],
      [{ ...card, cvv: Number(LONG_CVV) }],
      [{ ...card, holderName: card.number }],
      [{ ...card, holderName: `${HOLDER} ${(card.number.match(/.{4}/g) ?? []).join(' ')}` }],
      [{ ...card, expirationMonth: card.number }],
      [{ ...card, expirationYear: card.number }],
      [{ ...card, expirationYear: '2020' }],
      [{ ...card, type: card.number }],
      [{ ...card, installments: Number(card.number) }],
      [{ ...card, extra: card.number }],
      [{ ...card, wallet: { type: card.number } }],
      [card, { amount: Number(card.number) }],
      [card, { currency: card.number }],
      [card, { customer: { name: card.number, email: 'ana@example.test' } }],
      [card, { customer: { name: 'Ana', email: `${card.number}@example.test` } }],
      [
        card,
        { customer: { name: 'Ana', email: 'ana@example.test', document: { type: 'cpf', id: card.number } } },
      ],
      [card, { reference: card.number }],
      [card, { metadata: { note: `card ${card.number}` } }],
      [card, { metadata: { [card.number]: 1 } }],
      [card, { metadata: { number: Number(card.number) } }],
      [card, { items: [{ title: (card.number.match(/.{4}/g) ?? []).join('-') }] }],
      [card, { postbackUrl: `https://example.test/${card.number}` }],
      [card, { split: [{ merchantId: card.number, percentage: 1 }] }],
      [{ type: 'pix', installments: 1, number: card.number, cvv: LONG_CVV }],
    ];
    for (const [method, changes] of wrong) {
      const { status } = await charge(method, changes ?? {});
      expect({ status, method, changes }).toEqual({ status: 400, method, changes });
    }
    const json = JSON.stringify({ paymentMethod: card });
    expect((await post(`${json}}`)).status).toBe(400);
    expect((await post(json.slice(0, -2))).status).toBe(400);
    expect((await post(json, testKey, '/v1/charges', 'text/plain')).status).toBe(415);
    expect((await post(`{"a":"${'x'.repeat(300_000)}${card.number}"}`)).status).toBe(413);
    expect((await post(json, testKey, '/v1/nowhere')).status).toBe(404);
    expect((await post({ chargeId: card.number, reason: 'x' }, testKey, '/v1/refunds')).status).toBe(400);
    expect(
      (await post({ email: OPERATOR.email, password: card.number }, testKey, '/v1/auth/login')).status,
    ).toBe(401);
    expect((await post(json, card.number)).status).toBe(401);

    expect((await get(`/v1/${card.number}`)).status).toBe(404);
    for (const path of [`/v1/charges/${card.number}`, `/v1/refunds/${card.number}`])
      expect((await get(path)).status).toBe(400);
    for (const name of [
      'q',
      'reference',
      'customerEmail',
      'pspRefId',
      'page',
      'status',
      'orderBy',
      'merchantId',
    ])
      expect((await get(`/v1/charges?${name}=${card.number}`)).status).toBe(400);
    await get('/v1/charges', { 'X-Consistency-Token': card.number, 'User-Agent': card.number });

    const { id } = timedOut.body;
    await writeStore.db
      .collection<{ _id: string }>('charges')
      .updateOne({ _id: id }, { $set: { reconcileAt: new Date().toISOString() } });
    await pollUntil(
      () => get(`/v1/charges/${id}`),
      ({ body }) => body.status !== 'pending',
    );
    await pollUntil(
      () => writeStore.db.collection(OUTBOX).countDocuments({}),
      (count) => count === 0,
    );
    await get('/v1/charges?size=100', { 'X-Consistency-Token': 'latest' });
    await get('/metrics');
    await get('/v1/balance');
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(sent.length).toBeGreaterThan(8);
  });

  it('are in no collection of the write store', async () => {
    const texts = await everythingInMongo(writeStore.db);
    // Data that may be kept is found, so the search does find.
    expect(texts.get('charges')).toContain(`"lastFour":"${sent[0]?.slice(-4)}"`);
    expect(texts.get('domain_events')).toContain(HOLDER);
    expect([...texts].map(([name, text]) => [name, secretsIn(text)])).toEqual(
      [...texts.keys()].map((name) => [name, []]),
    );
  });

  it('are in no document and no index of the read store', async () => {
    const texts = await everythingInElastic(readStore);
    expect([...texts.values()].join()).toContain(HOLDER);
    expect([...texts].map(([name, text]) => [name, secretsIn(text)])).toEqual(
      [...texts.keys()].map((name) => [name, []]),
    );
  });

  it('are not in Redis', async () => {
    const texts = await everythingInRedis(variables);
    expect([...texts].flatMap(([key, text]) => secretsIn(`${key} ${text}`))).toEqual([]);
  });

  it('are in no line of the log, which says of each request what it was all the same', () => {
    const log = `${program.stdout()}${program.stderr()}`;
    expect(log).toContain('"path":"/v1/charges/:id"');
    expect(log.split('\n').length).toBeGreaterThan(answers.length);
    expect(secretsIn(log)).toEqual([]);
  });

  it('are in no answer, not even to a request that sent them to the wrong place', () => {
    const leaks = answers.flatMap(({ text, headers, status, request }) => {
      const secrets = secretsIn(`${text} ${JSON.stringify(headers)}`);
      return secrets.length > 0 ? [{ status, url: request.url, text, secrets }] : [];
    });
    expect(leaks).toEqual([]);
  });
});
