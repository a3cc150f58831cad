import { OPERATIONS } from './operations.ts';
import type { components, operations } from './schema.ts';

/** A client of the gateway's API for Node.js and browsers, without dependencies. */

/** Bodies and their parts, by their names in the OpenAPI document. */
export type Schemas = components['schemas'];

export type OperationId = keyof typeof OPERATIONS & keyof operations;

export type PorticoOptions = {
  /** Such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** A secret key, a public key or the token of a login; a function is asked before each request. */
  readonly credentials?: string | (() => string | null | Promise<string | null>);
  /** Milliseconds until a request without an answer counts as timed out. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** Set where the merchant has the setting `unique_references`: a charge without an answer is then sent once more. */
  readonly uniqueReferences?: boolean;
};

/** Settings of one request. */
export type RequestSettings = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Makes a list wait for everything that was recorded before, not only for this client's commands. */
  readonly latest?: boolean;
};

type JsonOf<T> = T extends { content: { 'application/json': infer Json } } ? Json : undefined;
type Responses<Id extends OperationId> = operations[Id]['responses'];
type StatusesFrom<R, Digit extends string> =
  Extract<keyof R, number> extends infer Status
    ? Status extends number
      ? `${Status}` extends `${Digit}${string}`
        ? Status
        : never
      : never
    : never;
type AnswerWith<R, Digit extends string> =
  StatusesFrom<R, Digit> extends infer Status ? (Status extends keyof R ? JsonOf<R[Status]> : never) : never;

/** The body of an operation's success. */
export type DataOf<Id extends OperationId> = AnswerWith<Responses<Id>, '2'>;
type CodeIn<E> = E extends { code: infer Code } ? Code : never;
/** The codes that tell an operation's refusals apart. */
export type CodeOf<Id extends OperationId> = CodeIn<AnswerWith<Responses<Id>, '4'>>;

type Faults = Schemas['Error']['errors'];

/** A refusal, or a request without an answer: then `statusCode` is 0. */
export type ApiError<Code = Schemas['ErrorCode']> = {
  /** Null where the status says it all. */
  readonly code: Code | 'TIMEOUT' | 'NETWORK' | null;
  readonly statusCode: number;
  readonly message: string;
  readonly permission?: string;
  /** The charge that has the reference, with code `REFERENCE_ALREADY_USED`. */
  readonly chargeId?: string;
  readonly errors?: Faults;
  /** Names the request in the logs of the gateway; null without an answer. */
  readonly requestId: string | null;
};

export type Result<Id extends OperationId> =
  | { readonly ok: true; readonly status: number; readonly data: DataOf<Id>; readonly headers: Headers }
  | { readonly ok: false; readonly error: ApiError<CodeOf<Id>> };

type PathOf<O> = O extends { parameters: { path: infer Path } } ? { readonly path: Path } : unknown;
type QueryOf<O> = O extends { parameters: { query: infer Query } }
  ? { readonly query: Query }
  : O extends { parameters: { query?: infer Query } }
    ? { readonly query?: Query }
    : unknown;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { readonly body: Body }
  : O extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { readonly body?: Body }
    : unknown;

/** Parameters and body of an operation. */
export type InputOf<Id extends OperationId> = PathOf<operations[Id]> &
  QueryOf<operations[Id]> &
  BodyOf<operations[Id]> &
  RequestSettings;
type Arguments<Id extends OperationId> =
  Record<never, never> extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>];

/** Each operation of the API by its name. */
export type Operations = { readonly [Id in OperationId]: (...input: Arguments<Id>) => Promise<Result<Id>> };

type PageOf<Item> = { readonly data: readonly Item[]; readonly page: number; readonly pages: number };
type ItemOf<Id extends OperationId> = DataOf<Id> extends PageOf<infer Item> ? Item : never;
/** Operations that answer pages. */
export type ListId = { [Id in OperationId]: DataOf<Id> extends PageOf<unknown> ? Id : never }[OperationId];

export type Portico = Operations & {
  /** Every item of a list, page after page; throws a `PorticoError`. */
  each<Id extends ListId>(list: Id, ...input: Arguments<Id>): AsyncGenerator<ItemOf<Id>, void, undefined>;
  /** Moves the test clock, and waits until it has arrived, however long that takes; throws a `PorticoError`. */
  moveTestClock(
    move: Schemas['TestClockAdvanceRequest'],
    settings?: RequestSettings,
  ): Promise<Schemas['TestClockAdvance']>;
};

/** The error of a result, for callers who want exceptions. */
export class PorticoError extends Error {
  readonly error: ApiError<unknown>;

  constructor(error: ApiError<unknown>) {
    super(error.message);
    this.name = 'PorticoError';
    this.error = error;
  }
}

/** The data of a result; throws a `PorticoError` for an error. */
export const unwrap = <Data>(
  result:
    | { readonly ok: true; readonly data: Data }
    | { readonly ok: false; readonly error: ApiError<unknown> },
): Data => {
  if (!result.ok) throw new PorticoError(result.error);
  return result.data;
};

/** An operation's input and result without their types, which the compiler has checked. */
type AnyInput = RequestSettings & {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};
type AnyResult =
  | { readonly ok: true; readonly status: number; readonly data: unknown; readonly headers: Headers }
  | { readonly ok: false; readonly error: ApiError };
type Call = (id: OperationId, input?: AnyInput) => Promise<AnyResult>;

export const createPortico = (options: PorticoOptions): Portico => {
  const call = createCall(options);
  const named = Object.fromEntries(
    (Object.keys(OPERATIONS) as OperationId[]).map((id) => [id, (input?: AnyInput) => call(id, input)]),
  );
  return {
    ...named,
    createCharge: (input: AnyInput) => createCharge(call, options.uniqueReferences === true, input),
    each: (list: OperationId, input?: AnyInput) => itemsOf(call, list, input),
    moveTestClock: (move: unknown, settings?: RequestSettings) => moveTestClock(call, move, settings),
  } as unknown as Portico;
};

const MAX_RETRIES = 2;
const MAX_RETRY_AFTER_S = 5;

const createCall = (options: PorticoOptions): Call => {
  const commits = rememberCommits();
  const send = options.fetch ?? fetch;
  const once = async (
    id: OperationId,
    input: AnyInput,
  ): Promise<AnyResult & { readonly retryAfter?: number }> => {
    const [method, path] = OPERATIONS[id];
    const headers = await headersOf(options, input);
    if (method === 'GET') setToken(headers, input.latest ? 'latest' : commits.token());
    const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000);
    try {
      const response = await send(addressOf(options.baseUrl, path, input), {
        method,
        headers,
        signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
        ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      });
      if (method !== 'GET') commits.add(response.headers.get('x-consistency-token'));
      return await resultOf(response);
    } catch (error) {
      if (input.signal?.aborted) throw error;
      return { ok: false, error: withoutAnswer(timeout.aborted ? 'TIMEOUT' : 'NETWORK', error) };
    }
  };
  return async (id, input = {}) => {
    for (let retries = 0; ; retries += 1) {
      const { retryAfter, ...result } = await once(id, input);
      if (OPERATIONS[id][0] !== 'GET' || retryAfter === undefined || retries === MAX_RETRIES) return result;
      await pause(Math.min(retryAfter, MAX_RETRY_AFTER_S) * 1_000);
    }
  };
};

const COMMITS_COUNT_FOR_MS = 60_000;
const MAX_COMMITS = 100;

/** Commits of this client's latest commands, sent along so that lists show them. */
const rememberCommits = () => {
  let commits: readonly { readonly id: string; readonly at: number }[] = [];
  return {
    add(token: string | null): void {
      const at = Date.now();
      const added = (token?.split('.') ?? []).map((id) => ({ id, at }));
      commits = [...commits, ...added].slice(-MAX_COMMITS);
    },
    token(): string | null {
      commits = commits.filter(({ at }) => at > Date.now() - COMMITS_COUNT_FOR_MS);
      return commits.length === 0 ? null : commits.map(({ id }) => id).join('.');
    },
  };
};

const setToken = (headers: Headers, token: string | null): void => {
  if (token !== null && !headers.has('x-consistency-token')) headers.set('x-consistency-token', token);
};

const headersOf = async ({ credentials }: PorticoOptions, input: AnyInput): Promise<Headers> => {
  const headers = new Headers({ accept: 'application/json', ...input.headers });
  if (input.body !== undefined) headers.set('content-type', 'application/json');
  const given = typeof credentials === 'function' ? await credentials() : (credentials ?? null);
  if (given !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${given}`);
  return headers;
};

/** The address of an operation with these parameters. */
export const addressOf = (
  baseUrl: string,
  path: string,
  { path: parameters = {}, query = {} }: Pick<AnyInput, 'path' | 'query'>,
): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search && `?${search}`}`;
};

const resultOf = async (response: Response): Promise<AnyResult & { readonly retryAfter?: number }> => {
  const { status, headers } = response;
  const isJson = /^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '');
  const data: unknown = status === 204 ? undefined : isJson ? await response.json() : await response.blob();
  if (response.ok) return { ok: true, status, data, headers };
  const told = (isJson ? data : {}) as Partial<ApiError>;
  const error: ApiError = {
    message: response.statusText || `status ${status}`,
    ...told,
    statusCode: status,
    code: told.code ?? null,
    requestId: headers.get('x-request-id'),
  };
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return { ok: false, error, ...(Number.isFinite(retryAfter) ? { retryAfter } : {}) };
};

const withoutAnswer = (code: 'TIMEOUT' | 'NETWORK', cause: unknown): ApiError => ({
  code,
  statusCode: 0,
  message: `No answer: ${cause instanceof Error ? cause.message : String(cause)}`,
  requestId: null,
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const GATEWAY_TIMEOUTS = [0, 502, 504];
const LOOKS = 3;
const LOOK_EVERY_MS = 1_000;

/**
 * A request for a charge has led to one by now, or never will. The gateway waits for a body for a minute at most and
 * stores the charge within another.
 */
export const IN_FLIGHT_AT_MOST_MS = 120_000;

/**
 * A charge that had no answer is looked up by its `reference`, and answered if it is there. Where it is not, it is sent
 * once more if references are unique, because the gateway then refuses the second one. Otherwise the result is the
 * missing answer, and the caller may send it again after `IN_FLIGHT_AT_MOST_MS` and another look.
 */
const createCharge = async (call: Call, isUnique: boolean, input: AnyInput): Promise<AnyResult> => {
  const startedAt = Date.now();
  const result = await call('createCharge', input);
  if (result.ok || !GATEWAY_TIMEOUTS.includes(result.error.statusCode)) return result;
  const wanted = input.body as Schemas['ChargeRequest'];
  if (!wanted.reference) return result;
  for (let look = 1; look <= LOOKS; look += 1) {
    const id = await findCharge(call, wanted, startedAt, input);
    if (id !== null) return call('getCharge', { ...settingsOf(input), path: { id } });
    if (look < LOOKS) await pause(LOOK_EVERY_MS);
  }
  if (!isUnique) return result;
  const second = await call('createCharge', input);
  if (second.ok || second.error.code !== 'REFERENCE_ALREADY_USED') return second;
  // Another charge, of an earlier request, may have the reference as well: that stays a refusal.
  const id = await findCharge(call, wanted, startedAt, input);
  return id === null ? second : call('getCharge', { ...settingsOf(input), path: { id } });
};

const settingsOf = ({ headers, signal }: AnyInput): RequestSettings => ({
  ...(headers ? { headers } : {}),
  ...(signal ? { signal } : {}),
});

/** An earlier charge may have the same reference, so that only one from now on counts, by the gateway's clock. */
const findCharge = async (
  call: Call,
  wanted: Schemas['ChargeRequest'],
  startedAt: number,
  input: AnyInput,
): Promise<string | null> => {
  const { reference, currency, amount } = wanted;
  const query = { reference, currency, orderBy: '-createdAt', size: 10 };
  const found = await call('listCharges', { ...settingsOf(input), latest: true, query });
  if (!found.ok) return null;
  const theirs = Date.parse(found.headers.get('date') ?? '');
  const ahead = Number.isNaN(theirs) ? 0 : theirs - Date.now();
  // A Date header has whole seconds, so it lies behind by up to one.
  const since = startedAt + ahead - 1_000;
  const { data } = found.data as Schemas['ChargePage'];
  return data.find((one) => one.amount === amount && Date.parse(one.createdAt) >= since)?.id ?? null;
};

const LOOK_AT_CLOCK_EVERY_MS = 500;

const moveTestClock = async (
  call: Call,
  body: unknown,
  settings: RequestSettings = {},
): Promise<Schemas['TestClockAdvance']> => {
  let advance = unwrap<unknown>(await call('advanceTestClock', { ...settings, body })) as Advance;
  while (!advance.complete) {
    await pause(LOOK_AT_CLOCK_EVERY_MS);
    const clock = unwrap<unknown>(await call('getTestClock', settings)) as Schemas['TestClock'];
    // Somebody else may have moved it on meanwhile, after this move had arrived.
    if (clock.lastAdvance?.from !== advance.from) return { ...advance, complete: true };
    advance = clock.lastAdvance;
  }
  return advance;
};
type Advance = Schemas['TestClockAdvance'];

/** The place after which the next page begins, as the links of an answer name it; null where they name none. */
const placeOf = (headers: Headers): string | null => {
  const [, query = ''] = /<\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return new URLSearchParams(query).get('after');
};

/** Goes on from the place where a page ended: rows that come meanwhile move no others. A few lists have numbers only. */
async function* itemsOf(call: Call, list: OperationId, input: AnyInput = {}): AsyncGenerator<unknown> {
  const { page: _, after: __, ...query } = { size: 100, ...input.query } as Readonly<Record<string, unknown>>;
  let place: { readonly page?: number; readonly after?: string } | null = {};
  let isPlaced = false;
  while (place !== null) {
    const result = await call(list, { ...input, query: { ...query, ...place } });
    const { data, page, pages } = unwrap<unknown>(result) as PageOf<unknown>;
    yield* data;
    const after = result.ok ? placeOf(result.headers) : null;
    isPlaced ||= after !== null;
    // An answer whose links would be very long has none, and goes on by number.
    const isEnd = page >= pages || (isPlaced && result.ok && result.headers.has('link'));
    place = after !== null ? { after } : isEnd ? null : { page: page + 1 };
  }
}
