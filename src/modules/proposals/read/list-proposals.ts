import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { PROPOSAL_KINDS, PROPOSAL_STATUSES } from '../write/proposal.ts';
import { PROPOSALS_VIEW, type PublicProposal, presentProposal } from './proposal.view.ts';

export const PROPOSAL_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    kind: { field: 'kind', kind: 'keyword' },
    status: { field: 'status', kind: 'keyword' },
    resourceId: { field: 'resourceId', kind: 'keyword' },
    createdBy: { field: 'createdBy', kind: 'keyword' },
    decidedAt: { field: 'decidedAt', kind: 'date' },
    expiresAt: { field: 'expiresAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
  filters: {
    status: {
      field: 'status',
      kind: 'keyword',
      schema: Joi.string().valid(...PROPOSAL_STATUSES),
      description: '`pending` finds what waits for a second operator.',
    },
    kind: {
      field: 'kind',
      kind: 'keyword',
      schema: Joi.string().valid(...PROPOSAL_KINDS),
      description: 'Only commands of this kind.',
    },
    resourceId: { field: 'resourceId', kind: 'keyword', description: 'Everything proposed for this record.' },
    createdBy: { field: 'createdBy', kind: 'keyword', description: 'Id of the author, `usr_…`.' },
    decidedBy: { field: 'decidedBy', kind: 'keyword', description: 'Id of the second operator, `usr_…`.' },
    decidedAt: { field: 'decidedAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
  },
});

export type ListProposals = ListFor<PublicProposal>;

/** Those whose kind the caller may decide on, in the environment of the token and in both. */
export const createListProposals =
  (readView: ReadView): ListProposals =>
  ({ livemode, permissions }, query, consistencyToken) =>
    readView.page(
      { list: PROPOSAL_LIST, view: PROPOSALS_VIEW, present: presentProposal },
      [
        { terms: { permission: [...permissions] } },
        {
          bool: {
            should: [{ term: { livemode } }, { bool: { must_not: [{ exists: { field: 'livemode' } }] } }],
            minimum_should_match: 1,
          },
        },
      ],
      query,
      consistencyToken,
    );
