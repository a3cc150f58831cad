import { asMerchant } from '../../kernel/principal.ts';
import { MULTIPART } from '../../platform/http/multipart.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { oneOf } from '../../platform/http/schemas.ts';
import { object } from '../../platform/http/typed.ts';
import { attachmentOf, createUploadReader } from '../documents/documents.http.ts';
import { DOCUMENT_CONTENT_TYPES } from '../documents/write/document-content.ts';
import type { DownloadDocument } from '../documents/write/download-document.ts';
import {
  documentInfected,
  documentLimitReached,
  documentNotScanned,
  documentRemoved,
} from '../documents/write/refusals.ts';
import {
  ADMIN_TAG,
  DISPUTE_READERS,
  disputeParams,
  disputeWithEvidence,
  evidenceAnswer,
  evidenceBodies,
  TAG,
} from './disputes.schemas.ts';
import { presentEvidence } from './read/dispute.view.ts';
import type { GetDispute, ShowDispute } from './read/get-dispute.ts';
import type { AttachEvidence } from './write/attach-evidence.ts';
import type { CloseDispute } from './write/close-dispute.ts';
import { DISPUTE_OUTCOMES, type EvidenceType } from './write/dispute.ts';
import type { EvidenceDocument } from './write/evidence.ts';
import { disputeNotOpen, evidenceMissing } from './write/refusals.ts';
import type { SubmitEvidence } from './write/submit-evidence.ts';

const answer = { description: 'The dispute.', schema: disputeWithEvidence };
const readerOf = createUploadReader<EvidenceType>(evidenceBodies);

export const disputeRoutes: Routes<{
  getDispute: GetDispute;
  showDispute: ShowDispute;
  attachEvidence: AttachEvidence;
  submitEvidence: SubmitEvidence;
}> = (deps) => [
  route({
    method: 'get',
    operationId: 'getDispute',
    path: '/v1/disputes/{id}',
    params: disputeParams,
    tag: TAG,
    summary: 'Read a dispute',
    description: 'Reads the write store, so the answer is never behind.',
    access: DISPUTE_READERS,
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      return { status: 200, body: await deps.getDispute(principal, params.id) };
    },
  }),
  route({
    method: 'post',
    operationId: 'attachDisputeEvidence',
    path: '/v1/disputes/{id}/evidence',
    createdBelow: '/v1/admin/disputes/{id}/evidence',
    params: disputeParams,
    tag: TAG,
    summary: 'Attach evidence to a dispute',
    description:
      'Takes JSON with the file in Base64, or `multipart/form-data` with the parts `type` and `file`. The content has to be PDF, PNG or JPEG (else 415) of at most 10 MiB (else 413). The gateway stores it encrypted, and only operators can read it. A document replaces an earlier one of its `type`. The dispute has to be `announced` or `open`.',
    access: { merchant: 'disputes.manage' },
    body: evidenceBodies.json,
    otherBodyTypes: { [MULTIPART]: evidenceBodies.form },
    streamsBody: true,
    responses: { 201: { description: 'The document.', schema: evidenceAnswer } },
    refusals: [disputeNotOpen, documentLimitReached],
    errors: [404],
    async handle(request) {
      const { principal, params, context } = request;
      const command = { principal: asMerchant(principal), id: params.id, read: readerOf(request) };
      return { status: 201, body: presentEvidence(await deps.attachEvidence(command, context)) };
    },
  }),
  route({
    method: 'post',
    operationId: 'submitDisputeEvidence',
    path: '/v1/disputes/{id}/submit',
    params: disputeParams,
    tag: TAG,
    summary: 'Submit the evidence of a dispute',
    description:
      'Submits all documents. Nothing can be attached afterwards, because acquirers accept evidence once. The gateway hands the documents to the provider, as `delivery` shows. The dispute has to be `open`, and becomes `under_review`.',
    access: { merchant: 'disputes.manage' },
    responses: { 200: answer },
    refusals: [disputeNotOpen, evidenceMissing],
    errors: [404],
    async handle({ principal, params, context }) {
      const submitted = await deps.submitEvidence({ principal, id: params.id }, context);
      return { status: 200, body: await deps.showDispute(submitted) };
    },
  }),
];

export const adminDisputeRoutes: Routes<{
  getDispute: GetDispute;
  closeDispute: CloseDispute;
  showDispute: ShowDispute;
  downloadEvidence: DownloadDocument<EvidenceDocument>;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'closeDispute',
    path: '/v1/admin/disputes/{id}/close',
    params: disputeParams,
    tag: ADMIN_TAG,
    summary: "Record the acquirer's decision in a dispute",
    description:
      'Serves acquirers that do not report their decision themselves. If the dispute is won, the money is held in suspense as `chargeback_reversed` until operators book it to the merchant.',
    access: { operator: 'admin.chargebacks.confirm' },
    body: object({ state: oneOf(DISPUTE_OUTCOMES).description('The decision.') })
      .example({ state: 'won' })
      .label('DisputeDecision'),
    responses: { 200: answer },
    refusals: [disputeNotOpen],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const command = { principal, id: params.id, outcome: body.state };
      return { status: 200, body: await deps.showDispute(await deps.closeDispute(command, context)) };
    },
  }),
  route({
    method: 'get',
    operationId: 'downloadDisputeEvidence',
    path: '/v1/admin/disputes/{id}/evidence/{documentId}',
    params: { ...disputeParams, documentId: 'Id of the document, `doc_…`.' },
    tag: ADMIN_TAG,
    summary: 'Download evidence of a dispute',
    description: 'Returns the file as an attachment. The audit log records every download.',
    access: { operator: 'admin.charges.read' },
    responses: { 200: { description: 'The file as it was sent.', otherTypes: DOCUMENT_CONTENT_TYPES } },
    refusals: [documentRemoved, documentInfected, documentNotScanned],
    errors: [404],
    async handle({ principal, params, context }) {
      const { id } = await deps.getDispute(principal, params.id);
      const command = { id, documentId: params.documentId };
      const { document, content } = await deps.downloadEvidence(command, context);
      return attachmentOf(document, content);
    },
  }),
];
