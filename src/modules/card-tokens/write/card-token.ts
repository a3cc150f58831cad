import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { MerchantRecord } from '../../../kernel/event.ts';
import type { CardTokenId, ChargeId, MerchantId, PaymentMethodId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Sealed } from '../../../platform/secrets.ts';
import type { MaskedCard } from '../../providers/card.ts';
import { cardTokenInvalid, cardTokenSpent } from './refusals.ts';

/**
 * A card that a provider keeps for one payment, or the security code of a stored card. The gateway has neither the
 * card's number nor a hash of it.
 */
export type CardToken = MerchantRecord & {
  readonly id: CardTokenId;
  /** Master that the merchant had when the token was made. */
  readonly masterId: MerchantId | null;
  /** Null for a security code. */
  readonly card: MaskedCard | null;
  /** The stored card that the security code belongs to; absent for a whole card. */
  readonly paymentMethodId?: PaymentMethodId;
  /** The account at the provider that keeps the card, which is the only one that can charge it. */
  readonly provider: string;
  /** The provider's own token; null once this token is spent. */
  readonly sealedToken: Sealed | null;
  /**
   * Keyed hash of the address that made the token with a public key, by which refusals are counted; null with a secret
   * key.
   */
  readonly origin: string | null;
  readonly expiresAt: Timestamp;
  /** The charge that was paid with the token, or the payment method that was stored from it. */
  readonly spentBy: Spender | null;
};

export type Spender = ChargeId | PaymentMethodId;

export const CARD_TOKENS: Store<CardToken> = store('card_tokens', 'card_token');

const LIVES_MS = 15 * 60_000;

export const openCardToken = (
  facts: Omit<CardToken, 'version' | 'expiresAt' | 'spentBy' | 'createdAt' | 'updatedAt'>,
  now: Date,
): CardToken => ({
  ...facts,
  version: 1,
  expiresAt: timestamp(new Date(now.getTime() + LIVES_MS)),
  spentBy: null,
  createdAt: timestamp(now),
  updatedAt: timestamp(now),
});

type Seller = Pick<CardToken, 'merchantId' | 'livemode'>;

/**
 * 422 CARD_TOKEN_INVALID and CARD_TOKEN_SPENT: a token works once, within 15 minutes, for the merchant that made it.
 */
export const assertUsable = (token: CardToken | null, by: Seller, now: Date): CardToken => {
  if (token?.merchantId !== by.merchantId || token.livemode !== by.livemode) throw cardTokenInvalid();
  if (token.spentBy !== null) throw cardTokenSpent();
  if (token.expiresAt <= timestamp(now)) throw cardTokenInvalid();
  return token;
};

/** The token after its use, without its secret. */
export const spent = (token: CardToken, by: Spender, now: Date): CardToken => ({
  ...token,
  sealedToken: null,
  spentBy: by,
  updatedAt: timestamp(now),
});
