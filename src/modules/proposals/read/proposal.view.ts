import type { View } from '../../../platform/read-store/view.ts';
import { PROPOSALS, type Proposal } from '../write/proposal.ts';

export type ProposalDocument = Omit<Proposal, 'version' | 'seen'>;

export const PROPOSALS_VIEW: View<Proposal, ProposalDocument> = {
  name: 'proposals',
  version: 1,
  source: PROPOSALS,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    resourceId: { type: 'keyword', ignore_above: 256 },
    livemode: { type: 'boolean' },
    permission: { type: 'keyword' },
    status: { type: 'keyword' },
    createdBy: { type: 'keyword' },
    decidedBy: { type: 'keyword' },
    decidedAt: { type: 'date' },
    expiresAt: { type: 'date' },
    createdAt: { type: 'date' },
  },
  toDocument: ({ version: _version, seen: _seen, ...proposal }) => proposal,
};

/** A proposal as the API answers it. */
export const presentProposal = (proposal: ProposalDocument) => ({
  id: proposal.id,
  kind: proposal.kind,
  summary: proposal.summary,
  resourceId: proposal.resourceId,
  livemode: proposal.livemode,
  change: JSON.parse(proposal.change) as { readonly before: object | null; readonly after: object },
  status: proposal.status,
  createdBy: proposal.createdBy,
  decidedBy: proposal.decidedBy,
  rejectionReason: proposal.rejectionReason,
  decidedAt: proposal.decidedAt,
  expiresAt: proposal.expiresAt,
  createdAt: proposal.createdAt,
});
export type PublicProposal = ReturnType<typeof presentProposal>;
