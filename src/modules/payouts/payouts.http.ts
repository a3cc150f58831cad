import { asMerchant } from '../../kernel/principal.ts';
import { type RouteRequest, type Routes, route } from '../../platform/http/route.ts';
import { resourceId, text } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { connectNotEnabled } from '../merchants/write/refusals.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import { proposalAlreadyPending } from '../proposals/write/refusals.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import { ADMIN_TAG, newPayoutRequest, payoutRequestAnswer, READERS, TAG } from './payouts.schemas.ts';
import { presentPayoutRequest } from './read/payout-request.view.ts';
import { APPROVAL_REFUSALS, type ApprovePayout } from './write/approve-payout.ts';
import type { CancelPayout } from './write/cancel-payout.ts';
import type { PayoutRequest } from './write/payout-request.ts';
import type { ProcessPayoutRequest } from './write/process-payout-request.ts';
import {
  companyTaxIdMissing,
  mayNotAskForPayouts,
  payoutAmountTooLow,
  payoutFeeNotConfigured,
  payoutRequestAlreadyProcessed,
  transferStatusNotAllowed,
} from './write/refusals.ts';
import type { RequestPayout } from './write/request-payout.ts';

const REQUEST_ID = 'Id of the payout request, `po_…`.';
const answer = { description: 'The payout request.', schema: payoutRequestAnswer };
const CHECKS = 'The balance is debited when the request is approved.';
const REFUSALS = [
  connectNotEnabled,
  mayNotAskForPayouts,
  companyTaxIdMissing,
  payoutFeeNotConfigured,
  payoutAmountTooLow,
];

/** Routes by which merchants request payouts. */
export const payoutCreationRoutes: Routes<{
  requestPayout: RequestPayout;
  cancelPayout: CancelPayout;
}> = (deps) => {
  const ask = async ({ principal, params, body, context }: RouteRequest<{ readonly amount: number }>) => {
    const submerchantId = params.merchantId ?? null;
    const command = { principal: asMerchant(principal), submerchantId, amount: body.amount };
    const { id } = await deps.requestPayout(command, context);
    return { status: 201, body: { id } };
  };
  const shared = {
    method: 'post',
    tag: TAG,
    access: { merchant: 'payouts.create' },
    body: newPayoutRequest,
    responses: {
      201: {
        description: 'The id of the pending request.',
        schema: object({ id: resourceId('po').required() }).label('CreatedPayoutRequest'),
      },
    },
    handle: ask,
  } as const;
  return [
    route({
      ...shared,
      operationId: 'createSubmerchantPayoutRequest',
      path: '/v1/submerchants/{merchantId}/payout-requests',
      createdBelow: '/v1/payout-requests',
      params: { merchantId: 'Id of the sub-merchant, `mer_…`.' },
      summary: 'Request a payout of a sub-merchant',
      description: `Requests a payout by Pix to the company tax id, in BRL. The master or the sub-merchant itself may request it. A merchant that is not linked to the caller is answered with 404. ${CHECKS}`,
      refusals: REFUSALS,
      errors: [404],
    }),
    route({
      ...shared,
      operationId: 'createPayoutRequest',
      path: '/v1/payout-requests',
      summary: "Request a payout of one's own balance",
      description: `Requests a payout by Pix to the company tax id, in BRL. ${CHECKS}`,
      refusals: REFUSALS,
    }),
    route({
      method: 'post',
      operationId: 'cancelPayoutRequest',
      path: '/v1/payout-requests/{payoutRequestId}/cancel',
      params: { payoutRequestId: REQUEST_ID },
      tag: TAG,
      summary: 'Cancel a payout request',
      description:
        'Ends a pending request of the caller or of one of its sub-merchants. The request becomes `rejected`, with the `rejectionReason` `cancelled by the merchant`. Nothing is booked, because only an approval debits the balance.',
      access: { merchant: 'payouts.create' },
      responses: { 200: answer },
      refusals: [payoutRequestAlreadyProcessed],
      errors: [404],
      async handle({ principal, params, context }) {
        const command = { principal, id: params.payoutRequestId };
        return { status: 200, body: presentPayoutRequest(await deps.cancelPayout(command, context)) };
      },
    }),
  ];
};

/** Routes that read payout requests, which only a user's token may. */
export const payoutReadRoutes: Routes<{ findPayoutRequest: FindById<PayoutRequest> }> = (deps) => [
  route({
    method: 'get',
    operationId: 'getPayoutRequest',
    path: '/v1/payout-requests/{payoutRequestId}',
    params: { payoutRequestId: REQUEST_ID },
    tag: TAG,
    summary: 'Read a payout request',
    description: 'Reads the write store, so the answer is never behind.',
    access: READERS,
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      const request = await findVisible(
        deps.findPayoutRequest,
        principal,
        params.payoutRequestId,
        'Payout request',
      );
      return { status: 200, body: presentPayoutRequest(request) };
    },
  }),
];

/** Routes by which operators decide on requests and report transfers. */
export const payoutAdminRoutes: Routes<{
  processPayoutRequest: ProcessPayoutRequest;
  submit: SubmitCommand;
  approvePayout: ApprovePayout;
}> = (deps) => {
  const { processPayoutRequest } = deps;
  const access = { operator: 'admin.payout_requests.update' } as const;
  return [
    route({
      method: 'post',
      operationId: 'approvePayoutRequest',
      path: '/v1/admin/payout-requests/{id}/approve',
      params: { id: REQUEST_ID },
      tag: ADMIN_TAG,
      summary: 'Approve a payout request',
      description:
        'Debits the `available` balance of the merchant, once. If the approval is refused, the request stays pending. In production a second operator approves amounts above the setting `TWO_PERSON_PAYOUT_ABOVE_CENTS` (202). A request has at most one pending proposal.',
      access,
      responses: { 200: answer, ...PROPOSED },
      refusals: [...APPROVAL_REFUSALS, proposalAlreadyPending],
      errors: [404],
      async handle({ principal, params, context }) {
        const command = { id: params.id, livemode: principal.livemode };
        return replyTo(await deps.submit(deps.approvePayout, command, context), deps.approvePayout);
      },
    }),
    route({
      method: 'post',
      operationId: 'rejectPayoutRequest',
      path: '/v1/admin/payout-requests/{id}/reject',
      params: { id: REQUEST_ID },
      tag: ADMIN_TAG,
      summary: 'Reject a payout request',
      description: 'Books nothing.',
      access,
      body: object({
        rejectionReason: text(1024)
          .required()
          .description('Reason, shown to the merchant and sent with `payout.rejected`.'),
      }).example({
        rejectionReason: 'the tax id has no Pix key',
      }),
      responses: { 200: answer },
      refusals: [payoutRequestAlreadyProcessed],
      errors: [404],
      async handle({ principal, params, body, context }) {
        const { rejectionReason } = body;
        const { livemode } = principal;
        const command = { id: params.id, livemode, outcome: 'rejected' as const, rejectionReason };
        return { status: 200, body: presentPayoutRequest(await processPayoutRequest(command, context)) };
      },
    }),
    route({
      method: 'post',
      operationId: 'recordPayoutTransfer',
      path: '/v1/admin/payout-requests/{id}/transfer',
      params: { id: REQUEST_ID },
      tag: ADMIN_TAG,
      summary: 'Report the outcome of a bank transfer',
      description:
        'Records the outcome for an approved request, which keeps its status. `failed` returns amount and fee to the merchant (`payout_reversal` and `payout_fee_reversal`), also after `sent`.',
      access,
      body: object({
        status: string()
          .valid('sent', 'failed')
          .required()
          .description('Outcome at the bank, which becomes the `transferStatus`.'),
        reference: text(128).allow(null).description("The bank's name of the transfer."),
        reason: text(1024).allow(null).description('Why the transfer failed.'),
      }).example({ status: 'sent', reference: 'E00000000202611211200abcdef12345' }),
      responses: { 200: answer },
      refusals: [transferStatusNotAllowed],
      errors: [404],
      async handle({ principal, params, body, context }) {
        const report = {
          status: body.status,
          reference: body.reference ?? null,
          reason: body.reason ?? null,
        };
        const { livemode } = principal;
        const command = { id: params.id, livemode, outcome: 'transfer' as const, report };
        return { status: 200, body: presentPayoutRequest(await processPayoutRequest(command, context)) };
      },
    }),
  ];
};
