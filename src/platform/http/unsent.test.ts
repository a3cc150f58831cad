import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Response } from 'express';
import type { GatewayError } from '../../kernel/errors.ts';
import { createExportPlaces } from './exports.ts';
import { createUnsent, type UnsentBounds } from './unsent.ts';

/** More bytes than the buffers of a connection within this machine hold. */
const LARGE = 32 * 1024 * 1024;
const BOUNDS: UnsentBounds = {
  total: 100 * LARGE,
  perCaller: 3 * LARGE,
  stallMs: 60_000,
  bytesPerSecond: LARGE,
};

let server: Server;
const sockets: Socket[] = [];
const listen = async (answer: (response: Response, caller: string) => void): Promise<void> => {
  const app = express();
  app.get('/{*caller}', (request, response) => answer(response, request.path));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
};
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** A client that sends a request and reads nothing; it reports when its connection has ended. */
const askWithoutReading = (caller: string): { isCut: () => boolean } => {
  let isCut = false;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  // A socket that is never read notices its end only by a write.
  const write = setInterval(() => socket.write('\r\n'), 50).unref();
  socket.on('close', () => {
    isCut = true;
    clearInterval(write);
  });
  socket.write(`GET ${caller} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return { isCut: () => isCut };
};

const untilCut = async (clients: readonly { isCut: () => boolean }[], count: number): Promise<number[]> => {
  const cut = () => clients.flatMap(({ isCut }, index) => (isCut() ? index : []));
  for (const end = Date.now() + 20_000; cut().length < count && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 50));
  return cut();
};

const whole = async (bounds: UnsentBounds): Promise<void> => {
  const unsent = createUnsent(bounds);
  await listen((response, caller) => {
    response.send(Buffer.alloc(LARGE, 'x'));
    unsent.watch(response, caller);
  });
};

describe('answers that nobody reads', () => {
  it('cut off their oldest readers, beyond the bytes of one caller', async () => {
    await whole(BOUNDS);
    const clients: { isCut: () => boolean }[] = [];
    for (let index = 0; index < 5; index += 1) {
      clients.push(askWithoutReading('/one'));
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const other = askWithoutReading('/other');
    expect(await untilCut(clients, 2)).toEqual([0, 1]);
    expect(other.isCut()).toBe(false);
  });

  it('cut off their oldest readers, beyond the bytes of all callers', async () => {
    await whole({ ...BOUNDS, total: 2 * LARGE });
    const clients: { isCut: () => boolean }[] = [];
    for (let index = 0; index < 4; index += 1) {
      clients.push(askWithoutReading(`/caller-${index}`));
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(await untilCut(clients, 2)).toEqual([0, 1]);
  });

  it('cut off a reader that takes nothing for too long, whole answers and streams alike', async () => {
    await whole({ ...BOUNDS, stallMs: 200, bytesPerSecond: LARGE });
    expect(await untilCut([askWithoutReading('/one')], 1)).toEqual([0]);
    server.close();

    const unsent = createUnsent({ ...BOUNDS, stallMs: 200 });
    const ended: unknown[] = [];
    await listen((response) => {
      const endless = new Readable({
        read() {
          this.push('x'.repeat(100_000));
        },
      });
      unsent
        .whileRead(response, () => pipeline(endless, response))
        .catch((error: NodeJS.ErrnoException) => ended.push(error.code));
    });
    expect(await untilCut([askWithoutReading('/one')], 1)).toEqual([0]);
    expect(ended).toEqual(['ERR_STREAM_PREMATURE_CLOSE']);
  });

  it('leave alone whoever reads, however large its answers are', async () => {
    await whole({ ...BOUNDS, perCaller: 2 * LARGE });
    const { port } = server.address() as AddressInfo;
    for (let index = 0; index < 4; index += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/one`);
      expect((await answer.arrayBuffer()).byteLength).toBe(LARGE);
    }
  });
});

describe('exports', () => {
  it('are two of a caller and eight of all at a time; the next one is told to come again', async () => {
    const begin = createExportPlaces();
    const open: { caller: string; response: Response }[] = [];
    await listen((response, caller) => {
      try {
        begin(caller, response);
        open.push({ caller, response });
      } catch (error) {
        const { statusCode, headers } = error as GatewayError;
        response.status(statusCode).set(headers).end();
      }
    });
    const { port } = server.address() as AddressInfo;
    const ask = (caller: string) => fetch(`http://127.0.0.1:${port}/${caller}`);
    const untilOpen = async (count: number): Promise<void> => {
      while (open.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const answers = ['a', 'a'].map(ask);
    await untilOpen(2);
    const refused = await ask('a');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    answers.push(...['b', 'b', 'c', 'c', 'd', 'd'].map(ask));
    await untilOpen(8);
    expect((await ask('e')).status).toBe(429);
    for (const { response } of open.splice(0, 1)) response.end();
    await answers[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
    answers.push(ask('e'));
    await untilOpen(8);
    for (const { response } of open) response.end();
    for (const answer of answers) expect((await answer).status).toBe(200);
  });

  it('of clients that are gone already take no place', async () => {
    const begin = createExportPlaces({ perCaller: 1, total: 1 });
    let sent: Response | undefined;
    await listen((response) => {
      sent = response;
      response.destroy();
    });
    const { port } = server.address() as AddressInfo;
    await expect(fetch(`http://127.0.0.1:${port}/gone`)).rejects.toThrow();
    for (let times = 0; times < 3; times += 1) begin('a', sent as Response);
    expect(sent?.listenerCount('close')).toBe(0);
  });
});
