import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Draining, drainable } from './draining.ts';

type Served = {
  readonly port: number;
  readonly draining: Draining;
  /** Requests whose answers the test sends. */
  readonly waiting: ServerResponse[];
};

const withServer = async (use: (served: Served) => Promise<void>): Promise<void> => {
  const waiting: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 });
  const draining = drainable(server);
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    if (message.url === '/wait') waiting.push(response);
    else response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use({ port: (server.address() as AddressInfo).port, draining, waiting });
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

const get = async (port: number, path: string, agent: Agent): Promise<IncomingMessage> => {
  const sent = request({ port, host: '127.0.0.1', path, agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
};

describe('a server that stops', () => {
  it('says Connection: close from then on, to requests in flight as to new ones', async () => {
    await withServer(async ({ port, draining, waiting }) => {
      const agent = new Agent({ keepAlive: true });
      expect((await get(port, '/', agent)).headers.connection).toBe('keep-alive');
      const inFlight = get(port, '/wait', agent);
      while (waiting.length === 0) await sleep(5);
      const stopped = draining.stop(300);
      expect(draining.isStopping()).toBe(true);
      expect((await get(port, '/', new Agent({ keepAlive: true }))).headers.connection).toBe('close');
      waiting[0]?.end('late');
      expect((await inFlight).headers.connection).toBe('close');
      await stopped;
    });
  });

  it('answers one more request on a connection that was idle, and closes those that stay silent', async () => {
    await withServer(async ({ port, draining }) => {
      const [silent, busy] = [connect(port, '127.0.0.1'), new Agent({ keepAlive: true })];
      silent.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await Promise.all([once(silent, 'data'), get(port, '/', busy)]);
      const stopped = draining.stop(200);
      const answer = await get(port, '/', busy);
      expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
      expect(silent.destroyed || silent.readableEnded).toBe(false);
      await Promise.all([once(silent, 'close'), stopped]);
      await expect(get(port, '/', busy)).rejects.toThrow('ECONNREFUSED');
    });
  });

  it('waits for what is in flight when it has stopped listening', async () => {
    await withServer(async ({ port, draining, waiting }) => {
      const inFlight = get(port, '/wait', new Agent({ keepAlive: true }));
      while (waiting.length === 0) await sleep(5);
      const stopped = draining.stop(0);
      await sleep(200);
      waiting[0]?.end('late');
      expect((await inFlight).statusCode).toBe(200);
      await stopped;
    });
  });
});
