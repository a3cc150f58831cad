import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardedLookup } from './guarded-post.ts';
import { AnswerTimeout, createHttpClient, type SendHttp } from './http-client.ts';

/** Longer than a connection may be idle. */
const SLOW_MS = 3_000;

let server: Server;
let opened = 0;
let send: SendHttp;
const get = (path: string) =>
  send({ method: 'GET', url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`) });

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.url === '/slow') await sleep(SLOW_MS, undefined, { ref: false });
    response.end(request.url);
  });
  server.keepAliveTimeout = 600_000;
  server.on('connection', () => {
    opened += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  opened = 0;
  send = createHttpClient({ timeoutMs: 50_000 });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe('a client for one partner', () => {
  it('uses a connection again', async () => {
    expect((await get('/1')).text).toBe('/1');
    expect((await get('/2')).text).toBe('/2');
    expect(opened).toBe(1);
  });

  it('closes a connection at rest itself, before the other side does', async () => {
    const connected = once(server, 'connection');
    await get('/1');
    const [connection] = await connected;
    await once(connection, 'close');
    expect((await get('/2')).text).toBe('/2');
    expect(opened).toBe(2);
  });

  it('of a guarded one goes nowhere in the own network, by address and by name', async () => {
    const { port } = server.address() as AddressInfo;
    const to = (host: string, allowLoopback: boolean) =>
      createHttpClient({ timeoutMs: 50_000, guard: { allowLoopback, requireHttps: false } })({
        method: 'GET',
        url: new URL(`http://${host}:${port}/1`),
      });
    await expect(to('127.0.0.1', false)).rejects.toThrow('must not lead to a private or reserved address');
    await expect(to('10.0.0.1', true)).rejects.toThrow('must not lead to a private or reserved address');
    await expect(to('localhost', false)).rejects.toThrow('must not lead to a private or reserved address');
    // The name looks public but has a private address: the check applies to the address that is connected to.
    const lookUp = guardedLookup({ allowLoopback: false, requireHttps: false }, 50_000, async () => [
      '93.184.215.14',
      '10.0.0.1',
    ]);
    const found = await new Promise((resolve) => lookUp('pix.example.com', { all: true }, resolve));
    expect(found).toEqual(new Error('pix.example.com has no public address'));
    expect(opened).toBe(0);
    expect((await to('localhost', true)).text).toBe('/1');
  });

  it('waits for a slow answer for as long as it was told', async () => {
    expect((await get('/slow')).text).toBe('/slow');
    send = createHttpClient({ timeoutMs: 500 });
    await expect(get('/slow')).rejects.toThrow(AnswerTimeout);
  });
});
