import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textIn } from 'node:stream/consumers';
import type { Response } from 'supertest';
import { openReadStore, type ReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore, type WriteStore } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { aCard, aCardRequest } from '../builders.ts';
import { callAt } from '../support/call.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { everythingInElastic, everythingInMongo, everythingInRedis } from '../support/everything.ts';
import { OPERATOR, removeData, startTestGateway, testVariables } from '../support/gateway.ts';
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
const programs: Program[] = [];
/** Bodies of webhooks and of traces that the gateway sent. */
const told: string[] = [];
let listener: Server;
let url: string;
let testKey: string;
let liveKey: string;
let publicKey: string;
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

const listen = async (): Promise<string> => {
  listener = createServer((request, response) => {
    void textIn(request).then((body) => {
      told.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
};
const startGateway = async (): Promise<Program> => {
  const program = startProgram('dist/src/main/main.js', variables);
  programs.push(program);
  url = (await untilPrinted(program, /listening on (http\S+)/))[1] ?? '';
  return program;
};

beforeAll(async () => {
  await buildProgram();
  const sink = await listen();
  variables = { ...testVariables(), PORT: '0', LOG_LEVEL: 'trace', ...PATIENT };
  const preparing = await startTestGateway({ ...variables, LOG_LEVEL: 'silent' });
  ({ testKey, liveKey, publicKey } = await preparing.createMerchant());
  await preparing.stop({ keepData: true });
  variables = { ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: sink };
  await startGateway();
  const events = ['*', 'payment_method.active', 'payment_method.failed', 'checkout.completed'];
  expect((await post({ url: `${sink}/hook`, events }, testKey, '/v1/webhook-endpoints')).status).toBe(201);
  writeStore = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
  readStore = openReadStore(variables.ELASTICSEARCH_NODE ?? '', `${variables.KEY_PREFIX}-`);
});
afterAll(async () => {
  await endPrograms();
  await writeStore.client.close();
  await readStore.client.close();
  await removeData(variables);
  listener.closeAllConnections();
  listener.close();
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
  ...(new RegExp(`["']${CVV}["']|cvv=${CVV}`).test(text) ? [CVV] : []),
];

const TIMES_OUT = '4000000000004954';
const DECLINED = '4000000000000002';

/** Makes tokens of cards in every way, and stores and charges cards by them. */
const sendTokens = async (): Promise<void> => {
  const tokenize = (card: object, key = publicKey) => post(card, key, '/v1/card-tokens');
  const { body: customer } = await post({ name: HOLDER, email: 'q@example.test' }, testKey, '/v1/customers');
  const customerId: string = customer.id;
  for (const key of [publicKey, testKey]) {
    const { body } = await tokenize(newCard(), key);
    expect((await charge({ token: body.id })).body.status).toBe('paid');
  }
  for (const [number, status] of [
    [DECLINED, 'refused'],
    [TIMES_OUT, 'pending'],
  ] as const) {
    const { body } = await tokenize(knownCard(number), testKey);
    expect((await charge({ token: body.id })).body.status).toBe(status);
  }
  const stored = `/v1/customers/${customerId}/payment-methods`;
  const consentAt = '2026-01-31T12:00:00Z';
  const { body: token } = await tokenize(newCard(), testKey);
  const { body: method } = await post({ token: token.id, consentAt }, testKey, stored);
  expect(method.status).toBe('active');
  const code = { paymentMethodId: method.id, cvv: CVV };
  const { body: cvvToken } = await post(code, publicKey, '/v1/cvv-tokens');
  const byCode = { id: method.id, cvvToken: cvvToken.id };
  const again = { customer: undefined, customerId };
  expect((await charge(byCode, again)).body.status).toBe('paid');
  expect((await charge({ ...newCard(), save: true }, again)).body.status).toBe('paid');

  const card = newCard();
  const wrong: readonly [object, string?][] = [
    [{ ...card, number: `${card.number.slice(0, -1)}x` }],
    [{ ...card, cvv: LONG_CVV }],
    [{ ...card, holderName: card.number }],
    [{ ...card, currency: card.number }],
    [{ ...card, extra: card.number }],
    [{ ...code, cvv: LONG_CVV }, '/v1/cvv-tokens'],
    [{ ...code, cvv: card.number }, '/v1/cvv-tokens'],
    [{ paymentMethodId: card.number, cvv: CVV }, '/v1/cvv-tokens'],
    [{ token: card.number, consentAt }, stored],
    [{ token: token.id, consentAt, number: card.number, cvv: CVV }, stored],
    [{ name: card.number, email: 'q@example.test' }, '/v1/customers'],
  ];
  for (const [body, path = '/v1/card-tokens'] of wrong)
    expect([(await post(body, testKey, path)).status, path, body]).toEqual([400, path, body]);
  expect((await get(`/card-fields?key=${publicKey}&parent=${card.number}`)).status).toBe(400);
};

/** Fills in the page of a new checkout session, and returns the answer. */
const payAtPage = async (
  fields: Readonly<Record<string, string>>,
  session: object = { amount: 10, currency: 'BRL' },
): Promise<Response> => {
  const { body } = await post(session, testKey, '/v1/checkout-sessions');
  return send(`${new URL(body.url).pathname}/pay`, fields);
};
const send = async (path: string, fields: Readonly<Record<string, string>>): Promise<Response> => {
  const payer = { method: 'credit_card', name: 'Ana Souza', email: 'ana@example.test' };
  const answer = await callAt(url, 'post', path)
    .type('form')
    .send(new URLSearchParams({ ...payer, ...fields }).toString());
  answers.push(answer);
  return answer;
};
const typed = ({ number, cvv, holderName }: ReturnType<typeof aCard>) => ({
  number,
  cvv,
  holderName,
  expiry: '08/39',
});

/** Types cards into the pages of sessions and of a link, right and wrong. */
const sendFromPages = async (): Promise<void> => {
  for (const number of [DECLINED, '4000002500003155', TIMES_OUT])
    expect((await payAtPage(typed(knownCard(number)))).status).toBe(303);
  expect((await payAtPage(typed(newCard()))).status).toBe(303);
  const setup = { mode: 'setup', currency: 'BRL' };
  expect((await payAtPage({ ...typed(newCard()), save: 'yes' }, setup)).status).toBe(303);
  const refused = { ...typed(knownCard('4000000000000341')), save: 'yes' };
  expect((await payAtPage(refused, setup)).status).toBe(303);

  const card = newCard();
  const right = typed(card);
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { ...right, number: `${card.number.slice(0, -1)}x` },
    { ...right, cvv: LONG_CVV },
    { ...right, expiry: card.number },
    { ...right, holderName: card.number },
    { ...right, name: card.number },
    { ...right, email: `${card.number}@example.test` },
    { ...right, installments: card.number },
    { method: 'pix', name: card.number, document: card.number },
  ];
  for (const fields of wrong) expect([(await payAtPage(fields)).status, fields]).toEqual([422, fields]);
  const other: readonly Readonly<Record<string, string>>[] = [
    { ...right, method: card.number },
    { ...right, saved: card.number },
  ];
  for (const fields of other) expect([(await payAtPage(fields)).status, fields]).toEqual([303, fields]);

  const wanted = {
    amount: 10,
    currency: 'BRL',
    description: 'Ticket',
    fields: ['name'],
    ownFields: ['Size'],
  };
  const { body } = await post(wanted, testKey, '/v1/payment-links');
  const link = new URL(body.url).pathname;
  expect((await send(`${link}/start`, { name: card.number, own0: card.number })).status).toBe(422);
  expect((await send(`/checkout/${card.number}/pay`, right)).status).toBe(400);
};

/** Pays in every way at once with a gateway that is killed meanwhile, and starts another one. */
const dieMeanwhile = async (): Promise<void> => {
  const { body: session } = await post({ amount: 10, currency: 'BRL' }, testKey, '/v1/checkout-sessions');
  const { body: token } = await post(newCard(), testKey, '/v1/card-tokens');
  const path = `${new URL(session.url).pathname}/pay`;
  const underWay = [
    charge(newCard()),
    charge({ token: token.id }),
    post(newCard(), testKey, '/v1/card-tokens'),
    send(path, typed(newCard())),
  ];
  const intents = writeStore.db.collection('domain_events');
  const before = await intents.countDocuments();
  const ends = Promise.allSettled(underWay);
  await pollUntil(
    () => intents.countDocuments(),
    (count) => count > before,
  );
  const killed = programs.at(-1);
  killed?.signal('SIGKILL');
  expect(await killed?.ended).toBe('SIGKILL');
  await ends;
  await startGateway();
};

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

    await sendTokens();
    await sendFromPages();
    await dieMeanwhile();

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
    const program = programs.at(-1);
    program?.signal('SIGTERM');
    expect(await program?.ended).toBe(0);
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
    const log = programs.map((program) => `${program.stdout()}${program.stderr()}`).join('\n');
    expect(log).toContain('"path":"/v1/charges/:id"');
    expect(log.split('\n').length).toBeGreaterThan(answers.length);
    expect(secretsIn(log)).toEqual([]);
  });

  it('are in no webhook and in no trace', () => {
    for (const path of ['/hook', '/v1/traces']) expect(told.join('\n')).toContain(`${path} {`);
    expect(told.flatMap((body) => secretsIn(body).map((secret) => [secret, body]))).toEqual([]);
  });

  it('are in no answer, not even to a request that sent them to the wrong place', () => {
    const leaks = answers.flatMap(({ text, headers, status, request }) => {
      const secrets = secretsIn(`${text} ${JSON.stringify(headers)}`);
      return secrets.length > 0 ? [{ status, url: request.url, text, secrets }] : [];
    });
    expect(leaks).toEqual([]);
  });
});
