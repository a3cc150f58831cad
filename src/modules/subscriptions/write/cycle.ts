import { createHash } from 'node:crypto';
import type { Timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import { type ChargeId, firstIdAt, type MerchantId, type SubscriptionId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';

/** `scheduled` and `void` have no record: nothing has happened in such a cycle. */
export const CYCLE_STATUSES = ['scheduled', 'open', 'paid', 'uncollectible', 'void'] as const;
/** `not_counted` is a fault of the gateway or its provider, which says nothing about the payer. */
export const ATTEMPT_OUTCOMES = ['pending', 'paid', 'failed', 'not_counted'] as const;

/** One try to collect a cycle. */
export type Attempt = {
  /** Null where there was nothing to charge, such as no payment method. */
  readonly chargeId: ChargeId | null;
  readonly at: Timestamp;
  readonly outcome: (typeof ATTEMPT_OUTCOMES)[number];
  readonly reason: string | null;
  /** Participants of the split who could not receive; their parts stayed with the merchant. */
  readonly leftOut: readonly MerchantId[];
};

/** A period of a subscription that has begun, and what became of its payment. */
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

/** Follows from the subscription, so that no cycle can exist twice. */
export const cycleId = (subscriptionId: SubscriptionId, number: number): string =>
  `${subscriptionId}_${number}`;

/** Hexadecimal digits that follow the time in an id. */
const DIGITS = 20;

/**
 * The id of an attempt's charge: the time at which it is made, and what follows from the attempt. It is stored along with
 * the attempt, before any provider is asked, so that no attempt can make two charges.
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

/** How many attempts have failed by the payer. */
export const failuresOf = ({ attempts }: Pick<Cycle, 'attempts'>): number =>
  attempts.filter(({ outcome }) => outcome === 'failed').length;
