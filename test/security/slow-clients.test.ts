import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { aCardRequest } from '../builders.ts';
import { withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

/** Fewer places than attackers, so that a place which a waiting client holds would be missed. */
const gateway = useGateway({ MAX_CONCURRENT_REQUESTS: '20', MAX_CONNECTIONS_PER_ADDRESS: '200' });
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
