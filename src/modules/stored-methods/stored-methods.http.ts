import { notFound } from '../../kernel/errors.ts';
import { asMerchant, testEnvironmentOnly } from '../../kernel/principal.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import {
  cardRefused,
  cardTokenInvalid,
  cardTokenSpent,
  proofOfWorkRequired,
  tokenizationNotSupported,
} from '../card-tokens/write/refusals.ts';
import { customerOwnerOnly } from '../customers/write/refusals.ts';
import { merchantNotActive } from '../merchants/write/refusals.ts';
import {
  mandateNotAvailable,
  paymentMethodNotAvailable,
  providerNotConfigured,
} from '../providers/refusals.ts';
import type { MandateDecision } from '../providers/simulator/mandate.ts';
import type { Pays } from '../providers/simulator/mandate-record.ts';
import { presentFreshMethod, presentMethod } from './read/stored-method.view.ts';
import {
  approveRequest,
  customerParams,
  cvvTokenAnswer,
  methodAnswer,
  methodParams,
  newCvvToken,
  newMethod,
  TAG,
} from './stored-methods.schemas.ts';
import type { EnrollMandate } from './write/enroll-mandate.ts';
import type { MakeCvvToken } from './write/make-cvv-token.ts';
import type { PlayPayer } from './write/play-payer.ts';
import {
  consentMissing,
  intervalNotSupported,
  mandateChargeNotPossible,
  methodForSubscriptions,
  methodInUse,
  methodLimitReached,
  methodNotActive,
  methodOwnerOnly,
  methodProviderUnavailable,
  methodTransitionNotAllowed,
} from './write/refusals.ts';
import type { RevokeMethod } from './write/revoke-method.ts';
import type { StoreCard } from './write/store-card.ts';
import type { StoredMethod } from './write/stored-method.ts';

const access = { merchant: 'payment_methods.manage' } as const;

type StoredMethodDeps = {
  storeCard: StoreCard;
  enrollMandate: EnrollMandate;
  revokeMethod: RevokeMethod;
  makeCvvToken: MakeCvvToken;
  findMethod: FindById<StoredMethod>;
};

const createCustomerPaymentMethodRoute = (deps: StoredMethodDeps): Route =>
  route({
    method: 'post',
    operationId: 'createCustomerPaymentMethod',
    path: '/v1/customers/{id}/payment-methods',
    params: customerParams,
    tag: TAG,
    summary: 'Store a card, or ask for a mandate',
    description:
      'Has the provider check the card of a token and store it for later payments of the customer, with and without the payer present. If the card is refused, the method in the answer is `failed`. With `type` `pix_automatic` the customer is asked for a mandate of Pix Automático: it is `pending` until the payer has approved it with `copyPaste` or `qrCode`.',
    access,
    body: newMethod,
    responses: { 201: { description: 'The payment method.', schema: methodAnswer } },
    refusals: [
      customerOwnerOnly,
      consentMissing,
      methodLimitReached,
      cardTokenInvalid,
      cardTokenSpent,
      providerNotConfigured,
      tokenizationNotSupported,
      merchantNotActive,
      intervalNotSupported,
      mandateChargeNotPossible,
      paymentMethodNotAvailable,
      mandateNotAvailable,
    ],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const of = { principal, customerId: params.id };
      if (body.type === 'pix_automatic') {
        const { type: _, ...request } = body;
        const mandate = await deps.enrollMandate({ ...of, request }, context);
        return { status: 201, body: await presentFreshMethod(mandate) };
      }
      const { token, consentAt = null, returnUrl = null } = body;
      const card = await deps.storeCard({ ...of, token, consentAt, returnUrl }, context);
      return { status: 201, body: await presentFreshMethod(card) };
    },
  });

const createCvvTokenRoute = (deps: StoredMethodDeps): Route =>
  route({
    method: 'post',
    operationId: 'createCvvToken',
    path: '/v1/cvv-tokens',
    tag: TAG,
    summary: 'Create a token of a security code',
    description:
      "Hands the security code of a stored card to the provider that keeps the card, from the payer's browser or app: a public key is enough, from any origin. The token can be used once within 15 minutes, as `cvvToken` of a charge with this card.",
    access: { merchant: 'charges.create', publicKey: true },
    body: newCvvToken,
    notSearched: ['cvv', 'proof'],
    responses: { 201: { description: 'The token.', schema: cvvTokenAnswer } },
    refusals: [
      methodNotActive,
      methodForSubscriptions,
      methodProviderUnavailable,
      tokenizationNotSupported,
      cardRefused,
      proofOfWorkRequired,
    ],
    errors: [404],
    async handle({ principal, body, clientAddress, context }) {
      const command = { principal: asMerchant(principal), code: body, address: clientAddress };
      const { id, livemode, paymentMethodId, expiresAt } = await deps.makeCvvToken(command, context);
      return { status: 201, body: { id, livemode, paymentMethodId, expiresAt } };
    },
  });

export const storedMethodRoutes: Routes<StoredMethodDeps> = (deps) => [
  createCustomerPaymentMethodRoute(deps),
  route({
    method: 'get',
    operationId: 'getCustomerPaymentMethod',
    path: '/v1/customers/{id}/payment-methods/{methodId}',
    params: methodParams,
    tag: TAG,
    summary: 'Read a payment method',
    description: 'Reads the write store, so the answer is never behind.',
    access: { ...access, operator: 'admin.charges.read' },
    responses: { 200: { description: 'The payment method.', schema: methodAnswer } },
    errors: [404],
    async handle({ principal, params: { id, methodId } }) {
      const method = await findVisible(deps.findMethod, principal, methodId, 'Payment method');
      if (method.customerId !== id) throw notFound('Payment method');
      return { status: 200, body: await presentFreshMethod(method) };
    },
  }),
  route({
    method: 'delete',
    operationId: 'deleteCustomerPaymentMethod',
    path: '/v1/customers/{id}/payment-methods/{methodId}',
    params: methodParams,
    tag: TAG,
    summary: 'Revoke a payment method',
    description:
      'From then on no charge can be made with the payment method, and the provider deletes the card. The revocation cannot be undone, and may be repeated.',
    access,
    responses: { 204: { description: 'The payment method is revoked.' } },
    refusals: [methodOwnerOnly, methodInUse],
    errors: [404],
    async handle({ principal, params: { id, methodId }, context }) {
      await deps.revokeMethod({ principal, customerId: id, id: methodId }, context);
      return { status: 204 };
    },
  }),
  createCvvTokenRoute(deps),
];

const helperParams = { id: 'Id of the payment method, `pm_…`.' };

/** Plays the payers of mandates, for test keys only. */
export const mandateTestHelperRoutes: Routes<{ playPayer: PlayPayer }> = (deps) => {
  const played = {
    params: helperParams,
    tag: 'Test helpers',
    access,
    responses: { 200: { description: 'The payment method.', schema: methodAnswer } },
    refusals: [testEnvironmentOnly, methodOwnerOnly, methodTransitionNotAllowed],
    errors: [404],
  } as const;
  const helper = (
    decision: Exclude<MandateDecision, 'approve'>,
    summary: string,
    description: string,
  ): Route =>
    route({
      ...played,
      method: 'post',
      operationId: `${decision}TestMandate`,
      path: `/v1/test-helpers/payment-methods/{id}/${decision}`,
      summary,
      description,
      async handle({ principal, params: { id }, context }) {
        const command = { principal, id, decision, pays: 'always' as Pays };
        return { status: 200, body: presentMethod(await deps.playPayer(command, context)) };
      },
    });
  return [
    route({
      ...played,
      method: 'post',
      operationId: 'approveTestMandate',
      path: '/v1/test-helpers/payment-methods/{id}/approve',
      summary: 'Let the payer approve a mandate',
      description:
        'Test keys only. An active mandate may be approved again, for another `pays`, which says how the bank of the payer treats its charges.',
      body: approveRequest,
      async handle({ principal, params: { id }, body, context }) {
        const pays: Pays = body?.pays ?? 'always';
        const command = { principal, id, decision: 'approve', pays } as const;
        return { status: 200, body: presentMethod(await deps.playPayer(command, context)) };
      },
    }),
    helper('reject', 'Let the payer reject a mandate', 'Test keys only. The mandate has to be `pending`.'),
    helper(
      'cancel',
      'Let the payer cancel a mandate',
      'Test keys only. The mandate has to be `active`. Subscriptions that it pays are `past_due` from then on.',
    ),
  ];
};
