import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../src/kernel/errors.ts';
import { percentile } from './bench/measure.ts';
import { readLock } from './engines/lock.ts';
import { wholeNumber } from './whole-number.ts';

/** The longest time that a call of anybody else may take. */
const GOAL_MS = 1_000;
/** The longest time while the largest documents are uploaded, which take their share of stores and disk. */
const UPLOADS_GOAL_MS = 5_000;
const MEMORY_GOAL_MIB = 512;
const BODY_BYTES = 256 * 1024 - 2_048;
const FLOODERS = 4;
const UPLOADERS = 8;
const UPLOAD_BYTES = 10 * 1024 * 1024;

/** Texts that take long to handle wherever code goes over them repeatedly. */
const TEXTS = ['1 ', '4242 ', '4242 4242 4242 4241 ', '1x', '%31', '１', '1\u0301\u0323', '9', 'a@', '\\'];

type Target = { readonly url: URL; readonly key: string; readonly masterKey: string };
type Attack = {
  readonly name: string;
  readonly goalMs: number;
  start(target: Target): Promise<() => Promise<void>>;
};
type Result = {
  readonly name: string;
  readonly goalMs: number;
  readonly times: readonly number[];
  /** The call that took the longest. */
  readonly slowest: string;
  readonly faults: readonly string[];
};

/**
 * `make attack`: attacks a gateway that `make run` has started on this DATA_DIR, and measures legitimate calls
 * meanwhile. Exits with 1 where one fails or takes too long, or where the program uses too much memory.
 */
const main = async (): Promise<void> => {
  const dataDir = process.env.DATA_DIR || '.data';
  const demo = join(dataDir, 'demo.json');
  if (!existsSync(demo))
    throw new ConfigError(`${demo} is not there: start \`make run\` with demo data first.`);
  const { testKey, masterKey } = JSON.parse(readFileSync(demo, 'utf8')) as {
    readonly testKey: string;
    readonly masterKey: string;
  };
  const url = new URL(process.env.URL || `http://127.0.0.1:${process.env.PORT || 3000}`);
  const target = { url, key: testKey, masterKey };
  const seconds = wholeNumber('SECONDS', 15, 600);
  const sockets = wholeNumber('SOCKETS', 1_000, 20_000);
  const results = [await measure(target, QUIET, seconds)];
  const stored = await overStored(target);
  for (const attack of [...(await floodsOf(target)), UPLOADS, ...socketsOf(sockets), ...stored])
    results.push(await measure(target, attack, seconds));
  const memory = peakOf(dataDir);
  process.stdout.write(`\n${results.map(lineOf).join('\n')}\n`);
  if (memory !== null) process.stdout.write(`most memory of the program: ${memory} MiB\n`);
  const isHeld = results.every(
    ({ times, faults, goalMs }) => faults.length === 0 && Math.max(...times) <= goalMs,
  );
  if (!isHeld || (memory ?? 0) > MEMORY_GOAL_MIB) process.exitCode = 1;
};

const lineOf = ({ name, times, slowest, faults }: Result): string => {
  const at = (share: number): string => `${percentile(times, share).toFixed(0)} ms`;
  const failed = faults.length === 0 ? '' : `, ${faults.length} FAILED: ${[...new Set(faults)].join('; ')}`;
  return `${name}: ${times.length} calls, median ${at(0.5)}, 99 % within ${at(0.99)}, longest ${at(1)} (${slowest})${failed}`;
};

/** Makes calls as a merchant and as a health check, one after the other, during an attack. */
const measure = async (target: Target, attack: Attack, seconds: number): Promise<Result> => {
  process.stderr.write(`${attack.name}\n`);
  const stop = await attack.start(target);
  const times: number[] = [];
  const faults: string[] = [];
  let slowest = '';
  try {
    for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(50))
      for (const [method, path, body] of LEGITIMATE) {
        const startedAt = performance.now();
        const fault = await call(target, method, path, body);
        if (fault !== null) faults.push(`${path} ${fault}`);
        const time = performance.now() - startedAt;
        if (time > Math.max(0, ...times)) slowest = `${method} ${path}`;
        times.push(time);
      }
  } finally {
    await stop();
  }
  return { name: attack.name, goalMs: attack.goalMs, times, slowest, faults };
};

const CHARGE = {
  amount: 10,
  currency: 'BRL',
  paymentMethod: { type: 'pix', installments: 1 },
  customer: { name: 'Ana Souza', email: 'ana@example.com' },
};
const LEGITIMATE: readonly (readonly ['GET' | 'POST', string, object?])[] = [
  ['GET', '/health/live'],
  ['GET', '/v1/balance'],
  ['POST', '/v1/charges', CHARGE],
  ['GET', '/v1/charges'],
];

/** Null for a call that succeeds, otherwise the reason why it does not. */
const call = async (
  { url, key }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<string | null> => {
  try {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { authorization: basic(key), ...(body ? { 'content-type': 'application/json' } : {}) },
      signal: AbortSignal.timeout(30_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const said = await answer.text();
    return answer.ok ? null : `${answer.status} ${said.slice(0, 200)}`;
  } catch (error) {
    return (error as Error).message;
  }
};

const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

const QUIET: Attack = {
  name: 'no attack',
  goalMs: GOAL_MS,
  start: async () => async () => undefined,
};

/** Keeps this many workers busy; the returned function ends that and waits for them. */
const keepBusy = (workers: number, work: () => Promise<void>): (() => Promise<void>) => {
  let isOn = true;
  const all = Array.from({ length: workers }, async () => {
    while (isOn) await work().catch(() => sleep(100));
  });
  return async () => {
    isOn = false;
    await Promise.all(all);
  };
};

/** Several uploads of the largest documents at once, each to a sub-merchant of its own, which has room for five. */
const UPLOADS: Attack = {
  name: `${UPLOADERS} clients that upload documents of 10 MiB`,
  goalMs: UPLOADS_GOAL_MS,
  start: async ({ url, masterKey }) => {
    const headers = { authorization: basic(masterKey) };
    const file = new Blob(['%PDF-1.7\n', new Uint8Array(UPLOAD_BYTES - 9)]);
    const submerchant = JSON.stringify({ legalName: 'Doces da Vila Ltda', email: 'vila@example.com' });
    return keepBusy(UPLOADERS, async () => {
      const made = await fetch(new URL('/v1/submerchants', url), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: submerchant,
      });
      const { id } = (await made.json()) as { readonly id: string };
      const body = new FormData();
      body.append('type', 'identity');
      body.append('file', file, 'identity.pdf');
      const answer = await fetch(new URL(`/v1/submerchants/${id}/documents`, url), {
        method: 'POST',
        headers,
        body,
      });
      await answer.arrayBuffer();
    });
  },
};

/** This many sockets, each of which sends the beginning of a request and then nothing; each that ends is replaced. */
const socketsOf = (count: number): readonly Attack[] => {
  const head = (path: string, more = ''): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200\r\n${more}`;
  const attack = (name: string, textOf: (target: Target) => string): Attack => ({
    name: `${count} sockets that send ${name}`,
    goalMs: GOAL_MS,
    async start(target) {
      const open = new Set<Socket>();
      let isOn = true;
      const hang = (): void => {
        const socket = connect(Number(target.url.port), target.url.hostname);
        open.add(socket);
        socket.on('connect', () => socket.write(textOf(target)));
        socket.on('error', () => undefined).resume();
        socket.on('close', () => {
          open.delete(socket);
          // There is a pause, because the attacker shares the processor with its victim here.
          if (isOn) setTimeout(hang, 500);
        });
      };
      for (let index = 0; index < count; index += 1) {
        hang();
        if (index % 50 === 0) await sleep(10);
      }
      return async () => {
        isOn = false;
        for (const socket of open) socket.destroy();
      };
    },
  });
  return [
    attack('half a header', () => 'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nX-A: '),
    attack('half a body to the login', () => `${head('/v1/auth/login')}\r\n{`),
    attack('half a body with a key', ({ key }) =>
      head('/v1/charges', `Authorization: ${basic(key)}\r\n\r\n{`),
    ),
  ];
};

const WORST_CHARGES = 100;
/** A card whose refunds are refused. */
const REFUSED_CARD = '4000000000005423';
const REFUNDS = 20;
/** The largest charge that is accepted: its many members cost everybody who reads them. */
const WORST = {
  amount: 100,
  currency: 'BRL',
  paymentMethod: {
    ...{ type: 'credit_card', installments: 1, number: REFUSED_CARD, cvv: '123', holderName: 'Ana Souza' },
    ...{ expirationMonth: '12', expirationYear: '2035' },
  },
  customer: { name: 'Ana Souza', email: 'ana@example.com' },
  metadata: Object.fromEntries(Array.from({ length: 1_600 }, (_, index) => [`m${index}`, 1])),
  items: Array.from({ length: 200 }, (_, index) => ({
    title: `item ${index}`,
    unit_price: 1.5,
    quantity: 2,
  })),
};

/**
 * Stores the largest records that requests of one merchant can store, and lets another merchant wait for answers
 * meanwhile.
 */
const overStored = async (target: Target): Promise<readonly Attack[]> => {
  const headers = { authorization: basic(target.masterKey), 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(new URL(path, target.url), {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new ConfigError(`${path} answered ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { readonly id: string }).id;
  };
  process.stderr.write(`storing ${WORST_CHARGES} charges of the largest size\n`);
  let id = '';
  for (let count = 0; count < WORST_CHARGES; count += 1) id = await post('/v1/charges', WORST);
  for (let count = 0; count < REFUNDS; count += 1)
    await post('/v1/refunds', { chargeId: id, reason: 'again' });
  const get = async (path: string): Promise<void> => {
    await (await fetch(new URL(path, target.url), { headers })).arrayBuffer();
  };
  return [
    {
      name: `six timelines at a time of a charge with ${REFUNDS} refunds`,
      goalMs: GOAL_MS,
      start: async () => keepBusy(6, () => get(`/v1/charges/${id}/timeline`)),
    },
    unread(24, 'pages of 100 charges', '/v1/charges?size=100', '*/*'),
    unread(24, 'pages of 100 events', '/v1/events?size=100', '*/*'),
    unread(100, 'exports', '/v1/charges', 'text/csv'),
  ];
};

/** Connections that send one request after the other and read no answer; each that is cut off is replaced. */
const unread = (count: number, what: string, path: string, accept: string): Attack => ({
  name: `${count} connections that read none of their ${what}`,
  goalMs: GOAL_MS,
  async start({ url, masterKey }) {
    const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic(masterKey)}\r\nAccept: ${accept}\r\n\r\n`;
    const open = new Set<Socket>();
    let isOn = true;
    const ask = (): void => {
      const socket = connect(Number(url.port), url.hostname);
      open.add(socket);
      socket.on('connect', () => socket.write(request.repeat(8)));
      socket.on('error', () => undefined);
      // A socket that is not read notices its end only by a write.
      const write = setInterval(() => socket.write(request), 1_000);
      socket.on('close', () => {
        clearInterval(write);
        open.delete(socket);
        if (isOn) setTimeout(ask, 500);
      });
    };
    for (let index = 0; index < count; index += 1) ask();
    return async () => {
      isOn = false;
      for (const socket of open) socket.destroy();
    };
  },
});

type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: object }>>>>;
};

/** The worst texts of 256 KiB, sent one after the other to every route that takes a body. */
const floodsOf = async (target: Target): Promise<readonly Attack[]> => {
  const document = (await (await fetch(new URL('/v1/openapi.json', target.url))).json()) as OpenApi;
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, '0') })),
  );
  const bodies = TEXTS.map((text) => {
    const count = Math.floor(BODY_BYTES / (Buffer.byteLength(JSON.stringify(text)) - 2));
    return JSON.stringify({ reference: text.repeat(count) });
  });
  let number = 0;
  const start: Attack['start'] = async ({ url, key }) =>
    keepBusy(FLOODERS, async () => {
      const [route, body] = [routes[number % routes.length], bodies[number % bodies.length]];
      number += 1;
      const answer = await fetch(new URL(route?.path ?? '/', url), {
        method: route?.method ?? 'POST',
        headers: { authorization: basic(key), 'content-type': 'application/json' },
        body: body ?? '',
      });
      await answer.arrayBuffer();
    });
  const name = `${FLOODERS} clients that send the worst 256 KiB to ${routes.length} routes`;
  return [{ name, goalMs: GOAL_MS, start }];
};

/** The most memory that the program ever had, in MiB; null where the system does not tell. */
const peakOf = (dataDir: string): number | null => {
  const file = `/proc/${readLock(dataDir, 'engines')?.owner?.pid}/status`;
  const [, kilobytes] = existsSync(file) ? (/^VmHWM:\s+(\d+)/m.exec(readFileSync(file, 'utf8')) ?? []) : [];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
};

main().catch((error: unknown) => {
  const isPlain = error instanceof ConfigError;
  process.stderr.write(`${isPlain ? error.message : error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});
