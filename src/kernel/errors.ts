/** One fault of a request, as `errors[]` in a 400 answer names it. `path` is dotted, `''` for the whole body. */
export type InputFault = { readonly path: string; readonly message: string };

type Details = {
  readonly code?: string;
  readonly permission?: string;
  readonly errors?: readonly InputFault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
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
  readonly errors: readonly InputFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = 'GatewayError';
    this.statusCode = statusCode;
    this.code = details.code;
    this.permission = details.permission;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }
}

/** What whoever starts the gateway has to put right: a sentence for a person, whom no stack would help. */
export class ConfigError extends Error {}

/** 400: the request has the wrong shape; one entry of `errors` for each fault. */
export const invalidInput = (errors: readonly InputFault[]): GatewayError =>
  new GatewayError(400, errors.map((fault) => fault.message).join('; '), { errors });

/** Faults of credentials; one code for unknown, wrong and revoked ones, so that nothing is learnt by trying. */
export type CredentialsFault =
  | 'CREDENTIALS_MISSING'
  | 'CREDENTIALS_MALFORMED'
  | 'CREDENTIALS_INVALID'
  | 'TOKEN_EXPIRED'
  | 'SECOND_FACTOR_REQUIRED';

export const unauthorized = (code: CredentialsFault): GatewayError =>
  new GatewayError(401, 'Unauthorized', {
    code,
    headers: { 'WWW-Authenticate': 'Basic realm="portico", Bearer realm="portico"' },
  });

/** 403 by the rule that the code names. */
export const forbidden = (code: string): GatewayError => new GatewayError(403, 'Forbidden', { code });

/** 403 for want of a permission. */
export const permissionMissing = (permission: string): GatewayError =>
  new GatewayError(403, 'Forbidden', { code: 'PERMISSION_MISSING', permission });

/** 404, also for what belongs to somebody else: the caller learns nothing about it. */
export const notFound = (resource: string): GatewayError => new GatewayError(404, `${resource} not found`);

/** 409: the caller decided on something that has changed since. */
export const conflict = (code: string, message: string): GatewayError =>
  new GatewayError(409, message, { code });

/** 422: the shape is right, but a precondition on state fails. */
export const unprocessable = (code: string, message: string): GatewayError =>
  new GatewayError(422, message, { code });

/** 503: a store that the request needs does not answer, or not yet. `cause` is for the log. */
export const unavailable = (message: string, cause?: unknown): GatewayError =>
  new GatewayError(503, message, { headers: { 'Retry-After': '1' }, cause });
