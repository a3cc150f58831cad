import { testEnvironmentOnly } from '../../kernel/principal.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { refundAlreadyExists } from '../charges/write/refusals.ts';
import { providerNotConfigured } from '../providers/refusals.ts';
import { presentRefund } from './read/refund.view.ts';
import { refundAnswer, refundRequest } from './refunds.schemas.ts';
import type { Refund } from './write/refund.ts';
import type { RefundCharge } from './write/refund-charge.ts';
import {
  chargeNotRefundable,
  refundAttemptsExhausted,
  refundNotPending,
  refundNotSupported,
} from './write/refusals.ts';
import type { SimulatedRefund, SimulateRefund } from './write/simulate-refund.ts';

const tag = 'Refunds';

const refundParams = { id: 'Id of the refund, `ref_…`.' };
const answer = { description: 'The refund.', schema: refundAnswer };

export const refundRoutes: Routes<{ refundCharge: RefundCharge; findRefund: FindById<Refund> }> = (deps) => [
  route({
    method: 'post',
    operationId: 'createRefund',
    path: '/v1/refunds',
    tag,
    summary: 'Refund a charge in full',
    description:
      'Returns the whole amount to the payer. If several refunds of one charge are requested at the same time, exactly one succeeds. A charge with a chargeback alert cannot be refunded, even if the refund of the alert failed. A charge has at most twenty attempts to refund it.',
    access: { merchant: 'refunds.create' },
    body: refundRequest,
    responses: { 201: answer },
    refusals: [
      refundNotSupported,
      refundAlreadyExists,
      chargeNotRefundable,
      refundAttemptsExhausted,
      providerNotConfigured,
    ],
    errors: [404],
    async handle({ principal, body, context }) {
      return { status: 201, body: presentRefund(await deps.refundCharge({ ...body, principal }, context)) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getRefund',
    path: '/v1/refunds/{id}',
    params: refundParams,
    tag,
    summary: 'Read a refund',
    description: 'Reads the write store, so the answer is never behind.',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      const refund = await findVisible(deps.findRefund, principal, params.id, 'Refund');
      return { status: 200, body: presentRefund(refund) };
    },
  }),
];

/** Test helpers, for test keys only, that do to a pending refund what the bank would do. */
export const refundTestHelperRoutes: Routes<{ simulateRefund: SimulateRefund }> = (deps) => {
  const helper = (name: string, outcome: SimulatedRefund, summary: string): Route =>
    route({
      method: 'post',
      operationId: `${name}TestRefund`,
      path: `/v1/test-helpers/refunds/{id}/${name}`,
      params: refundParams,
      tag: 'Test helpers',
      summary,
      description: 'Test keys only. The refund has to be pending.',
      access: { merchant: 'refunds.create' },
      responses: { 200: answer },
      refusals: [testEnvironmentOnly, refundNotPending],
      errors: [404],
      async handle({ principal, params, context }) {
        const refund = await deps.simulateRefund({ principal, id: params.id, outcome }, context);
        return { status: 200, body: presentRefund(refund) };
      },
    });
  return [
    helper('complete', 'refunded', 'Let a pending refund be completed'),
    helper('refuse', 'refused', 'Let a pending refund be refused'),
    helper('fail', 'failed', 'Let a pending refund fail'),
  ];
};
