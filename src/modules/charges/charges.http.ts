import { asMerchant, testEnvironmentOnly } from '../../kernel/principal.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import {
  cardTokenInvalid,
  cardTokenProviderMismatch,
  cardTokenSpent,
  tokenizationNotSupported,
} from '../card-tokens/write/refusals.ts';
import { feesNotConfigured, installmentsNotOffered, merchantNotActive } from '../merchants/write/refusals.ts';
import {
  dueDateNotAvailable,
  paymentMethodNotAvailable,
  providerNotConfigured,
} from '../providers/refusals.ts';
import {
  methodForSubscriptions,
  methodLimitReached,
  methodNotActive,
  methodProviderUnavailable,
} from '../stored-methods/write/refusals.ts';
import { walletNotConfigured, walletTokenInvalid } from '../wallets/write/refusals.ts';
import {
  CARD_AND_TOKEN,
  chargeAnswer,
  chargeParams,
  chargeRequest,
  listedCharge,
  payRequest,
  TAG,
} from './charges.schemas.ts';
import { presentStored } from './read/charge.view.ts';
import { type GetCharge, presentFresh } from './read/get-charge.ts';
import type { CancelCharge } from './write/cancel-charge.ts';
import type { CreateCharge } from './write/create-charge.ts';
import {
  chargeNotCancellable,
  ownAccountNotSplit,
  referenceAlreadyUsed,
  splitNotAllowed,
  transitionNotAllowed,
} from './write/refusals.ts';
import type { SimulatedOutcome, SimulateOutcome } from './write/simulate-outcome.ts';

type ChargeDeps = {
  createCharge: CreateCharge;
  cancelCharge: CancelCharge;
  getCharge: GetCharge;
  checkUrl: CheckUrl;
};

const createChargeRoute = (deps: ChargeDeps): Route =>
  route({
    method: 'post',
    operationId: 'createCharge',
    path: '/v1/charges',
    tag: TAG,
    summary: 'Create a charge',
    description:
      'Takes a payment. A declined payment also returns 201. A likely duplicate repeats merchant, amount, currency, payer and instrument within 60 seconds. It is created all the same, and `X-Possible-Duplicate-Of` names the earlier charge, unless that was refused or failed. With the setting `unique_references` a repeated `reference` is refused instead, and `chargeId` of the error names the charge that has it. Some codes occur with live keys only: `PROVIDER_NOT_CONFIGURED` and `FEES_NOT_CONFIGURED`.',
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
    refusals: [
      merchantNotActive,
      providerNotConfigured,
      paymentMethodNotAvailable,
      dueDateNotAvailable,
      walletNotConfigured,
      walletTokenInvalid,
      cardTokenInvalid,
      cardTokenSpent,
      cardTokenProviderMismatch,
      tokenizationNotSupported,
      methodLimitReached,
      methodNotActive,
      methodForSubscriptions,
      methodProviderUnavailable,
      feesNotConfigured,
      installmentsNotOffered,
      splitNotAllowed,
      ownAccountNotSplit,
      referenceAlreadyUsed,
    ],
    errors: [404],
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
  });

export const chargeRoutes: Routes<ChargeDeps> = (deps) => [
  createChargeRoute(deps),
  route({
    method: 'get',
    operationId: 'getCharge',
    path: '/v1/charges/{id}',
    params: chargeParams,
    tag: TAG,
    summary: 'Read a charge',
    description: 'Reads the write store, so the answer is never behind.',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    responses: { 200: { description: 'The charge.', schema: chargeAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      return { status: 200, body: await deps.getCharge(principal, params.id) };
    },
  }),
  route({
    method: 'post',
    operationId: 'cancelCharge',
    path: '/v1/charges/{id}/cancel',
    params: chargeParams,
    tag: TAG,
    summary: 'Cancel a charge',
    description:
      'Ends a charge that waits for its payer: one that is `pending` with a code, voucher or page to pay by, or `authentication_required`. The provider lets it go first, then it is `failed` with `failureReason` `cancelled`. A charge that is paid meanwhile stays paid (422). Money that comes for it all the same is given back at once, as after the expiry. Where the provider does not answer (503), cancel again.',
    access: { merchant: 'charges.create' },
    responses: { 200: { description: 'The cancelled charge.', schema: listedCharge } },
    refusals: [chargeNotCancellable, providerNotConfigured],
    errors: [404],
    async handle({ principal, params, context }) {
      return {
        status: 200,
        body: presentStored(await deps.cancelCharge({ principal, id: params.id }, context)),
      };
    },
  }),
];

/** Plays payers, analysts and banks, for test keys only. */
export const chargeTestHelperRoutes: Routes<{ simulateOutcome: SimulateOutcome }> = (deps) => {
  const helper = (name: string, outcome: SimulatedOutcome, summary: string): Route =>
    route({
      method: 'post',
      operationId: `${name}TestCharge`,
      path: `/v1/test-helpers/charges/{id}/${name}`,
      params: chargeParams,
      tag: 'Test helpers',
      summary,
      description: 'Test keys only. The charge has to wait for this outcome.',
      access: { merchant: 'charges.create' },
      responses: { 200: { description: 'The charge.', schema: listedCharge } },
      refusals: [testEnvironmentOnly, transitionNotAllowed],
      errors: [404],
      async handle({ principal, params, context }) {
        return {
          status: 200,
          body: presentStored(await deps.simulateOutcome({ principal, id: params.id, outcome }, context)),
        };
      },
    });
  return [
    route({
      method: 'post',
      operationId: 'payTestCharge',
      path: '/v1/test-helpers/charges/{id}/pay',
      params: chargeParams,
      tag: 'Test helpers',
      summary: 'Let the payer pay',
      description:
        'Test keys only. The charge has to wait for its payer. One with a due date is paid with what is due today, or `on` another day until its last one.',
      access: { merchant: 'charges.create' },
      body: payRequest,
      responses: { 200: { description: 'The charge.', schema: listedCharge } },
      refusals: [testEnvironmentOnly, transitionNotAllowed],
      errors: [404],
      async handle({ principal, params, body: { on }, context }) {
        const charge = await deps.simulateOutcome({ principal, id: params.id, outcome: 'paid', on }, context);
        return { status: 200, body: presentStored(charge) };
      },
    }),
    helper('refuse', 'refused', 'Let the payment be refused'),
    helper('fail', 'failed', 'Let the payment fail'),
    helper('expire', 'expired', 'Let the time to pay pass'),
  ];
};
