import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCardRequest } from '../builders.ts';
import { PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { eventually } from '../support/program.ts';
import { someOf } from '../support/volume.ts';

/** Fewer places than attackers, so that a place which a waiting client holds would be missed. */
const gateway = useGateway({ ...PATIENT, MAX_CONCURRENT_REQUESTS: '20', MAX_CONNECTIONS_PER_ADDRESS: '200' });
const ATTACKERS = 1_000;

const HEAD = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200\r\n`;

describe('a thousand sockets that send half a request and then nothing', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  const attack = async (text: string): Promise<void> => {
    const { port, hostname } = new URL(gateway().url);
    for (let index = 0; index < ATTACKERS; index += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(text);
    }
  };

  it.each<[string, string]>([
    ['a header', 'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nX-A: '],
    ['a body without a caller', `${HEAD('/v1/auth/login')}\r\n{`],
    ['a notification', `${HEAD('/v1/providers/simulator/notifications')}\r\n{`],
  ])('and stop within %s take no place from callers', async (_, text) => {
    const merchant = await gateway().createMerchant();
    const client = withKey(gateway, merchant.testKey);
    await attack(text);
    for (let round = 0; round < 5; round += 1) {
      await client.post('/v1/charges', aCardRequest()).expect(201);
      await client.get('/v1/balance').expect(200);
    }
    await gateway().call('get', '/health/live').expect(200);
  });

  it('with a key of their own take no place from others', async () => {
    const [mine, theirs] = [await gateway().createMerchant(), await gateway().createMerchant()];
    const basic = Buffer.from(`${theirs.testKey}:`).toString('base64');
    await attack(`${HEAD('/v1/charges')}Authorization: Basic ${basic}\r\n\r\n{`);
    await withKey(gateway, mine.testKey).post('/v1/charges', aCardRequest()).expect(201);
  });
});

describe('a client that is slow', () => {
  const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: portico.test\r\n`;
  const POST = 'POST /v1/auth/login HTTP/1.1\r\nHost: portico.test\r\nContent-Type: application/json\r\n';
  /** Bytes that it sends at once, bytes that it repeats, and the answer at the end. */
  const CLIENTS = [
    { what: 'to send its headers', first: GET('/v1/charges'), then: 'X-More: 1\r\n', end: / 408 / },
    { what: 'to send its body', first: `${POST}Content-Length: 9999\r\n\r\n{`, then: ' ', end: / 408 / },
    {
      what: 'to read its answers',
      first: `${GET('/v1/openapi.json')}\r\n`.repeat(200),
      then: '',
      end: / 200 /,
    },
  ];

  it.each(someOf(CLIENTS, 1))(
    '$what loses its connection',
    async ({ first, then, end }) => {
      const { hostname, port } = new URL(gateway().url);
      const socket = connect(Number(port), hostname);
      let heard = '';
      let isOver = false;
      socket
        .on('error', () => undefined)
        .on('close', () => {
          isOver = true;
        });
      socket.write(first);
      socket.once('data', (data) => {
        heard = data.toString();
        if (then === '') socket.pause();
      });
      await eventually(
        'the end of the connection',
        async () => {
          if (!isOver) socket.write(then || `${GET('/v1/openapi.json')}\r\n`);
          await sleep(500);
          return isOver;
        },
        180_000,
      );
      expect(heard).toMatch(end);
      expect(await gateway().call('get', '/health/live').expect(200));
    },
    300_000,
  );
});
