import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { type InputFault, invalidInput } from '../../kernel/errors.ts';
import { refuseCardData } from './card-data.ts';
import { shownPath } from './shown-path.ts';

export const MULTIPART = 'multipart/form-data';

/** Handles the content of a file while it arrives. A rejection refuses the whole body. */
export type TakeFile<T> = (content: Readable) => Promise<T>;

/** A file of a form: the client's name for it without folders, and the result of handling its content. */
type FormFile<T> = { readonly fileName: string; readonly taken: T };

/** Fields (as text) and files of a form, by name. */
export type Form<T> = Readonly<Record<string, string | FormFile<T>>>;

const LIMITS: busboy.Limits = { parts: 20, fieldSize: 4_096, headerPairs: 20 };

/**
 * Parses a multipart body (RFC 7578) while it arrives; 400 for a broken one, too many parts, a second file, a repeated
 * name, or a card number beside the file.
 */
export const parseForm = <T>(
  headers: IncomingHttpHeaders,
  body: Readable,
  takeFile: TakeFile<T>,
): Promise<Form<T>> =>
  new Promise((resolve, reject) => {
    const parser = parserOf(headers);
    const form = new Map<string, string | FormFile<T>>();
    let file: { readonly content: Readable; readonly taken: Promise<void> } | null = null;
    const fail = (error: unknown): void => {
      body.unpipe(parser);
      parser.removeAllListeners();
      parser.on('error', () => undefined).destroy();
      // The file's reader must not wait for the rest of it.
      file?.content.destroy();
      reject(error);
    };
    const refuse = (path: string, message: string): void => fail(invalidInput([{ path, message }]));
    const refuseSecond = (path: string): void => refuse(path, `${path} is one file too many for the form`);
    const take = (name: string, value: string | FormFile<T>): void => {
      // The validator copies by assignment, which would lose this name instead of refusing it.
      if (name === '__proto__') refuse(name, `${name} is not allowed`);
      else if (form.has(name)) refuse(name, `${name} is given more than once`);
      else form.set(name, value);
    };
    parser.on('field', (name: string | undefined, value, { valueTruncated }) => {
      if (name === undefined) refuse('', BROKEN.message);
      else if (valueTruncated) refuse(name, `${name} is too long`);
      else take(name, value);
    });
    parser.on('file', (name: string | undefined, content, { filename }: { filename?: string }) => {
      // Where the body breaks off, the parser reports an error as well.
      content.on('error', () => undefined);
      if (name === undefined) refuse('', BROKEN.message);
      else if (file) refuseSecond(shownPath([name]));
      else {
        const keep = (taken: T): void => take(name, { fileName: filename ?? '', taken });
        file = { content, taken: takeFile(content).then(keep, fail) };
      }
    });
    parser.on('partsLimit', () => refuse('', 'The form has too many parts'));
    parser.on('error', () => refuse('', BROKEN.message));
    parser.on('close', () =>
      Promise.resolve(file?.taken)
        .then(() => {
          refuseCardData(Object.fromEntries([...form].map(([name, value]) => [name, textOf(value)])));
          resolve(Object.fromEntries(form));
        })
        .catch(reject),
    );
    body.on('error', fail);
    body.pipe(parser);
  });

const textOf = (value: string | FormFile<unknown>): unknown =>
  typeof value === 'string' ? value : { fileName: value.fileName };

const BROKEN: InputFault = { path: '', message: 'The body is not a valid form' };

/** The parser of a form; it throws for a body without a boundary. */
const parserOf = (headers: IncomingHttpHeaders): busboy.Busboy => {
  try {
    return busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw invalidInput([BROKEN]);
  }
};
