import { invalidInput, unavailable } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { MerchantId, PaymentLinkId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { type KeyRing, seal } from '../../../platform/secrets.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { FeeDefinitions } from '../../merchants/write/fees.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import { LIVE_PROVIDERS, routesOf } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { checkCard, type MaskedCard, maskedCard } from '../../providers/card.ts';
import type { Card, PaymentProvider, ProvidersOf, Tokenized } from '../../providers/provider.ts';
import { paymentMethodNotAvailable, providerNotConfigured } from '../../providers/refusals.ts';
import { isCircuitOpen } from '../../providers/resilient.ts';
import type { CardTesting } from './card-testing.ts';
import { CARD_TOKENS, type CardToken, openCardToken } from './card-token.ts';
import { cardRefused, tokenizationNotSupported } from './refusals.ts';

export type NewCardToken = Card & { readonly currency?: string; readonly proof?: string };

/**
 * Hands a card to the provider of the merchant's card payments, and stores the provider's token. 400 for an invalid
 * card; 403 MERCHANT_NOT_ACTIVE; 422 PROVIDER_NOT_CONFIGURED, PAYMENT_METHOD_NOT_AVAILABLE, TOKENIZATION_NOT_SUPPORTED
 * and CARD_REFUSED; 429 PROOF_OF_WORK_REQUIRED for a public key; 503 where the provider does not answer. Nothing is
 * stored after an error.
 */
export type MakeCardToken = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly card: NewCardToken;
    /** Network address of the caller. */
    readonly address: string;
    /** The payment link that the card is typed for; absent where there is none. */
    readonly linkId?: PaymentLinkId | null;
  },
  CardToken & { readonly card: MaskedCard }
>;

const ANY_CURRENCY = 'BRL';

export const createMakeCardToken = (
  deps: Creating & {
    readonly findMerchants: FindMerchants;
    readonly findFeeDefinitions: (merchantId: string) => Promise<FeeDefinitions | null>;
    readonly findSetting: FindSetting;
    readonly providersOf: ProvidersOf;
    readonly sealing: KeyRing;
    readonly cardTesting: Pick<CardTesting, 'admit' | 'noteOutcome'>;
  },
): MakeCardToken => {
  /** The providers for a payment with this card, in the order in which they are asked. */
  const takersOf = async (
    { merchantId, livemode }: { readonly merchantId: MerchantId; readonly livemode: boolean },
    brand: string,
    asked: string | undefined,
  ) => {
    const [[merchant], fees, routes] = await Promise.all([
      deps.findMerchants([merchantId]),
      deps.findFeeDefinitions(merchantId),
      deps.findSetting(merchantId, LIVE_PROVIDERS),
    ]);
    if (merchant?.status !== 'active') throw merchantNotActive();
    const routed = { id: merchantId, masterId: merchant.masterId, routes: routesOf(routes) };
    const providers = await deps.providersOf(livemode, routed);
    if (!providers) throw providerNotConfigured();
    const currency = asked ?? firstCurrencyOf(fees) ?? ANY_CURRENCY;
    const takers = providers.providersFor('credit_card', currency, brand);
    if (takers.length === 0) throw paymentMethodNotAvailable('credit_card', currency);
    return takers;
  };

  return async ({ principal, card: { currency, proof = null, ...card }, address, linkId }, context) => {
    const { merchantId, masterId, livemode, credential } = principal;
    const faults = checkCard(card, deps.clock(), '');
    if (faults.length > 0) throw invalidInput(faults);
    const masked = maskedCard(card);
    const takers = await takersOf({ merchantId, livemode }, masked.brand, currency);
    const origin =
      credential === 'public_key'
        ? await deps.cardTesting.admit({ merchantId, livemode, address, proof, linkId: linkId ?? null })
        : null;
    const id = deps.newId('tok');
    const { provider, answer } = await tokenizedBy(takers, id, card);
    if (answer.status === 'refused') {
      // Otherwise an attacker would learn for nothing which cards a provider does not take.
      await deps.cardTesting.noteOutcome({ merchantId, livemode, origin, linkId: linkId ?? null }, true);
      throw cardRefused(answer.reason);
    }
    const sealedToken = seal(deps.sealing, answer.providerToken);
    const facts = { id, merchantId, masterId, livemode, card: masked, provider, sealedToken, origin };
    return deps.transact(context, async (tx) => {
      const token = openCardToken(facts, deps.clock());
      await tx.insert(CARD_TOKENS.collection, { _id: id, ...token });
      return { ...token, card: masked };
    });
  };
};

const firstCurrencyOf = (fees: FeeDefinitions | null): string | undefined =>
  fees?.definitions.find((fee) => 'payment_method' in fee && fee.payment_method === 'credit_card')
    ?.currency_code;

type Answered = Exclude<Tokenized, { readonly status: 'not_supported' }>;

/**
 * The token or refusal of the first provider that answers. A provider whose circuit is open was not called, so the next
 * one may be.
 */
const tokenizedBy = async (
  takers: readonly PaymentProvider[],
  reference: string,
  card: Card,
): Promise<{ readonly provider: string; readonly answer: Answered }> => {
  for (const provider of takers) {
    const answer = await tokenize(provider, reference, card);
    if (answer === 'resting') continue;
    if (answer.status === 'not_supported') throw tokenizationNotSupported();
    return { provider: provider.name, answer };
  }
  throw unavailable('The payment provider does not answer');
};

const tokenize = async (
  provider: PaymentProvider,
  reference: string,
  card: Card,
): Promise<Tokenized | 'resting'> => {
  if (!provider.tokenize) throw tokenizationNotSupported();
  try {
    return await provider.tokenize({ reference, card });
  } catch (error) {
    if (isCircuitOpen(error)) return 'resting';
    throw unavailable('The payment provider does not answer', error);
  }
};
