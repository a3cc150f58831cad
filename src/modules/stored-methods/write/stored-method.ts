import { dayOf } from '../../../kernel/business-days.ts';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/durations.ts';
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
import { approvableUntil, endOfPixDay, type MandateTerms } from '../../providers/pix/mandate-terms.ts';
import type { MandateOrder, MandateState, StoredOrder, StoredState } from '../../providers/provider.ts';
import { consentMissing, methodNotActive } from './refusals.ts';

export const METHOD_TYPES = ['credit_card', 'pix_automatic'] as const;
export const METHOD_STATUSES = ['pending', 'active', 'failed', 'expired', 'revoked'] as const;
type MethodStatus = (typeof METHOD_STATUSES)[number];

export type StoredMethodEvent =
  | 'payment_method.active'
  | 'payment_method.created'
  | 'payment_method.erased'
  | 'payment_method.expired'
  | 'payment_method.failed'
  | 'payment_method.forgotten'
  | 'payment_method.paid'
  | 'payment_method.pending'
  | 'payment_method.revoked'
  | 'payment_method.updated';

/**
 * A card that the provider keeps for a customer's later payments, without its number in the gateway, or a mandate of Pix
 * Automático.
 */
export type StoredMethod = MerchantRecord & {
  readonly id: PaymentMethodId;
  /** Master that the merchant had when the card was stored. */
  readonly masterId: MerchantId | null;
  readonly customerId: CustomerId;
  readonly type: (typeof METHOD_TYPES)[number];
  readonly status: MethodStatus;
  /** Null for a mandate. The holder's name is null once the customer is deleted. */
  readonly card: (Omit<MaskedCard, 'holderName'> & { readonly holderName: string | null }) | null;
  /** Absent for a card. `copyPaste` is the code by which the payer approves; null where there is none any more. */
  readonly mandate?: MandateTerms & {
    readonly copyPaste: string | null;
    /** The charge that the payer pays along with approving; absent without one. */
    readonly firstChargeId?: ChargeId;
  };
  /** The account at the provider that keeps the method, which is the only one that can charge it. */
  readonly provider: string;
  /** The charge that the card is kept with once the charge is paid; null for a card that is stored by itself. */
  readonly chargeId: ChargeId | null;
  /** The checkout session in which the holder stored the card; absent where there was none. */
  readonly checkoutSessionId?: CheckoutSessionId;
  /** The provider's reference of that charge's payment; null until the charge is paid. */
  readonly payment: string | null;
  readonly providerMethod: string | null;
  readonly providerCustomer: string | null;
  readonly networkTransactionId: string | null;
  /** When the holder agreed: of a card according to the merchant; null for a mandate that is not approved. */
  readonly consentAt: Timestamp | null;
  /** The address at which the holder authenticates (3-D Secure); null if that is not required. */
  readonly authenticationUrl: string | null;
  readonly failureReason: string | null;
  /** When to ask the provider about the method, or when its card expires; null where nothing is due. */
  readonly reconcileAt: Timestamp | null;
};

/** How far ahead the clock of a merchant may be. */
const CLOCK_SKEW_MS = 60_000;
/** How long a holder has to authenticate himself. */
const AUTHENTICATION_MS = DAY_MS;
/** While the holder authenticates himself, the provider is asked this often, in case its notification gets lost. */
const ASK_EVERY_MS = 60_000;
/**
 * A payer may take days to approve a mandate. It is asked about after an eighth of the time that it has waited, because
 * every question is an event in its history, but within these bounds.
 */
const ASK_ABOUT_PENDING = { share: 1 / 8, leastMs: 15 * MINUTE_MS, mostMs: 6 * HOUR_MS };
/** A payer may cancel an approved mandate on any day, and the news of it may get lost. */
const ASK_ABOUT_APPROVED_MS = DAY_MS;

/** Whether nobody has refused the card: its provider never had it, or its holder did not come back from the bank. */
export const isGivenUp = ({ failureReason }: Pick<StoredMethod, 'failureReason'>): boolean =>
  failureReason === 'not_stored' || failureReason === 'authentication_expired';

type Facts = Pick<
  StoredMethod,
  'id' | 'merchantId' | 'masterId' | 'livemode' | 'customerId' | 'provider' | 'providerCustomer'
> & { readonly card: NonNullable<StoredMethod['card']> } & Partial<Pick<StoredMethod, 'checkoutSessionId'>>;

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
 * A card to be stored by itself. 422 PAYMENT_METHOD_CONSENT_MISSING, 400 for a consent in the future. Where no answer
 * comes within `graceMs`, the provider is asked for the outcome.
 */
export const openMethod = (
  facts: Facts,
  consentAt: string | null,
  now: Date,
  graceMs: number,
): Decision<StoredMethod, StoredMethodEvent> => {
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

/** A card that the payer stores along with a payment, whose outcome it waits for. */
export const openWithCharge = (
  facts: Facts,
  chargeId: ChargeId,
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> =>
  created('payment_method.created', now, {
    ...facts,
    ...NOTHING_KNOWN,
    chargeId,
    consentAt: timestamp(now),
    reconcileAt: null,
  });

/**
 * A mandate that the payer has not approved yet. Where no answer comes within `graceMs`, the provider is asked for it.
 */
export const openMandate = (
  facts: Omit<Facts, 'card' | 'providerCustomer'> & {
    readonly terms: MandateTerms;
    /** The charge that the payer pays along with approving; null without one. */
    readonly firstChargeId: ChargeId | null;
  },
  now: Date,
  graceMs: number,
): Decision<StoredMethod, StoredMethodEvent> => {
  const { terms, firstChargeId, ...others } = facts;
  return created('payment_method.created', now, {
    ...NOTHING_KNOWN,
    ...others,
    type: 'pix_automatic',
    card: null,
    mandate: { ...terms, copyPaste: null, ...(firstChargeId && { firstChargeId }) },
    providerCustomer: null,
    chargeId: null,
    consentAt: null,
    reconcileAt: later(now, graceMs),
  });
};

/** Applies the provider's answer about a mandate; null where nothing changes, or where the mandate has ended. */
export const applyMandateState = (
  method: StoredMethod,
  state: MandateState,
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> | null => {
  const { status, mandate } = method;
  if (!mandate || (status !== 'pending' && status !== 'active')) return null;
  const providerMethod = state.providerMethod ?? method.providerMethod;
  const isOld = status === 'active' && state.status === 'pending';
  if (isOld) return null;
  switch (state.status) {
    case 'active':
      return status === 'active'
        ? null
        : changed('payment_method.active', method, now, {
            status: 'active',
            providerMethod,
            mandate: { ...mandate, copyPaste: null },
            consentAt: timestamp(now),
            reconcileAt: nextAskOfApproved(method, now),
          });
    case 'pending': {
      const { copyPaste } = state;
      const reconcileAt = nextAskOfPending(method, now);
      return copyPaste === mandate.copyPaste && providerMethod === method.providerMethod
        ? null
        : changed('payment_method.pending', method, now, {
            providerMethod,
            mandate: { ...mandate, copyPaste },
            reconcileAt,
          });
    }
    case 'failed':
    case 'revoked':
      // A provider that does not say how a mandate ended may not know that it was approved.
      return ended(status === 'active' ? 'revoked' : state.status, method, now, {
        providerMethod,
        mandate: { ...mandate, copyPaste: null },
        failureReason: state.failureReason ?? MANDATE_FAILED,
      });
  }
};

const MANDATE_FAILED = 'mandate_failed';

/**
 * When to look at an approved mandate again: at its end, and before that each day, but not in the test environment,
 * where no news gets lost.
 */
const nextAskOfApproved = ({ mandate, livemode }: StoredMethod, now: Date): Timestamp | null => {
  const { endDate = null } = mandate ?? {};
  const end = endDate === null ? null : endOfPixDay(dayOf(endDate));
  const next = later(now, ASK_ABOUT_APPROVED_MS);
  return livemode && (end === null || next < end) ? next : end;
};

/** When to ask about a mandate that waits for its payer: at the latest when the payer can approve no more. */
const nextAskOfPending = ({ mandate, livemode, createdAt }: StoredMethod, now: Date): Timestamp => {
  const { share, leastMs, mostMs } = ASK_ABOUT_PENDING;
  const waited = now.getTime() - Date.parse(createdAt);
  const next = later(now, Math.min(Math.max(waited * share, leastMs), mostMs));
  const end = mandate === undefined ? next : approvableUntil(mandate);
  return livemode && next < end ? next : end;
};

/** The provider was asked about a mandate, and nothing has changed. */
export const askLater = (method: StoredMethod, now: Date): Decision<StoredMethod, StoredMethodEvent> =>
  method.status === 'active'
    ? changed('payment_method.updated', method, now, { reconcileAt: nextAskOfApproved(method, now) })
    : changed('payment_method.pending', method, now, { reconcileAt: nextAskOfPending(method, now) });

/** A subscription has taken a mandate, so that another one that takes it at once has to read it again. */
export const takeForSubscription = (
  method: StoredMethod,
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> => changed('payment_method.updated', method, now, {});

/** Whether the last day of a mandate is over. */
export const isMandateOver = ({ mandate }: StoredMethod, now: Date): boolean =>
  mandate !== undefined && mandate.endDate !== null && endOfPixDay(dayOf(mandate.endDate)) <= timestamp(now);

/** Whether the payer can approve no more, because the first charge could not be handed in in time. */
export const isApprovalOver = ({ mandate }: StoredMethod, now: Date): boolean =>
  mandate !== undefined && approvableUntil(mandate) <= timestamp(now);

/**
 * Applies the outcome of the charge that the card is kept with; null where the charge has not ended, or nothing
 * changes.
 */
export const followCharge = (
  method: StoredMethod,
  charge: { readonly status: string; readonly pspRefId: string | null },
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> | null => {
  const waits = method.status === 'pending' || method.status === 'revoked';
  if (!waits || method.payment !== null) return null;
  // The method may have been revoked meanwhile. The provider has the card by now, and has to forget it.
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

/** Applies the provider's answer; null where nothing changes, or where the method has ended. */
export const applyStoredState = (
  method: StoredMethod,
  state: StoredState,
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> | null => {
  if (method.status !== 'pending' && method.status !== 'active' && method.status !== 'expired') return null;
  // Once a method was active, a late answer about its authentication no longer counts.
  const isLate = method.status !== 'pending' && (state.status === 'pending' || state.status === 'failed');
  if (isLate || method.card === null) return null;
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

const activated = (
  before: StoredMethod,
  next: StoredMethod & { readonly card: NonNullable<StoredMethod['card']> },
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> | null => {
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
): Decision<StoredMethod, StoredMethodEvent> | null => {
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
): Decision<StoredMethod, StoredMethodEvent> =>
  changed(`payment_method.${status}`, method, now, {
    ...changes,
    status,
    authenticationUrl: null,
    reconcileAt: null,
  });

/**
 * Ends a method that has expired: a card from the first day of the month after the printed one, a mandate after its last
 * day.
 */
export const expire = (method: StoredMethod, now: Date): Decision<StoredMethod, StoredMethodEvent> =>
  changed('payment_method.expired', method, now, {
    status: 'expired',
    authenticationUrl: null,
    reconcileAt: null,
  });

/**
 * Revokes a method at once; `reconcileAt` is set, so that the provider is told afterwards. Null where the method has
 * ended already.
 */
export const revokeMethod = (
  method: StoredMethod,
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> | null => {
  if (method.status === 'revoked' || method.status === 'failed') return null;
  return changed('payment_method.revoked', method, now, {
    status: 'revoked',
    authenticationUrl: null,
    reconcileAt: timestamp(now),
  });
};

/** Removes the holder's name from a method whose customer is deleted, and revokes it. */
export const forgetHolder = (method: StoredMethod, now: Date): Decision<StoredMethod, StoredMethodEvent> => {
  const { type, data } = revokeMethod(method, now) ?? changed('payment_method.erased', method, now, {});
  return { type, data: { ...data, card: data.card && { ...data.card, holderName: null } } };
};

/** Records that the provider has forgotten the card, or never had it. */
export const revokedAtProvider = (
  method: StoredMethod,
  now: Date,
): Decision<StoredMethod, StoredMethodEvent> =>
  changed('payment_method.forgotten', method, now, { reconcileAt: null });

/** Whether the holder's time to authenticate himself is over. */
export const isAuthenticationOver = (method: StoredMethod, now: Date): boolean =>
  now.getTime() - Date.parse(method.createdAt) > AUTHENTICATION_MS;

/** 422 PAYMENT_METHOD_NOT_ACTIVE, also for an expired card whose method has not been ended yet. */
export const assertChargeable = (method: StoredMethod, now: Date): void => {
  if (method.status !== 'active') throw methodNotActive(method.status);
  if (method.card !== null && validUntil(method.card) <= now) throw methodNotActive('expired');
};

/** The references by which the provider knows a mandate. */
export const mandateOrderOf = ({ id, providerMethod }: StoredMethod): MandateOrder => ({
  reference: id,
  providerMethod,
});

/** The references by which the provider knows the method. */
export const storedOrderOf = (method: StoredMethod): StoredOrder => ({
  reference: method.id,
  holder: { reference: method.customerId, providerCustomer: method.providerCustomer },
  providerMethod: method.providerMethod,
  payment: method.payment,
});

const later = (now: Date, ms: number): Timestamp => timestamp(new Date(now.getTime() + ms));
