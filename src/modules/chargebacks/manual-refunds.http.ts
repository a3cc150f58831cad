import { type Routes, route } from '../../platform/http/route.ts';
import { linesOrNone } from '../../platform/http/schemas.ts';
import { object } from '../../platform/http/typed.ts';
import type { FindMerchants } from '../merchants/write/find-merchants.store.ts';
import { MANUAL_REFUNDS_TAG, manualRefundAnswer } from './manual-refunds.schemas.ts';
import { presentManualRefund } from './read/manual-refund-request.view.ts';
import { manualRefundAlreadyResolved } from './write/refusals.ts';
import type { ResolveManualRefund } from './write/resolve-manual-refund.ts';

export const manualRefundRoutes: Routes<{
  resolveManualRefund: ResolveManualRefund;
  findMerchants: FindMerchants;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'resolveManualRefundRequest',
    path: '/v1/admin/manual-refund-requests/{id}/resolve',
    params: { id: 'Id of the manual refund request, `mrr_…`.' },
    tag: MANUAL_REFUNDS_TAG,
    summary: 'Mark a manual refund as made',
    description:
      'Records that finance has paid the money back. No money is moved, because the alert has debited the merchant already.',
    access: { operator: 'admin.manual_refund_requests.update' },
    body: object({
      notes: linesOrNone(4096).allow(null).description('How the refund was made, for the audit log.'),
    })
      .optional()
      .example({ notes: 'sent by Pix' }),
    responses: { 200: { description: 'The resolved request.', schema: manualRefundAnswer } },
    refusals: [manualRefundAlreadyResolved],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const command = { principal, id: params.id, notes: body.notes ?? null };
      const resolved = await deps.resolveManualRefund(command, context);
      const [merchant] = await deps.findMerchants([resolved.merchantId]);
      return { status: 200, body: presentManualRefund(resolved, merchant ?? null) };
    },
  }),
];
