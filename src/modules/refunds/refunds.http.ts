import Joi from 'joi';
import { notFound } from '../../kernel/errors.ts';
import { mayRead } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { currency, dateTime, money, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { type ListRefunds, REFUND_LIST } from './read/list-refunds.ts';
import { presentRefund } from './read/refund.view.ts';
import { REFUND_STATUSES, type Refund } from './write/refund.ts';
import type { RefundCharge } from './write/refund-charge.ts';
import type { SimulatedRefund, SimulateRefund } from './write/simulate-refund.ts';

const tag = 'Refunds';

const refundRequest = Joi.object({
  chargeId: text(64).required().description('A `paid` charge by card or Pix, `chg_…`.'),
  reason: text(1024).required().description('Free text, stored for audit and shown as `merchantReason`.'),
})
  .example({ chargeId: 'chg_01a1fe9cad9175e79603dda268ed6486', reason: 'sent back' })
  .label('RefundRequest');

const refundAnswer = Joi.object({
  id: resourceId('ref').required(),
  chargeId: resourceId('chg').required(),
  merchantId: resourceId('mer').required().description('The merchant of the charge.'),
  status: Joi.string()
    .valid(...REFUND_STATUSES)
    .required()
    .description('Where the refund stands; only `pending` may still change.'),
  amount: money('The whole amount of the charge.').required(),
  currency: currency().required(),
  merchantReason: Joi.string()
    .required()
    .description('`reason` of the request; of a chargeback alert its reason, or `chargeback alert`.'),
  reason: Joi.string()
    .allow(null)
    .required()
    .description("The provider's reason for a refusal or failure; null otherwise."),
  pspRefundRefId: Joi.string()
    .allow(null)
    .required()
    .description('Reference of the refund at the provider; null without one.'),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('Refund');

const refundParams = { id: 'Id of the refund, `ref_…`.' };
const answer = { description: 'The refund.', schema: refundAnswer };

export const refundRoutes = (deps: {
  readonly refundCharge: RefundCharge;
  readonly findRefund: (id: string) => Promise<Refund | null>;
  readonly listRefunds: ListRefunds;
}): readonly Route[] => [
  route<{ readonly chargeId: string; readonly reason: string }>({
    method: 'post',
    path: '/v1/refunds',
    tag,
    summary: 'Refund a charge in full',
    description:
      'Precondition failures, in this order: 404; 422 `REFUND_NOT_SUPPORTED`, `REFUND_ALREADY_EXISTS`, ' +
      '`CHARGE_NOT_REFUNDABLE` (not `paid`; after a chargeback alert, the refund of which failed, too). Of concurrent refunds of one charge exactly one gets through.',
    access: { merchant: 'refunds.create' },
    body: refundRequest,
    responses: { 201: answer },
    errors: [404, 422],
    async handle({ principal, body, context }) {
      return { status: 201, body: presentRefund(await deps.refundCharge({ ...body, principal }, context)) };
    },
  }),
  route<undefined, ListQuery>({
    method: 'get',
    path: '/v1/refunds',
    tag,
    summary: 'List refunds',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    query: REFUND_LIST.query,
    consistent: true,
    responses: {
      200: { description: 'A page of refunds.', schema: pageOf(refundAnswer).label('RefundList') },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listRefunds(principal, query, consistencyTokenOf(request)) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/refunds/{id}',
    params: refundParams,
    tag,
    summary: 'Read a refund',
    description: 'Read from the write store: never behind.',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      const refund = await deps.findRefund(params.id ?? '');
      if (!refund || !mayRead(principal, refund)) throw notFound('Refund');
      return { status: 200, body: presentRefund(refund) };
    },
  }),
];

/** Test helpers, for test keys only: they do what the bank would do with a pending refund. */
export const refundTestHelperRoutes = (simulate: SimulateRefund): readonly Route[] => {
  const helper = (name: string, outcome: SimulatedRefund, summary: string): Route =>
    route({
      method: 'post',
      path: `/v1/test-helpers/refunds/{id}/${name}`,
      params: refundParams,
      tag: 'Test helpers',
      summary,
      description: 'Test keys only. 422 `TRANSITION_NOT_ALLOWED` where the refund is not pending.',
      access: { merchant: 'refunds.create' },
      responses: { 200: answer },
      errors: [404, 422],
      async handle({ principal, params, context }) {
        const refund = await simulate({ principal, id: params.id ?? '', outcome }, context);
        return { status: 200, body: presentRefund(refund) };
      },
    });
  return [
    helper('complete', 'refunded', 'Let a pending refund be completed'),
    helper('refuse', 'refused', 'Let a pending refund be refused'),
    helper('fail', 'failed', 'Let a pending refund fail'),
  ];
};
