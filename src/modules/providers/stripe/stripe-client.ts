import { setTimeout as sleep } from 'node:timers/promises';
import type { Stripe } from 'stripe';
import { AnswerTimeout, type HttpAnswer, type SendHttp } from '../../../platform/outbound/http-client.ts';
import { ProviderTimeout } from '../provider.ts';
import type { Rest } from '../rest.ts';

/**
 * An answer of the API. `refused`: Stripe has decided against it. `unusable_key`: under this idempotency key Stripe
 * was asked for something else, or has failed once and repeats that.
 */
type StripeAnswer<T> =
  | { readonly status: 'done'; readonly value: T; readonly isReplayed: boolean }
  | { readonly status: 'refused'; readonly code: string }
  | { readonly status: 'unusable_key' };

/**
 * Calls Stripe. Resolves where Stripe has decided; throws where it has not, which says nothing of what became of the
 * call: ProviderTimeout, ProviderBusy, or an Error.
 */
export type CallStripe = <T>(
  work: (stripe: Stripe) => Promise<T & { readonly lastResponse?: StripeResponse }>,
) => Promise<StripeAnswer<T>>;

type StripeResponse = { readonly headers: Readonly<Record<string, string>> };

/**
 * Number of repeats of a call that meets another one with its key or object, and the pauses between them.
 */
const CONFLICTS = 20;
const CONFLICT_PAUSE_MS = 50;
const REPLAYED = 'idempotent-replayed';
/** Another request holds the object: a 429 that says nothing of the account (docs.stripe.com/rate-limits). */
const LOCKED = 'lock_timeout';

/** Loads the package where Stripe is configured only: 23 MB, and a tenth of a second. */
export const loadStripe = async () => (await import('stripe')).default;

export const createStripeClient = (deps: {
  readonly send: SendHttp;
  readonly rest: Rest;
  /** Without a path at the end. */
  readonly url: string;
  /** Where files are sent to, which the API takes on a host of its own. */
  readonly filesUrl: string;
  readonly secretKey: string;
}): CallStripe => {
  const { rest } = deps;
  let connected: Promise<Stripe> | null = null;

  const connect = async (): Promise<Stripe> =>
    new (await loadStripe())(deps.secretKey, {
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: transportBy(deps),
    });

  return async (work) => {
    connected ??= connect();
    const stripe = await connected;
    for (let conflicts = 0; ; conflicts += 1) {
      await rest.check();
      try {
        const value = await work(stripe);
        return { status: 'done', value, isReplayed: value.lastResponse?.headers[REPLAYED] === 'true' };
      } catch (error) {
        if (!isStripeError(error)) throw error;
        const isBusyObject = error.statusCode === 409 || error.code === LOCKED;
        if (!isBusyObject && (error.statusCode === 429 || error.statusCode === 503))
          throw await rest.begin(error.headers?.['retry-after']);
        if (!isBusyObject || conflicts >= CONFLICTS) return decisionOf(error);
      }
      await sleep(CONFLICT_PAUSE_MS);
    }
  };
};

/** Parts of a StripeError that the gateway goes by. */
type Failure = {
  readonly type: string;
  readonly statusCode?: number;
  readonly code?: string;
  readonly decline_code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly detail?: unknown;
};

const isStripeError = (error: unknown): error is Failure =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');

/** Throws without Stripe's own message, which is for developers and may repeat what was sent. */
const decisionOf = (error: Failure): Exclude<StripeAnswer<never>, { status: 'done' }> => {
  const { type, statusCode, code } = error;
  if (error.detail instanceof AnswerTimeout) throw new ProviderTimeout('a request');
  if (type === 'StripeIdempotencyError' || error.headers?.[REPLAYED] === 'true') {
    if (type === 'StripeIdempotencyError' || (statusCode ?? 0) >= 500) return { status: 'unusable_key' };
  }
  if (statusCode === 400 || statusCode === 402 || statusCode === 404)
    return { status: 'refused', code: codeOf(error) };
  throw new Error(`Stripe answers ${statusCode ?? 'nothing'} ${code ?? type}`);
};

/** Refusal of a request that is at fault itself, for which Stripe names no code. */
export const INVALID_REQUEST = 'invalid_request';

/** The reason in snake_case. */
const codeOf = ({ decline_code: declined, code }: Failure): string => {
  const reason = declined && declined !== 'generic_decline' ? declined : code;
  return reason && /^[a-z0-9_]{1,60}$/.test(reason) ? reason : INVALID_REQUEST;
};

/** The package's requests by the gateway's own client: bounded, and repeated by nobody but the gateway. */
const FILES_HOST = 'files.stripe.com';

const transportBy = ({
  send,
  url,
  filesUrl,
}: {
  readonly send: SendHttp;
  readonly url: string;
  readonly filesUrl: string;
}): Stripe.HttpClient => ({
  getClientName: () => 'portico',
  async makeRequest(host, _port, path, method, headers, body) {
    const isGet = method === 'GET';
    return responseOf(
      await send({
        method: isGet ? 'GET' : 'POST',
        url: new URL(`${host === FILES_HOST ? filesUrl : url}${path}`),
        headers: headers as Record<string, string>,
        ...(isGet ? {} : { body }),
      }),
    );
  },
});

const responseOf = (answer: HttpAnswer): Stripe.HttpClientResponse => ({
  getStatusCode: () => answer.status,
  getHeaders: () => answer.headers as Record<string, string>,
  getRawResponse: () => answer,
  toStream: () => {
    throw new Error('no call here reads a stream');
  },
  toJSON: async () => JSON.parse(answer.text),
});

/** The value of an answer; throws where Stripe gave none. */
export const done = <T>(answer: StripeAnswer<T>): T => {
  if (answer.status !== 'done') throw new Error(`Stripe does not read: ${answer.status}`);
  return answer.value;
};
