import type { Principal } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Dispute } from '../write/dispute.ts';
import type { EvidenceDocument } from '../write/evidence.ts';
import { presentDispute, presentEvidence } from './dispute.view.ts';

type DisputeWithEvidence = ReturnType<typeof presentDispute> & {
  readonly evidence: readonly ReturnType<typeof presentEvidence>[];
};

/** Presents a dispute with its current documents. */
export type ShowDispute = (dispute: Dispute) => Promise<DisputeWithEvidence>;

export const createShowDispute =
  (deps: { readonly findEvidence: FindById<EvidenceDocument> }): ShowDispute =>
  async (dispute) => {
    const found = await Promise.all(
      dispute.evidence.map(({ documentId }) => deps.findEvidence(documentId, tenantOf(dispute))),
    );
    const evidence = found.filter((document) => document !== null).map(presentEvidence);
    return { ...presentDispute(dispute), evidence };
  };

/** Reads a dispute from the write store, so never behind; 404 for a dispute that the caller may not see. */
export type GetDispute = (principal: Principal, id: string) => Promise<DisputeWithEvidence>;

export const createGetDispute =
  (deps: { readonly findDispute: FindById<Dispute>; readonly showDispute: ShowDispute }): GetDispute =>
  async (principal, id) =>
    deps.showDispute(await findVisible(deps.findDispute, principal, id, 'Dispute'));
