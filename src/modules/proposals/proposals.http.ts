import { notFound } from '../../kernel/errors.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { text } from '../../platform/http/schemas.ts';
import { object } from '../../platform/http/typed.ts';
import { approvedProposalAnswer, proposalAnswer, TAG } from './proposals.schemas.ts';
import { presentProposal } from './read/proposal.view.ts';
import { type DecideProposal, mayDecide } from './write/decide-proposal.ts';
import { DECIDERS, type Proposal } from './write/proposal.ts';
import {
  approvalByAuthor,
  approvalByConcerned,
  approverNotAllowed,
  approverTooNew,
  authorNotAllowed,
  proposalNotPending,
  recordChanged,
} from './write/refusals.ts';
import type { AnyProposable } from './write/submit-command.ts';

const proposalParams = { id: 'Id of the proposal, `prp_…`.' };
const SIGHT =
  'A caller sees only proposals of commands that it may give itself, in its environment; any other proposal is answered with 404.';

export const proposalRoutes: Routes<{
  decideProposal: DecideProposal;
  findProposal: (id: string) => Promise<Proposal | null>;
  /** All commands that may need a second operator. */
  proposables: readonly Pick<AnyProposable, 'refusals'>[];
}> = (deps) => {
  const access = { operator: DECIDERS };
  const answer = { description: 'The proposal.', schema: proposalAnswer };
  return [
    route({
      method: 'get',
      operationId: 'getProposal',
      path: '/v1/admin/proposals/{id}',
      holdsSecret: true,
      params: proposalParams,
      tag: TAG,
      summary: 'Read a proposal',
      description: `Reads the write store, so the answer is never behind. ${SIGHT}`,
      access,
      responses: { 200: answer },
      errors: [404],
      async handle({ principal, params }) {
        const proposal = await deps.findProposal(params.id);
        if (!proposal || !mayDecide(principal, proposal)) throw notFound('Proposal');
        return { status: 200, body: presentProposal(proposal) };
      },
    }),
    route({
      method: 'post',
      operationId: 'approveProposal',
      path: '/v1/admin/proposals/{id}/approve',
      params: proposalParams,
      tag: TAG,
      summary: 'Approve a proposal',
      description: `Carries the command out as if it were given now. Every rule is checked again, and both author and approver need the rights for the command. If the command is refused, the proposal stays pending. ${SIGHT}`,
      access,
      responses: {
        200: { description: 'The proposal, which has been carried out.', schema: approvedProposalAnswer },
      },
      refusals: [
        approvalByAuthor,
        approvalByConcerned,
        approverTooNew,
        approverNotAllowed,
        proposalNotPending,
        authorNotAllowed,
        recordChanged,
        ...new Set(deps.proposables.flatMap(({ refusals }) => refusals)),
      ],
      errors: [404],
      async handle({ principal, params, context }) {
        const { proposal, result } = await deps.decideProposal.approve({ principal, id: params.id }, context);
        return { status: 200, body: { ...presentProposal(proposal), result } };
      },
    }),
    route({
      method: 'post',
      operationId: 'rejectProposal',
      path: '/v1/admin/proposals/{id}/reject',
      params: proposalParams,
      tag: TAG,
      summary: 'Reject a proposal',
      description: `Rejects the proposal, so that the command is not carried out. The author may reject it, too. ${SIGHT}`,
      access,
      body: object({
        reason: text(1024).required().description('Reason of the rejection, for the author.'),
      }).example({
        reason: 'Ana has left the team',
      }),
      responses: { 200: answer },
      refusals: [proposalNotPending],
      errors: [404],
      async handle({ principal, params, body, context }) {
        const command = { principal, id: params.id, reason: body.reason };
        return { status: 200, body: presentProposal(await deps.decideProposal.reject(command, context)) };
      },
    }),
  ];
};
