import { notFound } from '../../kernel/errors.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import {
  cardRefused,
  cardTokenInvalid,
  cardTokenSpent,
  proofOfWorkRequired,
  tokenizationNotSupported,
} from '../card-tokens/write/refusals.ts';
import { customerOwnerOnly } from '../customers/write/refusals.ts';
import { providerNotConfigured } from '../providers/refusals.ts';
import { presentMethod } from './read/stored-method.view.ts';
import {
  customerParams,
  cvvTokenAnswer,
  methodAnswer,
  methodParams,
  newCvvToken,
  newMethod,
  TAG,
} from './stored-methods.schemas.ts';
import type { MakeCvvToken, NewCvvToken } from './write/make-cvv-token.ts';
import {
  consentMissing,
  methodInUse,
  methodLimitReached,
  methodNotActive,
  methodOwnerOnly,
  methodProviderUnavailable,
} from './write/refusals.ts';
import type { RevokeMethod } from './write/revoke-method.ts';
import type { StoreCard } from './write/store-card.ts';
import type { StoredMethod } from './write/stored-method.ts';

const access = { merchant: 'customers.manage' } as const;

type NewMethod = { readonly token: string; readonly consentAt?: string; readonly returnUrl?: string | null };

export const storedMethodRoutes: Routes<{
  storeCard: StoreCard;
  revokeMethod: RevokeMethod;
  makeCvvToken: MakeCvvToken;
  findMethod: FindById<StoredMethod>;
}> = (deps) => [
  route<NewMethod>({
    method: 'post',
    operationId: 'createCustomerPaymentMethod',
    path: '/v1/customers/{id}/payment-methods',
    params: customerParams,
    tag: TAG,
    summary: 'Store a card',
    description:
      'Has the provider check the card of a token and keep it for later payments of the customer, with and without the payer. A refusal of the card is answered as `failed`.',
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
    ],
    errors: [404],
    async handle({ principal, params, body: { token, consentAt = null, returnUrl = null }, context }) {
      const command = { principal, customerId: params.id ?? '', token, consentAt, returnUrl };
      return { status: 201, body: presentMethod(await deps.storeCard(command, context)) };
    },
  }),
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
    async handle({ principal, params: { id, methodId = '' } }) {
      const method = await findVisible(deps.findMethod, principal, methodId, 'Payment method');
      if (method.customerId !== id) throw notFound('Payment method');
      return { status: 200, body: presentMethod(method) };
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
      'No charge can be made with it from then on, and the provider forgets the card. It cannot be undone, and may be repeated.',
    access,
    responses: { 204: { description: 'It is revoked.' } },
    refusals: [methodOwnerOnly, methodInUse],
    errors: [404],
    async handle({ principal, params: { id = '', methodId = '' }, context }) {
      await deps.revokeMethod({ principal, customerId: id, id: methodId }, context);
      return { status: 204 };
    },
  }),
  route<NewCvvToken>({
    method: 'post',
    operationId: 'createCvvToken',
    path: '/v1/cvv-tokens',
    tag: TAG,
    summary: 'Create a token of a security code',
    description:
      "Hands the security code of a stored card to the provider that keeps the card, from the payer's browser or app: a public key is enough, from any origin. The token is the `cvvToken` of one charge with that card within 15 minutes.",
    access: { merchant: 'charges.create', publicKey: true },
    body: newCvvToken,
    notSearched: ['cvv', 'proof'],
    responses: { 201: { description: 'The token.', schema: cvvTokenAnswer } },
    refusals: [
      methodNotActive,
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
  }),
];
