import type { Response, Test } from 'supertest';
import { openReadStore, type ReadStore } from '../../src/platform/read-store/elastic.ts';
import { openWriteStore, type WriteStore } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { aCardRequest } from '../builders.ts';
import { callAt } from '../support/call.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { DISGUISES } from '../support/disguises.ts';
import { everythingInElastic, everythingInMongo, everythingInRedis } from '../support/everything.ts';
import { OPERATOR, startTestGateway, type TestMerchant, testVariables } from '../support/gateway.ts';
import { bodyWith, type Field, fieldsOf } from '../support/openapi-fields.ts';
import { tokenOfPerson } from '../support/people.ts';
import { buildProgram, endPrograms, type Program, startProgram, untilPrinted } from '../support/program.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { volume } from '../support/volume.ts';

jest.setTimeout(600_000);

const NAMES = Object.keys(DISGUISES);
/** Disguises of each field; over all fields each of them comes often. */
const PER_FIELD = volume({ usual: 1, proof: NAMES.length });

/** Fields that let card numbers in and are stored nowhere: passwords, the card's own fields, encoded texts. */
const NOT_SEARCHED = [
  ...['password', 'currentPassword', 'newPassword', 'certificate', 'privateKey', 'content'],
  ...['paymentMethod.number', 'paymentMethod.cvv', 'paymentMethod.cvvToken', 'number', 'cvv', 'proof'],
  ...['data', 'signature', 'header.ephemeralPublicKey', 'header.publicKeyHash'].map(
    (name) => `paymentMethod.wallet.token.paymentData.${name}`,
  ),
];
/** Parameters of an address that may look like card numbers by coincidence. */
const IDS_OF_PROVIDERS = ['data.id'];
/** For providers, with a signature. */
const NOTIFICATIONS = /^\/v1\/providers\//;

let merchant: TestMerchant;
let submerchantId: string;
let disputeId: string;
let program: Program;
let receiver: Receiver;
let url: string;
let variables: Readonly<Record<string, string>>;
let writeStore: WriteStore;
let readStore: ReadStore;
let fields: readonly Field[];
let callers: readonly ((test: Test) => Test)[];

/** Numbers that were sent, and the texts that held them. */
const sent = new Set<string>();
const answers: Response[] = [];

/** A Mastercard number with its check digit that no other test sends. */
const newNumber = (): string => {
  const body = `52917${String(sent.size).padStart(10, '0')}`;
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
};

const disguised = (name: string): string => {
  const number = newNumber();
  const text = DISGUISES[name]?.(number) ?? '';
  for (const secret of [number, text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)])
    sent.add(secret);
  return text;
};

/** Uploads are read only for sub-merchants and disputes that there are. */
const idFor = (path: string): string => {
  if (path.startsWith('/v1/submerchants/')) return submerchantId;
  return path.startsWith('/v1/disputes/') ? disputeId : '0'.repeat(32);
};

const ask = async (field: Field, text: string, by: (test: Test) => Test): Promise<Response> => {
  const { method, path: template, at, in: where } = field;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) =>
    where === 'path' && name === at[0] ? encodeURIComponent(text) : idFor(template),
  );
  const query = where === 'query' ? `?${encodeURIComponent(String(at[0]))}=${encodeURIComponent(text)}` : '';
  const request = by(callAt(url, method, `${path}${query}`));
  const value = field.isOpen ? { [text]: 1 } : text;
  const answer = await (where === 'body' ? request.send(bodyWith(at, value) as object) : request);
  answers.push(answer);
  return answer;
};

/** The caller that a route lets in, by its description: the first one that it does not refuse. */
const callerOf = new Map<string, (test: Test) => Test>();
const callerFor = async (field: Field): Promise<(test: Test) => Test> => {
  const route = `${field.method} ${field.path}`;
  const known = callerOf.get(route);
  if (known) return known;
  for (const by of callers) {
    const request = by(callAt(url, field.method, field.path.replaceAll(/\{\w+\}/g, idFor(field.path))));
    if ([401, 403].includes((await request).status)) continue;
    callerOf.set(route, by);
    return by;
  }
  throw new Error(`nobody may call ${route}`);
};

beforeAll(async () => {
  await buildProgram();
  receiver = await startReceiver();
  variables = { ...testVariables(), PORT: '0', LOG_LEVEL: 'trace', ...PATIENT };
  const preparing = await startTestGateway({ ...variables, LOG_LEVEL: 'silent' });
  merchant = await preparing.createMaster();
  await preparing
    .call('post', '/v1/webhook-endpoints')
    .auth(merchant.testKey, '')
    .send({ url: receiver.url, events: ['*'] })
    .expect(201);
  const submerchant = { legalName: 'Filial Ltda', email: 'filial@example.test' };
  submerchantId = (
    await preparing.call('post', '/v1/submerchants').auth(merchant.testKey, '').send(submerchant).expect(201)
  ).body.id;
  const sell = preparing.call('post', '/v1/charges').auth(merchant.testKey, '').send(aCardRequest());
  const { id: chargeId } = (await sell.expect(201)).body;
  await preparing
    .call('post', `/v1/test-helpers/charges/${chargeId}/chargeback`)
    .auth(merchant.testKey, '')
    .expect(200);
  disputeId = chargeId.replace('chg_', 'dsp_');
  const token = await preparing.operatorToken('test');
  const person = await tokenOfPerson(preparing, merchant.id);
  callers = [
    (test) => test,
    (test) => test.auth(merchant.testKey, ''),
    (test) => test.auth(token, { type: 'bearer' }),
    (test) => test.auth(person, { type: 'bearer' }),
  ];
  fields = fieldsOf((await preparing.call('get', '/v1/openapi.json')).body);
  await preparing.stop({ keepData: true });
  program = startProgram('dist/src/main/main.js', variables);
  url = (await untilPrinted(program, /listening on (http\S+)/))[1] ?? '';
  writeStore = openWriteStore(variables.MONGODB_URI ?? '', variables.MONGODB_DATABASE ?? '');
  readStore = openReadStore(variables.ELASTICSEARCH_NODE ?? '', `${variables.KEY_PREFIX}-`);
}, 180_000);
afterAll(async () => {
  await endPrograms();
  await receiver.close();
  await writeStore.db.dropDatabase();
  await writeStore.client.close();
  await readStore.client.close();
});

const nameOf = ({ method, path, in: where, at }: Field): string =>
  `${method} ${path} ${where} ${at.join('.')}`;

describe('a card number in any field that the OpenAPI document describes', () => {
  it('is refused with 400 naming the field, whatever its disguise', async () => {
    expect(fields.length).toBeGreaterThan(300);
    expect(NAMES.length).toBeGreaterThanOrEqual(40);
    let next = 0;
    const wrong: unknown[] = [];
    for (const field of fields) {
      if (NOTIFICATIONS.test(field.path) && field.in === 'body') continue;
      const by = await callerFor(field);
      const notSearched = field.in === 'body' ? NOT_SEARCHED : IDS_OF_PROVIDERS;
      const isSearched = !notSearched.includes(field.at.join('.'));
      for (let turn = 0; turn < PER_FIELD; turn += 1) {
        const name = NAMES[next % NAMES.length] ?? '';
        next += 1;
        const { status, body } = await ask(field, disguised(name), by);
        const path = field.at.join('.');
        const isNamed =
          status === 400 && body.errors?.[0]?.path === path && body.code === 'CARD_NUMBER_FOUND';
        if (isSearched ? !isNamed : status < 400 || status >= 500)
          wrong.push([nameOf(field), name, status, body]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is refused in the fields, names and file names of a form', async () => {
    const post = (path: string) => callAt(url, 'post', path).auth(merchant.testKey, '');
    const documents = () => post(`/v1/submerchants/${submerchantId}/documents`);
    // Folders of a file name are cut off before it is looked at, and a header has no line breaks.
    for (const name of NAMES.filter((one) => !/[/\\\r\n]/.test(DISGUISES[one]?.('42424') ?? ''))) {
      const [field, key, file] = [disguised(name), disguised(name), disguised(name)];
      const forms = [
        [documents().field('type', field), 'type'],
        [documents().field('type', 'identity').attach('file', Buffer.from('%PDF-'), file), 'file.fileName'],
        [documents().field(key, 'x'), ''],
      ] as const;
      for (const [form, path] of forms) {
        const answer = await form;
        answers.push(answer);
        expect([name, answer.status, answer.body.errors?.[0].path]).toEqual([name, 400, path]);
      }
    }
  });

  it.each(['cvv', 'CVC2', 'card_cvv', 'ｃｖｖ', 'security-code', 'código de segurança'])(
    'is not the only secret: metadata with a member %s is refused',
    async (name) => {
      const metadata = { deep: [{ [name]: '917' }] };
      const { status, body } = await callAt(url, 'post', '/v1/charges')
        .auth(merchant.testKey, '')
        .send({ ...aCardRequest(), metadata });
      expect([status, body.errors?.[0]?.path]).toEqual([400, `metadata.deep.0.${name}`]);
    },
  );

  it('is not kept as the name of a program', async () => {
    const text = disguised('blanks');
    const login = callAt(url, 'post', '/v1/auth/login').set('User-Agent', `program ${text}`);
    await login.send({ ...OPERATOR, environment: 'test' }).expect(200);
  });

  it('is in no store, no webhook, no log and no answer', async () => {
    const { status } = await callAt(url, 'post', '/v1/charges')
      .auth(merchant.testKey, '')
      .send(aCardRequest());
    expect(status).toBe(201);
    await pollUntil(async () => receiver.received.length > 0, Boolean);
    await pollUntil(
      () => writeStore.db.collection(OUTBOX).countDocuments({}),
      (count) => count === 0,
    );
    program.signal('SIGTERM');
    expect(await program.ended).toBe(0);
    const texts = [
      ...(await everythingInMongo(writeStore.db)),
      ...(await everythingInElastic(readStore)),
      ...(await everythingInRedis(variables)),
      ['log', `${program.stdout()}${program.stderr()}`],
      ['webhooks', JSON.stringify(receiver.received)],
      ['answers', JSON.stringify(answers.map(({ text, headers }) => [text, headers]))],
    ] as const;
    expect(texts.length).toBeGreaterThan(20);
    expect(sent.size).toBeGreaterThan(1_000);
    const secrets = [...sent];
    const leaks = texts.flatMap(([name, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => [name, secret]),
    );
    expect(leaks).toEqual([]);
  });
});
