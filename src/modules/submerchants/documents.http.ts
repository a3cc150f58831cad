import Joi from 'joi';
import { asMerchant } from '../../kernel/principal.ts';
import { readJsonFile } from '../../platform/http/json-file.ts';
import { MULTIPART, parseForm } from '../../platform/http/multipart.ts';
import { consistencyTokenOf, type Route, type RouteRequest, route } from '../../platform/http/route.ts';
import { BASE64, dateTime, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import { check } from '../../platform/http/validate.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import { presentDocument } from './read/document.view.ts';
import { DOCUMENT_LIST, type ListDocuments } from './read/list-documents.ts';
import { submerchantParams } from './submerchants.schemas.ts';
import { DOCUMENT_TYPES, type DocumentType } from './write/document.ts';
import { DOCUMENT_CONTENT_TYPES, type DocumentContent } from './write/document-content.ts';
import type { DownloadDocument } from './write/download-document.ts';
import type { Marketplace } from './write/marketplace.ts';
import type { ReadUpload, UploadDocument } from './write/upload-document.ts';

/** Bytes of a JSON body: 10 MiB in Base64, and the other members. */
const JSON_LIMIT = 14 * 1024 * 1024;

const type = Joi.string()
  .valid(...DOCUMENT_TYPES)
  .required()
  .description('What the document shows.');
const FILE_NAME = "The file's name on the sender's side; it does not decide the type.";
const CLEANED =
  'It is kept with the extension of its content, and without control and bidirectional characters.';
const fileName = text(255)
  .pattern(/[/\\]/, { name: 'a path', invert: true })
  .required()
  .description(`${FILE_NAME} Without folders. ${CLEANED}`);

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

/** Both bodies once their file is taken in. */
const taken = Joi.object().required();
const readForm = form.keys({ file: Joi.object({ fileName, taken }).required() });
const readJson = jsonUpload.keys({ content: taken });

const documentAnswer = Joi.object({
  id: resourceId('doc').required(),
  type,
  fileName: Joi.string().required().description(CLEANED.replace('It', 'The name')),
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
  scanStatus: Joi.string()
    .valid('clean', 'infected')
    .description('There only once a virus scanner has looked at it, where the gateway has one.'),
}).label('SubmerchantDocument');

const page = {
  description: 'A page of documents.',
  schema: pageOf(documentAnswer).label('SubmerchantDocumentList'),
};

/** Reads either form of the request while it arrives; 400 for a body that is neither. */
const readerOf =
  ({ headers, bodyStream }: RouteRequest): ReadUpload =>
  async (store) => {
    if (headers['content-type']?.toLowerCase().startsWith(MULTIPART)) {
      const form = check(readForm, await parseForm(headers, bodyStream, store)) as FormUpload;
      return { type: form.type, fileName: form.file.fileName, content: form.file.taken };
    }
    const { members, taken } = await readJsonFile(bodyStream, 'content', JSON_LIMIT, store);
    return check(readJson, { ...members, ...(taken && { content: taken }) }) as JsonUpload;
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

export const documentRoutes = (deps: {
  readonly uploadDocument: UploadDocument;
  readonly listDocuments: ListDocuments;
  readonly marketplace: Marketplace;
}): readonly Route[] => [
  route({
    method: 'post',
    path: '/v1/submerchants/{id}/documents',
    params: submerchantParams,
    tag: 'Sub-merchants',
    summary: 'Upload a document for credentialing',
    description:
      'As JSON with the file in Base64, or as `multipart/form-data` with the parts `type` and `file`. By the master or by the sub-merchant itself. PDF, PNG or JPEG by its content, whatever its name (else 415), 10 MiB at most (else 413). It is kept encrypted; only operators can read it. 422 `DOCUMENT_LIMIT_REACHED` beyond 20 documents or 50 MiB of one sub-merchant, `MERCHANT_NOT_ACTIVE` for one that is blocked.',
    access: { merchant: 'submerchants.manage' },
    body: jsonUpload,
    otherBodyTypes: { [MULTIPART]: form },
    streamsBody: true,
    responses: { 201: { description: 'The document.', schema: documentAnswer } },
    errors: [404, 422],
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
      'As an attachment. Every download is recorded in the audit log. 422 `DOCUMENT_REMOVED` for one whose content is no longer kept, `DOCUMENT_NOT_SCANNED` until the virus scanner has looked at it, `DOCUMENT_INFECTED` where it found malware.',
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
