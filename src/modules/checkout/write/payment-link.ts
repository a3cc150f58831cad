import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import {
  changed,
  created,
  type Decision,
  type MerchantRecord,
  type Resource,
} from '../../../kernel/event.ts';
import type { ChargeId, MerchantId, PaymentLinkId, PlanId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Item } from '../../charges/write/charge.ts';
import type { SplitEntry } from '../../charges/write/split.ts';
import type { PaymentType } from '../../providers/provider.ts';
import { linkExhausted, linkNotActive } from './refusals.ts';

export const LINK_STATUSES = ['active', 'paused', 'completed', 'expired', 'cancelled'] as const;
type LinkStatus = (typeof LINK_STATUSES)[number];

/** Facts that the page of a link asks a payer for. */
export const LINK_FIELDS = ['name', 'email', 'document', 'phone', 'address'] as const;
type LinkField = (typeof LINK_FIELDS)[number];

/** Characters of an answer to a question of the merchant's own. */
export const OWN_ANSWER_LENGTH = 200;

type PaymentLinkEvent =
  | 'payment_link.cancelled'
  | 'payment_link.created'
  | 'payment_link.expired'
  | 'payment_link.paid'
  | 'payment_link.updated';

/** An address by which any number of payers, or a few, pay. */
export type PaymentLink = MerchantRecord & {
  readonly id: PaymentLinkId;
  /** Master of the merchant when it was made. */
  readonly masterId: MerchantId | null;
  readonly status: LinkStatus;
  /** Address of the page, which opens it for anybody who knows it. */
  readonly url: string;
  /** The secret part of that address: 128 random bits. */
  readonly token: string;
  /** The plan that it sells; null or absent where each payer pays once. */
  readonly planId?: PlanId | null;
  /** Null where the payer chooses within `amountRange`; the price of each cycle of a plan. */
  readonly amount: Minor | null;
  readonly amountRange: { readonly min: Minor; readonly max: Minor } | null;
  readonly currency: string;
  readonly description: string;
  readonly items: readonly Item[] | null;
  readonly methods: readonly PaymentType[] | null;
  readonly maxInstallments: number;
  /** Null for any number. */
  readonly maxPayments: number | null;
  /** How often it was paid; a refund does not reduce this number. */
  readonly payments: number;
  readonly fields: readonly LinkField[];
  /** Questions of the merchant's own. */
  readonly ownFields: readonly string[];
  readonly returnUrl: string | null;
  readonly split: readonly SplitEntry[] | null;
  readonly reference: string | null;
  /** Free-form JSON as its text. */
  readonly metadata: string | null;
  readonly expiresAt: Timestamp | null;
  /** When a worker ends it; null for never. */
  readonly reconcileAt: Timestamp | null;
};

export const PAYMENT_LINKS = store<PaymentLink, PaymentLinkEvent>('payment_links', 'payment_link', {
  keptOnce: ['items', 'metadata'],
});

/**
 * Unfinished charges of a link with a limit, each of which reserves one payment. They change too often for events, and
 * are not shown to anybody. Absent before the first.
 */
export type LinkPlaces = Resource & {
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly held: readonly {
    readonly chargeId: ChargeId;
    /** A keyed hash of the payer's network address, which can hold one reservation at most. */
    readonly origin: string;
  }[];
};

export const LINK_PLACES: Store<LinkPlaces> = store('payment_link_places', 'payment_link_places');

type Facts = Omit<PaymentLink, 'version' | 'status' | 'payments' | 'reconcileAt' | 'createdAt' | 'updatedAt'>;

export const openLink = (facts: Facts, now: Date): Decision<PaymentLink, PaymentLinkEvent> =>
  created('payment_link.created', now, {
    ...facts,
    status: 'active',
    payments: 0,
    reconcileAt: facts.expiresAt,
  });

export const isLinkPast = ({ expiresAt }: Pick<PaymentLink, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= timestamp(now);

/**
 * 422 LINK_EXHAUSTED for a link that was paid as often as it may be, LINK_NOT_ACTIVE for any other link that takes no
 * payment.
 */
export const assertActive = (link: PaymentLink, now: Date): void => {
  if (link.status === 'completed') throw linkExhausted();
  if (link.status !== 'active' || isLinkPast(link, now)) throw linkNotActive();
};

/**
 * Whether a payer can reserve a payment: the limit is not reached, and the same address holds no other reservation.
 */
export const hasPlace = (
  { maxPayments, payments }: Pick<PaymentLink, 'maxPayments' | 'payments'>,
  held: LinkPlaces['held'],
  origin: string | null,
): boolean =>
  maxPayments === null ||
  (payments + held.length < maxPayments && !held.some((place) => place.origin === origin));

/** Whether a payer may choose this amount; no payer chooses that of a link that has its own. */
export const isInRange = (
  { amountRange }: Pick<PaymentLink, 'amountRange'>,
  amount: Minor | null,
): amount is Minor =>
  amount !== null && amountRange !== null && amount >= amountRange.min && amount <= amountRange.max;

/** A charge of the link is paid, or a payer has subscribed. */
export const countPayment = (link: PaymentLink, now: Date): Decision<PaymentLink, PaymentLinkEvent> => {
  const payments = link.payments + 1;
  const isLast = link.maxPayments !== null && payments >= link.maxPayments;
  return changed('payment_link.paid', link, now, {
    payments,
    ...(isLast ? { status: 'completed', reconcileAt: null } : {}),
  });
};

export type LinkChanges = {
  readonly status?: 'active' | 'paused';
  readonly description?: string;
  readonly expiresAt?: Timestamp | null;
};

/** 422 LINK_NOT_ACTIVE or LINK_EXHAUSTED for one that has ended. */
export const changeLink = (
  link: PaymentLink,
  changes: LinkChanges,
  now: Date,
): Decision<PaymentLink, PaymentLinkEvent> => {
  assertNotEnded(link, now);
  const { expiresAt = link.expiresAt } = changes;
  return changed('payment_link.updated', link, now, { ...changes, reconcileAt: expiresAt });
};

/** Ends a link, with the refusals of `changeLink`. Payments that are under way go on. */
export const cancelLink = (link: PaymentLink, now: Date): Decision<PaymentLink, PaymentLinkEvent> => {
  assertNotEnded(link, now);
  return changed('payment_link.cancelled', link, now, { status: 'cancelled', reconcileAt: null });
};

const assertNotEnded = (link: PaymentLink, now: Date): void => {
  if (link.status === 'completed') throw linkExhausted();
  if (link.status === 'expired' || link.status === 'cancelled' || isLinkPast(link, now))
    throw linkNotActive();
};

/** Null unless its time has passed. */
export const expireLink = (link: PaymentLink, now: Date): Decision<PaymentLink, PaymentLinkEvent> | null =>
  (link.status === 'active' || link.status === 'paused') && isLinkPast(link, now)
    ? changed('payment_link.expired', link, now, { status: 'expired', reconcileAt: null })
    : null;

/** An answer of a payer to a question of the merchant's own. */
export type OwnAnswer = { readonly label: string; readonly value: string };

/** The metadata of a link's charge: the answers beside what the link brings. */
export const withAnswers = (
  { metadata }: Pick<PaymentLink, 'metadata'>,
  answers: readonly OwnAnswer[],
): string | null =>
  answers.length === 0
    ? metadata
    : JSON.stringify({ ...(metadata === null ? {} : JSON.parse(metadata)), answers });

/**
 * The metadata of a charge with the longest answers that are possible, which must not exceed the limit either.
 */
export const withLongestAnswers = (link: Pick<PaymentLink, 'metadata' | 'ownFields'>): string | null => {
  // No character takes more bytes.
  const value = '\u{10000}'.repeat(OWN_ANSWER_LENGTH);
  return withAnswers(
    link,
    link.ownFields.map((label) => ({ label, value })),
  );
};
