/** The panel's way to the API: one session for each window, in memory only. */

export type Fault = { readonly path: string; readonly message: string };

/** An answer that is no success; `code` and `requestId` are null where there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly faults: readonly Fault[];

  constructor(
    status: number,
    body: { readonly message?: string; readonly code?: string; readonly errors?: readonly Fault[] },
    requestId: string | null,
  ) {
    super(body.message ?? `HTTP ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? null;
    this.requestId = requestId;
    this.faults = body.errors ?? [];
  }

  /** Whether the gateway, one of its stores or the network is at fault, so that asking again helps. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export type Query = Readonly<Record<string, string | number | undefined>>;
export type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly accept?: string;
};

type Login = {
  readonly email: string;
  readonly password: string;
  readonly environment: 'test' | 'live';
  readonly code?: string;
};

let accessToken: string | null = null;
/** Until a command gives a token of its own: a reload shows what was done before it. */
let consistencyToken: string | null = 'latest';
const AFTER_LOADING_MS = 5_000;
setTimeout(() => {
  if (consistencyToken === 'latest') consistencyToken = null;
}, AFTER_LOADING_MS);

let onEnded: () => void = () => undefined;
/** Calls back when the session has ended and cannot be brought back. */
export const whenSessionEnds = (listen: () => void): void => {
  onEnded = listen;
};

export const urlOf = ({ path, query = {} }: Pick<Call, 'path' | 'query'>): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
};

const TIMEOUT_MS = 30_000;

const send = async (call: Call): Promise<Response> => {
  const { method = 'GET', body, accept = 'application/json' } = call;
  const isFile = body instanceof FormData;
  const headers: Record<string, string> = {
    Accept: accept,
    'X-Requested-With': 'portico',
    ...(accessToken ? { Authorization: `Bearer ${accessToken}` } : {}),
    ...(method === 'GET' && consistencyToken ? { 'X-Consistency-Token': consistencyToken } : {}),
    ...(body === undefined || isFile ? {} : { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(urlOf(call), {
    method,
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, { message: 'The gateway did not answer' }, null);
  });
  if (method !== 'GET') consistencyToken = response.headers.get('X-Consistency-Token') ?? consistencyToken;
  return response;
};

const errorOf = async (response: Response): Promise<ApiError> =>
  new ApiError(
    response.status,
    await response.json().catch(() => ({})),
    response.headers.get('X-Request-Id'),
  );

const TOKENS = '/v1/auth/refresh';

/**
 * Brings the session back by the refresh cookie. One window at a time: a cookie that comes twice would end it.
 */
export const resume = async (): Promise<boolean> =>
  navigator.locks.request('portico-refresh', async () => {
    accessToken = null;
    const response = await send({ method: 'POST', path: TOKENS });
    if (!response.ok) return false;
    accessToken = (await response.json()).accessToken;
    return true;
  });

const request = async (call: Call): Promise<Response> => {
  const former = accessToken;
  let response = await send(call);
  if (response.status === 401 && former !== null) {
    const isBack = accessToken !== former || (await resume());
    if (isBack) response = await send(call);
    else onEnded();
  }
  if (!response.ok) throw await errorOf(response);
  return response;
};

/** The answer to a call; throws ApiError. */
export const ask = async <T>(call: Call): Promise<T> => {
  const response = await request(call);
  return (response.status === 204 ? undefined : await response.json()) as T;
};

/** A file that the API answers. */
export const download = async (call: Call): Promise<Blob> => (await request(call)).blob();

/** The step that a login lacks until its token is good for anything else. */
export type Pending = 'password' | 'second factor' | null;

export const signIn = async (login: Login): Promise<{ readonly pending: Pending }> => {
  accessToken = null;
  const response = await send({
    method: 'POST',
    path: '/v1/auth/login',
    body: { ...login, refresh: true },
  });
  if (!response.ok) throw await errorOf(response);
  const body = await response.json();
  accessToken = body.accessToken;
  if (body.passwordChangeRequired) return { pending: 'password' };
  return { pending: body.secondFactorSetupRequired ? 'second factor' : null };
};

export const signOut = async (): Promise<void> => {
  await ask({ method: 'POST', path: '/v1/auth/logout' }).catch(() => undefined);
  accessToken = null;
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const bodyAsCurl = (body: unknown): readonly string[] => {
  if (body === undefined) return [];
  if (!(body instanceof FormData))
    return [`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`];
  return [...body].map(
    ([name, value]) => `-F ${quoted(`${name}=${value instanceof File ? `@${value.name}` : value}`)}`,
  );
};

/** The same call for a terminal; the token stays out of it. */
export const asCurl = (call: Call): string =>
  [
    'curl -g',
    ...(call.method && call.method !== 'GET' ? [`-X ${call.method}`] : []),
    quoted(`${location.origin}${decodeURIComponent(urlOf(call))}`),
    '-H "Authorization: Bearer $TOKEN"',
    ...bodyAsCurl(call.body),
  ].join(' ');
