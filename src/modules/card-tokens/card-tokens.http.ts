import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { merchantNotActive } from '../merchants/write/refusals.ts';
import { paymentMethodNotAvailable, providerNotConfigured } from '../providers/refusals.ts';
import { CARD_MEMBERS, cardTokenAnswer, newCardToken, TAG } from './card-tokens.schemas.ts';
import type { MakeCardToken } from './write/make-card-token.ts';
import { cardRefused, proofOfWorkRequired, tokenizationNotSupported } from './write/refusals.ts';

const present = ({ id, livemode, card, expiresAt }: Awaited<ReturnType<MakeCardToken>>) => ({
  id,
  livemode,
  ...card,
  expiresAt,
});

export const cardTokenRoutes: Routes<{ makeCardToken: MakeCardToken }> = (deps) => [
  route({
    method: 'post',
    operationId: 'createCardToken',
    path: '/v1/card-tokens',
    tag: TAG,
    summary: 'Create a card token',
    description:
      "Hands a card to the provider from the payer's browser or app, so that the merchant's server never sees the card number: a public key is enough, from any origin. The token stands for the card in one charge within 15 minutes. Only the provider that keeps the card can take the payment.",
    access: { merchant: 'charges.create', publicKey: true },
    body: newCardToken,
    notSearched: CARD_MEMBERS,
    responses: { 201: { description: 'The token.', schema: cardTokenAnswer } },
    refusals: [
      merchantNotActive,
      providerNotConfigured,
      paymentMethodNotAvailable,
      tokenizationNotSupported,
      cardRefused,
      proofOfWorkRequired,
    ],
    async handle({ principal, body, clientAddress, context }) {
      const command = { principal: asMerchant(principal), card: body, address: clientAddress };
      return { status: 201, body: present(await deps.makeCardToken(command, context)) };
    },
  }),
];
