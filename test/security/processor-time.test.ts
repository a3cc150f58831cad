import type { Test } from 'supertest';
import { callAt } from '../support/call.ts';
import { PATIENT } from '../support/client.ts';
import { removeData, startTestGateway, testVariables } from '../support/gateway.ts';
import { bodyWith, type Field, fieldsOf } from '../support/openapi-fields.ts';
import { tokenOfPerson } from '../support/people.ts';
import { MOST_MS, processorTimeOf } from '../support/processor-time.ts';
import { buildProgram, endPrograms, startProgram, untilPrinted } from '../support/program.ts';
import { volume } from '../support/volume.ts';
import { sendBody, WORST_UPLOADS, WORST_WHOLE } from '../support/worst-bodies.ts';

jest.setTimeout(900_000);

/** The program in a process of its own, whose processor time is that of its requests. */
let url: string;

/** Just below what a body may have. */
const BYTES = 256 * 1024 - 2_048;
/** Characters that the address of a request may have. */
const QUERY_BYTES = 12 * 1024;

/** Texts that take long wherever something looks at them again and again; each one is repeated to the full length. */
const TEXTS: readonly string[] = [
  ...[
    '1 ',
    '0 ',
    '4 ',
    '6 5 0 ',
    '27 ',
    '4242 ',
    '4242 4242 4242 4241 ',
    '5000000000005 ',
    '1x',
    '1-',
    '1.',
    '%31',
    '%',
  ],
  ...[
    '１',
    '1\u0301\u0323',
    '\u0301\u0323',
    '\ufdfa',
    '1\ufe0f\u20e3',
    '12345678-1234-4234-8234-a23456789012 ',
  ],
  ...[
    '00190.50095 40144.816069 06809.350314 3 37370000000100 ',
    '0123456789abcdef',
    '9',
    '99999999999999999999 ',
  ],
  ...['a@', 'a.', '@a.', ' ', '\t', '\\', '"', '/', 'http://', '(', '😀', 'A', '=', '-'],
];
/** A search for signs at the end of a text can take quadratic time where others follow them. */
const ENDS = ['', '!'];
const name = (index: number): string => JSON.stringify(`n${index}`);
const many = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(',');

/** JSON that takes long to read or to validate. */
const STRUCTURES: readonly (() => string)[] = [
  () => `[${many(BYTES / 2, () => '1')}]`,
  () => `[${many(9_000, () => '1')}]`,
  () => `[${many(4_500, () => '{}')}]`,
  () => `[${many(3_000, () => '{"merchantId":{},"percentage":1}')}]`,
  () => `[${many(4_000, (index) => JSON.stringify(`text ${index}`))}]`,
  () => `{${many(9_000, (index) => `${name(index)}:1`)}}`,
  () => `{${many(600, (index) => `${name(index)}:"${'1 '.repeat(200)}"`)}}`,
  () => `{"${'c\u0301\u0323'.repeat(BYTES / 6)}":1}`,
  () => `{"${'1 '.repeat(BYTES / 3)}":1}`,
  () => `${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}`,
  () => `${'{"a":'.repeat(31)}[${many(9_000, () => '1')}]${'}'.repeat(31)}`,
  () => '9'.repeat(BYTES),
  () => `0.${'0'.repeat(BYTES)}`,
  () => `[${many(600, () => `${'0.'.padEnd(398, '0')}1`)}]`,
  () => `[${many(BYTES / 400, () => `1${'0'.repeat(390)}`)}]`,
  () => `{${many(BYTES / 12, () => '"a":1')}}`,
  () => `"${'\\u0031\\u0020'.repeat(BYTES / 12)}"`,
];

const repeated = (text: string, bytes: number): string => {
  const each = Buffer.byteLength(JSON.stringify(text)) - 2;
  return text.repeat(Math.max(1, Math.floor(bytes / each)));
};

const timeOf = (ask: () => PromiseLike<{ readonly status: number }>, most: number): Promise<number> =>
  processorTimeOf(url, ask, most);

/** How many times as long as a harmless request of the same size the worst may take. Quadratic ones take thousands. */
const TIMES = 20;
/** Below this, one request may seem to take twenty times as long as another one by chance alone. */
const LEAST_MS = 50;

/** Takes some of all attacks for each route and others for the next one, so that each comes somewhere. */
const turnsOf = <T>(attacks: readonly T[], route: number, usual = 1): readonly (readonly [number, T])[] => {
  const many = volume({ usual, proof: attacks.length });
  return [...attacks.entries()]
    .map(([index]) => (route * many + index) % attacks.length)
    .slice(0, many)
    .map((index) => [index, attacks[index] as T] as const);
};

const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

const nameOf = ({ method, path, at }: Field): string => `${method} ${path} ${at.join('.')}`;

describe('the processor time of a request', () => {
  let fields: readonly Field[];
  let authorization: string;
  let callers: readonly ((test: Test) => Test)[];
  const urlOf = ({ path }: Field): string => path.replaceAll(/\{\w+\}/g, '0'.repeat(32));
  const callerOf = async (field: Field): Promise<(test: Test) => Test> => {
    for (const by of callers) {
      const { status } = await by(callAt(url, field.method, urlOf(field)));
      if (![401, 403].includes(status)) return by;
    }
    throw new Error(`nobody may call ${nameOf(field)}`);
  };

  const variables = { ...testVariables(), ...PATIENT, PORT: '0', LOG_LEVEL: 'silent' };
  beforeAll(async () => {
    await buildProgram();
    const preparing = await startTestGateway(variables);
    const merchant = await preparing.createMaster();
    authorization = `Basic ${Buffer.from(`${merchant.testKey}:`).toString('base64')}`;
    const admin = await preparing.operatorToken('test');
    const person = await tokenOfPerson(preparing, merchant.id);
    callers = [
      (test) => test.auth(merchant.testKey, ''),
      (test) => test.auth(admin, { type: 'bearer' }),
      (test) => test.auth(person, { type: 'bearer' }),
      (test) => test,
    ];
    fields = fieldsOf((await preparing.call('get', '/v1/openapi.json')).body);
    await preparing.stop({ keepData: true });
    const program = startProgram('dist/src/main/main.js', { ...variables, ROLE: 'api', LOG_LEVEL: 'info' });
    url = (await untilPrinted(program, /listening on (http\S+)/))[1] ?? '';
  }, 300_000);
  afterAll(async () => {
    await endPrograms();
    await removeData(variables);
  });

  it('stays in proportion to the length of its body, whatever that holds, on every route', async () => {
    const byRoute = new Map<string, Field[]>();
    for (const field of fields.filter((one) => one.in === 'body' && !one.isOpen)) {
      const route = `${field.method} ${field.path}`;
      byRoute.set(route, [...(byRoute.get(route) ?? []), field]);
    }
    expect(byRoute.size).toBeGreaterThan(25);

    const asked = await Promise.all(
      [...byRoute.values()].map(async (places) => {
        const [first] = places;
        if (!first) throw new Error('a route has no field');
        const by = await callerOf(first);
        const send = (json: string): Test =>
          by(callAt(url, first.method, urlOf(first)))
            .type('json')
            .send(json);
        return { places, send };
      }),
    );
    const harmless = (at: Field['at']): string => JSON.stringify(bodyWith(at, 'x'.repeat(BYTES)));
    const usual: number[] = [];
    for (const { places, send } of asked)
      for (const { at } of places.slice(0, 1)) {
        await send(harmless(at));
        usual.push(await timeOf(() => send(harmless(at)), 0));
      }
    const unit = median(usual);

    const slow: unknown[] = [];
    for (const [index, { places, send }] of asked.entries()) {
      const most = Math.min((usual[index] ?? 0) + TIMES * unit, MOST_MS);
      const look = async (what: string, json: string): Promise<void> => {
        const time = await timeOf(() => send(json), most);
        if (time > most) slow.push([nameOf(places[0] as Field), what, Math.round(time), Math.round(most)]);
      };
      const placeOf = (turn: number): Field['at'] => places[turn % places.length]?.at ?? [];
      for (const [turn, text] of turnsOf(TEXTS, index))
        for (const end of ENDS)
          await look(
            `${text}${end}`,
            JSON.stringify(bodyWith(placeOf(turn), `${repeated(text, BYTES)}${end}`)),
          );
      for (const [turn, structure] of turnsOf(STRUCTURES, index)) {
        const [top] = placeOf(turn);
        const json = structure();
        await look(json.slice(0, 20), typeof top === 'string' ? `{${JSON.stringify(top)}:${json}}` : json);
      }
    }
    expect(slow).toEqual([]);
  });

  it('stays in proportion to the length of its query, on every list', async () => {
    const lists = [...new Set(fields.filter((one) => one.in === 'query').map(({ path }) => path))];
    const slow: unknown[] = [];
    for (const [index, path] of lists.entries()) {
      const parameters = fields.filter((one) => one.path === path && one.in === 'query');
      const [first] = parameters;
      if (!first) continue;
      const by = await callerOf(first);
      const get = (query: string): Test => by(callAt(url, 'get', `${urlOf(first)}?${query}`));
      const own = encodeURIComponent(String(first.at[0]));
      await get(`${own}=${'x'.repeat(QUERY_BYTES)}`);
      const unit = await timeOf(() => get(`${own}=${'x'.repeat(QUERY_BYTES)}`), 0);
      const worst = [
        ...['1 ', '%CC%81%CC%A3', 'id,', '-id,', 'a ', '%2531', '+', '1-'].map(
          (text) =>
            `${encodeURIComponent(String(parameters.at(-1)?.at[0]))}=${text.repeat(QUERY_BYTES / text.length)}`,
        ),
        `orderBy=${'id,'.repeat(QUERY_BYTES / 3)}`,
        `q=${'a%20'.repeat(QUERY_BYTES / 4)}`,
        Array.from({ length: QUERY_BYTES / 8 }, (_, index) => `p${index}=1`).join('&'),
        'a&'.repeat(QUERY_BYTES / 2),
      ];
      for (const [, query] of turnsOf(worst, index, 3)) {
        const most = Math.min(Math.max(TIMES * unit, LEAST_MS), MOST_MS);
        const time = await timeOf(() => get(query), most);
        if (time > most) slow.push([path, query.slice(0, 20), Math.round(time), Math.round(most)]);
      }
    }
    expect(slow).toEqual([]);
  });

  it.each(Object.entries(WORST_UPLOADS))('is below 250 ms for an upload: %s', async (_, bodyOf) => {
    const post = callAt(url, 'post', '/v1/submerchants').set('Authorization', authorization);
    const { body: submerchant } = await post.send({ legalName: 'Filial', email: 'filial@example.test' });
    const target = `POST /v1/submerchants/${submerchant.id}/documents`;
    const body = bodyOf();
    expect(await timeOf(() => sendBody(url, target, body, authorization), MOST_MS)).toBeLessThan(MOST_MS);
  });

  it.each(
    Object.entries(WORST_WHOLE).flatMap(([name, bodyOf], index) =>
      turnsOf(['POST /v1/charges', 'POST /v1/auth/login', 'GET /v1/charges', 'POST /nowhere'], index, 2).map(
        ([, target]) => [name, target, bodyOf] as const,
      ),
    ),
  )('is below 250 ms for a body %s: %s', async (_, target, bodyOf) => {
    const body = bodyOf();
    expect(await timeOf(() => sendBody(url, target, body, authorization), MOST_MS)).toBeLessThan(MOST_MS);
  });
});
