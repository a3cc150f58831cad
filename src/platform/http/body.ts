import express, { type Request, type Response } from 'express';
import { GatewayError, invalidInput } from '../../kernel/errors.ts';
import type { Route } from './route.ts';

const LIMIT = '256kb';
const METHODS_WITH_BODY = ['post', 'put', 'patch'];

const parseJson = express.json({ limit: LIMIT, strict: false, type: () => true, verify: refuseBrokenUnicode });

/** The JSON body of a request, undefined where it has none; 400, 413 or 415 for what is no JSON (decisions 1). */
export const parseBody = async (request: Request, response: Response, route: Route): Promise<unknown> => {
  if (!METHODS_WITH_BODY.includes(route.method) || !hasBody(request)) return undefined;
  if (!request.is('application/json')) throw new GatewayError(415, 'Content-Type must be application/json');
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error ? reject(toBodyError(error)) : resolve()));
  });
  return request.body;
};

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

const toBodyError = (error: unknown): Error => {
  if (error instanceof GatewayError) return error;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new GatewayError(413, `The body is larger than ${LIMIT}`);
  if (status === 415) return new GatewayError(415, 'The encoding of the body is not supported');
  if (status !== undefined && status < 500)
    return invalidInput([{ path: '', message: 'The body is not valid JSON' }]);
  return error instanceof Error ? error : new Error(String(error));
};

/** Text that no store can give back as it came: bytes that are not UTF-8, escapes of half a surrogate pair. */
function refuseBrokenUnicode(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  const refuse = (): never => {
    throw invalidInput([{ path: '', message: 'The body is not well-formed Unicode' }]);
  };
  if (encoding !== 'utf-8') return;
  let raw = '';
  try {
    raw = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    refuse();
  }
  if (!/\\u[dD][89a-fA-F]/.test(raw)) return;
  const wellFormed = raw.replaceAll(
    /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[^u]/g,
    '',
  );
  if (/\\u[dD][89a-fA-F]/.test(wellFormed)) refuse();
}
