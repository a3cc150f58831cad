import {
  type ApiError,
  addressOf,
  createPortico,
  type DataOf,
  type InputOf,
  type OperationId,
  PorticoError,
  type RequestSettings,
  type Schemas,
  unwrap,
} from '../client/client.ts';
import { OPERATIONS } from '../client/operations.ts';

/** The panel's way to the API: one session for each window, in memory only. */
let accessToken: string | null = null;

export type Me = Schemas['Me'];
/** The user whose records this window shows. */
let owner: Me | null = null;
let onEnded: () => void = () => undefined;
/** Calls back when the session has ended and cannot be brought back. */
export const whenSessionEnds = (listen: () => void): void => {
  onEnded = listen;
};

/** A page of another site cannot send this header, so the gateway takes the cookie of the session with it only. */
const BY_COOKIE = { headers: { 'X-Requested-With': 'portico' } };
const baseUrl = globalThis.location?.origin ?? '';
const anonymous = createPortico({ baseUrl });

/**
 * Brings the session back by the refresh cookie. One window at a time: a cookie that comes twice would end it. Null
 * without a session, and where another window signed in somebody else, who must not act here.
 */
const bringBack = async (): Promise<Me | null> => {
  const refreshed = await navigator.locks.request('portico-refresh', () => anonymous.refreshToken(BY_COOKIE));
  if (!refreshed.ok && isFailurePassing(refreshed.error)) throw new PorticoError(refreshed.error);
  accessToken = null;
  if (!refreshed.ok) return null;
  const authorization = `Bearer ${refreshed.data.accessToken}`;
  const me = unwrap(await anonymous.getMe({ headers: { authorization } }));
  if (owner !== null && (owner.id !== me.id || owner.livemode !== me.livemode)) return null;
  accessToken = refreshed.data.accessToken;
  owner = me;
  return me;
};
let resuming: Promise<Me | null> | null = null;
export const resume = (): Promise<Me | null> => {
  resuming ??= bringBack().finally(() => {
    resuming = null;
  });
  return resuming;
};

/** Sends a request again with the token of a session that was brought back. */
const sendInSession: typeof fetch = async (address, init = {}) => {
  const former = accessToken;
  const response = await fetch(address, init);
  if (response.status !== 401 || former === null) return response;
  const isBack = accessToken === former ? (await resume()) !== null : accessToken !== null;
  if (!isBack) {
    onEnded();
    return response;
  }
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${accessToken}`);
  return fetch(address, { ...init, headers });
};
const portico = createPortico({ baseUrl, credentials: () => accessToken, fetch: sendInSession });

/** Names are the API's; values are what was typed, which the API checks. */
type Form<Body> = Body extends readonly unknown[] ? Body : { readonly [Name in keyof Body]?: unknown };
type Input<Id extends OperationId> = Omit<InputOf<Id>, 'query' | 'body' | keyof RequestSettings> &
  (InputOf<Id> extends { readonly query?: infer Asked }
    ? { readonly query?: { readonly [Name in keyof Asked]?: string | number } }
    : unknown) &
  (InputOf<Id> extends { readonly body?: infer Body } ? { readonly body?: Form<Body> } : unknown);
export type Query = Readonly<Record<string, string | number | undefined>>;

/** An operation with its parameters and body. */
export type Call<Data = unknown> = {
  readonly operation: OperationId;
  readonly input: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Query;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Never there: the compiler learns by it what is answered. */
  readonly answers?: Data;
};

export const call = <Id extends OperationId>(
  operation: Id,
  ...[input]: Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]
): Call<DataOf<Id>> => ({ operation, input: (input ?? {}) as Call['input'] });

/** A reload shows what was done before it. */
const AFTER_LOADING_MS = 5_000;

/** The answer to a call; throws PorticoError. */
export const ask = async <Data>({ operation, input }: Call<Data>): Promise<Data> => {
  const send = portico[operation] as (input: object) => Promise<Parameters<typeof unwrap<Data>>[0]>;
  return unwrap<Data>(await send({ ...input, latest: performance.now() < AFTER_LOADING_MS }));
};

/** Every row of a list, page after page: rows that come meanwhile move no others. Throws PorticoError. */
export const askEach = <Row>({ operation, input }: Call<{ readonly data: readonly Row[] }>) => {
  const each = portico.each as (list: OperationId, input: object) => AsyncGenerator<Row, void, undefined>;
  return each(operation, { ...input, latest: performance.now() < AFTER_LOADING_MS });
};

/** A file that the API answers. */
export const download = ({ operation, input }: Call, accept: string): Promise<Blob> =>
  ask<Blob>({ operation, input: { ...input, headers: { accept } } });

/** The API's account of a failure; null where the window itself is at fault. */
export const apiError = (error: unknown): ApiError<unknown> | null =>
  error instanceof PorticoError ? error.error : null;

const isFailurePassing = ({ statusCode }: ApiError<unknown>): boolean =>
  statusCode === 0 || statusCode === 429 || statusCode >= 500;

/** Whether the gateway, one of its stores or the network is at fault, so that asking again helps. */
export const isPassing = (error: unknown): boolean => {
  const told = apiError(error);
  return told !== null && isFailurePassing(told);
};

/** The step that a login lacks until its token allows anything else. */
export type Pending = 'password' | 'second factor' | null;

export const signIn = async (login: Omit<Schemas['LoginRequest'], 'refresh'>): Promise<Pending> => {
  const done = unwrap(await anonymous.login({ ...BY_COOKIE, body: { ...login, refresh: true } }));
  accessToken = done.accessToken;
  if (done.passwordChangeRequired) return 'password';
  return done.secondFactorSetupRequired ? 'second factor' : null;
};

/**
 * Goes on in the other environment, in one window at a time like a refresh, because the answer sets the cookie. The
 * panel is loaded anew: what is shown and what is still being sent belongs to the former session, whose token ends
 * here.
 */
export const switchEnvironment = async (livemode: boolean): Promise<void> => {
  const environment = livemode ? 'live' : 'test';
  unwrap(
    await navigator.locks.request('portico-refresh', () =>
      portico.switchEnvironment({ body: { environment } }),
    ),
  );
  globalThis.location.assign('/panel');
};

/** The user of the session from now on; null where it allows nothing. */
export const readMe = async (): Promise<Me | null> => {
  try {
    owner = await ask(call('getMe'));
  } catch (error) {
    if (isPassing(error)) throw error;
    owner = null;
  }
  return owner;
};

/** Ends the session; throws where the gateway does not know of it, as its cookie would bring it back. */
export const signOut = async (): Promise<void> => {
  const left = await portico.logout(BY_COOKIE);
  if (!left.ok && isFailurePassing(left.error)) throw new PorticoError(left.error);
  accessToken = null;
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Brackets, colons, commas and at signs are easier to read as they are, and mean nothing else in a query. */
const legible = (address: string): string => address.replaceAll(/%(?:5B|5D|3A|2C|40)/g, decodeURIComponent);

/** The call that answers the token which all others need. */
const LOGIN: OperationId = 'login';

/** Writes a call for a terminal; the token stays out of it. */
export const asCurl = ({ operation, input }: Call): string => {
  const [method, path] = OPERATIONS[operation];
  return [
    'curl -g',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(legible(addressOf(baseUrl, path, input))),
    ...(operation === LOGIN ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(input.body === undefined
      ? []
      : [`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(input.body))}`]),
  ].join(' ');
};

/** The method and path of a call, as the reference has them. */
export const nameOf = ({ operation }: Call): string => OPERATIONS[operation].join(' ');

/** Writes a call for a program with the project's client; the token stays out of it. */
export const asTypeScript = ({ operation, input }: Call): string => {
  const { path, query, body } = input;
  const given = JSON.stringify({ path, query, body }, null, 2).replaceAll(
    /^( +)"([A-Za-z_]\w*)": /gm,
    '$1$2: ',
  );
  return [
    "import { createPortico, unwrap } from 'portico-client';",
    '',
    `const portico = createPortico({ baseUrl: '${baseUrl}', credentials: process.env.TOKEN ?? '' });`,
    `const answer = unwrap(await portico.${operation}(${given === '{}' ? '' : given}));`,
    '',
  ].join('\n');
};
