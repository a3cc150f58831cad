import { asMerchant } from '../../kernel/principal.ts';
import { readJsonFile } from '../../platform/http/json-file.ts';
import { MULTIPART, parseForm } from '../../platform/http/multipart.ts';
import { type RouteRequest, type Routes, route } from '../../platform/http/route.ts';
import { createCheck } from '../../platform/http/validate.ts';
import { connectNotEnabled } from '../merchants/write/refusals.ts';
import { documentAnswer, form, jsonUpload, readForm, readJson } from './documents.schemas.ts';
import { presentDocument } from './read/document.view.ts';
import { ADMIN_TAG, submerchantParams, TAG } from './submerchants.schemas.ts';
import type { DocumentType } from './write/document.ts';
import { DOCUMENT_CONTENT_TYPES, type DocumentContent } from './write/document-content.ts';
import type { DownloadDocument } from './write/download-document.ts';
import {
  documentInfected,
  documentLimitReached,
  documentNotScanned,
  documentRemoved,
  masterOnly,
  submerchantBlocked,
} from './write/refusals.ts';
import type { ReadUpload, UploadDocument } from './write/upload-document.ts';

/** Bytes of a JSON body: 10 MiB in Base64, and the other members. */
const JSON_LIMIT = 14 * 1024 * 1024;

const checkForm = createCheck(readForm);
const checkJson = createCheck(readJson);

/** Reads either form of the request while it arrives; 400 for a body that is neither. */
const readerOf =
  ({ headers, bodyStream }: RouteRequest): ReadUpload =>
  async (store) => {
    if (headers['content-type']?.toLowerCase().startsWith(MULTIPART)) {
      const form = checkForm(await parseForm(headers, bodyStream, store)) as FormUpload;
      return { type: form.type, fileName: form.file.fileName, content: form.file.taken };
    }
    const { members, taken } = await readJsonFile(bodyStream, 'content', JSON_LIMIT, store);
    return checkJson({ ...members, ...(taken && { content: taken }) }) as JsonUpload;
  };

type FormUpload = {
  readonly type: DocumentType;
  readonly file: { readonly fileName: string; readonly taken: DocumentContent };
};
type JsonUpload = {
  readonly type: DocumentType;
  readonly fileName: string;
  readonly content: DocumentContent;
};

export const documentRoutes: Routes<{ uploadDocument: UploadDocument }> = (deps) => [
  route({
    method: 'post',
    operationId: 'uploadSubmerchantDocument',
    path: '/v1/submerchants/{id}/documents',
    createdBelow: '/v1/admin/submerchants/{id}/documents',
    params: submerchantParams,
    tag: TAG,
    summary: 'Upload a document for credentialing',
    description:
      'Takes JSON with the file in Base64, or `multipart/form-data` with the parts `type` and `file`. The master or the sub-merchant itself may upload. The content has to be PDF, PNG or JPEG (else 415) of at most 10 MiB (else 413). The gateway keeps it encrypted, and only operators can read it. A sub-merchant may have 20 documents and 50 MiB.',
    access: { merchant: 'submerchants.manage' },
    body: jsonUpload,
    otherBodyTypes: { [MULTIPART]: form },
    streamsBody: true,
    responses: { 201: { description: 'The document.', schema: documentAnswer } },
    refusals: [masterOnly, connectNotEnabled, submerchantBlocked, documentLimitReached],
    errors: [404],
    async handle(request) {
      const { principal, params, context } = request;
      const command = {
        principal: asMerchant(principal),
        id: params.id ?? '',
        read: readerOf(request),
      };
      return { status: 201, body: presentDocument(await deps.uploadDocument(command, context)) };
    },
  }),
];

export const adminDocumentRoutes: Routes<{ downloadDocument: DownloadDocument }> = (deps) => [
  route({
    method: 'get',
    operationId: 'downloadSubmerchantDocument',
    path: '/v1/admin/submerchants/{id}/documents/{documentId}',
    params: { ...submerchantParams, documentId: 'Id of the document, `doc_…`.' },
    tag: ADMIN_TAG,
    summary: 'Download a document',
    description: 'Returns the file as an attachment. The audit log records every download.',
    access: { operator: 'admin.merchants.read' },
    responses: { 200: { description: 'The file as it was sent.', otherTypes: DOCUMENT_CONTENT_TYPES } },
    refusals: [documentRemoved, documentInfected, documentNotScanned],
    errors: [404],
    async handle({ params, context }) {
      const command = { id: params.id ?? '', documentId: params.documentId ?? '' };
      const { document, content } = await deps.downloadDocument(command, context);
      return {
        status: 200,
        headers: {
          'Content-Type': document.contentType,
          'Content-Length': String(document.size),
          'Content-Disposition': attachment(document.fileName),
          // A browser that opens it all the same runs no script of it.
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
        stream: content,
      };
    },
  }),
];

/** RFC 6266: the name for old clients, with `_` for what is not plain, and the whole name in UTF-8. */
const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};
