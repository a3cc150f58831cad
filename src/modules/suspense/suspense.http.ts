import { notFound } from '../../kernel/errors.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { text } from '../../platform/http/schemas.ts';
import { object } from '../../platform/http/typed.ts';
import { approvalByAuthor, approverNotAllowed, approverTooNew } from '../proposals/write/refusals.ts';
import { presentSuspenseItem } from './read/suspense-item.view.ts';
import { newClearing, READERS, suspenseItem, TAG } from './suspense.schemas.ts';
import type { ClearSuspense } from './write/clear-suspense.ts';
import {
  clearingAlreadyProposed,
  clearingNotPending,
  suspenseItemNotHeld,
  suspenseItemNotReturnable,
  suspenseOfOwnAccount,
} from './write/refusals.ts';
import type { SuspenseItem } from './write/suspense.ts';

const params = { id: 'Id of the suspense item, `sus_…`.' };
const answer = { description: 'The suspense item.', schema: suspenseItem };
export const suspenseRoutes: Routes<{
  clearSuspense: ClearSuspense;
  findSuspenseItem: (id: string) => Promise<SuspenseItem | null>;
}> = (deps) => [
  route({
    method: 'get',
    operationId: 'getSuspenseItem',
    path: '/v1/admin/suspense-items/{id}',
    params,
    tag: TAG,
    summary: 'Read a suspense item',
    description: 'Reads the write store, so the answer is never behind.',
    access: { operator: READERS },
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params: { id } }) {
      const item = await deps.findSuspenseItem(id);
      if (item?.livemode !== principal.livemode) throw notFound('Suspense item');
      return { status: 200, body: presentSuspenseItem(item) };
    },
  }),
  route({
    method: 'post',
    operationId: 'proposeSuspenseClearing',
    path: '/v1/admin/suspense-items/{id}/clearing',
    params,
    tag: TAG,
    summary: 'Propose the clearing of a suspense item',
    description:
      'Proposes what happens to the money. Nothing moves until another operator approves it. A merchant of the other environment is answered with 404.',
    access: { operator: 'admin.adjustments.create' },
    body: newClearing,
    responses: { 200: answer },
    refusals: [suspenseItemNotHeld, clearingAlreadyProposed, suspenseItemNotReturnable, suspenseOfOwnAccount],
    errors: [404],
    async handle({ principal, params: { id }, body, context }) {
      const clearing = { ...body, merchantId: body.merchantId ?? null };
      const command = { principal, id, step: 'propose' as const, clearing };
      return { status: 200, body: presentSuspenseItem(await deps.clearSuspense(command, context)) };
    },
  }),
  route({
    method: 'post',
    operationId: 'approveSuspenseClearing',
    path: '/v1/admin/suspense-items/{id}/clearing/approve',
    params,
    tag: TAG,
    summary: 'Approve a clearing',
    description:
      'Books the money, or asks the provider to give it back. The approver must not be the author. In production the account of the approver has to be older than a day. The item is `returned` once the provider confirms the return, and `held` again with `returnFailure` if the provider refuses it. A provider that does not answer is asked again.',
    access: { operator: 'admin.adjustments.approve' },
    responses: { 200: answer },
    refusals: [approverNotAllowed, approvalByAuthor, approverTooNew, clearingNotPending],
    errors: [404],
    async handle({ principal, params: { id }, context }) {
      const command = { principal, id, step: 'approve' as const };
      return { status: 200, body: presentSuspenseItem(await deps.clearSuspense(command, context)) };
    },
  }),
  route({
    method: 'post',
    operationId: 'rejectSuspenseClearing',
    path: '/v1/admin/suspense-items/{id}/clearing/reject',
    params,
    tag: TAG,
    summary: 'Reject a clearing',
    description: 'No money moves, and another clearing may be proposed. The author may reject, too.',
    access: { operator: 'admin.adjustments.approve' },
    body: object({ rejectionReason: text(1024).allow(null).description('Reason, for the author.') })
      .optional()
      .example({ rejectionReason: 'it is of another charge' }),
    responses: { 200: answer },
    refusals: [clearingNotPending],
    errors: [404],
    async handle({ principal, params: { id }, body, context }) {
      const { rejectionReason = null } = body;
      const command = { principal, id, step: 'reject' as const, rejectionReason };
      return { status: 200, body: presentSuspenseItem(await deps.clearSuspense(command, context)) };
    },
  }),
];
