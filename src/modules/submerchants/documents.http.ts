import { Readable } from 'node:stream';
import Joi from 'joi';
import { invalidInput } from '../../kernel/errors.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { MULTIPART, parseForm } from '../../platform/http/multipart.ts';
import { consistencyTokenOf, type Route, type RouteRequest, route } from '../../platform/http/route.ts';
import { BASE64, dateTime, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import { check } from '../../platform/http/validate.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import { presentDocument } from './read/document.view.ts';
import { DOCUMENT_LIST, type ListDocuments } from './read/list-documents.ts';
import { submerchantParams } from './submerchants.schemas.ts';
import {
  DOCUMENT_CONTENT_TYPES,
  DOCUMENT_TYPES,
  type DocumentType,
  decodeBase64,
  type NewDocument,
} from './write/document.ts';
import type { DownloadDocument } from './write/download-document.ts';
import type { Marketplace } from './write/marketplace.ts';
import type { UploadDocument } from './write/upload-document.ts';

/** Decisions 9: 10 MiB in Base64, and the rest of the body. */
const BODY_LIMIT = 14 * 1024 * 1024;

const type = Joi.string()
  .valid(...DOCUMENT_TYPES)
  .required()
  .description('What the document shows.');
const FILE_NAME = "The file's name on the sender's side; it does not decide the type.";
const fileName = text(255)
  .pattern(/[/\\]/, { name: 'a path', invert: true })
  .required()
  .description(`${FILE_NAME} Without folders.`);

const jsonUpload = Joi.object({
  type,
  fileName,
  content: Joi.string().meta({ pattern: BASE64 }).required().description('The file in Base64.'),
})
  .example({ type: 'identity', fileName: 'identity.pdf', content: 'JVBERi0xLjQKJSVFT0YK' })
  .label('DocumentRequest');

const form = Joi.object({
  type,
  file: Joi.binary()
    .required()
    .tag(...DOCUMENT_CONTENT_TYPES)
    .description('The file, with its name.'),
}).label('DocumentForm');

const parsedForm = form.keys({
  file: Joi.object({ fileName, bytes: Joi.binary().required() }).required(),
});

const documentAnswer = Joi.object({
  id: resourceId('doc').required(),
  type,
  fileName: Joi.string().required().description(FILE_NAME),
  contentType: Joi.string()
    .valid(...DOCUMENT_CONTENT_TYPES)
    .required()
    .description('As the content shows, whatever the name.'),
  size: Joi.number().integer().required().description('Bytes.'),
  sha256: Joi.string().required().description('Of the content as it was sent, hexadecimal.'),
  createdAt: dateTime().required(),
  removedAt: dateTime().description(
    'There only once its content was removed: long after its sub-merchant was rejected or blocked.',
  ),
}).label('SubmerchantDocument');

const page = {
  description: 'A page of documents.',
  schema: pageOf(documentAnswer).label('SubmerchantDocumentList'),
};

type JsonUpload = { readonly type: DocumentType; readonly fileName: string; readonly content: string };
type FormUpload = {
  readonly type: DocumentType;
  readonly file: { readonly fileName: string; readonly bytes: Buffer };
};

/** Both forms of the request; 400 for what is neither. */
const readUpload = async (request: RouteRequest<JsonUpload | undefined>): Promise<NewDocument> => {
  const { body, rawBody, headers } = request;
  if (body !== undefined) {
    const content = decodeBase64(body.content);
    if (content === null)
      throw invalidInput([{ path: 'content', message: 'content must be standard Base64' }]);
    return { type: body.type, fileName: body.fileName, content };
  }
  const parts = rawBody.length > 0 ? await parseForm(headers, rawBody) : {};
  const { type, file } = check(parsedForm, parts) as FormUpload;
  return { type, fileName: file.fileName, content: file.bytes };
};

export const documentRoutes = (deps: {
  readonly uploadDocument: UploadDocument;
  readonly listDocuments: ListDocuments;
  readonly marketplace: Marketplace;
}): readonly Route[] => [
  route<JsonUpload | undefined>({
    method: 'post',
    path: '/v1/submerchants/{id}/documents',
    params: submerchantParams,
    tag: 'Sub-merchants',
    summary: 'Upload a document for credentialing',
    description:
      'As JSON with the file in Base64, or as `multipart/form-data` with the parts `type` and `file`. By the master or by the sub-merchant itself. PDF, PNG or JPEG by its content, whatever its name (else 415), 10 MiB at most (else 413). It is kept encrypted; only operators can read it.',
    access: { merchant: 'submerchants.manage' },
    body: jsonUpload,
    otherBodyTypes: { [MULTIPART]: form },
    bodyLimit: BODY_LIMIT,
    responses: { 201: { description: 'The document.', schema: documentAnswer } },
    errors: [404],
    async handle(request) {
      const { principal, params, context } = request;
      const command = {
        principal: asMerchant(principal),
        id: params.id ?? '',
        read: () => readUpload(request),
      };
      return { status: 201, body: presentDocument(await deps.uploadDocument(command, context)) };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/submerchants/{id}/documents',
    params: submerchantParams,
    tag: 'Sub-merchants',
    summary: "List a sub-merchant's documents",
    description: 'For its master and for itself. Newest first by default.',
    access: { merchant: 'submerchants.manage' },
    query: DOCUMENT_LIST.query,
    consistent: true,
    responses: { 200: page },
    errors: [404],
    async handle(request) {
      const { principal, params, query } = request;
      const found = await deps.marketplace.findSubmerchant(asMerchant(principal), params.id ?? '');
      return { status: 200, body: await deps.listDocuments(found, query, consistencyTokenOf(request)) };
    },
  }),
];

export const adminDocumentRoutes = (deps: {
  readonly findSubmerchant: (id: string) => Promise<Merchant>;
  readonly listDocuments: ListDocuments;
  readonly downloadDocument: DownloadDocument;
}): readonly Route[] => [
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/submerchants/{id}/documents',
    params: submerchantParams,
    tag: 'Sub-merchants (administration)',
    summary: "List a sub-merchant's documents",
    description: 'Newest first by default.',
    access: { operator: 'admin.merchants.read' },
    query: DOCUMENT_LIST.query,
    consistent: true,
    responses: { 200: page },
    errors: [404],
    async handle(request) {
      const found = await deps.findSubmerchant(request.params.id ?? '');
      const list = await deps.listDocuments(found, request.query, consistencyTokenOf(request));
      return { status: 200, body: list };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/submerchants/{id}/documents/{documentId}',
    params: { ...submerchantParams, documentId: 'Id of the document, `doc_…`.' },
    tag: 'Sub-merchants (administration)',
    summary: 'Download a document',
    description:
      'As an attachment. Every download is recorded in the audit log. 422 `DOCUMENT_REMOVED` for one whose content is no longer kept.',
    access: { operator: 'admin.merchants.read' },
    responses: { 200: { description: 'The file as it was sent.', otherTypes: DOCUMENT_CONTENT_TYPES } },
    errors: [404, 422],
    async handle({ params, context }) {
      const command = { id: params.id ?? '', documentId: params.documentId ?? '' };
      const { document, content } = await deps.downloadDocument(command, context);
      return {
        status: 200,
        headers: {
          'Content-Type': document.contentType,
          'Content-Length': String(content.length),
          'Content-Disposition': attachment(document.fileName),
          // Whoever opens it inside a browser all the same gets no script of it to run.
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
        stream: Readable.from([content]),
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
