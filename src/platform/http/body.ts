import { Readable, Transform } from 'node:stream';
import express, { type Request, type Response } from 'express';
import { GatewayError, invalidInput } from '../../kernel/errors.ts';
import { createBodyMemory } from './body-memory.ts';
import { parseJson } from './json.ts';
import type { Route } from './route.ts';
import { createTurns } from './turns.ts';

/** The most bytes of a body that is read as a whole. */
const LIMIT = 256 * 1024;
/** Time for a body to arrive completely; the largest one then takes some 26 KB a second. */
const ARRIVES_WITHIN_MS = 10_000;
/** Reading and searching a body of this size takes long enough for other requests to notice. */
const LARGE = 32 * 1024;
const LARGE_WAITING = 64;
const METHODS_WITH_BODY = ['post', 'put', 'patch'];

/** Time that a streamed body may keep the gateway waiting: 14 MiB need half a megabyte a second. */
const STREAMED_WITHIN_MS = 30_000;

/** `value` is undefined where the request has no body, or one that the route reads as bytes or as a stream. */
export type Body = { readonly value: unknown; readonly bytes: Buffer; readonly stream: Readable };

const NOTHING: Body = { value: undefined, bytes: Buffer.alloc(0), stream: Readable.from([]) };

const memory = createBodyMemory();
const turnOfLarge = createTurns(LARGE_WAITING, 'Too many large bodies are in hand');

/**
 * Reads the bodies of a route's requests; 400, 413 or 415 for a body that is not JSON as it should be, 408 for one that
 * arrives too slowly. Large bodies take turns, and a turn lasts until the caller waits for something; 503 where too
 * many wait.
 */
export const bodyReaderOf = (
  route: Route,
  withinMs = { whole: ARRIVES_WITHIN_MS, streamed: STREAMED_WITHIN_MS },
): ((request: Request, response: Response) => Promise<Body>) => {
  if (!METHODS_WITH_BODY.includes(route.method) && !route.body) return async () => NOTHING;
  // The limit applies to the uncompressed bytes, so a small compressed body cannot grow beyond it.
  const readBytes = express.raw({ limit: LIMIT, type: () => true });
  const others = Object.keys(route.otherBodyTypes ?? {});
  const types = [...(route.body || others.length === 0 ? ['json'] : []), ...others];
  return async (request, response) => {
    const type = request.headers['content-type'];
    if (type !== undefined && hasBytes(request) && !isType(request, types)) throw wrongType(types);
    if (route.streamsBody) {
      if (type === undefined && hasBytes(request)) throw wrongType(types);
      if (request.headers['content-encoding'] !== undefined) throw wrongEncoding();
      return { ...NOTHING, stream: arriving(request, response, withinMs.streamed) };
    }
    const forget = memory.watch(request, LIMIT);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(tooSlow()), withinMs.whole);
      if (request.headers['content-encoding'] !== undefined)
        onceLargerThan(LIMIT, request, () => {
          request.unpipe();
          reject(tooLarge());
        });
      readBytes(request, response, (error?: unknown) => {
        clearTimeout(timer);
        return error ? reject(toBodyError(error)) : resolve();
      });
    }).finally(forget);
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return NOTHING;
    if (type === undefined) throw wrongType(types);
    if (bytes.length > LARGE) await turnOfLarge();
    return { ...NOTHING, value: isType(request, ['json']) ? parseBody(type, bytes) : undefined, bytes };
  };
};

/**
 * The bytes of a request as they arrive. A reader that fails destroys only this stream, so that the answer still
 * reaches the client, and the rest of the body is discarded. Only the time of waiting for the client counts. The stream
 * ends with the answer, whether or not anybody has read it.
 */
const arriving = (request: Request, response: Response, withinMs: number): Readable => {
  const stream = createGatherer().on('error', () => undefined);
  const waiting = createStopwatch();
  const timer = setInterval(() => {
    if (waiting.ms() > withinMs) stream.destroy(tooSlow());
  }, withinMs / 10);
  const breakOff = (): void => {
    if (!request.complete) stream.destroy(unreadable());
  };
  request.once('close', breakOff).on('pause', waiting.stop).on('resume', waiting.start);
  response.once('close', () => stream.destroy());
  stream.once('close', () => {
    clearInterval(timer);
    request.off('close', breakOff).off('pause', waiting.stop).off('resume', waiting.start);
    request.unpipe(stream);
    request.resume();
  });
  request.pipe(stream);
  return stream;
};

const GATHERED_BYTES = 64 * 1024;

/** Joins small pieces, because reading a piece takes several times as long as copying it. */
const createGatherer = (): Transform => {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const gathered = (): Buffer => {
    const joined = Buffer.concat(pieces, bytes);
    pieces = [];
    bytes = 0;
    return joined;
  };
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      bytes += piece.length;
      done(null, bytes < GATHERED_BYTES ? undefined : gathered());
    },
    flush(done) {
      done(null, gathered());
    },
  });
};

const createStopwatch = () => {
  let elapsed = 0;
  let startedAt: number | null = null;
  const ms = (): number => elapsed + (startedAt === null ? 0 : performance.now() - startedAt);
  return {
    ms,
    start: () => {
      startedAt ??= performance.now();
    },
    stop: () => {
      elapsed = ms();
      startedAt = null;
    },
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

const wrongEncoding = (): GatewayError =>
  new GatewayError(415, 'The Content-Encoding of the body is not supported');

/** 408 (RFC 9110). The connection ends with it, because the rest of the body cannot be told from another request. */
const tooSlow = (): GatewayError =>
  new GatewayError(408, 'Request Timeout', { headers: { Connection: 'close' } });

/**
 * Acts once a body is larger than the limit, counted compressed, because a compressed body can go on for ever and
 * decompress to nothing.
 */
const onceLargerThan = (limit: number, request: Request, act: () => void): void => {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= limit) return;
    request.off('data', count);
    act();
  };
  request.on('data', count);
};

const tooLarge = (): GatewayError => new GatewayError(413, `The body is larger than ${LIMIT} bytes`);

const unreadable = (): GatewayError => invalidInput([{ path: '', message: 'The body cannot be read' }]);

const toBodyError = (error: unknown): Error => {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return tooLarge();
  if (status === 415) return wrongEncoding();
  if (status !== undefined && status < 500) return unreadable();
  return error instanceof Error ? error : new Error(String(error));
};

const parseBody = (contentType: string, bytes: Buffer): unknown => {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  if (!/^utf-?8$/i.test(charset)) throw new GatewayError(415, 'The charset of a JSON body must be utf-8');
  return parseJson(bytes);
};
