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

/** A token together with the provider's own one, which is never stored unsealed. */
export type UsableCardToken = UsableToken & { readonly card: MaskedCard };

type UsableToken = Pick<CardToken, 'id' | 'provider' | 'origin'> &
  Seller & { readonly providerToken: string };

/** The token of a security code, together with the provider's own one. */
export type UsableCode = UsableToken & { readonly paymentMethodId: PaymentMethodId };

export type CardTokens = {
  /** Finds a token that can be used; 422 CARD_TOKEN_INVALID and CARD_TOKEN_SPENT. */
  find(id: string, seller: Seller, tenantId: TenantId | null): Promise<UsableCardToken>;
  /** Finds the security code of a stored card; 422 as for `find`, also for the code of another card. */
  findCode(
    id: string,
    paymentMethodId: PaymentMethodId,
    seller: Seller,
    tenantId: TenantId | null,
  ): Promise<UsableCode>;
  /**
   * Spends a token in the transaction that stores the record that uses it, so that only one of two concurrent uses
   * succeeds.
   */
  spend(id: CardTokenId, seller: Seller, by: Spender, tx: Transaction): Promise<void>;
} & LateOutcomes &
  Pick<CardTesting, 'noteAnswer'>;

/** Notes for the defence against card testing how a payment ended after its answer. */
export type LateOutcomes = Pick<CardTesting, 'noteLate'>;

type Deps = {
  readonly findCardToken: FindById<CardToken>;
  readonly sealing: KeyRing;
  readonly cardTesting: Pick<CardTesting, 'noteAnswer' | 'noteLate'>;
  readonly clock: Clock;
};

export const createCardTokens = (deps: Deps): CardTokens => {
  const open = async (id: string, seller: Seller, tenantId: TenantId | null) => {
    const found = assertUsable(await deps.findCardToken(id, tenantId), seller, deps.clock());
    const { sealedToken, provider, origin } = found;
    // Where the key is no longer configured, the token cannot be unsealed. This concerns only tokens of the last
    // minutes.
    if (sealedToken === null || !deps.sealing.find(sealedToken.keyId)) throw cardTokenInvalid();
    const providerToken = unseal(deps.sealing, sealedToken);
    return { found, usable: { ...seller, id: found.id, provider, origin, providerToken } };
  };
  return {
    noteAnswer: deps.cardTesting.noteAnswer,
    noteLate: deps.cardTesting.noteLate,
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

/** For a gateway that makes no card tokens, such as the one that seeds a history. */
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
  noteAnswer: async () => undefined,
  noteLate: async () => undefined,
};
