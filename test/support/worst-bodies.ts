import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A body as it is sent, with the headers that describe it. */
type Body = {
  readonly type: string;
  readonly bytes: Buffer;
  readonly encoding?: 'gzip';
  /** Bytes of each chunk (RFC 9112); without it the body is sent at once. */
  readonly pieceBytes?: number;
};

const MIB = 1024 * 1024;
const PDF = '%PDF-1.7\n';
/** A document of 10 MiB that is filled with a text. */
const documentOf = (filling: string): Buffer =>
  Buffer.concat([Buffer.from(PDF), Buffer.alloc(10 * MIB - PDF.length, filling)]);
const DOCUMENT = documentOf('content ');
const BASE64 = DOCUMENT.toString('base64');

const json = (content: string, others = '"type":"identity","fileName":"a.pdf"'): Body => ({
  type: 'application/json',
  bytes: Buffer.from(`{${others},"content":"${content}"}`),
});

const formOf = (boundary: string, ...parts: readonly (string | Buffer)[]): Body => ({
  type: `multipart/form-data; boundary=${boundary}`,
  bytes: Buffer.concat(parts.map((part) => Buffer.from(part))),
});
const part = (name: string): string => `\r\nContent-Disposition: form-data; name="${name}"`;
const form = (content: Buffer, boundary = 'x'.repeat(70), fileName = 'a.pdf'): Body =>
  formOf(
    boundary,
    `--${boundary}${part('type')}\r\n\r\nidentity\r\n--${boundary}`,
    `${part('file')}; filename="${fileName}"\r\n\r\n`,
    content,
    `\r\n--${boundary}--\r\n`,
  );

const escaped = (text: string): string =>
  text.replaceAll(/./gs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** Base64 that consists of slashes. */
const SLASHES = Buffer.concat([Buffer.from(PDF), Buffer.alloc(5 * MIB, 0xff)]).toString('base64');

/** Uploads of documents that take long wherever a reader looks at a byte twice. */
export const WORST_UPLOADS: Readonly<Record<string, () => Body>> = {
  'JSON of 10 MiB': () => json(BASE64),
  'JSON with each slash escaped': () => json(SLASHES.replaceAll('/', '\\/')),
  'JSON with each sign escaped': () => json(escaped(BASE64.slice(0, 2_400_000))),
  'JSON with padding alone': () => json(`${'='.repeat(13 * MIB)}A`),
  'JSON that is no Base64 at its end': () => json(`${BASE64.slice(0, -4)}!!!!`),
  'JSON with a member of colons': () => json(BASE64, `"${'x'.repeat(15_000)}"${':'.repeat(15_000)}`),
  'JSON with a member of strings': () => json(BASE64, '"\\x":'.repeat(5_000)),
  'JSON with a member like card numbers': () => json(BASE64, `"type":"${'1 '.repeat(15_000)}"`),
  'JSON in pieces of 512 bytes': () => ({ ...json(BASE64), pieceBytes: 512 }),
  'JSON in pieces of one byte': () => ({ ...json(BASE64.slice(0, MIB)), pieceBytes: 1 }),
  'a form of 10 MiB': () => form(DOCUMENT),
  'a form of 40 MiB': () => form(Buffer.alloc(40 * MIB, PDF)),
  'a form of dashes': () => form(documentOf('-'), '-'.repeat(70)),
  'a form of almost its boundary': () => form(documentOf(`\r\n--${'x'.repeat(69)}`)),
  'a form with a name of escaped signs': () => form(DOCUMENT, 'x', '%41'.repeat(5_000)),
  'a form of headers': () => formOf('x', '--x', '\r\na: b'.repeat(2_000_000)),
  'a form of parts': () => formOf('x', '--x\r\n\r\n\r\n'.repeat(1_000_000)),
  'a form without a part': () => formOf('x', '\r\n--y'.repeat(2_000_000)),
  'a form in pieces of 512 bytes': () => ({ ...form(DOCUMENT), pieceBytes: 512 }),
  'a form in pieces of one byte': () => ({ ...form(DOCUMENT.subarray(0, MIB)), pieceBytes: 1 }),
};

const TEXT = Buffer.from(JSON.stringify({ reference: 'x'.repeat(250 * 1024) }));
/** A compressed text (RFC 1952, RFC 1951) with this many blocks that each decompress to nothing. */
const nothingCompressed = (blocks: number): Buffer => {
  const [head, end] = [gzipSync('').subarray(0, 10), gzipSync('').subarray(10)];
  return Buffer.concat([head, Buffer.alloc(5 * blocks, Buffer.from([0, 0, 0, 0xff, 0xff])), end]);
};

/** Bodies for routes that read them completely or not at all. */
export const WORST_WHOLE: Readonly<Record<string, () => Body>> = {
  'in pieces of one byte': () => ({ type: 'application/json', bytes: TEXT, pieceBytes: 1 }),
  'of 100 MiB': () => ({ type: 'application/json', bytes: Buffer.alloc(100 * MIB, ' ') }),
  'of 2 MiB in pieces of one byte': () => ({
    type: 'application/json',
    bytes: Buffer.alloc(2 * MIB),
    pieceBytes: 1,
  }),
  'that becomes nothing': () => ({
    type: 'application/json',
    bytes: nothingCompressed(20_000_000),
    encoding: 'gzip',
  }),
};

/** Filled in place, because a million small texts take seconds. */
const inChunks = (bytes: Buffer, pieceBytes: number): Buffer => {
  const lineOf = (length: number): string => `${length.toString(16)}\r\n`;
  const head = Buffer.byteLength(lineOf(pieceBytes));
  const whole = Math.floor(bytes.length / pieceBytes);
  const chunkBytes = head + pieceBytes + 2;
  const chunks = Buffer.alloc(whole * chunkBytes, `${lineOf(pieceBytes)}${' '.repeat(pieceBytes)}\r\n`);
  for (let index = 0; index < whole * pieceBytes; index += 1)
    chunks[Math.floor(index / pieceBytes) * chunkBytes + head + (index % pieceBytes)] = bytes[index] ?? 0;
  const rest = bytes.subarray(whole * pieceBytes);
  const last = rest.length === 0 ? [] : [Buffer.from(lineOf(rest.length)), rest, Buffer.from('\r\n')];
  return Buffer.concat([chunks, ...last, Buffer.from('0\r\n\r\n')]);
};

/**
 * Sends a request and another one after it. Resolves to the first answer's status once everything was read, or to 0
 * where the connection ends without an answer.
 */
export const sendBody = async (
  url: string,
  target: string,
  { type, bytes, encoding, pieceBytes }: Body,
  authorization: string,
): Promise<{ readonly status: number }> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString();
  });
  const length = pieceBytes === undefined ? `Content-Length: ${bytes.length}` : 'Transfer-Encoding: chunked';
  const encoded = encoding === undefined ? '' : `Content-Encoding: ${encoding}\r\n`;
  socket.write(
    `${target} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\n${encoded}${length}\r\n\r\n`,
  );
  socket.write(pieceBytes === undefined ? bytes : inChunks(bytes, pieceBytes));
  socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0) };
};
