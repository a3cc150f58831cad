import express, { type Request, type Response } from 'express';
import { GatewayError, invalidInput } from '../../kernel/errors.ts';
import { parseJson } from './json.ts';
import type { Route } from './route.ts';

/** The largest body in bytes, where a route has no limit of its own. */
const LIMIT = 256 * 1024;
const METHODS_WITH_BODY = ['post', 'put', 'patch'];

/** `value` is undefined where the request has no body or one that the route reads from its bytes. */
export type Body = { readonly value: unknown; readonly bytes: Buffer };

const NOTHING: Body = { value: undefined, bytes: Buffer.alloc(0) };

/** Reads the bodies of a route's requests; 400, 413 or 415 for what is no JSON. */
export const bodyReaderOf = (route: Route): ((request: Request, response: Response) => Promise<Body>) => {
  if (!METHODS_WITH_BODY.includes(route.method) && !route.body) return async () => NOTHING;
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
    return { value: isType(request, ['json']) ? parseBody(type, bytes) : undefined, bytes };
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
  if (status !== undefined && status < 500)
    return invalidInput([{ path: '', message: 'The body cannot be read' }]);
  return error instanceof Error ? error : new Error(String(error));
};

const parseBody = (contentType: string, bytes: Buffer): unknown => {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  if (!/^utf-?8$/i.test(charset)) throw new GatewayError(415, 'The charset of a JSON body must be utf-8');
  return parseJson(bytes);
};
