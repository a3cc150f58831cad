import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createGuardedPost, type PostRequest, type PostResult, urlFault } from './guarded-post.ts';
import type { ResolveHost } from './resolve-host.ts';

const STRICT = { allowLoopback: false, requireHttps: false };
const LENIENT = { allowLoopback: true, requireHttps: false };
const BODY = Buffer.from('{"paid":"ação"}');

/** A receiver of raw TCP, which can give answers that no HTTP server would give. */
type Receiver = {
  readonly port: number;
  readonly url: string;
  readonly requests: string[];
  /** The number of connections to it so far. */
  connections: number;
  /** Resolves once the sender has closed a connection, or it has ended otherwise. */
  readonly closed: Promise<void>;
  /** The server name that was last requested over TLS. */
  servername: string | null;
};
const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];

const startReceiver = async (
  answer: (socket: Socket) => void,
  options: { readonly host?: string; readonly tls?: boolean } = {},
): Promise<Receiver> => {
  const sockets = new Set<Socket>();
  let end: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const serve = (socket: Socket): void => {
    let request = '';
    socket.on('data', (chunk) => {
      request += chunk.toString('utf8');
      if (!request.endsWith(BODY.toString('utf8'))) return;
      receiver.requests.push(request);
      answer(socket);
    });
  };
  const server = options.tls
    ? createTlsServer(
        {
          key: KEY,
          cert: CERT,
          SNICallback: (name, give) => {
            receiver.servername = name;
            give(null);
          },
        },
        serve,
      )
    : createServer(serve);
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', end);
  });
  server.listen(0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  servers.push({ server, sockets });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const receiver: Receiver = {
    port: address.port,
    url: `${options.tls ? 'https' : 'http'}://receiver.example:${address.port}/hook?a=1`,
    requests: [],
    connections: 0,
    closed,
    servername: null,
  };
  return receiver;
};

afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

const answering =
  (head: string, body: Buffer | string = '') =>
  (socket: Socket): void => {
    socket.write(`${head}\r\n\r\n`);
    socket.end(body);
  };
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain';
const toLoopback: ResolveHost = async () => ['127.0.0.1'];

/** The limits are long, because the machine may be busy; a test in which one has to be reached sets it. */
const requestTo = (url: string, changes: Partial<PostRequest> = {}): PostRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'x-event-id': 'evt_1' },
  body: BODY,
  connectTimeoutMs: 30_000,
  totalTimeoutMs: 60_000,
  maxResponseBytes: 2_048,
  ...changes,
});
const post = (url: string, changes: Partial<PostRequest> = {}): Promise<PostResult> =>
  createGuardedPost(LENIENT, { resolve: toLoopback, ca: CERT })(requestTo(url, changes));

/** Loopback in every form that a URL can give it. */
const LOOPBACK_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.0x1',
  '%31%32%37.0.0.1',
  '127。0。0。1',
  '１２７.0.0.1',
  '①②⑦.⓪.⓪.①',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::0001]',
  'localhost',
  'LOCALHOST',
  'app.localhost',
  '127.0.0.1.',
];

/** Hosts to which no URL may lead; loopback in disguise gets the receiver's port. */
const FORBIDDEN_HOSTS = [
  ...LOOPBACK_HOSTS,
  // This host, and loopback addresses that are refused even where loopback is allowed.
  '0.0.0.0',
  '0',
  '0x0',
  '0.1.2.3',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  'localhost.',
  'receiver.example.',
  'localhost.localdomain',
  // Private networks.
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '012.0.0.1',
  '0xa000001',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.1.1',
  '3232235777',
  '0xc0a80101',
  '[::ffff:10.0.0.1]',
  '[::ffff:c0a8:101]',
  '[::10.0.0.1]',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fec0::1]',
  'printer.local',
  'db.internal',
  'router.home.arpa',
  // Metadata and link-local.
  '169.254.169.254',
  '169.254.170.2',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[febf::1]',
  '168.63.129.16',
  '192.0.0.192',
  'metadata.google.internal',
  // Carrier-grade NAT, NAT64, 6to4, Teredo.
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.254',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::1]',
  '[2002:a00:1::]',
  '[2001::1]',
  '[2001:0:a00:1::]',
  '192.88.99.1',
  // Documentation, benchmarking, protocol assignments.
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '198.19.255.254',
  '[2001:db8::1]',
  '[3fff::1]',
  '[2001:2::1]',
  '[2001:20::1]',
  '[100::1]',
  '[5f00::1]',
  // Multicast, reserved, broadcast.
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[ff02::1]',
  '[4000::1]',
  '[c000::1]',
];
const FORBIDDEN_URLS = [
  'http://user@receiver.example/',
  'http://user:secret@receiver.example/',
  'http://:secret@receiver.example/',
  'http://receiver.example:80@127.0.0.1/',
  'ftp://receiver.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  '//receiver.example/',
  'receiver.example',
  'http://',
  'http://256.256.256.256/',
  'http://[::1%25lo]/',
  'http://127.0.0.1\u0000.receiver.example/',
  '',
];
/** The addresses among the hosts above, for names that resolve to them. */
const FORBIDDEN_ADDRESSES = FORBIDDEN_HOSTS.map((host) => new URL(`http://${host}/`).hostname)
  .map((host) => host.replace(/^\[|\]$/g, ''))
  .filter((host) => /^[0-9.]+[0-9]$|:/.test(host));

describe('a forbidden URL', () => {
  it('is not connected to, and is refused by its form already', async () => {
    const receiver = await startReceiver(answering(OK));
    const guarded = createGuardedPost(STRICT, { resolve: toLoopback });
    const urls = [...FORBIDDEN_HOSTS.map((host) => `http://${host}:${receiver.port}/`), ...FORBIDDEN_URLS];
    expect(urls.length).toBeGreaterThan(60);
    for (const url of urls) {
      const result = await guarded(requestTo(url));
      expect({ url, ...result }).toMatchObject({ url, connected: false, statusCode: null, response: null });
      expect(result.error).toMatch(/^(forbidden_url|no_public_address)$/);
      expect({ url, fault: urlFault(url, STRICT) }).toEqual({ url, fault: expect.stringMatching(/^must /) });
    }
    expect(receiver.connections).toBe(0);
  });

  it('is forbidden as the address of a name, too, alone or beside one that is allowed', async () => {
    const receiver = await startReceiver(answering(OK));
    expect(FORBIDDEN_ADDRESSES.length).toBeGreaterThan(60);
    for (const address of FORBIDDEN_ADDRESSES) {
      const alone = createGuardedPost(STRICT, { resolve: async () => [address] });
      expect({ address, ...(await alone(requestTo(receiver.url))) }).toMatchObject({
        address,
        error: 'no_public_address',
        connected: false,
      });
      if (address.startsWith('127.') || address === '::1') continue;
      const beside = createGuardedPost(LENIENT, { resolve: async () => ['127.0.0.1', address] });
      expect({ address, ...(await beside(requestTo(receiver.url))) }).toMatchObject({
        address,
        error: 'no_public_address',
        connected: false,
      });
    }
    expect(receiver.connections).toBe(0);
  });

  it('is one without TLS where TLS is asked for', async () => {
    const receiver = await startReceiver(answering(OK));
    const guarded = createGuardedPost({ allowLoopback: true, requireHttps: true }, { resolve: toLoopback });
    const result = await guarded(requestTo(receiver.url));
    expect(result).toMatchObject({ error: 'forbidden_url', connected: false });
    expect(receiver.connections).toBe(0);
  });

  it('stays forbidden where loopback is allowed, unless it is loopback', () => {
    const allowed = FORBIDDEN_HOSTS.filter((host) => urlFault(`http://${host}/`, LENIENT) === null);
    expect(allowed).toEqual(LOOPBACK_HOSTS);
  });

  it('is no URL of the public internet', () => {
    for (const host of ['example.com', 'bücher.example', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1'])
      expect(urlFault(`https://${host}:8443/hook?x=1#y`, { ...STRICT, requireHttps: true })).toBeNull();
    for (const host of ['[2606:4700::1111]', '[2a00:1450:4001:830::200e]', 'localhost.example.com'])
      expect(urlFault(`http://${host}/`, STRICT)).toBeNull();
  });
});

describe('a name whose address changes', () => {
  it('is looked up once an attempt, and connected to at the address that was checked', async () => {
    const allowed = await startReceiver(answering(OK));
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['10.0.0.1']];
    let lookups = 0;
    const guarded = createGuardedPost(LENIENT, {
      resolve: async () => {
        lookups += 1;
        return answers.shift() ?? [];
      },
    });
    expect(await guarded(requestTo(allowed.url))).toMatchObject({ statusCode: 200, error: null });
    expect(lookups).toBe(1);
    expect(await guarded(requestTo(allowed.url))).toMatchObject({ error: 'no_public_address' });
    expect(lookups).toBe(2);
    expect(allowed.connections).toBe(1);
  });

  it('is told apart from no unknown name where it leads to a private address', async () => {
    const answers = [
      () => sleep(20, ['10.0.0.1']),
      async () => [],
      async () => Promise.reject(new Error('unknown')),
    ];
    const results = await Promise.all(
      answers.map((resolve) =>
        createGuardedPost(LENIENT, { resolve })(requestTo('http://intranet.corp.example/')),
      ),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it('is not known without an address', async () => {
    for (const resolve of [async () => [], async () => Promise.reject(new Error('no server'))])
      expect(await createGuardedPost(LENIENT, { resolve })(requestTo('http://a.example/'))).toMatchObject({
        error: 'no_public_address',
        connected: false,
      });
  });

  it('is not waited for longer than a connection may take', async () => {
    let cancelled = false;
    const resolve: ResolveHost = (_host, stopping) =>
      new Promise(() =>
        stopping.addEventListener('abort', () => {
          cancelled = true;
        }),
      );
    const guarded = createGuardedPost(LENIENT, { resolve });
    const result = await guarded(requestTo('http://a.example/', { connectTimeoutMs: 50 }));
    expect(result).toMatchObject({ error: 'connect_timeout', connected: false });
    expect(cancelled).toBe(true);
  });

  it('is reached at its second address where the first does not answer', async () => {
    const receiver = await startReceiver(answering(OK));
    const guarded = createGuardedPost(LENIENT, { resolve: async () => ['::1', '127.0.0.1'] });
    expect(await guarded(requestTo(receiver.url))).toMatchObject({ statusCode: 200, error: null });
  });
});

describe('a post', () => {
  it('sends exactly the bytes and headers, and no more than a method, host and length of its own', async () => {
    const receiver = await startReceiver(answering(`${OK}\r\nContent-Length: 5`, 'hello'));
    const result = await post(receiver.url);
    expect(result).toMatchObject({ statusCode: 200, response: 'hello', error: null, connected: true });
    expect(result.retryAfterSeconds).toBeNull();
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
    expect(receiver.requests).toEqual([
      [
        'POST /hook?a=1 HTTP/1.1',
        'content-type: application/json',
        'x-event-id: evt_1',
        `content-length: ${BODY.length}`,
        `Host: receiver.example:${receiver.port}`,
        'Connection: close',
        '',
        BODY.toString('utf8'),
      ].join('\r\n'),
    ]);
  });

  it('reaches localhost where loopback is allowed', async () => {
    const receiver = await startReceiver(answering(OK));
    const guarded = createGuardedPost(LENIENT);
    const url = `http://localhost:${receiver.port}/`;
    expect(await guarded(requestTo(url))).toMatchObject({ statusCode: 200, error: null });
  });

  it('reads no more of the answer than it is to keep, and leaves no half character', async () => {
    const receiver = await startReceiver((socket) => {
      socket.write(`${OK}\r\nContent-Length: 1000000000000\r\n\r\n`);
      // The answer never ends, so that only the sender closes the connection.
      const pouring = setInterval(() => socket.write('é'.repeat(5_000)), 10);
      socket.once('close', () => clearInterval(pouring));
    });
    const result = await post(receiver.url, { maxResponseBytes: 2_049 });
    expect(result).toMatchObject({ statusCode: 200, error: null, response: 'é'.repeat(1_024) });
    await receiver.closed;
  });

  it('does not unpack an answer', async () => {
    const packed = gzipSync('x'.repeat(1_000_000));
    const head = `${OK}\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}`;
    const { response, error } = await post((await startReceiver(answering(head, packed))).url);
    expect(error).toBeNull();
    expect(response?.length).toBeLessThanOrEqual(2_048);
    expect(response).not.toContain('xxx');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect by %i', async (status) => {
    const target = await startReceiver(answering(OK));
    const head = `HTTP/1.1 ${status} Moved\r\nLocation: ${target.url}\r\nContent-Length: 0`;
    const result = await post((await startReceiver(answering(head))).url);
    expect(result).toMatchObject({ statusCode: status, error: 'redirect', connected: true });
    expect(target.connections).toBe(0);
  });

  it('ends with its time where the receiver hangs, and closes the connection', async () => {
    const receiver = await startReceiver(() => undefined);
    const result = await post(receiver.url, { totalTimeoutMs: 1_000 });
    expect(result).toMatchObject({ statusCode: null, response: null, error: 'timeout' });
    await receiver.closed;
  });

  it('ends with its time where the answer trickles, and is no success', async () => {
    const receiver = await startReceiver((socket) => {
      socket.write(`${OK}\r\n\r\n`);
      const timer = setInterval(() => socket.write('.'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const result = await post(receiver.url, { totalTimeoutMs: 3_000 });
    expect(result).toMatchObject({ statusCode: 200, error: 'timeout' });
    expect(result.response).toMatch(/^\.*$/);
    await receiver.closed;
  });

  it('tells what broke', async () => {
    const errorOf = async (answer: (socket: Socket) => void): Promise<string | null> =>
      (await post((await startReceiver(answer)).url)).error;
    expect(await errorOf((socket) => socket.resetAndDestroy())).toBe('connection_reset');
    expect(await errorOf((socket) => socket.end())).toBe('connection_reset');
    expect(await errorOf(answering(`${OK}\r\nContent-Length: 100`, 'short'))).toBe('connection_reset');
    expect(await errorOf(answering('SSH-2.0-OpenSSH'))).toBe('invalid_response');
    expect(await errorOf(answering('HTTP/1.1 101 Switch\r\nConnection: Upgrade\r\nUpgrade: x'))).toBe(
      'connection_reset',
    );
    const huge = Array.from({ length: 50 }, (_, n) => `X-${n}: ${'h'.repeat(1_000)}`).join('\r\n');
    expect(await errorOf(answering(`${OK}\r\n${huge}`))).toBe('headers_too_large');
    const { url } = await startReceiver(answering(OK));
    expect(await post(url, { headers: { 'x-a': 'line\r\nbreak' } })).toMatchObject({
      error: 'invalid_request',
      connected: false,
    });
    const { server } = servers.pop() ?? {};
    server?.close();
    expect(await post(url)).toMatchObject({ error: 'connection_refused', connected: false });
  });

  it('is ended by its signal, before and on the way', async () => {
    const receiver = await startReceiver(() => stop.abort());
    const stop = new AbortController();
    expect(await post(receiver.url, { signal: stop.signal })).toMatchObject({
      error: 'aborted',
      connected: true,
    });
    await receiver.closed;
    expect(await post(receiver.url, { signal: stop.signal })).toMatchObject({
      error: 'aborted',
      connected: false,
    });
    expect(receiver.connections).toBe(1);
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['99999999999', 86_400],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['2026', 2_026],
    ['2026-01-01', null],
    ['Foo, 99 Bar 2026 99:99:99 GMT', null],
  ])('understands Retry-After: %s', async (header, seconds) => {
    const head = `HTTP/1.1 503 Busy\r\nRetry-After: ${header}\r\nContent-Length: 0`;
    const result = await post((await startReceiver(answering(head))).url);
    expect(result).toMatchObject({ statusCode: 503, error: null, retryAfterSeconds: seconds });
  });
});

describe('a post over TLS', () => {
  it('asks for the name, not for the address, and trusts a certificate of that name', async () => {
    const receiver = await startReceiver(answering(OK), { tls: true });
    expect(await post(receiver.url)).toMatchObject({ statusCode: 200, error: null, connected: true });
    expect(receiver.servername).toBe('receiver.example');
  });

  it('sends nothing where the certificate is of another name or of nobody that is trusted', async () => {
    const receiver = await startReceiver(answering(OK), { tls: true });
    const other = receiver.url.replace('receiver.example', 'other.example');
    expect(await post(other)).toMatchObject({ error: 'tls', connected: false });
    const untrusting = createGuardedPost(LENIENT, { resolve: toLoopback });
    expect(await untrusting(requestTo(receiver.url))).toMatchObject({ error: 'tls', connected: false });
    const plain = await startReceiver(answering(OK));
    const result = await post(plain.url.replace('http:', 'https:'), { connectTimeoutMs: 1_000 });
    expect(result).toMatchObject({
      error: expect.stringMatching(/^(tls|connect_timeout)$/),
      connected: false,
    });
    expect([...receiver.requests, ...plain.requests]).toEqual([]);
  });
});

/** A key for receiver.example that only these tests use, valid until 2120. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5P/sJb/080tqs4c3
kQvmOWv5Sx3DVLmRYP30z5+2EWChRANCAASbe1pJSm5yOAhifjAtHhPb7g8UZOIK
6T7ajD/RHWB59d4r0t0ijDQ3DK2+5gYAfeQezBNHegHkTkzh6DFC4jQl
-----END PRIVATE KEY-----
`;
const CERT = `-----BEGIN CERTIFICATE-----
MIIBdjCCARygAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBByZWNlaXZl
ci5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBByZWNlaXZlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEm3taSUpucjgIYn4wLR4T2+4PFGTiCuk+2ow/0R1gefXeK9LdIow0NwytvuYG
AH3kHswTR3oB5E5M4egxQuI0JaNPME0wGwYDVR0RBBQwEoIQcmVjZWl2ZXIuZXhh
bXBsZTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSUR1ZqPz38JwOi/RjflUOS
qcB0dDAKBggqhkjOPQQDAgNIADBFAiB52VAwKctUv/iUkSyO5eelGJNiJUCI66/p
tnf3oiuhawIhAP4Bngk2X6jTByV6Rk5DAR1+14Cb/jkAiyEG1WRTZLwT
-----END CERTIFICATE-----
`;
