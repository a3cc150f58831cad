import { timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import { cleanFileName, type DocumentContent } from '../../documents/write/document-content.ts';
import { type DocumentId, type KeptDocument, keptDocument } from '../../documents/write/kept-document.ts';
import type { Dispute, DisputeId, EvidenceType } from './dispute.ts';

/** A document that speaks for the merchant in a dispute. */
export type EvidenceDocument = KeptDocument & {
  readonly disputeId: DisputeId;
  readonly type: EvidenceType;
};

export const DISPUTE_DOCUMENTS: SecretStore<EvidenceDocument> = secretStore(
  'dispute_documents',
  'dispute_document',
  { auditsEverybody: true },
);

type NewEvidence = { readonly type: EvidenceType; readonly fileName: string } & DocumentContent;

export const addEvidence = (
  { id: disputeId, merchantId, masterId, livemode }: Dispute,
  { type, ...file }: NewEvidence,
  id: DocumentId,
  now: Date,
): Decision<EvidenceDocument> => ({
  type: 'dispute_document.added',
  data: { ...keptDocument({ merchantId, masterId, livemode }, file, id, now), disputeId, type },
});

/** Whether nobody needs the content any more: no decision is to come, and all that has not changed since `before`. */
export const isEvidenceExpired = (
  { removedAt, createdAt }: Pick<KeptDocument, 'removedAt' | 'createdAt'>,
  { state, updatedAt }: Pick<Dispute, 'state' | 'updatedAt'>,
  before: Date,
): boolean =>
  removedAt === null &&
  createdAt < timestamp(before) &&
  updatedAt < timestamp(before) &&
  state !== 'open' &&
  state !== 'under_review';

/** A document without the name that its sender gave it, which may be the payer's. */
export const withoutFileName = (document: EvidenceDocument): EvidenceDocument => ({
  ...document,
  fileName: cleanFileName('erased', document.contentType),
});

/** The payer is erased: neither content nor name stays. */
export const eraseEvidence = (document: EvidenceDocument, now: Date): Decision<EvidenceDocument> => ({
  type: 'dispute_document.erased',
  data: { ...withoutFileName(document), removedAt: document.removedAt ?? timestamp(now) },
});
