import Joi from 'joi';
import { notFound } from '../../kernel/errors.ts';
import type { OperatorPermission } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { pageOf, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { approvedProposalAnswer, proposalAnswer } from './proposals.schemas.ts';
import { type ListProposals, PROPOSAL_LIST } from './read/list-proposals.ts';
import { presentProposal } from './read/proposal.view.ts';
import { type DecideProposal, mayDecide } from './write/decide-proposal.ts';
import type { Proposal } from './write/proposal.ts';

const TAG = 'Proposals (administration)';
const proposalParams = { id: 'Id of the proposal, `prp_…`.' };
const SIGHT =
  'A caller sees proposals whose command it could give itself: 404 for others, and for those of the other environment.';

export const proposalRoutes = (deps: {
  readonly decide: DecideProposal;
  readonly findProposal: (id: string) => Promise<Proposal | null>;
  readonly listProposals: ListProposals;
  /** Permissions of all commands that may wait. */
  readonly permissions: readonly OperatorPermission[];
}): readonly Route[] => {
  const access = { operator: deps.permissions };
  const answer = { description: 'The proposal.', schema: proposalAnswer };
  return [
    route<unknown, ListQuery>({
      method: 'get',
      path: '/v1/admin/proposals',
      tag: TAG,
      summary: 'List proposals',
      description: 'Commands that need a second operator. Newest first by default.',
      access,
      query: PROPOSAL_LIST.query,
      consistent: true,
      responses: {
        200: { description: 'A page of proposals.', schema: pageOf(proposalAnswer).label('ProposalList') },
      },
      async handle(request) {
        const { principal, query } = request;
        return { status: 200, body: await deps.listProposals(principal, query, consistencyTokenOf(request)) };
      },
    }),
    route({
      method: 'get',
      path: '/v1/admin/proposals/{id}',
      params: proposalParams,
      tag: TAG,
      summary: 'Read a proposal',
      description: `Read from the write store: never behind. ${SIGHT}`,
      access,
      responses: { 200: answer },
      errors: [404],
      async handle({ principal, params }) {
        const proposal = await deps.findProposal(params.id ?? '');
        if (!proposal || !mayDecide(principal, proposal)) throw notFound('Proposal');
        return { status: 200, body: presentProposal(proposal) };
      },
    }),
    route({
      method: 'post',
      path: '/v1/admin/proposals/{id}/approve',
      params: proposalParams,
      tag: TAG,
      summary: 'Approve a proposal',
      description: `Carries the command out as if it were given now: every rule is checked again, and author and approver both need its rights. 403 \`APPROVAL_BY_AUTHOR\`; \`APPROVAL_BY_CONCERNED\` for the user that would change; \`APPROVER_TOO_NEW\` for an account that is younger than a day; \`APPROVER_NOT_ALLOWED\` and \`GRANT_NOT_HELD\` for want of rights. 422 \`PROPOSAL_NOT_PENDING\`, \`AUTHOR_NOT_ALLOWED\` where the author has lost the permission, and whatever refuses the command itself. 409 \`VERSION_CHANGED\`: the record is not as the author saw it. After a refusal it is pending as before. ${SIGHT}`,
      access,
      responses: { 200: { description: 'The proposal, carried out.', schema: approvedProposalAnswer } },
      errors: [404, 409, 422],
      async handle({ principal, params, context }) {
        const { proposal, result } = await deps.decide.approve({ principal, id: params.id ?? '' }, context);
        return { status: 200, body: { ...presentProposal(proposal), result } };
      },
    }),
    route<{ readonly reason: string }>({
      method: 'post',
      path: '/v1/admin/proposals/{id}/reject',
      params: proposalParams,
      tag: TAG,
      summary: 'Reject a proposal',
      description: `Nothing changes. Its author may do so too. 422 \`PROPOSAL_NOT_PENDING\`. ${SIGHT}`,
      access,
      body: Joi.object({ reason: text(1024).required().description('For its author.') }).example({
        reason: 'Ana has left the team',
      }),
      responses: { 200: answer },
      errors: [404, 422],
      async handle({ principal, params, body, context }) {
        const command = { principal, id: params.id ?? '', reason: body.reason };
        return { status: 200, body: presentProposal(await deps.decide.reject(command, context)) };
      },
    }),
  ];
};
