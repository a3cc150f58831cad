import type { Clock } from '../../../kernel/clock.ts';
import type { CardTokenId, MerchantId, PaymentMethodId } from '../../../kernel/ids.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import { type KeyRing, unseal } from '../../../platform/secrets.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { MaskedCard } from '../../providers/card.ts';
import type { CardTesting } from './card-testing.ts';
import { assertUsable, CARD_TOKENS, type CardToken, type Spender, spent } from './card-token.ts';
import { cardTokenInvalid } from './refusals.ts';

type Seller = { readonly merchantId: MerchantId; readonly livemode: boolean };

/** A token with the provider's own one, which stays in memory. */
export type UsableCardToken = UsableToken & { readonly card: MaskedCard };

type UsableToken = Pick<CardToken, 'id' | 'provider' | 'origin'> &
  Seller & { readonly providerToken: string };

/** The token of a security code, with the provider's own one. */
export type UsableCode = UsableToken & { readonly paymentMethodId: PaymentMethodId };

export type CardTokens = {
  /** 422 CARD_TOKEN_INVALID and CARD_TOKEN_SPENT. */
  find(id: string, seller: Seller, tenantId: TenantId | null): Promise<UsableCardToken>;
  /** The security code of a stored card; 422 as above, also for the code of another card. */
  findCode(
    id: string,
    paymentMethodId: PaymentMethodId,
    seller: Seller,
    tenantId: TenantId | null,
  ): Promise<UsableCode>;
  /** Spends a token in the transaction that stores what uses it: of two at once one gets it. */
  spend(id: CardTokenId, seller: Seller, by: Spender, tx: Transaction): Promise<void>;
  /** Hears how the payment ended, for the defence against tried-out cards. */
  noteOutcome: CardTesting['noteOutcome'];
};

type Deps = {
  readonly findCardToken: FindById<CardToken>;
  readonly sealing: KeyRing;
  readonly cardTesting: Pick<CardTesting, 'noteOutcome'>;
  readonly clock: Clock;
};

export const createCardTokens = (deps: Deps): CardTokens => {
  const open = async (id: string, seller: Seller, tenantId: TenantId | null) => {
    const found = assertUsable(await deps.findCardToken(id, tenantId), seller, deps.clock());
    const { sealedToken, provider, origin } = found;
    // A key that was taken out meanwhile has outlived no token but those of the last minutes.
    if (sealedToken === null || !deps.sealing.find(sealedToken.keyId)) throw cardTokenInvalid();
    const providerToken = unseal(deps.sealing, sealedToken);
    return { found, usable: { ...seller, id: found.id, provider, origin, providerToken } };
  };
  return {
    noteOutcome: deps.cardTesting.noteOutcome,
    async find(id, seller, tenantId) {
      const { found, usable } = await open(id, seller, tenantId);
      if (found.card === null) throw cardTokenInvalid();
      return { ...usable, card: found.card };
    },
    async findCode(id, paymentMethodId, seller, tenantId) {
      const { found, usable } = await open(id, seller, tenantId);
      if (found.paymentMethodId !== paymentMethodId) throw cardTokenInvalid();
      return { ...usable, paymentMethodId };
    },
    async spend(id, seller, by, tx) {
      const now = deps.clock();
      const token = assertUsable(await tx.get(CARD_TOKENS, id), seller, now);
      await tx.update(CARD_TOKENS, token, spent(token, by, now));
    },
  };
};

/** Tokens of a gateway that has made none, such as the one whose history is seeded. */
export const NO_CARD_TOKENS: CardTokens = {
  async find() {
    throw cardTokenInvalid();
  },
  async findCode() {
    throw cardTokenInvalid();
  },
  async spend() {
    throw cardTokenInvalid();
  },
  noteOutcome: async () => undefined,
};
