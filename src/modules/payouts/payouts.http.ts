import Joi from 'joi';
import { notFound } from '../../kernel/errors.ts';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { asMerchant, mayRead } from '../../kernel/principal.ts';
import { acceptsCsv, CSV, type CsvColumns, csvReply } from '../../platform/http/csv.ts';
import { consistencyTokenOf, type Route, type RouteRequest, route } from '../../platform/http/route.ts';
import { dateTime, livemode, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import {
  type ListPayoutRequests,
  PAYOUT_REQUEST_LIST,
  type ScanPayoutRequests,
} from './read/list-payout-requests.ts';
import { type PublicPayoutRequest, presentPayoutRequest } from './read/payout-request.view.ts';
import type { ApprovePayout } from './write/approve-payout.ts';
import {
  PAYOUT_STATUSES,
  type PayoutRequest,
  TRANSFER_STATUSES,
  type TransferReport,
} from './write/payout-request.ts';
import type { ProcessPayoutRequest } from './write/process-payout-request.ts';
import type { RequestPayout } from './write/request-payout.ts';

const TAG = 'Payouts';
const ADMIN_TAG = 'Payouts (administration)';

const cents = (description: string): Joi.NumberSchema =>
  Joi.number().integer().required().description(`${description} In cents.`);

const newPayoutRequest = Joi.object({
  amount: cents('What is debited, the fee included.').min(1).max(MAX_AMOUNT),
})
  .example({ amount: 150000 })
  .label('PayoutRequestRequest');

const payoutRequestAnswer = Joi.object({
  id: resourceId('po').required(),
  merchantId: resourceId('mer').required().description('The merchant that is paid out.'),
  livemode: livemode().required(),
  amount: cents('Gross amount.'),
  currency: Joi.string().valid('BRL').required().description('Payouts are in BRL only.'),
  payoutFee: cents("By the merchant's fee definition of type `payout`."),
  netAmount: cents('What is transferred.'),
  status: Joi.string()
    .valid(...PAYOUT_STATUSES)
    .required()
    .description('What the gateway decided; the balance is debited with `approved`.'),
  externalAccountDetails: Joi.object({
    type: Joi.string().valid('pix').required().description('Payouts are made by Pix.'),
    pixKey: Joi.string()
      .required()
      .description('Company tax id of the merchant when it asked, without punctuation.'),
  })
    .required()
    .description('Where the money goes.'),
  rejectionReason: Joi.string()
    .allow(null)
    .required()
    .description("The operator's words; null unless it was rejected."),
  transferStatus: Joi.string()
    .valid(...TRANSFER_STATUSES)
    .allow(null)
    .required()
    .description('Of the bank transfer; null until the request is approved.'),
  transferReference: Joi.string()
    .allow(null)
    .required()
    .description("The bank's name of the transfer; null if unsaid."),
  transferFailureReason: Joi.string()
    .allow(null)
    .required()
    .description('Why the transfer failed, by the operator; null otherwise.'),
  processedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was approved or rejected; null before.'),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('PayoutRequest');

/** For the bank run (decisions 9). */
const COLUMNS: CsvColumns<PublicPayoutRequest> = {
  id: ({ id }) => id,
  merchantId: ({ merchantId }) => merchantId,
  amount: ({ amount }) => amount,
  payoutFee: ({ payoutFee }) => payoutFee,
  netAmount: ({ netAmount }) => netAmount,
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
  accountType: ({ externalAccountDetails }) => externalAccountDetails.type,
  pixKey: ({ externalAccountDetails }) => externalAccountDetails.pixKey,
  transferStatus: ({ transferStatus }) => transferStatus,
  transferReference: ({ transferReference }) => transferReference,
  rejectionReason: ({ rejectionReason }) => rejectionReason,
  processedAt: ({ processedAt }) => processedAt,
  createdAt: ({ createdAt }) => createdAt,
};

const REQUEST_ID = 'Id of the payout request, `po_…`.';
const answer = { description: 'The payout request.', schema: payoutRequestAnswer };
const READERS = {
  merchant: 'payouts.read',
  operator: 'admin.payout_requests.read',
  schemes: ['bearer'],
} as const;

const CHECKS =
  'Checked in this order: `MERCHANT_NOT_ACTIVE`, `COMPANY_TAX_ID_MISSING`, `PAYOUT_FEE_NOT_CONFIGURED`, ' +
  '`PAYOUT_AMOUNT_TOO_LOW` (nothing left after the fee), all 422. The balance is debited when the request is approved.';

/** What merchants ask for (specification 4.11, decisions 9). */
export const payoutCreationRoutes = (requestPayout: RequestPayout): readonly Route[] => {
  const ask = async ({ principal, params, body, context }: RouteRequest<{ readonly amount: number }>) => {
    const submerchantId = params.merchantId ?? null;
    const command = { principal: asMerchant(principal), submerchantId, amount: body.amount };
    const { id } = await requestPayout(command, context);
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
        schema: Joi.object({ id: resourceId('po').required() }).label('CreatedPayoutRequest'),
      },
    },
    handle: ask,
  } as const;
  return [
    route({
      ...shared,
      path: '/v1/submerchants/{merchantId}/payout-requests',
      params: { merchantId: 'Id of the sub-merchant, `mer_…`.' },
      summary: 'Ask for a payout of a sub-merchant',
      description:
        'By its master or by the sub-merchant itself. By Pix to the company tax id, in BRL. 404 for a merchant that ' +
        `is not linked to the caller, 403 \`CONNECT_NOT_ENABLED\` where the master has the module off. ${CHECKS}`,
      errors: [404, 422],
    }),
    route({
      ...shared,
      path: '/v1/payout-requests',
      summary: "Ask for a payout of one's own balance",
      description:
        'By Pix to the company tax id, in BRL. 403 `CONNECT_NOT_ENABLED` for a sub-merchant whose master has the ' +
        `module off. ${CHECKS}`,
      errors: [422],
    }),
  ];
};

/** Reading: a user's token only (specification 5.5). */
export const payoutReadRoutes = (deps: {
  readonly listPayoutRequests: ListPayoutRequests;
  readonly scanPayoutRequests: ScanPayoutRequests;
  readonly findPayoutRequest: (id: string) => Promise<PayoutRequest | null>;
}): readonly Route[] => [
  route<undefined, ListQuery>({
    method: 'get',
    path: '/v1/payout-requests',
    tag: TAG,
    summary: 'List payout requests',
    description:
      'Newest first unless `orderBy` says otherwise. A merchant sees its own and those of its sub-merchants, an ' +
      'operator all. With `Accept: text/csv` all that the filters leave, for the bank run, whatever `page` and `size`.',
    access: READERS,
    query: PAYOUT_REQUEST_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of payout requests.',
        schema: pageOf(payoutRequestAnswer).label('PayoutRequestList'),
        otherTypes: [CSV],
      },
    },
    async handle(request) {
      const { principal, query, headers } = request;
      const token = consistencyTokenOf(request);
      if (!acceptsCsv(headers))
        return { status: 200, body: await deps.listPayoutRequests(principal, query, token) };
      return csvReply('payout-requests', COLUMNS, await deps.scanPayoutRequests(principal, query, token));
    },
  }),
  route({
    method: 'get',
    path: '/v1/payout-requests/{payoutRequestId}',
    params: { payoutRequestId: REQUEST_ID },
    tag: TAG,
    summary: 'Read a payout request',
    description: 'Read from the write store: never behind.',
    access: READERS,
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      const request = await deps.findPayoutRequest(params.payoutRequestId ?? '');
      if (!request || !mayRead(principal, request)) throw notFound('Payout request');
      return { status: 200, body: presentPayoutRequest(request) };
    },
  }),
];

type TransferBody = Pick<TransferReport, 'status'> & Partial<TransferReport>;

/** What operators decide and report (decisions 9). */
export const payoutAdminRoutes = (deps: {
  readonly processPayoutRequest: ProcessPayoutRequest;
  readonly submit: SubmitCommand;
  readonly approvePayout: ApprovePayout;
}): readonly Route[] => {
  const { processPayoutRequest } = deps;
  const access = { operator: 'admin.payout_requests.update' } as const;
  return [
    route({
      method: 'post',
      path: '/v1/admin/payout-requests/{id}/approve',
      params: { id: REQUEST_ID },
      tag: ADMIN_TAG,
      summary: 'Approve a payout request',
      description:
        'Debits `available` of the merchant, once. Not enough available: 422 `INSUFFICIENT_BALANCE`, and the request ' +
        'stays pending; so it does for a merchant that is not active, 422 `MERCHANT_NOT_ACTIVE`. Not pending: 422 ' +
        '`PAYOUT_REQUEST_ALREADY_PROCESSED`. In production a second operator approves one above the amount of the ' +
        'setting `TWO_PERSON_PAYOUT_ABOVE_CENTS` (202).',
      access,
      responses: { 200: answer, ...PROPOSED },
      errors: [404, 422],
      async handle({ principal, params, context }) {
        const command = { id: params.id ?? '', livemode: principal.livemode };
        return replyTo(await deps.submit(deps.approvePayout, command, context), deps.approvePayout);
      },
    }),
    route<{ readonly rejectionReason: string }>({
      method: 'post',
      path: '/v1/admin/payout-requests/{id}/reject',
      params: { id: REQUEST_ID },
      tag: ADMIN_TAG,
      summary: 'Reject a payout request',
      description: 'Nothing is booked. Not pending: 422 `PAYOUT_REQUEST_ALREADY_PROCESSED`.',
      access,
      body: Joi.object({
        rejectionReason: text(1024)
          .required()
          .description('Shown to the merchant, and sent with `payout.rejected`.'),
      }).example({
        rejectionReason: 'the tax id has no Pix key',
      }),
      responses: { 200: answer },
      errors: [404, 422],
      async handle({ principal, params, body, context }) {
        const { rejectionReason } = body;
        const { livemode } = principal;
        const command = { id: params.id ?? '', livemode, outcome: 'rejected' as const, rejectionReason };
        return { status: 200, body: presentPayoutRequest(await processPayoutRequest(command, context)) };
      },
    }),
    route<TransferBody>({
      method: 'post',
      path: '/v1/admin/payout-requests/{id}/transfer',
      params: { id: REQUEST_ID },
      tag: ADMIN_TAG,
      summary: 'Report how the bank transfer went',
      description:
        'Of an approved request, which keeps its status. `failed` gives the whole amount back to the merchant, the fee ' +
        'included (`payout_reversal` and `payout_fee_reversal`), also after `sent`. Anything else: 422 `TRANSITION_NOT_ALLOWED`.',
      access,
      body: Joi.object({
        status: Joi.string()
          .valid('sent', 'failed')
          .required()
          .description('What the bank said; it becomes `transferStatus`.'),
        reference: text(128).allow(null).description("The bank's name of the transfer."),
        reason: text(1024).allow(null).description('Why it failed.'),
      }).example({ status: 'sent', reference: 'E00000000202611211200abcdef12345' }),
      responses: { 200: answer },
      errors: [404, 422],
      async handle({ principal, params, body, context }) {
        const report = {
          status: body.status,
          reference: body.reference ?? null,
          reason: body.reason ?? null,
        };
        const { livemode } = principal;
        const command = { id: params.id ?? '', livemode, outcome: 'transfer' as const, report };
        return { status: 200, body: presentPayoutRequest(await processPayoutRequest(command, context)) };
      },
    }),
  ];
};
