import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Returns the name of the malware that a scanner found; null for a clean content. Rejects where the content could not
 * be scanned.
 */
export type Scan = (content: Readable) => Promise<{ readonly signature: string | null }>;

const SILENT_MS = 30_000;
const LENGTH_BYTES = 4;
const MAX_ANSWER = 1_024;

/** Scans with a ClamAV daemon at `tcp://host:port`, by its command INSTREAM (clamd(8)). */
export const createClamdScan = (url: string): Scan => {
  const { hostname, port } = new URL(url);
  return async (content) => {
    const socket = connect(Number(port || '3310'), hostname.replace(/^\[|\]$/g, ''));
    socket.setTimeout(SILENT_MS, () => socket.destroy(new Error('clamd does not answer')));
    const answer = text(socket.setEncoding('utf8'));
    // The caller gets the error once it awaits the answer; until then it must not count as unhandled.
    answer.catch(() => undefined);
    const write = async (bytes: Buffer | string): Promise<void> => {
      if (socket.destroyed || socket.writableEnded) return;
      if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    };
    try {
      await write('zINSTREAM\0');
      for await (const chunk of content as AsyncIterable<Buffer>) await write(framed(chunk));
      await write(framed(Buffer.alloc(0)));
      return resultOf(await answer);
    } finally {
      socket.destroy();
    }
  };
};

/** A chunk after its length in network byte order; an empty one ends the stream. */
const framed = (chunk: Buffer): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(chunk.length);
  return Buffer.concat([length, chunk]);
};

const resultOf = (answer: string): { readonly signature: string | null } => {
  const line = answer.slice(0, MAX_ANSWER).replaceAll('\0', '').trim();
  if (line === 'stream: OK') return { signature: null };
  const [, signature = null] = /^stream: (.+) FOUND$/.exec(line) ?? [];
  if (signature === null) throw new Error(`clamd answered: ${line}`);
  return { signature };
};
