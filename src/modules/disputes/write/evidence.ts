import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import { cleanFileName, type DocumentContent } from '../../documents/write/document-content.ts';
import {
  type DocumentId,
  documentStore,
  type KeptDocument,
  keptDocument,
} from '../../documents/write/kept-document.ts';
import type { Dispute, DisputeId, EvidenceType } from './dispute.ts';

/** A document with which the merchant argues in a dispute. */
export type EvidenceDocument = KeptDocument & {
  readonly disputeId: DisputeId;
  readonly type: EvidenceType;
};

export const DISPUTE_DOCUMENTS = documentStore<EvidenceDocument, 'dispute_document'>(
  'dispute_documents',
  'dispute_document',
);

type NewEvidence = { readonly type: EvidenceType; readonly fileName: string } & DocumentContent;

export const addEvidence = (
  { id: disputeId, merchantId, masterId, livemode }: Dispute,
  { type, ...file }: NewEvidence,
  id: DocumentId,
  now: Date,
): Decision<EvidenceDocument, 'dispute_document.added'> => ({
  type: 'dispute_document.added',
  data: { ...keptDocument({ merchantId, masterId, livemode }, file, id, now), disputeId, type },
});

/** Since when nothing has changed; null while a decision is pending, and where the content is removed. */
export const unchangedSince = (
  { removedAt, createdAt }: Pick<KeptDocument, 'removedAt' | 'createdAt'>,
  { state, updatedAt }: Pick<Dispute, 'state' | 'updatedAt'>,
): Timestamp | null => {
  if (removedAt !== null || state === 'open' || state === 'under_review') return null;
  return createdAt > updatedAt ? createdAt : updatedAt;
};

/** Whether the content is no longer needed: no decision is pending, and nothing has changed since `before`. */
export const isEvidenceExpired = (
  document: Parameters<typeof unchangedSince>[0],
  dispute: Parameters<typeof unchangedSince>[1],
  before: Date,
): boolean => {
  const since = unchangedSince(document, dispute);
  return since !== null && since < timestamp(before);
};

/** The document without its file name, which the sender may have made of the payer's name. */
export const withoutFileName = (document: EvidenceDocument): EvidenceDocument => ({
  ...document,
  fileName: cleanFileName('erased', document.contentType),
});

/** Removes content and file name, because the payer is erased. */
export const eraseEvidence = (
  document: EvidenceDocument,
  now: Date,
): Decision<EvidenceDocument, 'dispute_document.erased'> => ({
  type: 'dispute_document.erased',
  data: { ...withoutFileName(document), removedAt: document.removedAt ?? timestamp(now) },
});
