import { createHash } from 'node:crypto';
import type { Timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import {
  type ChargeId,
  type CheckoutSessionId,
  firstIdAt,
  type MerchantId,
  type PaymentMethodId,
  type SubscriptionId,
} from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';

/** Cycles that are `scheduled` or `void` have no record, because nothing has happened in them. */
export const CYCLE_STATUSES = ['scheduled', 'open', 'paid', 'uncollectible', 'void'] as const;
/** `not_counted` is a fault of the gateway or its provider, which says nothing about the payer. */
export const ATTEMPT_OUTCOMES = ['pending', 'paid', 'failed', 'not_counted'] as const;

/** A page of the gateway that was opened for a cycle, on which the customer pays by any method. */
export type CyclePage = { readonly id: CheckoutSessionId; readonly url: string };

/** How an attempt is made under a mandate. */
export type ChargePlan = {
  readonly mandate: PaymentMethodId;
  /** ISO date on which the cycle is due, as the provider is told. */
  readonly dueDate: string;
  /** ISO date on which the payer's bank pays. */
  readonly on: string;
  /** The first charge of the cycle, of which this is a retry; null for the first one. */
  readonly retryOf: ChargeId | null;
};

/** An attempt to collect a cycle. */
export type Attempt = {
  /**
   * Null if there was nothing to charge, for example without a payment method, and until somebody has paid on a page.
   */
  readonly chargeId: ChargeId | null;
  /** Absent if the attempt made a charge itself. */
  readonly page?: CyclePage;
  /** Absent for a charge that no mandate pays. */
  readonly plan?: ChargePlan;
  readonly at: Timestamp;
  readonly outcome: (typeof ATTEMPT_OUTCOMES)[number];
  readonly reason: string | null;
  /** Participants of the split who could not receive; their parts stayed with the merchant. */
  readonly leftOut: readonly MerchantId[];
};

/** A period of a subscription that has begun, with the state of its payment. */
export type Cycle = Resource & {
  readonly subscriptionId: SubscriptionId;
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly number: number;
  readonly periodStart: Timestamp;
  readonly periodEnd: Timestamp;
  readonly dueAt: Timestamp;
  readonly amount: Minor;
  readonly currency: string;
  readonly status: Exclude<(typeof CYCLE_STATUSES)[number], 'scheduled' | 'void'>;
  readonly attempts: readonly Attempt[];
};

export const CYCLES: Store<Cycle> = store('subscription_cycles', 'subscription_cycle');

/** Derived from the subscription and the number, so that no cycle can exist twice. */
export const cycleId = (subscriptionId: SubscriptionId, number: number): string =>
  `${subscriptionId}_${number}`;

/** Hexadecimal digits that follow the time in an id. */
const DIGITS = 20;

/**
 * The id of an attempt's charge, made of the time and of digits that are derived from the attempt. It is stored with
 * the attempt before any provider is asked, so that no attempt can make two charges.
 */
export const attemptChargeId = (cycle: Pick<Cycle, 'id' | 'attempts'>, at: Date): ChargeId => {
  const name = `${cycle.id}/${cycle.attempts.length + 1}`;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGITS);
  return `${firstIdAt('chg', at)}${digest}` as ChargeId;
};

export const withAttempt = (cycle: Cycle, attempt: Attempt): Cycle => ({
  ...cycle,
  attempts: [...cycle.attempts, attempt],
});

/** The cycle with the outcome of the attempt that made the charge. */
export const withOutcome = (
  cycle: Cycle,
  chargeId: ChargeId,
  outcome: Pick<Attempt, 'outcome' | 'reason'>,
): Cycle => ({
  ...cycle,
  status: outcome.outcome === 'paid' ? 'paid' : cycle.status,
  attempts: cycle.attempts.map((one) => (one.chargeId === chargeId ? { ...one, ...outcome } : one)),
});

const withPageAttempt = (cycle: Cycle, pageId: CheckoutSessionId, changes: Partial<Attempt>): Cycle => ({
  ...cycle,
  attempts: cycle.attempts.map((one) => (one.page?.id === pageId ? { ...one, ...changes } : one)),
});

/** The cycle with the charge that has paid on one of its pages. */
export const withPageCharge = (
  cycle: Cycle,
  pageId: CheckoutSessionId,
  paid: Pick<Attempt, 'chargeId' | 'leftOut'>,
): Cycle =>
  cycle.attempts.some(({ page, outcome }) => page?.id === pageId && outcome === 'paid')
    ? cycle
    : withPageAttempt(cycle, pageId, paid);

/** The cycle after nobody can pay on its page any more; null if no attempt waits for that page. */
export const withoutPage = (cycle: Cycle, pageId: CheckoutSessionId, reason: string): Cycle | null =>
  cycle.attempts.some(({ page, outcome }) => page?.id === pageId && outcome === 'pending')
    ? withPageAttempt(cycle, pageId, { outcome: 'failed', reason })
    : null;

/** How many attempts have failed for a reason on the payer's side. */
export const failuresOf = ({ attempts }: Pick<Cycle, 'attempts'>): number =>
  attempts.filter(({ outcome }) => outcome === 'failed').length;
