import type { Command } from '../../../kernel/event.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Creating, OwnTransaction } from '../../../platform/write-store/transaction.ts';
import type { DocumentFiles } from '../../documents/write/document-files.store.ts';
import { type DocumentId, removeContent } from '../../documents/write/kept-document.ts';
import { type ReadUpload, type TakingIn, takeInDocument } from '../../documents/write/take-in-document.ts';
import { assertTakesEvidence, attachEvidence, type Dispute, type EvidenceType } from './dispute.ts';
import { DISPUTES } from './disputes.store.ts';
import { addEvidence, DISPUTE_DOCUMENTS, type EvidenceDocument } from './evidence.ts';

/**
 * Adds a document for the merchant of a dispute or its master. It replaces an earlier one of the same type. 413 or 415
 * for the content, 422 DISPUTE_NOT_OPEN or DOCUMENT_LIMIT_REACHED.
 */
export type AttachEvidence = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly id: string;
    /** Reads the upload; called only where the dispute accepts evidence. */
    readonly read: ReadUpload<EvidenceType>;
  },
  EvidenceDocument
>;

export const createAttachEvidence = (
  deps: Creating &
    TakingIn & {
      readonly findDispute: FindById<Dispute>;
      readonly files: Pick<DocumentFiles, 'letGo'>;
    },
): AttachEvidence => {
  const { clock, files } = deps;

  const letGo = async (tx: OwnTransaction, id: DocumentId, dispute: Dispute): Promise<void> => {
    const former = await tx.get(DISPUTE_DOCUMENTS, id);
    if (!former || former.removedAt !== null) return;
    await tx.record(DISPUTE_DOCUMENTS, former, removeContent(DISPUTE_DOCUMENTS, former, clock()));
    await files.letGo(tx, former, dispute.id);
  };

  return async ({ principal, id, read }, context) => {
    const seen = await findVisible(deps.findDispute, principal, id, 'Dispute');
    assertTakesEvidence(seen);
    return takeInDocument(
      deps,
      seen.id,
      read,
      async (tx, { type, fileName, content }, documentId, secret) => {
        const dispute = await tx.get(DISPUTES, seen.id);
        if (!dispute) throw new Error(`dispute ${seen.id} is gone`);
        await tx.record(DISPUTES, dispute, attachEvidence(dispute, { type, documentId }, clock()));
        const former = dispute.evidence.find((known) => known.type === type);
        if (former) await letGo(tx, former.documentId, dispute);
        const added = addEvidence(dispute, { type, fileName, ...content }, documentId, clock());
        return tx.record(DISPUTE_DOCUMENTS, null, added, secret);
      },
      context,
    );
  };
};
