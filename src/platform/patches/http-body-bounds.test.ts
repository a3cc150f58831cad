import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { boundBodies } from './http-body-bounds.ts';

let server: Server;
/** Answers with the number of bytes that arrived; for `/unread` at once. */
const aServer = (): Server =>
  createServer(async (request, response) => {
    let bytes = 0;
    try {
      if (request.url === '/') for await (const chunk of request) bytes += chunk.length;
    } catch {
      // Cut off.
    }
    response.end(request.url === '/last' ? 'the last' : `${bytes} bytes`);
  });
const listen = async (): Promise<void> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
};

beforeEach(() => {
  server = aServer();
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const chunks = (count: number, bytes: number): string =>
  `${`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count)}0\r\n\r\n`;

/** Everything that the client receives until its connection ends, which it asks for with a second request. */
const send = async (path: string, body: string): Promise<string> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString();
  });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
  socket.write('POST /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  return heard;
};
const answersIn = (heard: string): readonly string[] => heard.match(/\d+ bytes|the last/g) ?? [];

describe.each(['/', '/unread'])('a body that goes to %s', (path) => {
  beforeEach(async () => {
    boundBodies(server, { bytes: 1_000_000, pieces: 100, bytesPerPiece: 500 });
    await listen();
  });
  const first = (bytes: number): string => `${path === '/' ? bytes : 0} bytes`;

  it.each([
    ['few small pieces', 50, 1, 50],
    ['many pieces of the size of packets', 1_500, 600, 900_000],
    ['large pieces', 9, 100_000, 900_000],
  ])('arrives in %s', async (_, count, bytes, sum) => {
    expect(answersIn(await send(path, chunks(count, bytes)))).toEqual([first(sum), 'the last']);
  });

  it.each([
    ['too many small pieces', 5_000, 1],
    ['too many bytes', 300, 100_000],
  ])('ends with its connection for %s', async (_, count, bytes) => {
    expect(answersIn(await send(path, chunks(count, bytes)))).not.toContain('the last');
  });
});

it('a body of any number of pieces is taken by Node.js alone; once it has a bound, the patch can go', async () => {
  await listen();
  expect(answersIn(await send('/unread', chunks(5_000, 1)))).toEqual(['0 bytes', 'the last']);
});
