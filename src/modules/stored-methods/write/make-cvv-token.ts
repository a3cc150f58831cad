import { invalidInput, unavailable } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { PaymentMethodId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { tenantOfCaller } from '../../../kernel/principal.ts';
import { type KeyRing, seal } from '../../../platform/secrets.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { CardTesting } from '../../card-tokens/write/card-testing.ts';
import { CARD_TOKENS, type CardToken, openCardToken } from '../../card-tokens/write/card-token.ts';
import { cardRefused, tokenizationNotSupported } from '../../card-tokens/write/refusals.ts';
import { cvvSizeOf } from '../../providers/card.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import { methodForSubscriptions, methodProviderUnavailable } from './refusals.ts';
import { assertChargeable } from './stored-method.ts';
import type { FindStoredMethod } from './use-stored-method.ts';

export type NewCvvToken = {
  readonly paymentMethodId: PaymentMethodId;
  readonly cvv: string;
  readonly proof?: string;
};

/**
 * Hands the security code of a stored card to the provider that keeps the card, for one payment. 400 for a code of the
 * wrong length; 404 for a method of another merchant; 422 PAYMENT_METHOD_NOT_ACTIVE, PAYMENT_METHOD_FOR_SUBSCRIPTIONS,
 * PAYMENT_METHOD_PROVIDER_UNAVAILABLE, TOKENIZATION_NOT_SUPPORTED and CARD_REFUSED; 429 PROOF_OF_WORK_REQUIRED for a
 * public key; 503 where the provider does not answer. Nothing is stored after an error.
 */
export type MakeCvvToken = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly code: NewCvvToken;
    /** Network address of the caller. */
    readonly address: string;
  },
  CardToken & { readonly paymentMethodId: PaymentMethodId }
>;

export const createMakeCvvToken =
  (
    deps: Creating & {
      readonly findStoredMethod: FindStoredMethod;
      readonly providerNamed: ProviderNamed;
      readonly sealing: KeyRing;
      readonly cardTesting: Pick<CardTesting, 'admit'>;
    },
  ): MakeCvvToken =>
  async ({ principal, code: { paymentMethodId, cvv, proof = null }, address }, context) => {
    const { merchantId, masterId, livemode, credential } = principal;
    const seller = { merchantId, livemode };
    const method = await deps.findStoredMethod(paymentMethodId, seller, tenantOfCaller(principal));
    assertChargeable(method, deps.clock());
    if (method.card === null) throw methodForSubscriptions();
    const size = cvvSizeOf(method.card.brand);
    if (cvv.length !== size) throw invalidInput([{ path: 'cvv', message: `cvv must have ${size} digits` }]);
    const origin =
      credential === 'public_key' ? await deps.cardTesting.admit({ ...seller, address, proof }) : null;
    const id = deps.newId('tok');
    const providerToken = await tokenized(deps.providerNamed, method.provider, { reference: id, code: cvv });
    const facts = {
      ...{ id, merchantId, masterId, livemode, origin, paymentMethodId },
      card: null,
      provider: method.provider,
      sealedToken: seal(deps.sealing, providerToken),
    };
    return deps.transact(context, async (tx) => {
      const token = openCardToken(facts, deps.clock());
      await tx.insert(CARD_TOKENS.collection, { _id: id, ...token });
      return { ...token, paymentMethodId };
    });
  };

const tokenized = async (
  providerNamed: ProviderNamed,
  name: string,
  request: { readonly reference: string; readonly code: string },
): Promise<string> => {
  const provider = await providerNamed(name);
  if (!provider) throw methodProviderUnavailable();
  if (!provider.vault) throw tokenizationNotSupported();
  const answer = await provider.vault.tokenizeCode(request).catch((error: unknown) => {
    throw unavailable('The payment provider does not answer', error);
  });
  if (answer.status === 'not_supported') throw tokenizationNotSupported();
  if (answer.status === 'refused') throw cardRefused(answer.reason);
  return answer.providerToken;
};
