import { buffer } from 'node:stream/consumers';
import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { DocumentFiles } from '../../documents/write/document-files.store.ts';
import type { EvidenceState, ProviderNamed } from '../../providers/provider.ts';
import { type Dispute, recordDelivery } from './dispute.ts';
import { DISPUTES } from './disputes.store.ts';
import type { EvidenceDocument } from './evidence.ts';

const BY_OPERATOR = { status: 'by_operator', reason: null } as const;
const INFECTED = { status: 'refused', reason: 'document_infected' } as const;
const REMOVED = { status: 'refused', reason: 'document_removed' } as const;

/**
 * Hands submitted evidence to the charge's provider once a scanner has checked all of it, or leaves it to an operator
 * where the provider accepts none. It may be repeated, because the provider recognizes the dispute.
 */
export const createDeliverEvidence = (
  deps: Changing & {
    readonly findCharge: FindById<Charge>;
    readonly findEvidence: FindById<EvidenceDocument>;
    readonly providerNamed: ProviderNamed;
    readonly files: Pick<DocumentFiles, 'open'>;
    readonly needsScan: boolean;
  },
) => {
  const documentsOf = async (dispute: Dispute): Promise<readonly EvidenceDocument[]> => {
    const found = await Promise.all(
      dispute.evidence.map(({ documentId }) => deps.findEvidence(documentId, tenantOf(dispute))),
    );
    return found.filter((document) => document !== null);
  };

  /** Null where the evidence cannot be handed over yet. */
  const deliver = async (
    dispute: Dispute,
  ): Promise<EvidenceState | typeof BY_OPERATOR | typeof INFECTED | typeof REMOVED | null> => {
    const charge = await deps.findCharge(dispute.chargeId, tenantOf(dispute));
    const provider = charge && (await deps.providerNamed(charge.provider));
    if (!charge || !provider?.submitEvidence) return BY_OPERATOR;
    const documents = await documentsOf(dispute);
    if (documents.some(({ scan }) => scan?.status === 'infected')) return INFECTED;
    if (documents.some(({ removedAt }) => removedAt !== null)) return REMOVED;
    if (deps.needsScan && documents.some(({ scan }) => scan === null)) return null;
    return provider.submitEvidence({
      reference: dispute.id,
      paymentReference: charge.id,
      paymentPspRefId: charge.pspRefId,
      files: documents.map(({ id, type, fileName, contentType }) => ({
        type,
        fileName,
        contentType,
        content: async () => {
          const content = await deps.files.open(id);
          if (!content) throw new Error(`the content of ${id} is gone`);
          return buffer(content);
        },
      })),
    });
  };

  return async (due: Dispute): Promise<void> => {
    const state = await deliver(due);
    if (!state) return;
    await deps.transact(systemContext('evidence', tenantOf(due)), async (tx) => {
      const dispute = await tx.get(DISPUTES, due.id);
      const decision = dispute && recordDelivery(dispute, state, deps.clock());
      if (decision) await tx.record(DISPUTES, dispute, decision);
    });
  };
};
