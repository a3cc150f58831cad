import Joi from 'joi';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { characters, currency, dateTime, money, pageOf, resourceId } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { FindMerchants } from '../merchants/write/find-merchants.store.ts';
import { type ListManualRefunds, MANUAL_REFUND_LIST } from './read/list-manual-refund-requests.ts';
import { presentManualRefund } from './read/manual-refund-request.view.ts';
import { MANUAL_REFUND_STATUSES } from './write/manual-refund-request.ts';
import type { ResolveManualRefund } from './write/resolve-manual-refund.ts';

const TAG = 'Manual refunds (administration)';

const manualRefundAnswer = Joi.object({
  id: resourceId('mrr').required(),
  chargeId: resourceId('chg').required(),
  chargebackAlertId: resourceId('cba').required(),
  merchant: Joi.object({
    id: resourceId('mer').required(),
    name: Joi.string().allow(null).required().description('Registered name; null where it is not known.'),
    email: Joi.string().allow(null).required().description('Null where it is not known.'),
  })
    .required()
    .description("The charge's merchant, as it is now."),
  amount: money('What the payer gets back.').required(),
  currency: currency().required(),
  pspRefId: Joi.string().allow(null).required().description("The payment's reference at the provider."),
  status: Joi.string()
    .valid(...MANUAL_REFUND_STATUSES)
    .required()
    .description('`resolved` once somebody has marked it as made.'),
  createdAt: dateTime().required(),
  resolved_by_user_id: resourceId('usr')
    .allow(null)
    .required()
    .description('The operator who marked it as made; null before.'),
  resolved_at: dateTime().allow(null).required().description('When it was marked as made; null before.'),
  notes: Joi.string()
    .allow(null, '')
    .required()
    .description('What the operator noted with that; null without.'),
}).label('ManualRefundRequest');

export const manualRefundRoutes = (deps: {
  readonly listManualRefunds: ListManualRefunds;
  readonly resolveManualRefund: ResolveManualRefund;
  readonly findMerchants: FindMerchants;
}): readonly Route[] => [
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/manual-refund-requests',
    tag: TAG,
    summary: 'List refunds to be made by hand',
    description:
      'Those of alerts that the provider did not refund; `pending` ones unless `status` says otherwise. `pendingCount` counts all that wait, whatever the query. Newest first by default.',
    access: { operator: 'admin.manual_refund_requests.read' },
    query: MANUAL_REFUND_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of manual refund requests.',
        schema: pageOf(manualRefundAnswer)
          .append({
            pendingCount: Joi.number().integer().required().description('All that wait, whatever the query.'),
          })
          .label('ManualRefundRequestList'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      const token = consistencyTokenOf(request);
      return { status: 200, body: await deps.listManualRefunds(principal, query, token) };
    },
  }),
  route<{ readonly notes?: string | null }>({
    method: 'post',
    path: '/v1/admin/manual-refund-requests/{id}/resolve',
    params: { id: 'Id of the manual refund request, `mrr_…`.' },
    tag: TAG,
    summary: 'Mark a manual refund as made',
    description:
      'No money moves: the merchant was debited with the alert. 422 `MANUAL_REFUND_REQUEST_ALREADY_RESOLVED` the second time.',
    access: { operator: 'admin.manual_refund_requests.update' },
    body: Joi.object({
      notes: characters(4096).allow(null, '').description('How the refund was made, for the audit.'),
    })
      .optional()
      .example({ notes: 'sent by Pix' }),
    responses: { 200: { description: 'The resolved request.', schema: manualRefundAnswer } },
    errors: [404, 422],
    async handle({ principal, params, body, context }) {
      const command = { principal, id: params.id ?? '', notes: body.notes ?? null };
      const resolved = await deps.resolveManualRefund(command, context);
      const [merchant] = await deps.findMerchants([resolved.merchantId]);
      return { status: 200, body: presentManualRefund(resolved, merchant ?? null) };
    },
  }),
];
