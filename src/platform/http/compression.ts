import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip, type ZlibOptions } from 'node:zlib';
import accepts from 'accepts';
import type { Request, Response } from 'express';
import type { Route } from './route.ts';

/** A smaller answer fits into one packet, and compressing it saves nothing. */
const WORTH_COMPRESSING = 1_400;
/** The fastest level: it makes a page of charges five times smaller, and others at most a little smaller than that. */
const OPTIONS: ZlibOptions = { level: 1 };
/** Answers that are compressed at a time; further ones go out as they are, so that nobody waits for the processor. */
const AT_ONCE = 2;

const gzipped = promisify<Buffer, ZlibOptions, Buffer>(gzip);

type Headers = { setHeader(name: string, value: string): unknown };

export type Compression = ReturnType<typeof createCompression>;

/**
 * Compresses answers to reads for clients that accept it. Answers that hold a secret are left out: their length would
 * tell somebody who can write beside the secret how much of it a guess has in common with it (BREACH). The package
 * `compression` has no limit for the processor, and takes the length away by which unread answers are counted.
 */
export const createCompression = (atOnce = AT_ONCE) => {
  let running = 0;
  return {
    /** Whether this answer may be compressed and the client accepts it; says that the answer depends on that. */
    isWanted({ method, access, holdsSecret }: Route, request: Request, response: Response): boolean {
      if (method !== 'get' || access === null || holdsSecret === true || request.method === 'HEAD')
        return false;
      response.vary('Accept-Encoding');
      return accepts(request).encodings(['gzip', 'identity']) === 'gzip';
    },

    /** The bytes of an answer, compressed where they are worth it and there is room. */
    async whole(response: Headers, bytes: Buffer): Promise<Buffer> {
      if (bytes.length < WORTH_COMPRESSING || running >= atOnce) return bytes;
      running += 1;
      try {
        const compressed = await gzipped(bytes, OPTIONS);
        response.setHeader('Content-Encoding', 'gzip');
        return compressed;
      } finally {
        running -= 1;
      }
    },

    /** Sends a stream compressed. The number of streams is limited by the places of exports. */
    async stream(response: Response, stream: NodeJS.ReadableStream): Promise<void> {
      response.setHeader('Content-Encoding', 'gzip');
      await pipeline(stream, createGzip(OPTIONS), response);
    },
  };
};
