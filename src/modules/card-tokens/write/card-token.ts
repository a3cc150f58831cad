import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { MerchantRecord } from '../../../kernel/event.ts';
import type { CardTokenId, ChargeId, MerchantId, PaymentMethodId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Sealed } from '../../../platform/secrets.ts';
import type { MaskedCard } from '../../providers/card.ts';
import { cardTokenInvalid, cardTokenSpent } from './refusals.ts';

/**
 * A card that a provider keeps for one payment, or the security code of a stored one. The gateway has neither the number of
 * a card nor a hash of it.
 */
export type CardToken = MerchantRecord & {
  readonly id: CardTokenId;
  /** Master of the merchant when the token was made. */
  readonly masterId: MerchantId | null;
  /** Null for a security code. */
  readonly card: MaskedCard | null;
  /** The stored card that a security code is of; absent for a whole card. */
  readonly paymentMethodId?: PaymentMethodId;
  /** The account at the provider that keeps the card, and the only one that can be paid with it. */
  readonly provider: string;
  /** The provider's own token; null once this one is spent. */
  readonly sealedToken: Sealed | null;
  /** Keyed hash of the address that made it with a public key, for the count of refusals; null with a secret key. */
  readonly origin: string | null;
  readonly expiresAt: Timestamp;
  /** The charge that was paid with it, or the payment method that it was stored as. */
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

/** 422 CARD_TOKEN_INVALID and CARD_TOKEN_SPENT: a token works once, for the merchant that made it, for 15 minutes. */
export const assertUsable = (token: CardToken | null, by: Seller, now: Date): CardToken => {
  if (token?.merchantId !== by.merchantId || token.livemode !== by.livemode) throw cardTokenInvalid();
  if (token.spentBy !== null) throw cardTokenSpent();
  if (token.expiresAt <= timestamp(now)) throw cardTokenInvalid();
  return token;
};

/** A token without its secret, once it is used. */
export const spent = (token: CardToken, by: Spender, now: Date): CardToken => ({
  ...token,
  sealedToken: null,
  spentBy: by,
  updatedAt: timestamp(now),
});
