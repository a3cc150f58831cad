import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { Clock } from '../../../kernel/clock.ts';
import {
  AnswerTimeout,
  type HttpAnswer,
  type HttpRequest,
  type SendHttp,
} from '../../../platform/outbound/http-client.ts';
import { ProviderTimeout } from '../provider.ts';
import type { Rest } from '../rest.ts';
import type { Access } from './access.ts';
import type { Pairs } from './institutions.ts';

/** A token is renewed so long before it ends, for the way and the clocks. */
const TOKEN_MARGIN_MS = 30_000;

/** An answer of the API: its body, or `refused` with the kind of problem (the last part of its `type`). */
type PixAnswer =
  | { readonly status: 'done'; readonly body: unknown }
  | { readonly status: 'not_found' }
  | { readonly status: 'refused'; readonly problem: string };

/**
 * Calls `path` below the API's address. Resolves where the institution has decided; throws where it has not, which says
 * nothing of what became of the call: ProviderTimeout, ProviderBusy, or an Error.
 */
export type CallPix = (
  method: HttpRequest['method'],
  path: readonly string[],
  body?: unknown,
  query?: Pairs,
) => Promise<PixAnswer>;

type Token = { readonly value: string; readonly endsAt: number };

const tokenAnswer = Joi.object({
  access_token: Joi.string().required(),
  expires_in: Joi.number().integer().min(1).default(300),
})
  .unknown()
  .required();

/** The API Pix of one institution: OAuth 2 client credentials (RFC 6749), problems as in RFC 7807. */
export const createPixClient = (deps: {
  readonly send: SendHttp;
  readonly clock: Clock;
  readonly rest: Rest;
  readonly access: Access;
  readonly clientId: string;
  /** Null where the client certificate alone says who asks. */
  readonly clientSecret: string | null;
}): CallPix => {
  const { access, rest } = deps;
  /** One token for each set of scopes that are asked for together. */
  const tokens = new Map<string | null, Promise<Token>>();

  const now = (): number => deps.clock().getTime();

  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    await rest.check();
    const answer = await deps.send(request).catch((error: unknown) => {
      throw error instanceof AnswerTimeout ? new ProviderTimeout(request.method) : error;
    });
    if (answer.status !== 429 && answer.status !== 503) return answer;
    throw await rest.begin(answer.headers['retry-after']);
  };

  const askForToken = async (scopes: string | null): Promise<Token> => {
    const answer = await send({
      method: 'POST',
      url: addressOf(access.tokenUrl, [], access.tokenQuery),
      headers: {
        ...headersOf(deps),
        ...authenticationOf(deps),
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: formOf(deps, scopes).toString(),
    });
    if (!isDone(answer)) throw new Error(`the institution gives no token: ${answer.status}`);
    const { error, value } = tokenAnswer.validate(parse(answer));
    if (error) throw new Error(`the institution gives no token: ${error.message}`);
    return { value: value.access_token, endsAt: now() + value.expires_in * 1_000 - TOKEN_MARGIN_MS };
  };

  /** One token for all calls; those that need a new one at the same time wait for the same. */
  const currentToken = async (scopes: string | null): Promise<string> => {
    const last = tokens.get(scopes);
    const known = await last?.catch(() => null);
    if (known && now() < known.endsAt) return known.value;
    if (tokens.get(scopes) === last) tokens.set(scopes, askForToken(scopes));
    return (await (tokens.get(scopes) ?? askForToken(scopes))).value;
  };

  return async (method, path, body, query = {}) => {
    const [resource = ''] = path;
    const scopes = scopesOf(access, resource);
    const base = access.addresses[`${method} ${resource}`] ?? access.addresses[resource] ?? access.url;
    const url = addressOf(base, path, { ...access.query, ...query });
    const attempt = async (): Promise<HttpAnswer> =>
      send({
        method,
        url,
        headers: {
          ...headersOf(deps),
          Authorization: `Bearer ${await currentToken(scopes)}`,
          Accept: 'application/json, application/problem+json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    let answer = await attempt();
    if (answer.status === 401 || answer.status === 403) {
      // A token that ended before its time, which some say by 403; the institution did nothing yet.
      tokens.delete(scopes);
      answer = await attempt();
    }
    if (isDone(answer)) return { status: 'done', body: parse(answer) };
    if (answer.status === 404 || answer.status === 410) return { status: 'not_found' };
    if (answer.status === 400 || answer.status === 409 || answer.status === 422)
      return { status: 'refused', problem: problemOf(answer) };
    throw new Error(`the institution answers ${answer.status} ${problemOf(answer)}`);
  };
};

/** Resources of mandates and of charges under them. */
const OF_MANDATES: readonly string[] = ['locrec', 'rec', 'cobr', 'webhookrec', 'webhookcobr'];

const scopesOf = ({ scopes, dueScopes, mandateScopes }: Access, resource: string): string | null => {
  if (resource === 'cobv') return dueScopes;
  return OF_MANDATES.includes(resource) ? mandateScopes : scopes;
};

type Client = {
  readonly access: Access;
  readonly clientId: string;
  readonly clientSecret: string | null;
};

const addressOf = (base: string, path: readonly string[], query: Pairs): URL => {
  // A slash at the end is part of an address without a path, as that of tokens may be.
  const url = new URL(
    path.length === 0 ? base : `${base.replace(/\/+$/, '')}/${path.map(encodeURIComponent).join('/')}`,
  );
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
};

const headersOf = ({ access, clientId }: Client): Pairs =>
  Object.fromEntries(
    Object.entries(access.headers).map(([name, value]) => [
      name,
      value.replaceAll('{clientId}', clientId).replaceAll('{uuid}', () => randomUUID()),
    ]),
  );

const authenticationOf = ({ access, clientId, clientSecret }: Client): Pairs =>
  access.tokenAuthentication === 'basic'
    ? { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret ?? ''}`).toString('base64')}` }
    : {};

/** No parameter is sent twice (RFC 6749, 3.2): one of the address is left out here. */
const formOf = ({ access, clientId, clientSecret }: Client, scope: string | null): URLSearchParams => {
  const isInForm = access.tokenAuthentication !== 'basic';
  const form = {
    grant_type: 'client_credentials',
    scope,
    client_id: isInForm ? clientId : null,
    client_secret: access.tokenAuthentication === 'form' ? clientSecret : null,
  };
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(form))
    if (value !== null && !Object.hasOwn(access.tokenQuery, name)) asked.set(name, value);
  return asked;
};

const isDone = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;

const parse = ({ text }: HttpAnswer): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** `…/error/CobOperacaoInvalida` as `cob_operacao_invalida`. */
const problemOf = (answer: HttpAnswer): string => {
  const body = parse(answer);
  const type = typeof body === 'object' && body !== null && 'type' in body ? String(body.type) : '';
  const name = /([A-Za-z]{1,60})$/.exec(type)?.[1] ?? '';
  return name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase() || 'invalid_request';
};
