import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type RequestOptions,
  request,
} from 'node:http';
import { Agent as HttpsAgent, request as secureRequest } from 'node:https';
import { TLSSocket } from 'node:tls';
import { presentTrace } from '../tracing.ts';
import { type GuardRules, guardedLookup, urlFault } from './guarded-post.ts';

/**
 * An idle connection is closed before the other side may close it, which is commonly after 5 seconds, because a request
 * that crosses the closing gets no answer.
 */
const MAX_REST_MS = 2_000;

/** No caller needs larger answers. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

/** Sends one request; rejects where no complete answer comes, with AnswerTimeout where it does not come in time. */
export type SendHttp = (request: HttpRequest) => Promise<HttpAnswer>;

/** The other side may have done what it was asked for, but the answer did not come in time. */
export class AnswerTimeout extends Error {
  constructor(host: string, cause: unknown) {
    super(`${host} did not answer in time`, { cause });
    this.name = 'AnswerTimeout';
  }
}

/** The client's own certificate and key, both in PEM or together in one PKCS#12 file (RFC 7292). */
export type ClientIdentity =
  | { readonly certificate: string; readonly privateKey: string | undefined }
  | { readonly pkcs12: Buffer; readonly password: string | undefined };

const tlsOf = (identity: ClientIdentity) =>
  'pkcs12' in identity
    ? { pfx: identity.pkcs12, passphrase: identity.password }
    : { cert: identity.certificate, key: identity.privateKey };

export type OpenHttp = (options: {
  readonly timeoutMs: number;
  readonly identity?: ClientIdentity | undefined;
  /** Trusted authorities in PEM. */
  readonly authorities?: string | undefined;
  /** Called for each new connection with the expiry of the client's certificate. */
  readonly noteIdentityEnd?: ((at: Date) => void) | undefined;
  /** Limits the addresses of a partner whose address somebody else chose. */
  readonly guard?: GuardRules | undefined;
}) => SendHttp;

/**
 * A client for one partner. It keeps connections, shows its own certificate where it has one (mutual TLS), and trusts
 * the public authorities unless others are given. Redirects are not followed, so secrets go only to the configured
 * host.
 */
export const createHttpClient: OpenHttp = (options) => {
  const { guard } = options;
  const resting = {
    keepAlive: true,
    timeout: MAX_REST_MS,
    ...(guard && { lookup: guardedLookup(guard, options.timeoutMs), autoSelectFamily: true }),
  };
  const https = new HttpsAgent({
    ...resting,
    ...(options.identity && tlsOf(options.identity)),
    ca: options.authorities,
    minVersion: 'TLSv1.2',
  });
  const http = new HttpAgent(resting);
  return ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      // A host that is an address is never looked up, so the URL is checked here.
      const fault = guard ? urlFault(url.href, guard) : null;
      if (fault !== null) throw new Error(`${url.host} ${fault}`);
      const signal = AbortSignal.timeout(options.timeoutMs);
      const fail = (error: unknown): void =>
        reject(signal.aborted ? new AnswerTimeout(url.host, error) : error);
      const isSecure = url.protocol === 'https:';
      const settings: RequestOptions = {
        method,
        headers: { ...headers, ...presentTrace() },
        signal,
        agent: isSecure ? https : http,
      };
      const sent = (isSecure ? secureRequest : request)(url, settings, (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('error', fail).on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) answer.destroy(new Error(`${url.host} answers too much`));
        });
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      if (options.identity && options.noteIdentityEnd) noteEnd(sent, options.noteIdentityEnd);
      sent.on('error', fail).end(body);
    });
};

const noteEnd = (sent: ClientRequest, note: (at: Date) => void): void => {
  sent.on('socket', (socket) => {
    if (!(socket instanceof TLSSocket) || !socket.connecting) return;
    socket.once('secureConnect', () => {
      const shown = socket.getCertificate();
      if (shown && 'valid_to' in shown) note(new Date(shown.valid_to));
    });
  });
};
