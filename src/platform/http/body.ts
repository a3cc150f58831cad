import express, { type Request, type Response } from 'express';
import { GatewayError, invalidInput } from '../../kernel/errors.ts';
import type { Route } from './route.ts';

/** Decisions 1. */
const LIMIT = 256 * 1024;
/** Far below what the stores take (100 levels), far above what any field needs. */
const MAX_DEPTH = 32;
const METHODS_WITH_BODY = ['post', 'put', 'patch'];

/** `value` is undefined where the request has no body or one that the route reads from its bytes. */
export type Body = { readonly value: unknown; readonly bytes: Buffer };

const NOTHING: Body = { value: undefined, bytes: Buffer.alloc(0) };

/** Reads the bodies of a route's requests; 400, 413 or 415 for what is no JSON (decisions 1). */
export const bodyReaderOf = (route: Route): ((request: Request, response: Response) => Promise<Body>) => {
  if (!METHODS_WITH_BODY.includes(route.method)) return async () => NOTHING;
  const limit = route.bodyLimit ?? LIMIT;
  // The limit holds for the uncompressed bytes, so a small compressed body cannot grow beyond it.
  const readBytes = express.raw({ limit, type: () => true });
  const others = Object.keys(route.otherBodyTypes ?? {});
  const types = [...(route.body || others.length === 0 ? ['json'] : []), ...others];
  return async (request, response) => {
    const type = request.headers['content-type'];
    if (type !== undefined && hasBytes(request) && !isType(request, types)) throw wrongType(types);
    await new Promise<void>((resolve, reject) => {
      readBytes(request, response, (error?: unknown) =>
        error ? reject(toBodyError(error, limit)) : resolve(),
      );
    });
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return NOTHING;
    if (type === undefined) throw wrongType(types);
    return { value: isType(request, ['json']) ? parseJson(type, bytes) : undefined, bytes };
  };
};

const hasBytes = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

const isType = (request: Request, types: readonly string[]): boolean =>
  typeof request.is([...types]) === 'string';

const wrongType = (types: readonly string[]): GatewayError => {
  const names = types.map((type) => (type === 'json' ? 'application/json' : type));
  return new GatewayError(415, `Content-Type must be ${names.join(' or ')}`);
};

const toBodyError = (error: unknown, limit: number): Error => {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new GatewayError(413, `The body is larger than ${limit} bytes`);
  if (status === 415) return new GatewayError(415, 'The Content-Encoding of the body is not supported');
  if (status !== undefined && status < 500) return refused('The body cannot be read');
  return error instanceof Error ? error : new Error(String(error));
};

const refused = (message: string): GatewayError => invalidInput([{ path: '', message }]);

const parseJson = (contentType: string, bytes: Buffer): unknown => {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  if (!/^utf-?8$/i.test(charset)) throw new GatewayError(415, 'The charset of a JSON body must be utf-8');
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message repeats a piece of the body, which may hold a card number.
    throw refused('The body is not valid JSON');
  }
  const fault = faultOf(value, MAX_DEPTH);
  if (fault) throw refused(fault);
  return value;
};

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(BROKEN_UNICODE);
  }
};

const BROKEN_UNICODE = 'The body is not well-formed Unicode';
/** With the flag `u` only a surrogate without its other half matches. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** What no store or validator can take as it came: null where there is nothing of the kind. */
const faultOf = (value: unknown, depth: number): string | null => {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? BROKEN_UNICODE : null;
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : 'The body has a number that is too large';
  if (typeof value !== 'object' || value === null) return null;
  if (depth === 0) return `The body is nested more than ${MAX_DEPTH} levels deep`;
  for (const [key, member] of Object.entries(value)) {
    const fault = faultOfKey(key) ?? faultOf(member, depth - 1);
    if (fault) return fault;
  }
  return null;
};

const faultOfKey = (key: string): string | null => {
  // The validator copies by assignment, which would make this member the prototype of the copy.
  if (key === '__proto__') return '__proto__ is not allowed';
  if (key.includes('\u0000')) return 'The body has a field name with a NUL character';
  return LONE_SURROGATE.test(key) ? BROKEN_UNICODE : null;
};
