import { defineList } from '../../../platform/http/list.ts';
import { environmentOrBoth } from '../../../platform/read-store/scope.ts';
import { proposalAnswer, TAG } from '../proposals.schemas.ts';
import { DECIDERS, PROPOSAL_KINDS, PROPOSAL_STATUSES } from '../write/proposal.ts';
import { PROPOSALS_VIEW } from './proposal.view.ts';

/** Each operator sees the proposals of the kinds that the operator may decide on. */
export const PROPOSAL_LIST = defineList({
  view: PROPOSALS_VIEW,
  answer: proposalAnswer,
  sort: ['id', 'kind', 'status', 'resourceId', 'createdBy', 'decidedAt', 'expiresAt', 'createdAt'],
  filter: {
    status: {
      valid: PROPOSAL_STATUSES,
      description: '`pending` finds proposals that wait for a second operator.',
    },
    kind: { valid: PROPOSAL_KINDS, description: 'Only proposals of this command.' },
    resourceId: { description: 'Only proposals about this record.' },
    createdBy: { description: 'Id of the author, `usr_…`.' },
    decidedBy: { description: 'Id of the second operator, `usr_…`.' },
    decidedAt: {},
    createdAt: {},
  },
  within: ({ principal }) => [
    { terms: { permission: [...principal.permissions] } },
    environmentOrBoth(principal),
  ],
  routes: [
    {
      operationId: 'listProposals',
      path: '/v1/admin/proposals',
      holdsSecret: true,
      tag: TAG,
      summary: 'List proposals',
      description: 'Shows the commands that need a second operator.',
      access: { operator: DECIDERS },
    },
  ],
});
