import { setTimeout as sleep } from 'node:timers/promises';
import {
  AnswerTimeout,
  type HttpAnswer,
  type HttpRequest,
  type SendHttp,
} from '../../../platform/outbound/http-client.ts';
import { ProviderTimeout } from '../provider.ts';
import type { Rest } from '../rest.ts';
import { reasonOfProblem } from './reasons.ts';

/** An answer of the API: its body, or `refused` with the reason. `forbidden`: the account may not do this. */
type MercadoPagoAnswer =
  | { readonly status: 'done'; readonly body: unknown }
  | { readonly status: 'not_found' }
  | { readonly status: 'forbidden' }
  | { readonly status: 'refused'; readonly reason: string };

type MercadoPagoRequest = {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  /** A request that was made before under the same key is answered as it was then (`X-Idempotency-Key`). */
  readonly key?: string;
};

/**
 * Calls Mercado Pago. Resolves where Mercado Pago has decided; throws where it has not, which says nothing of what
 * became of the call: ProviderTimeout, ProviderBusy, or an Error.
 */
export type CallMercadoPago = (
  method: HttpRequest['method'],
  path: string,
  request?: MercadoPagoRequest,
) => Promise<MercadoPagoAnswer>;

/** Number of repeats of a call that meets another one with its key, and the pauses between them. */
const CONFLICTS = 20;
const CONFLICT_PAUSE_MS = 50;

/** Another request with this key or about this object is still being processed. */
const isConflict = ({ status }: HttpAnswer): boolean => status === 409 || status === 423;

export const createMercadoPagoClient = (deps: {
  readonly send: SendHttp;
  readonly rest: Rest;
  /** Without a path at the end. */
  readonly url: string;
  readonly accessToken: string;
}): CallMercadoPago => {
  const { rest } = deps;

  const attempt = async (request: HttpRequest): Promise<HttpAnswer> => {
    await rest.check();
    const answer = await deps.send(request).catch((error: unknown) => {
      throw error instanceof AnswerTimeout ? new ProviderTimeout(request.method) : error;
    });
    if (answer.status !== 429 && answer.status !== 503) return answer;
    throw await rest.begin(answer.headers['retry-after']);
  };

  return async (method, path, { body, query = {}, key } = {}) => {
    const url = new URL(deps.url + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const request: HttpRequest = {
      method,
      url,
      headers: {
        Authorization: `Bearer ${deps.accessToken}`,
        Accept: 'application/json',
        // Without it a refund that is being processed is answered as an error, and is not shown.
        'X-Render-In-Process-Refunds': 'true',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'X-Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    let answer = await attempt(request);
    for (let conflicts = 0; isConflict(answer) && conflicts < CONFLICTS; conflicts += 1) {
      await sleep(CONFLICT_PAUSE_MS);
      answer = await attempt(request);
    }
    if (isConflict(answer)) throw new Error('Mercado Pago is still at another request of this kind');
    return decisionOf(answer);
  };
};

/** Throws without the message of the answer, which is for developers and may repeat what was sent. */
const decisionOf = (answer: HttpAnswer): MercadoPagoAnswer => {
  const { status } = answer;
  if (status >= 200 && status < 300) return { status: 'done', body: parse(answer) };
  if (status === 404) return { status: 'not_found' };
  if (status === 403) return { status: 'forbidden' };
  if (status === 400 || status === 402 || status === 422)
    return { status: 'refused', reason: reasonOfProblem(parse(answer)) };
  throw new Error(`Mercado Pago answers ${status}`);
};

const parse = ({ text }: HttpAnswer): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
