import { asMerchant } from '../../kernel/principal.ts';
import { MULTIPART } from '../../platform/http/multipart.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { attachmentOf, createUploadReader } from '../documents/documents.http.ts';
import { DOCUMENT_CONTENT_TYPES } from '../documents/write/document-content.ts';
import type { DownloadDocument } from '../documents/write/download-document.ts';
import {
  documentInfected,
  documentLimitReached,
  documentNotScanned,
  documentRemoved,
} from '../documents/write/refusals.ts';
import { connectNotEnabled } from '../merchants/write/refusals.ts';
import { documentAnswer, documentBodies } from './documents.schemas.ts';
import { presentDocument } from './read/document.view.ts';
import { ADMIN_TAG, submerchantParams, TAG } from './submerchants.schemas.ts';
import type { DocumentType, SubmerchantDocument } from './write/document.ts';
import { masterOnly, submerchantBlocked } from './write/refusals.ts';
import type { UploadDocument } from './write/upload-document.ts';

const readerOf = createUploadReader<DocumentType>(documentBodies);

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
      'Takes JSON with the file in Base64, or `multipart/form-data` with the parts `type` and `file`. The master or the sub-merchant itself may upload. The content has to be PDF, PNG or JPEG (else 415) of at most 10 MiB (else 413). The gateway stores it encrypted, and only operators can read it. A sub-merchant may have 20 documents, of 50 MiB in all.',
    access: { merchant: 'submerchants.manage' },
    body: documentBodies.json,
    otherBodyTypes: { [MULTIPART]: documentBodies.form },
    streamsBody: true,
    responses: { 201: { description: 'The document.', schema: documentAnswer } },
    refusals: [masterOnly, connectNotEnabled, submerchantBlocked, documentLimitReached],
    errors: [404],
    async handle(request) {
      const { principal, params, context } = request;
      const command = {
        principal: asMerchant(principal),
        id: params.id,
        read: readerOf(request),
      };
      return { status: 201, body: presentDocument(await deps.uploadDocument(command, context)) };
    },
  }),
];

export const adminDocumentRoutes: Routes<{ downloadDocument: DownloadDocument<SubmerchantDocument> }> = (
  deps,
) => [
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
      const command = { id: params.id, documentId: params.documentId };
      const { document, content } = await deps.downloadDocument(command, context);
      return attachmentOf(document, content);
    },
  }),
];
