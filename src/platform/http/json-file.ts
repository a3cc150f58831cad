import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isMany, none } from 'stream-chain/core';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { GatewayError, invalidInput } from '../../kernel/errors.ts';
import { createBase64Decoder } from './base64.ts';
import { refuseCardData } from './card-data.ts';
import { assertStorable, BROKEN_UNICODE } from './json.ts';
import type { TakeFile } from './multipart.ts';

/** Characters of a name, and of a value that is not the file. */
const MAX_TEXT = 4_096;
const MAX_MEMBERS = 20;
const MAX_DEPTH = 32;
/** Pieces that the parser makes of the members: each takes about a microsecond. */
const MAX_PIECES = 2_000;
/** Pieces of the file: 256 characters each, and one for every escaped sign. Some programs escape each slash of Base64. */
const MAX_FILE_PIECES = 600_000;

/**
 * A JSON object with its file read in. Its other members stay as they are (nested ones empty, so that a schema refuses
 * them).
 */
type JsonFile<T> = {
  readonly members: Readonly<Record<string, unknown>>;
  readonly taken: T | null;
};

/**
 * Reads a JSON object whose member `file` is a file in Base64, which is taken in while it arrives. `limit` is the most
 * bytes of the body. Errors: 400 for broken JSON, Base64 or Unicode, a member twice and a card number, 413 beyond the limit.
 */
export const readJsonFile = async <T>(
  body: Readable,
  file: string,
  limit: number,
  takeFile: TakeFile<T>,
): Promise<JsonFile<T>> => {
  let read: JsonFile<T> | null = null;
  try {
    await pipeline(body, asText(limit), async (texts) => {
      read = await readMembers(texts, file, takeFile);
    });
  } catch (error) {
    // The parser's own message repeats a piece of the body.
    throw error instanceof Error && error.message.startsWith('Parser ') ? broken() : error;
  }
  const found: JsonFile<T> = read ?? { members: {}, taken: null };
  refuseCardData(found.members);
  return found;
};

const refused = (path: string, message: string): GatewayError => invalidInput([{ path, message }]);
const broken = (): GatewayError => refused('', 'The body is not valid JSON');

const asText = (limit: number) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let bytes = 0;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > limit) throw new GatewayError(413, `The body is larger than ${limit} bytes`);
        yield decoder.decode(chunk, { stream: true });
      }
      yield decoder.decode();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? refused('', BROKEN_UNICODE) : error;
    }
  };

/** Tokens of one text after the other: through a stream each token would take thirty times as long. */
async function* tokensOf(texts: AsyncIterable<string>): AsyncGenerator<readonly Token[]> {
  const parse = jsonParser({ packValues: false });
  const parsed = (text: string | typeof none): readonly Token[] => {
    const found = parse(text as string);
    return isMany(found) ? found.values : [];
  };
  for await (const text of texts) yield parsed(text);
  yield parsed(none);
}

const readMembers = async <T>(
  texts: AsyncIterable<string>,
  file: string,
  takeFile: TakeFile<T>,
): Promise<JsonFile<T>> => {
  const members = new Map<string, unknown>();
  let taken: T | null = null;
  let depth = 0;
  let name = '';
  let text = '';
  let isName = false;
  let [pieces, filePieces] = [0, 0];
  let open = null as OpenFile<T> | null;
  let isFile = false;
  let arrived: string[] = [];
  const keep = (value: unknown): void => {
    if (depth === 0) throw refused('', 'body must be of type object');
    if (depth === 1) members.set(name, value);
  };
  const begin = (empty: object): void => {
    if (depth > 0 || Array.isArray(empty)) keep(empty);
    depth += 1;
    if (depth > MAX_DEPTH) throw refused('', `The body is nested more than ${MAX_DEPTH} levels deep`);
  };
  const endOfName = (): void => {
    if (depth > 1) return;
    name = text;
    assertStorable({ [name]: null });
    if (members.has(name)) throw refused(name, `${name} is given more than once`);
    if (members.size === MAX_MEMBERS) throw refused('', 'The body has too many members');
  };
  const addText = (more: string): void => {
    if (isFile) arrived.push(more);
    else if (text.length + more.length > MAX_TEXT)
      throw isName
        ? refused('', 'The body has a name that is too long')
        : refused(name, `${name} is too long`);
    else text += more;
  };
  const take = (token: Token): void => {
    if (isFile) filePieces += 1;
    else pieces += 1;
    if (pieces > MAX_PIECES || filePieces > MAX_FILE_PIECES)
      throw refused('', 'The body has too many values');
    switch (token.name) {
      case 'startKey':
      case 'startNumber':
      case 'startString':
        text = '';
        isName = token.name === 'startKey';
        isFile = token.name === 'startString' && depth === 1 && name === file;
        if (isFile) open = openFile(file, takeFile);
        break;
      case 'stringChunk':
      case 'numberChunk':
        addText(token.value);
        break;
      case 'endKey':
        endOfName();
        break;
      case 'endString':
        isFile = false;
        assertStorable(text);
        keep(text);
        break;
      case 'endNumber':
        keep(Number(text));
        break;
      case 'startObject':
        begin({});
        break;
      case 'startArray':
        begin([]);
        break;
      case 'endObject':
      case 'endArray':
        depth -= 1;
        break;
      case 'trueValue':
      case 'falseValue':
      case 'nullValue':
        keep(token.value);
    }
  };
  /** Passes on as much of the file as the last text had. */
  const passOn = async (): Promise<void> => {
    if (!open) return;
    if (arrived.length > 0) await open.write(arrived.join(''));
    arrived = [];
    if (isFile) return;
    taken = await open.end();
    open = null;
  };
  try {
    for await (const tokens of tokensOf(texts)) {
      tokens.forEach(take);
      await passOn();
    }
  } catch (error) {
    open?.abort(error as Error);
    throw error;
  }
  return { members: Object.fromEntries(members), taken };
};

type OpenFile<T> = ReturnType<typeof openFile<T>>;

/** A file that is being taken in, fed with Base64. */
const openFile = <T>(name: string, takeFile: TakeFile<T>) => {
  const content = new PassThrough().on('error', () => undefined);
  const decoder = createBase64Decoder();
  const taken = takeFile(content);
  // A rejection reaches the next write or the end.
  taken.catch(() => undefined);
  const write = async (bytes: Buffer | null): Promise<void> => {
    if (bytes === null) throw refused(name, `${name} must be standard Base64`);
    if (bytes.length === 0 || content.write(bytes)) return;
    // The reader destroys it before saying why.
    const drained = once(content, 'drain').catch(() => taken);
    await Promise.race([drained, taken]);
  };
  return {
    write: (text: string) => write(decoder.push(text)),
    async end(): Promise<T> {
      await write(decoder.end());
      content.end();
      return taken;
    },
    abort: (error: Error) => content.destroy(error),
  };
};
