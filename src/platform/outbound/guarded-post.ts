import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { isForbiddenAddress } from './forbidden-address.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

export type GuardRules = {
  /** Allows 127.0.0.0/8, ::1 and localhost, but nothing else that is forbidden. */
  readonly allowLoopback: boolean;
  readonly requireHttps: boolean;
};

export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Time for name look-up, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  readonly totalTimeoutMs: number;
  /** The rest of the answer is not read. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
};

type PostError =
  | 'aborted'
  | 'connect_timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'forbidden_url'
  | 'headers_too_large'
  | 'invalid_request'
  | 'invalid_response'
  /**
   * A name that has no address, or has a forbidden one. The two share a code, so that nobody learns which names exist
   * in a private network.
   */
  | 'no_public_address'
  | 'redirect'
  | 'timeout'
  | 'tls'
  | 'unreachable';

/** Delivered where `error` is null and `statusCode` is a success. */
export type PostResult = {
  /** Null where no answer came. An answer that broke off has both a status and an error. */
  readonly statusCode: number | null;
  /** The received part of the answer's body as text; null without an answer. */
  readonly response: string | null;
  readonly error: PostError | null;
  /** The wait that the receiver asked for, at most a day. */
  readonly retryAfterSeconds: number | null;
  /** 0 where no public address was found. */
  readonly durationMs: number;
  /** False where the connection was never established, so that the receiver has seen nothing of the request. */
  readonly connected: boolean;
};

/** Posts bytes to a URL that somebody else chose. Never throws. */
export type GuardedPost = (request: PostRequest) => Promise<PostResult>;

const MAX_HEADER_BYTES = 16_384;
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Limited, because all addresses of a name are checked. */
const MAX_ADDRESSES_TRIED = 3;
/** Names that no public name server resolves (RFC 6761, 6762, 8375 and ICANN's .internal). */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/;

/** The fault of a URL's form, as a sentence without its subject; null where there is none. */
export const urlFault = (url: string, rules: GuardRules): string | null => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const fault = formFault(parsed, rules);
  if (fault !== null || parsed === null) return fault;
  return isForbiddenHost(hostOf(parsed), rules) ? 'must not lead to a private or reserved address' : null;
};

const formFault = (url: URL | null, rules: GuardRules): string | null => {
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be an http or https URL';
  if (rules.requireHttps && url.protocol !== 'https:') return 'must be an https URL';
  if (url.username || url.password) return 'must not hold credentials';
  return url.hostname.endsWith('.') ? 'must not have a host that ends with a dot' : null;
};

/** The host as a name or address. The parser has already unified the many notations of an address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const isForbiddenHost = (host: string, rules: GuardRules): boolean => {
  if (isIP(host)) return isForbiddenAddress(host, rules);
  const allowed = rules.allowLoopback && /(^|\.)localhost$/.test(host);
  return LOCAL_NAME.test(host) && !allowed;
};

/**
 * The name is resolved once, all of its addresses are checked, and the socket connects to one of these, so that a name
 * whose address changes in between gains nothing. Redirects are not followed, connections are not kept, and nothing of
 * the answer is trusted but its status and Retry-After.
 */
export const createGuardedPost =
  (rules: GuardRules, { resolve = resolveHost, ca }: Surroundings = {}): GuardedPost =>
  async (request) => {
    const startedAt = performance.now();
    const progress: Progress = { connected: false, answer: null, body: [] };
    const stop = new AbortController();
    const stopped = new Promise<PostError>((end) => {
      stop.signal.addEventListener('abort', () => end(stop.signal.reason));
    });
    const connectTimer = setTimeout(() => {
      if (!progress.connected) stop.abort('connect_timeout');
    }, request.connectTimeoutMs);
    const totalTimer = setTimeout(() => stop.abort('timeout'), request.totalTimeoutMs);
    const onAbort = (): void => stop.abort('aborted');
    request.signal?.addEventListener('abort', onAbort);
    if (request.signal?.aborted) onAbort();
    const error = await Promise.race([
      stopped,
      exchange({ request, rules, resolve, ca, stopping: stop.signal, progress }),
    ]);
    clearTimeout(connectTimer);
    clearTimeout(totalTimer);
    request.signal?.removeEventListener('abort', onAbort);
    // Ends whatever is still open: the look-up, or a connection whose answer is longer than needed. Without a reason
    // each attempt would create an error with its stack.
    stop.abort('done');
    return {
      statusCode: progress.answer?.statusCode ?? null,
      response: progress.answer && textOf(progress.body, request.maxResponseBytes),
      error,
      retryAfterSeconds: progress.answer && retryAfterOf(progress.answer.headers['retry-after']),
      // The time that was spent on a name would show whether it exists in a private network.
      durationMs: error === 'no_public_address' ? 0 : Math.round(performance.now() - startedAt),
      connected: progress.connected,
    };
  };

/** Overrides the machine's name servers and trusted certificates. */
type Surroundings = { readonly resolve?: ResolveHost; readonly ca?: string | undefined };

/** Progress of an attempt. */
type Progress = { connected: boolean; answer: IncomingMessage | null; readonly body: Buffer[] };

type Attempt = {
  readonly request: PostRequest;
  readonly rules: GuardRules;
  readonly resolve: ResolveHost;
  readonly ca: string | undefined;
  readonly stopping: AbortSignal;
  readonly progress: Progress;
};

const exchange = async (attempt: Attempt): Promise<PostError | null> => {
  const { request, rules, resolve, stopping } = attempt;
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  if (url === null || formFault(url, rules) !== null) return 'forbidden_url';
  if (isForbiddenHost(hostOf(url), rules)) return 'no_public_address';
  const addresses = await publicAddresses(hostOf(url), rules, resolve, stopping);
  if (stopping.aborted) return 'aborted';
  return addresses.length === 0 ? 'no_public_address' : post(attempt, url, addresses);
};

const post = (attempt: Attempt, url: URL, addresses: readonly string[]): Promise<PostError | null> =>
  new Promise((end) => {
    const { request, progress } = attempt;
    const secure = url.protocol === 'https:';
    let reached = false;
    const fail = (error: NodeJS.ErrnoException): void => end(codeOf(error, { secure, reached, progress }));
    let outgoing: ClientRequest;
    try {
      outgoing = (secure ? requestHttps : requestHttp)(optionsOf(attempt, url, addresses));
    } catch {
      return end('invalid_request');
    }
    attempt.stopping.addEventListener('abort', () => outgoing.destroy());
    outgoing.on('error', fail);
    outgoing.on('close', () => end('connection_reset'));
    outgoing.on('socket', (socket) => {
      socket.once('connect', () => {
        reached = true;
      });
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        progress.connected = true;
      });
    });
    outgoing.on('response', (answer) => {
      progress.answer = answer;
      const done = (): void => end(isRedirect(answer) ? 'redirect' : null);
      let bytes = 0;
      answer.on('error', fail);
      answer.on('end', done);
      answer.on('data', (chunk: Buffer) => {
        progress.body.push(chunk);
        bytes += chunk.length;
        if (bytes >= request.maxResponseBytes) done();
      });
    });
    outgoing.end(request.body);
  });

const optionsOf = (
  { request, ca }: Attempt,
  url: URL,
  addresses: readonly string[],
): RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> => ({
  method: 'POST',
  // The certificate is checked against the name, not against the address.
  hostname: hostOf(url),
  port: url.port,
  path: `${url.pathname}${url.search}`,
  headers: { ...request.headers, 'content-length': request.body.length },
  // No connection is kept, because the receiver may close it just when the next attempt begins.
  agent: false,
  ...(ca !== undefined && { ca }),
  maxHeaderSize: MAX_HEADER_BYTES,
  lookup: lookupIn(addresses),
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(request.connectTimeoutMs / addresses.length)),
});

/** A look-up for sockets that returns no forbidden address, whatever the name resolves to later. */
export const guardedLookup =
  (rules: GuardRules, timeoutMs: number, resolve: ResolveHost = resolveHost): LookupFunction =>
  (host, options, answer) => {
    const ends = AbortSignal.timeout(timeoutMs);
    void publicAddresses(host, rules, resolve, ends).then((addresses) => {
      if (addresses.length === 0) return answer(new Error(`${host} has no public address`), []);
      lookupIn(addresses)(host, options, answer);
    });
  };

/** The addresses of a name; empty where it has none, or where one of them is forbidden. */
const publicAddresses = async (
  host: string,
  rules: GuardRules,
  resolve: ResolveHost,
  stopping: AbortSignal,
): Promise<readonly string[]> => {
  const addresses = await resolve(host, stopping).catch(() => []);
  return addresses.some((address) => isForbiddenAddress(address, rules))
    ? []
    : addresses.slice(0, MAX_ADDRESSES_TRIED);
};

/** A look-up for sockets that returns the addresses that were checked. */
const lookupIn =
  (addresses: readonly string[]): LookupFunction =>
  (_host, _options, answer) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    process.nextTick(() => answer(null, found));
  };

const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 300 && statusCode < 400;

const textOf = (chunks: readonly Buffer[], maxBytes: number): string =>
  // The decoder drops a character that the limit cut in two.
  new StringDecoder('utf8').write(Buffer.concat(chunks).subarray(0, maxBytes));

const codeOf = (
  { code = '' }: NodeJS.ErrnoException,
  { secure, reached, progress }: { secure: boolean; reached: boolean; progress: Progress },
): PostError => {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code.startsWith('HPE_')) return 'invalid_response';
  if (progress.connected) return 'connection_reset';
  if (reached && secure) return 'tls';
  if (code === 'ECONNREFUSED') return 'connection_refused';
  return code === 'ETIMEDOUT' ? 'connect_timeout' : 'unreachable';
};

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds from a Retry-After in either form (RFC 9110, section 10.2.3); null for a value that makes no sense. */
const retryAfterOf = (header: string | undefined): number | null => {
  const seconds =
    header === undefined
      ? Number.NaN
      : /^\d{1,15}$/.test(header)
        ? Number(header)
        : HTTP_DATE.test(header)
          ? Math.ceil((Date.parse(header) - Date.now()) / 1000)
          : Number.NaN;
  return Number.isNaN(seconds) ? null : Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(0, seconds));
};
