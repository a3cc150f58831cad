import { createHash } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { MerchantRecord } from '../../../kernel/event.ts';
import type {
  CustomerId,
  MerchantId,
  PaymentMethodId,
  PortalId,
  SubscriptionId,
} from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { equalInConstantTime } from '../../../platform/secrets.ts';

/** An address at which a payer can manage one subscription for a limited time. */
export type Portal = MerchantRecord & {
  readonly id: PortalId;
  /** Master of the merchant when it was opened. */
  readonly masterId: MerchantId | null;
  readonly subscriptionId: SubscriptionId;
  readonly customerId: CustomerId;
  /** SHA-256 of the secret in the address: a copied database opens no page. */
  readonly secretHash: string;
  /** The address of the link back to the merchant; null without one. */
  readonly returnUrl: string | null;
  readonly expiresAt: Timestamp;
  /** A card whose holder has to authenticate at the bank. It pays the subscription after that. */
  readonly pendingMethodId: PaymentMethodId | null;
  /** How many cards were refused here, or are being tried. */
  readonly refusals: number;
};

/** A portal has no events, because nothing else depends on it. */
export const PORTALS: Store<Portal> = store('subscription_portals', 'subscription_portal');

/** Limits how many cards an attacker can try with one address, and with several addresses in turn. */
const REFUSALS_AT_MOST = 5;
const REFUSALS_OF_CUSTOMER = 10;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const openPortal = (
  facts: Pick<Portal, 'id' | 'merchantId' | 'masterId' | 'livemode' | 'subscriptionId' | 'customerId'> & {
    readonly secret: string;
    readonly expiresIn: number;
    readonly returnUrl: string | null;
  },
  now: Date,
): Portal => {
  const { secret, expiresIn, ...rest } = facts;
  return {
    ...rest,
    version: 1,
    secretHash: hashOf(secret),
    expiresAt: timestamp(new Date(now.getTime() + expiresIn * 1_000)),
    pendingMethodId: null,
    refusals: 0,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  };
};

/** Whether the secret of an address opens this page now. */
export const opens = (portal: Portal, secret: string, now: Date): boolean =>
  equalInConstantTime(portal.secretHash, hashOf(secret)) && portal.expiresAt > timestamp(now);

/**
 * Whether another card may be tried, given how many cards of the customer were refused on all pages of the last days.
 */
export const takesCards = ({ refusals }: Portal, ofCustomer: number): boolean =>
  refusals < REFUSALS_AT_MOST && ofCustomer < REFUSALS_OF_CUSTOMER;

/**
 * A card counts as refused from the moment at which it is tried, so that many attempts at once do not exceed the limit.
 */
export const tryCard = (portal: Portal, now: Date): Portal => ({
  ...portal,
  refusals: portal.refusals + 1,
  updatedAt: timestamp(now),
});

/**
 * The portal after the result of a card is known; `pendingMethodId` is a card that is stored and not used yet.
 */
export const afterCard = (
  portal: Portal,
  { pendingMethodId, isGood }: { readonly pendingMethodId: PaymentMethodId | null; readonly isGood: boolean },
  now: Date,
): Portal => ({
  ...portal,
  pendingMethodId,
  refusals: isGood ? Math.max(0, portal.refusals - 1) : portal.refusals,
  updatedAt: timestamp(now),
});
