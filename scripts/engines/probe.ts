import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { MongoClient } from 'mongodb';

/**
 * Systems assign connections ports above these, so a server that stops finds its port still free when it comes back.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** Different free ports of the loopback interface. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

/** Sends the server a real query; false while it is absent or not ready. */
export async function mongodbIsReady(uri: string): Promise<boolean> {
  const { hostname, port } = new URL(uri);
  if ((await exchange(hostname, Number(port))) === null) return false; // faster than the driver's own wait
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 2000 });
  try {
    return (await client.db('admin').command({ ping: 1 })).ok === 1;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

export async function elasticsearchIsReady(node: string): Promise<boolean> {
  try {
    const { origin, username, password } = new URL(node);
    const answer = await fetch(`${origin}/_cluster/health`, {
      headers: { authorization: basicAuthorization(username, password) },
      signal: AbortSignal.timeout(5000),
    });
    const { status } = (await answer.json()) as { status?: string };
    return answer.ok && (status === 'yellow' || status === 'green');
  } catch {
    return false;
  }
}

/** The header of RFC 7617, because `fetch` refuses an address that contains a password. */
export const basicAuthorization = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export async function redisIsReady(url: string): Promise<boolean> {
  const { hostname, port, password } = new URL(url);
  return (await exchange(hostname, Number(port), `AUTH ${password}\r\nPING\r\n`)) === '+OK\r\n+PONG\r\n';
}

/** Connects, sends, and returns the first answer ('' where nothing was to be sent); null on any failure. */
function exchange(host: string, port: number, request?: string): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: 2000 });
    const end = (answer: string | null) => {
      socket.destroy();
      done(answer);
    };
    socket.once('connect', () => (request === undefined ? end('') : socket.write(request)));
    socket.once('data', (data) => end(String(data)));
    for (const failure of ['error', 'timeout', 'close']) socket.once(failure, () => end(null));
  });
}
