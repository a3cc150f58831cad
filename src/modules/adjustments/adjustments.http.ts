import { notFound } from '../../kernel/errors.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { text } from '../../platform/http/schemas.ts';
import { object } from '../../platform/http/typed.ts';
import { approvalByAuthor, approverNotAllowed, approverTooNew } from '../proposals/write/refusals.ts';
import { adjustmentAnswer, newAdjustment, READERS, TAG } from './adjustments.schemas.ts';
import { presentAdjustment } from './read/adjustment.view.ts';
import type { Adjustment } from './write/adjustment.ts';
import type { CreateAdjustment } from './write/create-adjustment.ts';
import type { ProcessAdjustment } from './write/process-adjustment.ts';
import { adjustmentAlreadyProcessed } from './write/refusals.ts';

const adjustmentParams = { id: 'Id of the adjustment, `adj_…`.' };
const answer = { description: 'The adjustment.', schema: adjustmentAnswer };
export const adjustmentRoutes: Routes<{
  createAdjustment: CreateAdjustment;
  processAdjustment: ProcessAdjustment;
  findAdjustment: (id: string) => Promise<Adjustment | null>;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'proposeAdjustment',
    path: '/v1/admin/adjustments',
    tag: TAG,
    summary: "Propose an adjustment of a merchant's balance",
    description:
      'Proposes a correction in the environment of the token. Nothing is booked until another operator approves it. The approval changes the `available` balance by the amount, and the balance may become negative. A merchant of the other environment is answered with 404.',
    access: { operator: 'admin.adjustments.create' },
    body: newAdjustment,
    responses: { 201: answer },
    errors: [404],
    async handle({ principal, body, context }) {
      const adjustment = await deps.createAdjustment({ ...body, principal }, context);
      return { status: 201, body: presentAdjustment(adjustment) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getAdjustment',
    path: '/v1/admin/adjustments/{id}',
    params: adjustmentParams,
    tag: TAG,
    summary: 'Read an adjustment',
    description: 'Reads the write store, so the answer is never behind.',
    access: { operator: READERS },
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      const adjustment = await deps.findAdjustment(params.id);
      if (!adjustment || adjustment.livemode !== principal.livemode) throw notFound('Adjustment');
      return { status: 200, body: presentAdjustment(adjustment) };
    },
  }),
  route({
    method: 'post',
    operationId: 'approveAdjustment',
    path: '/v1/admin/adjustments/{id}/approve',
    params: adjustmentParams,
    tag: TAG,
    summary: 'Approve and book an adjustment',
    description:
      'Books the adjustment. The approver must not be the author. In production the account of the approver has to be older than a day.',
    access: { operator: 'admin.adjustments.approve' },
    responses: { 200: answer },
    refusals: [approverNotAllowed, approvalByAuthor, approverTooNew, adjustmentAlreadyProcessed],
    errors: [404],
    async handle({ principal, params, context }) {
      const command = { principal, id: params.id, outcome: 'approved' as const };
      return { status: 200, body: presentAdjustment(await deps.processAdjustment(command, context)) };
    },
  }),
  route({
    method: 'post',
    operationId: 'rejectAdjustment',
    path: '/v1/admin/adjustments/{id}/reject',
    params: adjustmentParams,
    tag: TAG,
    summary: 'Reject an adjustment',
    description: 'Rejects the adjustment, so that nothing is booked. The author may reject it, too.',
    access: { operator: 'admin.adjustments.approve' },
    body: object({
      rejectionReason: text(1024).allow(null).description('Reason of the rejection, for the author.'),
    })
      .optional()
      .example({ rejectionReason: 'booked already' }),
    responses: { 200: answer },
    refusals: [adjustmentAlreadyProcessed],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const { rejectionReason = null } = body;
      const command = { principal, id: params.id, outcome: 'rejected' as const, rejectionReason };
      return { status: 200, body: presentAdjustment(await deps.processAdjustment(command, context)) };
    },
  }),
];
