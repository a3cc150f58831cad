/** One fault of a request, as `errors[]` in a 400 answer names it. `path` is dotted, `''` for the whole body. */
export type InputFault = { readonly path: string; readonly message: string };

type Details = {
  readonly code?: string;
  readonly permission?: string;
  readonly chargeId?: string;
  readonly errors?: readonly InputFault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** True for a 5xx that is no fault of the gateway, so that nothing is written to the error log. */
  readonly isExpected?: boolean;
};

/** The answer to a request that cannot be carried out. Any other error that is thrown is a bug, and becomes 500. */
export class GatewayError extends Error {
  readonly statusCode: number;
  readonly code: string | undefined;
  /** The permission that the caller lacks. */
  readonly permission: string | undefined;
  /** The charge that conflicts with the request. */
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

  /** Returns a copy, because a failing pipeline of Node.js adds the errors of its streams to an array of this name. */
  get errors(): readonly InputFault[] | undefined {
    return this.#errors && [...this.#errors];
  }
}

/** A mistake in the settings: its message is a sentence for the operator, and is shown without a stack. */
export class ConfigError extends Error {}

/**
 * Codes that every route may answer: for a wrong shape, for card data in a wrong place, for a resource that the caller
 * cannot see.
 */
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

/**
 * Codes of a 401, each with its message. Unknown and expired credentials have the same, so that guessing teaches
 * nothing.
 */
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
 * A refusal by a rule: 400 or 422 where a precondition fails, 403 where this caller is not allowed, 409 where the
 * record has changed since it was read, 410 where the thing is gone, 429 where the caller has to wait. Calling it makes
 * the error. Routes name the refusals that they can answer.
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

/**
 * Declares a refusal that is answered with 422. `tell` adds the facts of a case: a message, or further members of the
 * answer.
 */
export const refusal = refusalWith(422);
/** Declares a refusal that is answered with 403. Its message is the same in every case. */
export const forbidden = refusalWith(403);
/** Declares a refusal that is answered with 409. */
export const conflict = refusalWith(409);
/** Declares a refusal that is answered with 410: the resource existed, and will not come back. */
export const gone = refusalWith(410);
/** Declares a refusal that is answered with 400. */
export const malformed = refusalWith(400);
/** Declares a refusal that is answered with 429. The `headers` among its facts say when, or how, to try again. */
export const throttled = refusalWith(429);

/** 404, also for a resource of somebody else, so that the caller learns nothing about it. */
export const notFound = (resource: string): GatewayError =>
  new GatewayError(404, `${resource} not found`, { code: 'NOT_FOUND' satisfies keyof typeof GENERAL_FAULTS });

/** The resource, or 404 where there is none. */
export const existing = <T>(found: T | null | undefined, resource: string): T => {
  if (!found) throw notFound(resource);
  return found;
};

/** 503 for a caller whose wait has timed out. The caller may repeat the request. */
export const waitedInVain = (message: string): GatewayError =>
  new GatewayError(503, message, { headers: { 'Retry-After': '1' }, isExpected: true });

/** 503: a store that the request needs does not answer (yet). `cause` goes to the log. */
export const unavailable = (message: string, cause?: unknown): GatewayError =>
  new GatewayError(503, message, { headers: { 'Retry-After': '1' }, cause });
