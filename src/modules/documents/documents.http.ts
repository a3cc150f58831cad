import { readJsonFile } from '../../platform/http/json-file.ts';
import { MULTIPART, parseForm } from '../../platform/http/multipart.ts';
import type { Reply, RouteRequest } from '../../platform/http/route.ts';
import { createCheck } from '../../platform/http/validate.ts';
import type { uploadBodies } from './documents.schemas.ts';
import type { DocumentContent } from './write/document-content.ts';
import type { KeptDocument } from './write/kept-document.ts';
import type { GivenDocument, ReadUpload } from './write/take-in-document.ts';

/** The most bytes of a JSON body: 10 MiB in Base64, and the other members. */
const JSON_LIMIT = 14 * 1024 * 1024;

type FormUpload<Type> = {
  readonly type: Type;
  readonly file: { readonly fileName: string; readonly taken: DocumentContent };
};

/** Reads an upload in either form while it arrives; 400 for a body in neither form. */
export const createUploadReader = <Type>({
  readForm,
  readJson,
}: Pick<ReturnType<typeof uploadBodies>, 'readForm' | 'readJson'>) => {
  const checkForm = createCheck(readForm);
  const checkJson = createCheck(readJson);
  return ({ headers, bodyStream }: RouteRequest): ReadUpload<Type> =>
    async (store) => {
      if (headers['content-type']?.toLowerCase().startsWith(MULTIPART)) {
        const form = checkForm(await parseForm(headers, bodyStream, store)) as FormUpload<Type>;
        return { type: form.type, fileName: form.file.fileName, content: form.file.taken };
      }
      const { members, taken } = await readJsonFile(bodyStream, 'content', JSON_LIMIT, store);
      return checkJson({ ...members, ...(taken && { content: taken }) }) as GivenDocument<Type>;
    };
};

/** The answer by which a browser saves a document. */
export const attachmentOf = (
  { contentType, size, fileName }: KeptDocument,
  content: NonNullable<Reply['stream']>,
): Reply => ({
  status: 200,
  headers: {
    'Content-Type': contentType,
    'Content-Length': String(size),
    'Content-Disposition': attachment(fileName),
    // A browser that displays the document all the same runs none of its scripts.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  },
  stream: content,
});

/** The file name by RFC 6266: in ASCII for old clients, with `_` for other characters, and in full as UTF-8. */
const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};
