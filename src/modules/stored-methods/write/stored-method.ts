import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type {
  ChargeId,
  CheckoutSessionId,
  CustomerId,
  MerchantId,
  PaymentMethodId,
} from '../../../kernel/ids.ts';
import { type MaskedCard, validUntil } from '../../providers/card.ts';
import type { StoredOrder, StoredState } from '../../providers/provider.ts';
import { consentMissing, methodNotActive } from './refusals.ts';

export const METHOD_TYPES = ['credit_card'] as const;
export const METHOD_STATUSES = ['pending', 'active', 'failed', 'expired', 'revoked'] as const;
type MethodStatus = (typeof METHOD_STATUSES)[number];

/** A card that the provider keeps for later payments of a customer. The gateway has no number of it. */
export type StoredMethod = MerchantRecord & {
  readonly id: PaymentMethodId;
  /** Master of the merchant when it was stored. */
  readonly masterId: MerchantId | null;
  readonly customerId: CustomerId;
  readonly type: (typeof METHOD_TYPES)[number];
  readonly status: MethodStatus;
  /** The holder's name is null once the customer is deleted. */
  readonly card: Omit<MaskedCard, 'holderName'> & { readonly holderName: string | null };
  /** The account at the provider that keeps the card, and the only one that can be paid with it. */
  readonly provider: string;
  /** The charge that the card is kept with, once that is paid; null for one that is stored by itself. */
  readonly chargeId: ChargeId | null;
  /** The checkout session on which its holder had it kept; absent for any other. */
  readonly checkoutSessionId?: CheckoutSessionId;
  /** The provider's own reference of that charge's payment; null until it is paid. */
  readonly payment: string | null;
  readonly providerMethod: string | null;
  readonly providerCustomer: string | null;
  readonly networkTransactionId: string | null;
  /** When the holder agreed, as the merchant says. */
  readonly consentAt: Timestamp;
  /** Where the holder proves himself (3-D Secure); null where nobody asks for that. */
  readonly authenticationUrl: string | null;
  readonly failureReason: string | null;
  /** When the provider is asked about it, or its card expires; null where nothing is to come. */
  readonly reconcileAt: Timestamp | null;
};

/** Clocks of merchants may be so far ahead. */
const CLOCK_SKEW_MS = 60_000;
/** A holder who has to prove himself has a day for it. */
const AUTHENTICATION_MS = 86_400_000;
/** While its holder proves himself the provider is asked every so often, besides what it tells. */
const ASK_EVERY_MS = 60_000;

type Facts = Pick<
  StoredMethod,
  'id' | 'merchantId' | 'masterId' | 'livemode' | 'customerId' | 'card' | 'provider' | 'providerCustomer'
> &
  Partial<Pick<StoredMethod, 'checkoutSessionId'>>;

const NOTHING_KNOWN = {
  type: 'credit_card',
  status: 'pending',
  payment: null,
  providerMethod: null,
  networkTransactionId: null,
  authenticationUrl: null,
  failureReason: null,
} as const satisfies Partial<StoredMethod>;

/**
 * 422 PAYMENT_METHOD_CONSENT_MISSING, 400 for a consent that is still to come. After `graceMs` without an answer the
 * provider is asked what became of the card.
 */
export const openMethod = (
  facts: Facts,
  consentAt: string | null,
  now: Date,
  graceMs: number,
): Decision<StoredMethod> => {
  if (consentAt === null) throw consentMissing();
  const fault: InputFault = { path: 'consentAt', message: 'consentAt must not be in the future' };
  if (Date.parse(consentAt) > now.getTime() + CLOCK_SKEW_MS) throw invalidInput([fault]);
  return created('payment_method.created', now, {
    ...facts,
    ...NOTHING_KNOWN,
    chargeId: null,
    consentAt: timestamp(new Date(consentAt)),
    reconcileAt: later(now, graceMs),
  });
};

/** A card that the payer has kept along with a payment. It waits for that one. */
export const openWithCharge = (facts: Facts, chargeId: ChargeId, now: Date): Decision<StoredMethod> =>
  created('payment_method.created', now, {
    ...facts,
    ...NOTHING_KNOWN,
    chargeId,
    consentAt: timestamp(now),
    reconcileAt: null,
  });

/** The end of the charge that a card is kept with; null where that is not its end, or says nothing new. */
export const followCharge = (
  method: StoredMethod,
  charge: { readonly status: string; readonly pspRefId: string | null },
  now: Date,
): Decision<StoredMethod> | null => {
  const waits = method.status === 'pending' || method.status === 'revoked';
  if (!waits || method.payment !== null) return null;
  // A method that was revoked meanwhile is at the provider by now, which has to forget it.
  if (charge.status === 'paid' && charge.pspRefId !== null)
    return changed('payment_method.paid', method, now, {
      payment: charge.pspRefId,
      reconcileAt: timestamp(now),
    });
  const failureReason = UNPAID[charge.status];
  return failureReason === undefined || method.status === 'revoked'
    ? null
    : ended('failed', method, now, { failureReason });
};

const UNPAID: Readonly<Record<string, string>> = { refused: 'charge_refused', failed: 'charge_failed' };

/** Takes over what the provider says; null where that is nothing new, or comes after the method has ended. */
export const applyStoredState = (
  method: StoredMethod,
  state: StoredState,
  now: Date,
): Decision<StoredMethod> | null => {
  if (method.status !== 'pending' && method.status !== 'active' && method.status !== 'expired') return null;
  // A method that was active is never asked about again by its holder.
  const isLate = method.status !== 'pending' && (state.status === 'pending' || state.status === 'failed');
  if (isLate) return null;
  const card = { ...method.card, ...state.card };
  const known: Partial<StoredMethod> = {
    card,
    providerMethod: state.providerMethod ?? method.providerMethod,
    providerCustomer: state.providerCustomer ?? method.providerCustomer,
    networkTransactionId: state.networkTransactionId ?? method.networkTransactionId,
  };
  switch (state.status) {
    case 'active':
      return activated(method, { ...method, ...known, card }, now);
    case 'pending':
      return waiting(method, { ...known, authenticationUrl: state.authenticationUrl }, now);
    case 'failed':
      return ended('failed', method, now, { ...known, failureReason: state.failureReason ?? 'refused' });
    case 'revoked':
      return ended('revoked', method, now, known);
  }
};

const activated = (before: StoredMethod, next: StoredMethod, now: Date): Decision<StoredMethod> | null => {
  const expiresAt = timestamp(validUntil(next.card));
  if (expiresAt <= timestamp(now)) return before.status === 'expired' ? null : expire(before, now);
  const changes = { ...next, status: 'active' as const, authenticationUrl: null, reconcileAt: expiresAt };
  if (before.status !== 'active') return changed('payment_method.active', before, now, changes);
  const isSame = JSON.stringify(before.card) === JSON.stringify(next.card);
  return isSame ? null : changed('payment_method.updated', before, now, changes);
};

const waiting = (
  method: StoredMethod,
  changes: Partial<StoredMethod>,
  now: Date,
): Decision<StoredMethod> | null => {
  const isNews =
    changes.authenticationUrl !== method.authenticationUrl ||
    changes.providerCustomer !== method.providerCustomer;
  const reconcileAt = later(now, ASK_EVERY_MS);
  return isNews ? changed('payment_method.pending', method, now, { ...changes, reconcileAt }) : null;
};

const ended = (
  status: 'failed' | 'revoked',
  method: StoredMethod,
  now: Date,
  changes: Partial<StoredMethod>,
): Decision<StoredMethod> =>
  changed(`payment_method.${status}`, method, now, {
    ...changes,
    status,
    authenticationUrl: null,
    reconcileAt: null,
  });

/** A card is expired from the first day of the month after the one that stands on it. */
export const expire = (method: StoredMethod, now: Date): Decision<StoredMethod> =>
  changed('payment_method.expired', method, now, {
    status: 'expired',
    authenticationUrl: null,
    reconcileAt: null,
  });

/**
 * Ends a method at once; the provider is told afterwards, for which `reconcileAt` is set. Null where it has ended
 * already.
 */
export const revokeMethod = (method: StoredMethod, now: Date): Decision<StoredMethod> | null => {
  if (method.status === 'revoked' || method.status === 'failed') return null;
  return changed('payment_method.revoked', method, now, {
    status: 'revoked',
    authenticationUrl: null,
    reconcileAt: timestamp(now),
  });
};

/** Takes the holder out of a method whose customer is deleted, and ends it. */
export const forgetHolder = (method: StoredMethod, now: Date): Decision<StoredMethod> => {
  const { type, data } = revokeMethod(method, now) ?? changed('payment_method.erased', method, now, {});
  return { type, data: { ...data, card: { ...data.card, holderName: null } } };
};

/** The provider has forgotten the card, or never had it. */
export const revokedAtProvider = (method: StoredMethod, now: Date): Decision<StoredMethod> =>
  changed('payment_method.forgotten', method, now, { reconcileAt: null });

/** Whether a holder has had his day to prove himself. */
export const isAuthenticationOver = (method: StoredMethod, now: Date): boolean =>
  now.getTime() - Date.parse(method.createdAt) > AUTHENTICATION_MS;

/** 422 PAYMENT_METHOD_NOT_ACTIVE, also for a card that has expired and is not marked so yet. */
export const assertChargeable = (method: StoredMethod, now: Date): void => {
  if (method.status !== 'active') throw methodNotActive(method.status);
  if (validUntil(method.card) <= now) throw methodNotActive('expired');
};

/** How the provider knows the method. */
export const storedOrderOf = (method: StoredMethod): StoredOrder => ({
  reference: method.id,
  holder: { reference: method.customerId, providerCustomer: method.providerCustomer },
  providerMethod: method.providerMethod,
  payment: method.payment,
});

const later = (now: Date, ms: number): Timestamp => timestamp(new Date(now.getTime() + ms));
