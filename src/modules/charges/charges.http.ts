import { asMerchant } from '../../kernel/principal.ts';
import { acceptsCsv, CSV, csvReply } from '../../platform/http/csv.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { pageOf } from '../../platform/http/schemas.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import {
  CARD_AND_TOKEN,
  chargeAnswer,
  chargeParams,
  chargeRequest,
  listedCharge,
} from './charges.schemas.ts';
import { CHARGE_COLUMNS } from './read/charge-columns.ts';
import { type GetCharge, presentFresh, presentStored } from './read/get-charge.ts';
import { CHARGE_LIST, type ListCharges, type ScanCharges } from './read/list-charges.ts';
import type { ChargeRequest } from './write/charge-request.ts';
import type { CreateCharge } from './write/create-charge.ts';
import type { SimulatedOutcome, SimulateOutcome } from './write/simulate-outcome.ts';

const tag = 'Charges';

export const chargeRoutes = (deps: {
  readonly createCharge: CreateCharge;
  readonly getCharge: GetCharge;
  readonly listCharges: ListCharges;
  readonly scanCharges: ScanCharges;
  readonly checkUrl: CheckUrl;
}): readonly Route[] => [
  route<ChargeRequest>({
    method: 'post',
    path: '/v1/charges',
    tag,
    summary: 'Create a charge',
    description:
      'Takes a payment. A refusal is a charge too. A charge that repeats merchant, amount, currency, payer and ' +
      'instrument within 60 seconds is created all the same; `X-Possible-Duplicate-Of` then names the earlier one, ' +
      'unless that was refused or failed. ' +
      'No charge is created for a merchant that is not active (403 `MERCHANT_NOT_ACTIVE`), nor with 422: ' +
      '`WALLET_NOT_CONFIGURED`, `WALLET_TOKEN_INVALID`, `PAYMENT_METHOD_NOT_AVAILABLE`, `INSTALLMENTS_NOT_OFFERED`, ' +
      '`SPLIT_NOT_ALLOWED`, and with a live key `PROVIDER_NOT_CONFIGURED`, `FEES_NOT_CONFIGURED`.',
    access: { merchant: 'charges.create' },
    body: chargeRequest,
    notSearched: CARD_AND_TOKEN,
    responses: {
      201: {
        description: 'The charge.',
        schema: chargeAnswer,
        headers: { 'X-Possible-Duplicate-Of': 'Id of an earlier charge that looks like the same payment.' },
      },
    },
    errors: [422],
    async handle({ principal, body, context }) {
      deps.checkUrl('postbackUrl', body.postbackUrl);
      const { merchantId, livemode } = asMerchant(principal);
      const created = await deps.createCharge({ merchantId, livemode, request: body }, context);
      return {
        status: 201,
        body: await presentFresh(created.charge),
        headers: created.possibleDuplicateOf
          ? { 'X-Possible-Duplicate-Of': created.possibleDuplicateOf }
          : {},
      };
    },
  }),
  route<undefined, ListQuery>({
    method: 'get',
    path: '/v1/charges',
    tag,
    summary: 'List charges',
    description:
      'Newest first unless `orderBy` says otherwise. Read from a view; `X-Consistency-Token` waits for it.',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    query: CHARGE_LIST.query,
    consistent: true,
    responses: {
      200: { description: 'A page of charges.', schema: pageOf(listedCharge).label('ChargeList') },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listCharges(principal, query, consistencyTokenOf(request)) };
    },
  }),
  route<undefined, ListQuery>({
    method: 'get',
    path: '/v1/admin/charges',
    tag,
    summary: 'List the charges of all merchants',
    description:
      'The list of `GET /v1/charges` over all merchants of the environment. With `Accept: text/csv` all charges that ' +
      'the filters leave, in the same order, whatever `page` and `size` say.',
    access: { operator: 'admin.charges.read' },
    query: CHARGE_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of charges, or all of them as CSV.',
        schema: pageOf(listedCharge).label('ChargeList'),
        otherTypes: [CSV],
      },
    },
    async handle(request) {
      const { principal, query, headers } = request;
      const token = consistencyTokenOf(request);
      if (!acceptsCsv(headers)) return { status: 200, body: await deps.listCharges(principal, query, token) };
      return csvReply('charges', CHARGE_COLUMNS, await deps.scanCharges(principal, query, token));
    },
  }),
  route({
    method: 'get',
    path: '/v1/charges/{id}',
    params: chargeParams,
    tag,
    summary: 'Read a charge',
    description: 'Read from the write store: never behind.',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    responses: { 200: { description: 'The charge.', schema: chargeAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      return { status: 200, body: await deps.getCharge(principal, params.id ?? '') };
    },
  }),
];

/** Decisions 4: what payers, analysts and banks would do, for test keys only. */
export const chargeTestHelperRoutes = (simulate: SimulateOutcome): readonly Route[] => {
  const helper = (name: string, outcome: SimulatedOutcome, summary: string): Route =>
    route({
      method: 'post',
      path: `/v1/test-helpers/charges/{id}/${name}`,
      params: chargeParams,
      tag: 'Test helpers',
      summary,
      description: 'Test keys only. 422 `TRANSITION_NOT_ALLOWED` where the charge does not wait for this.',
      access: { merchant: 'charges.create' },
      responses: { 200: { description: 'The charge.', schema: listedCharge } },
      errors: [404, 422],
      async handle({ principal, params, context }) {
        return {
          status: 200,
          body: presentStored(await simulate({ principal, id: params.id ?? '', outcome }, context)),
        };
      },
    });
  return [
    helper('pay', 'paid', 'Let the payer pay'),
    helper('refuse', 'refused', 'Let the payment be refused'),
    helper('fail', 'failed', 'Let the payment fail'),
    helper('expire', 'expired', 'Let the time to pay pass'),
  ];
};
