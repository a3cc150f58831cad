import type { IncomingHttpHeaders } from 'node:http';
import busboy from 'busboy';
import { type InputFault, invalidInput } from '../../kernel/errors.ts';

export const MULTIPART = 'multipart/form-data';

/** A file of a form. Its name is what the client said, without folders. */
export type FormFile = { readonly fileName: string; readonly bytes: Buffer };

/** Fields (text) and files of a form by their names. */
export type Form = Readonly<Record<string, string | FormFile>>;

const LIMITS: busboy.Limits = { parts: 20, fieldSize: 4_096, headerPairs: 20 };

/** Takes a multipart body (RFC 7578) apart; 400 for one that is broken, has too many parts or repeats a name. */
export const parseForm = (headers: IncomingHttpHeaders, body: Buffer): Promise<Form> =>
  new Promise((resolve, reject) => {
    const parser = parserOf(headers);
    const form = new Map<string, string | FormFile>();
    const refuse = (path: string, message: string): void => {
      parser.removeAllListeners();
      parser.on('error', () => undefined).destroy();
      reject(invalidInput([{ path, message }]));
    };
    const take = (name: string, value: string | FormFile): void => {
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
    parser.on('file', (name: string | undefined, stream, { filename }: { filename?: string }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      // Where the body breaks off, the parser itself says so as well.
      stream.on('error', () => undefined);
      stream.on('end', () => {
        if (name === undefined) refuse('', BROKEN.message);
        else take(name, { fileName: filename ?? '', bytes: Buffer.concat(chunks) });
      });
    });
    parser.on('partsLimit', () => refuse('', 'The form has too many parts'));
    parser.on('error', () => refuse('', BROKEN.message));
    parser.on('close', () => resolve(Object.fromEntries(form)));
    parser.end(body);
  });

const BROKEN: InputFault = { path: '', message: 'The body is not a valid form' };

/** The parser refuses by throwing what has no boundary. */
const parserOf = (headers: IncomingHttpHeaders): busboy.Busboy => {
  try {
    return busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw invalidInput([BROKEN]);
  }
};
