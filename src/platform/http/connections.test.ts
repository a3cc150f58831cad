import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { boundConnections, type ConnectionBounds } from './connections.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const HALF = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';

let server: Server;
/** Addresses that the next connections appear to come from. */
const from: string[] = [];
let held: (() => void)[] = [];
const sockets: Socket[] = [];

/** A server that answers `/` at once, and any other path when `held` is called. */
const serve = async (bounds: Partial<ConnectionBounds>): Promise<void> => {
  held = [];
  server = createServer((request, response) => {
    const answer = () => response.end('answered');
    if (request.url === '/') request.resume().once('end', answer);
    else held.push(answer);
  });
  server.on('connection', (socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: from.shift() }),
  );
  boundConnections(server, { total: 100, perAddress: 100, isProxy: () => false, ...bounds });
  await once(server.listen(0, '127.0.0.1'), 'listening');
};
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

const open = async (text = '', address = '192.0.2.1'): Promise<Socket> => {
  const { port } = server.address() as AddressInfo;
  from.push(address);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  if (text) socket.write(text);
  return socket;
};
/** The answer to a GET, or `cut off`. */
const ask = async (socket: Socket, path = '/'): Promise<string> => {
  const answer = once(socket, 'data').then(([data]) => String(data));
  const end = once(socket, 'close').then(() => 'cut off');
  socket.write(GET.replace('/', path));
  return Promise.race([answer, end]);
};
const isClosed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : once(socket, 'close');

describe('connections', () => {
  it('of one address give way to a new one, the oldest that waits for its client first', async () => {
    await serve({ perAddress: 2 });
    const first = await open(HALF);
    const second = await open(HALF);
    const third = await open();
    expect(await ask(third)).toContain('answered');
    await isClosed(first);
    expect(second.closed).toBe(false);
  });

  it('that had an answer give way after those that never had one', async () => {
    await serve({ perAddress: 2 });
    const keptAlive = await open();
    await ask(keptAlive);
    const idle = await open();
    const third = await open();
    await isClosed(idle);
    expect(await ask(third)).toContain('answered');
    expect(await ask(keptAlive)).toContain('answered');
  });

  it('with a whole request are never cut off, and the new one is refused', async () => {
    await serve({ perAddress: 1 });
    const busy = await open();
    const answer = ask(busy, '/later');
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await isClosed(await open());
    held[0]?.();
    expect(await answer).toContain('answered');
  });

  it('of several addresses have bounds of their own and one together', async () => {
    await serve({ perAddress: 1, total: 2 });
    const here = await open(HALF);
    const elsewhere = await open(HALF, '192.0.2.2');
    expect(here.closed).toBe(false);
    const third = await open('', '192.0.2.3');
    expect(await ask(third)).toContain('answered');
    await isClosed(here);
    expect(elsewhere.closed).toBe(false);
  });

  it('of one IPv6 network of 64 bits have one bound', async () => {
    await serve({ perAddress: 1 });
    const first = await open(HALF, '2001:db8:0:1::1');
    const elsewhere = await open(HALF, '2001:db8:0:2::1');
    expect(await ask(await open('', '2001:db8:0:1:ffff::2'))).toContain('answered');
    await isClosed(first);
    expect(elsewhere.closed).toBe(false);
  });

  it('of a proxy have no bound of their own', async () => {
    await serve({ perAddress: 1, isProxy: (address) => address === '192.0.2.1' });
    const first = await open();
    const second = await open();
    expect(await ask(first)).toContain('answered');
    expect(await ask(second)).toContain('answered');
  });

  it('are cut off where they send requests without end and read no answer', async () => {
    await serve({});
    await isClosed(await open(GET.replace('/', '/later').repeat(50)));
  });

  it('leave their place when they end', async () => {
    await serve({ perAddress: 1 });
    for (let round = 0; round < 5; round += 1) {
      const socket = await open();
      expect(await ask(socket)).toContain('answered');
      socket.destroy();
      await isClosed(socket);
    }
  });
});
