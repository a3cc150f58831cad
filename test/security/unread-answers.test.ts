import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCardRequest } from '../builders.ts';
import { indexCharges, VIEWS_ALONE } from '../support/charge-view.ts';
import { PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { buildProgram, endPrograms, type Program, startProgram, untilPrinted } from '../support/program.ts';

jest.setTimeout(300_000);
const gateway = useGateway({ ...PATIENT, ...VIEWS_ALONE });
/** As `docker-compose.yml` limits the program, and `make run` its heap. */
const LIMIT_MIB = 512;
const HEAP = { NODE_OPTIONS: '--max-old-space-size=384' };
/** The largest details that a charge takes. */
const METADATA = { text: 'x'.repeat(16_300) };
const ITEMS = Array.from({ length: 15 }, () => ({ description: 'x'.repeat(1_000) }));

let program: Program;
let url: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  await buildProgram();
  program = startProgram('dist/src/main/main.js', { ...gateway().variables, ...HEAP, PORT: '0' });
  url = (await untilPrinted(program, /^Portico is listening on (http\S+)/m))[1] ?? '';
}, 300_000);
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(endPrograms);

const peak = (): number => {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
};
const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

/** Asks and reads nothing of the answers. */
const askWithoutReading = async (key: string, path: string, accept: string): Promise<void> => {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic(key)}\r\nAccept: ${accept}\r\n\r\n`;
  socket.write(request.repeat(8));
};

/** Calls of another merchant: none is refused, though a busy machine may be slow. `make attack` measures them. */
const askAlongside = async (key: string, paths: readonly string[]): Promise<void> => {
  for (let round = 0; round < 10; round += 1)
    for (const path of paths) {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: basic(key) } });
      await answer.arrayBuffer();
      expect([path, answer.status]).toEqual([path, 200]);
    }
};

/** Other systems tell no peak. */
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('answers that nobody reads', () => {
  onLinux('take no more memory than the program has, and no time of others', async () => {
    const [theirs, mine] = [await gateway().createMerchant(), await gateway().createMerchant()];
    const client = withKey(gateway, theirs.testKey);
    for (let index = 0; index < 100; index += 1)
      await client.post('/v1/charges', aCardRequest({ items: ITEMS, metadata: METADATA })).expect(201);
    await client.getAfter('latest', '/v1/charges');
    for (const path of ['/v1/charges?size=100', '/v1/events?size=100'])
      for (let index = 0; index < 24; index += 1) await askWithoutReading(theirs.testKey, path, '*/*');
    await askAlongside(mine.testKey, ['/v1/balance', '/v1/charges']);
    expect(peak()).toBeLessThan(LIMIT_MIB);
  });

  it('of exports leave others theirs: one caller has two, and is told to come again for the next', async () => {
    const [theirs, mine] = [await gateway().createMerchant(), await gateway().createMerchant()];
    const metadata = JSON.stringify(METADATA);
    await indexCharges(gateway(), theirs.id, 3_000, () => ({ metadata }));
    for (let index = 0; index < 100; index += 1)
      await askWithoutReading(theirs.testKey, '/v1/charges', 'text/csv');
    await sleep(3_000);
    const headers = { authorization: basic(theirs.testKey), accept: 'text/csv' };
    const refused = await fetch(`${url}/v1/charges`, { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const own = await fetch(`${url}/v1/charges`, {
      headers: { ...headers, authorization: basic(mine.testKey) },
    });
    expect(own.status).toBe(200);
    await askAlongside(mine.testKey, ['/v1/balance', '/v1/charges']);
    if (process.platform === 'linux') expect(peak()).toBeLessThan(LIMIT_MIB);
  });
});
