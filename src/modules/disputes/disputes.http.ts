import Joi from 'joi';
import { type Routes, route } from '../../platform/http/route.ts';
import { oneOf } from '../../platform/http/schemas.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { ADMIN_TAG, DISPUTE_READERS, disputeAnswer, disputeParams, TAG } from './disputes.schemas.ts';
import { presentDispute } from './read/dispute.view.ts';
import type { CloseDispute } from './write/close-dispute.ts';
import { DISPUTE_OUTCOMES, type Dispute, type DisputeOutcome } from './write/dispute.ts';
import { disputeNotOpen } from './write/refusals.ts';

const answer = { description: 'The dispute.', schema: disputeAnswer };

export const disputeRoutes: Routes<{ findDispute: FindById<Dispute> }> = (deps) => [
  route({
    method: 'get',
    operationId: 'getDispute',
    path: '/v1/disputes/{id}',
    params: disputeParams,
    tag: TAG,
    summary: 'Read a dispute',
    description: 'Reads the write store, so the answer is never behind.',
    access: DISPUTE_READERS,
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      const dispute = await findVisible(deps.findDispute, principal, params.id ?? '', 'Dispute');
      return { status: 200, body: presentDispute(dispute) };
    },
  }),
];

export const adminDisputeRoutes: Routes<{ closeDispute: CloseDispute }> = (deps) => [
  route<{ readonly state: DisputeOutcome }>({
    method: 'post',
    operationId: 'closeDispute',
    path: '/v1/admin/disputes/{id}/close',
    params: disputeParams,
    tag: ADMIN_TAG,
    summary: "Record the acquirer's decision in a dispute",
    description:
      'For acquirers that do not report it themselves. Where the dispute is won, the money is held in suspense as `chargeback_reversed`, until an operator books it to the merchant.',
    access: { operator: 'admin.chargebacks.confirm' },
    body: Joi.object({ state: oneOf(DISPUTE_OUTCOMES).description('The decision.') })
      .example({ state: 'won' })
      .label('DisputeDecision'),
    responses: { 200: answer },
    refusals: [disputeNotOpen],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const command = { principal, id: params.id ?? '', outcome: body.state };
      return { status: 200, body: presentDispute(await deps.closeDispute(command, context)) };
    },
  }),
];
