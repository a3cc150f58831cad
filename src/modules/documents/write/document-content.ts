import { createHash } from 'node:crypto';
import { GatewayError } from '../../../kernel/errors.ts';
import { tidy } from '../../../kernel/text.ts';

/** The most bytes that one document may have. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** The first bytes of each kind of file. The content decides on the type of a document, and its name does not. */
const KINDS = [
  { contentType: 'application/pdf', start: Buffer.from('%PDF-'), extensions: ['pdf'] },
  {
    contentType: 'image/png',
    start: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    extensions: ['png'],
  },
  { contentType: 'image/jpeg', start: Buffer.from([0xff, 0xd8, 0xff]), extensions: ['jpg', 'jpeg'] },
] as const;
export const DOCUMENT_CONTENT_TYPES = KINDS.map(({ contentType }) => contentType);
type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number];
const LONGEST_START = Math.max(...KINDS.map(({ start }) => start.length));

export type DocumentContent = {
  readonly contentType: DocumentContentType;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the content as it was sent, in hexadecimal digits. */
  readonly sha256: string;
};

/** Inspects a content while it passes; 413 for more than 10 MiB, 415 for anything but PDF, PNG and JPEG. */
export const createInspection = () => {
  const hash = createHash('sha256');
  let start = Buffer.alloc(0);
  let size = 0;
  const contentType = (): DocumentContentType => {
    const kind = KINDS.find((known) => start.subarray(0, known.start.length).equals(known.start));
    if (!kind) throw new GatewayError(415, 'The document must be a PDF, PNG or JPEG');
    return kind.contentType;
  };
  return {
    async *pass(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        size += chunk.length;
        if (size > MAX_DOCUMENT_BYTES)
          throw new GatewayError(413, `The document is larger than ${MAX_DOCUMENT_BYTES} bytes`);
        if (start.length < LONGEST_START)
          start = Buffer.concat([start, chunk.subarray(0, LONGEST_START - start.length)]);
        // The type is checked before the first bytes pass, so that content of another kind is not stored even for a
        // moment.
        if (start.length === LONGEST_START) contentType();
        hash.update(chunk);
        yield chunk;
      }
    },
    /** To be called after the last byte. */
    result: (): DocumentContent => ({ contentType: contentType(), size, sha256: hash.digest('hex') }),
  };
};

const MAX_NAME = 255;
/** Control characters, and invisible ones that reverse or hide a part of a name, such as bidirectional marks. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The file name with the extension that its content requires, and without invisible characters. */
export const cleanFileName = (name: string, contentType: DocumentContentType): string => {
  const extensions: readonly string[] =
    KINDS.find((kind) => kind.contentType === contentType)?.extensions ?? [];
  const seen = tidy(name.replaceAll(UNSEEN, ''));
  const [, stem = seen, extension = ''] = /^(.*)\.([^.]*)$/.exec(seen) ?? [];
  if (stem !== '' && extensions.includes(extension.toLowerCase())) return seen;
  const suffix = `.${extensions[0]}`;
  // A cut within a surrogate pair would leave half a character.
  const base = stem.slice(0, MAX_NAME - suffix.length).replace(/[\ud800-\udbff]$/, '');
  return `${base || 'document'}${suffix}`;
};
