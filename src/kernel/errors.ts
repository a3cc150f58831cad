/** One fault of a request, as `errors[]` in a 400 answer names it. `path` is dotted, `''` for the whole body. */
export type InputFault = { readonly path: string; readonly message: string };

type Details = {
  readonly code?: string;
  readonly permission?: string;
  readonly chargeId?: string;
  readonly errors?: readonly InputFault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Whether it is no fault of the gateway although its status says so: nothing for the log of errors. */
  readonly isExpected?: boolean;
};

/**
 * The answer to a request that cannot be done.
 * Anything else that is thrown is a bug and becomes 500.
 */
export class GatewayError extends Error {
  readonly statusCode: number;
  readonly code: string | undefined;
  /** The permission that the caller lacks. */
  readonly permission: string | undefined;
  /** The charge that stands in the way. */
  readonly chargeId: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isExpected: boolean;
  readonly #errors: readonly InputFault[] | undefined;

  constructor(statusCode: number, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = 'GatewayError';
    this.statusCode = statusCode;
    this.code = details.code;
    this.permission = details.permission;
    this.chargeId = details.chargeId;
    this.headers = details.headers ?? {};
    this.isExpected = details.isExpected ?? false;
    this.#errors = details.errors;
  }

  /** A copy: a pipeline of Node.js that fails adds errors of its streams to an array of this name. */
  get errors(): readonly InputFault[] | undefined {
    return this.#errors && [...this.#errors];
  }
}

/** A mistake in the settings: a sentence for the operator, without a stack. */
export class ConfigError extends Error {}

/** Codes that need no rule of a route: of a wrong shape, of card data, and of a resource that the caller cannot see. */
export const GENERAL_FAULTS = {
  VALIDATION_FAILED: {
    statusCode: 400,
    sentence: 'The request has the wrong shape; `errors` names each fault',
  },
  CARD_NUMBER_FOUND: {
    statusCode: 400,
    sentence:
      'A text, number or name that is no field of a card holds a card number, or is named like a security code; `errors` names it',
  },
  NOT_FOUND: { statusCode: 404, sentence: 'It does not exist, or belongs to somebody else' },
} as const;

/** 400: the request has the wrong shape; one entry of `errors` for each fault. */
export const invalidInput = (
  errors: readonly InputFault[],
  code: 'VALIDATION_FAILED' | 'CARD_NUMBER_FOUND' = 'VALIDATION_FAILED',
): GatewayError => new GatewayError(400, errors.map((fault) => fault.message).join('; '), { code, errors });

/** Codes of a 401, each with its sentence. One covers unknown and ended ones, so that trying teaches nothing. */
export const CREDENTIALS_FAULTS = {
  CREDENTIALS_MISSING: 'The request has no credentials',
  CREDENTIALS_MALFORMED: 'The route cannot read the Authorization header',
  CREDENTIALS_INVALID: 'The credentials are unknown, wrong, revoked or past their end',
  TOKEN_EXPIRED: 'The session has ended: log in again',
  USER_TOKEN_REQUIRED: 'The key is valid, but the route takes the token of a user only',
  SECOND_FACTOR_REQUIRED: 'The user has a second factor and `code` is missing',
} as const;
type CredentialsFault = keyof typeof CREDENTIALS_FAULTS;

export const unauthorized = (code: CredentialsFault): GatewayError =>
  new GatewayError(401, 'Unauthorized', {
    code,
    headers: { 'WWW-Authenticate': 'Basic realm="portico", Bearer realm="portico"' },
  });

/**
 * A refusal by a rule: 400 or 422 by a precondition, 403 for this caller, 409 for a record that has changed since, 410 for
 * what is over.
 * Calling it makes the error. Routes name the refusals that they can answer.
 */
export type Refusal<Facts extends readonly unknown[] = readonly never[]> = {
  (...facts: Facts): GatewayError;
  readonly statusCode: 400 | 403 | 409 | 410 | 422 | 429;
  readonly code: string;
  readonly sentence: string;
};

type Told = { readonly message?: string } & Pick<Details, 'permission' | 'chargeId' | 'errors' | 'headers'>;

const refusalWith =
  (statusCode: Refusal['statusCode']) =>
  <Facts extends readonly unknown[] = []>(
    code: string,
    sentence: string,
    tell: (...facts: Facts) => string | Told = () => ({}),
  ): Refusal<Facts> => {
    const refuse = (...facts: Facts) => {
      const told = tell(...facts);
      const { message, ...details } = typeof told === 'string' ? { message: told } : told;
      const inGeneral = statusCode === 403 ? 'Forbidden' : sentence;
      return new GatewayError(statusCode, message ?? inGeneral, { code, ...details });
    };
    return Object.assign(refuse, { statusCode, code, sentence });
  };

/** Declares a refusal once, with 422. `tell` adds the facts of a case: a message, or what else the answer has. */
export const refusal = refusalWith(422);
/** With 403, whose message says nothing in particular. */
export const forbidden = refusalWith(403);
/** With 409. */
export const conflict = refusalWith(409);
/** With 410, for what was there and will not come back. */
export const gone = refusalWith(410);
/** With 400. */
export const malformed = refusalWith(400);
/** With 429; `headers` of the facts say when, or how, to come again. */
export const throttled = refusalWith(429);

/** 404, also for what belongs to somebody else: the caller learns nothing about it. */
export const notFound = (resource: string): GatewayError =>
  new GatewayError(404, `${resource} not found`, { code: 'NOT_FOUND' satisfies keyof typeof GENERAL_FAULTS });

/** The resource, or 404 where there is none. */
export const existing = <T>(found: T | null | undefined, resource: string): T => {
  if (!found) throw notFound(resource);
  return found;
};

/** 503 for a caller who asked to wait, once the time for that is over: it may come again. */
export const waitedInVain = (message: string): GatewayError =>
  new GatewayError(503, message, { headers: { 'Retry-After': '1' }, isExpected: true });

/** 503: a store that the request needs does not answer, or not yet. `cause` is for the log. */
export const unavailable = (message: string, cause?: unknown): GatewayError =>
  new GatewayError(503, message, { headers: { 'Retry-After': '1' }, cause });
