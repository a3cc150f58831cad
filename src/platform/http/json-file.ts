import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { GatewayError, invalidInput } from '../../kernel/errors.ts';
import { createBase64Decoder } from './base64.ts';
import { refuseCardData } from './card-data.ts';
import { parseJson } from './json.ts';
import type { TakeFile } from './multipart.ts';

/** The most bytes of a body besides its file; a name and a type need some hundred. */
const MAX_OTHERS = 32 * 1024;

/** A JSON object whose file was read. In place of the file, its member has an empty text. */
type JsonFile<T> = {
  readonly members: Readonly<Record<string, unknown>>;
  readonly taken: T | null;
};

/**
 * Reads a JSON object whose member `file` is a file in Base64, which is handed on while it arrives. `limit` is the most
 * bytes of the body. 400 for broken JSON, Base64 or Unicode, a repeated member and a card number. 413 beyond the limit,
 * and for long members besides the file.
 */
export const readJsonFile = async <T>(
  body: Readable,
  file: string,
  limit: number,
  takeFile: TakeFile<T>,
): Promise<JsonFile<T>> => {
  const others = createOthers(file);
  let bytes = 0;
  let open: OpenFile<T> | null = null;
  let taken: T | null = null;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(`is larger than ${limit} bytes`);
      // Each byte becomes one character: Base64 is ASCII, and the other members are turned into bytes again.
      const text = chunk.toString('latin1');
      for (let place = 0; place < text.length; ) {
        if (!open) {
          place = others.take(text, place);
          if (!others.isAtFile()) continue;
          if (taken !== null) throw refused(file, `${file} is given more than once`);
          open = openFile(file, takeFile);
        }
        // No escape in Base64 contains a quotation mark, so the first one ends the text.
        const quote = text.indexOf('"', place);
        const end = quote === -1 ? text.length : quote;
        await open.write(text.slice(place, end));
        place = end;
        if (quote === -1) continue;
        taken = await open.end();
        open = null;
      }
    }
    const members = parseJson(Buffer.from(others.text(), 'latin1'));
    if (!isObject(members)) throw refused('', 'body must be of type object');
    refuseCardData(members);
    return { members, taken };
  } catch (error) {
    open?.abort(error as Error);
    throw error;
  }
};

const refused = (path: string, message: string): GatewayError => invalidInput([{ path, message }]);
const tooLarge = (message: string): GatewayError => new GatewayError(413, `The body ${message}`);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Collects the JSON around the file, with an empty text in the file's place. Whether it is valid JSON is checked once
 * all of it is there, so this only looks for strings and brackets.
 */
const createOthers = (file: string) => {
  let text = '';
  let depth = 0;
  let stringFrom: number | null = null;
  let isEscaped = false;
  /** The last string that ended in the outermost object, in its JSON notation. */
  let lastString = '';
  let isFileNext = false;
  let isAtFile = false;
  const takeInString = (character: string, from: number): void => {
    if (isEscaped) isEscaped = false;
    else if (character === '\\') isEscaped = true;
    else if (character === '"') {
      lastString = depth === 1 ? text.slice(from) : '';
      stringFrom = null;
    }
  };
  const takeBetween = (character: string): void => {
    if (character === '"') {
      stringFrom = text.length - 1;
      isAtFile = isFileNext && depth === 1;
      isFileNext = false;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ':') {
      isFileNext = lastString !== '' && nameOf(lastString) === file;
      lastString = '';
    } else if (character === ',') isFileNext = false;
  };
  return {
    text: () => text,
    /** Whether the next character is the first one of the file, or ends its text. */
    isAtFile: () => isAtFile,
    /**
     * Takes a text from a place on. Returns the place after it, which is the beginning of the file where that comes.
     */
    take(more: string, from: number): number {
      isAtFile = false;
      for (let place = from; place < more.length; place += 1) {
        const character = more.charAt(place);
        text += character;
        if (text.length > MAX_OTHERS) throw tooLarge(`has more than ${MAX_OTHERS} bytes besides its file`);
        if (stringFrom === null) takeBetween(character);
        else takeInString(character, stringFrom);
        if (isAtFile) return place + 1;
      }
      return more.length;
    },
  };
};

/** The name that a JSON string stands for; null where it is invalid. */
const nameOf = (string: string): string | null => {
  try {
    return JSON.parse(string);
  } catch {
    return null;
  }
};

type OpenFile<T> = ReturnType<typeof openFile<T>>;

/** A file that is being handed on. It is fed with the inside of a JSON string in Base64. */
const openFile = <T>(name: string, takeFile: TakeFile<T>) => {
  const content = new PassThrough().on('error', () => undefined);
  const unescaper = createUnescaper();
  const decoder = createBase64Decoder();
  const taken = takeFile(content);
  // A rejection is reported by the next write or by the end.
  taken.catch(() => undefined);
  const write = async (text: string | null, decode: (text: string) => Buffer | null): Promise<void> => {
    const bytes = text === null ? null : decode(text);
    if (bytes === null) throw refused(name, `${name} must be standard Base64`);
    if (bytes.length === 0 || content.write(bytes)) return;
    // The reader destroys the stream before it says why.
    const drained = once(content, 'drain').catch(() => taken);
    await Promise.race([drained, taken]);
  };
  return {
    write: (text: string) => write(unescaper.push(text), decoder.push),
    async end(): Promise<T> {
      await write(unescaper.end(), decoder.push);
      await write('', decoder.end);
      content.end();
      return taken;
    },
    abort: (error: Error) => content.destroy(error),
  };
};

const LONGEST_ESCAPE = '\\u002B'.length;

/** Resolves the escapes of a JSON string that arrives in pieces; null where one is broken. */
const createUnescaper = () => {
  let rest = '';
  return {
    push(piece: string): string | null {
      const text = rest + piece;
      const last = text.lastIndexOf('\\');
      const isCut = last !== -1 && last + LONGEST_ESCAPE > text.length;
      rest = isCut ? text.slice(last) : '';
      return unescaped(isCut ? text.slice(0, last) : text);
    },
    end: (): string | null => unescaped(rest),
  };
};

const unescaped = (text: string): string | null => (text.includes('\\') ? nameOf(`"${text}"`) : text);
