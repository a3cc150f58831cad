import { createHash } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { Id } from '../../../kernel/ids.ts';
import type { ProviderNotification } from '../../providers/provider.ts';

/**
 * The effect of a notification: a change, a wait for a refund, money in suspense, or work for an operator. `ignored`
 * means that it was outdated or not legal in the present status.
 */
export const OUTCOMES = ['applied', 'waiting', 'suspense', 'for_operator', 'ignored'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Subjects of notifications. */
export const KINDS = [
  'payment',
  'refund',
  'chargeback',
  'chargeback_reversed',
  'dispute_lost',
  'fraud_warning',
  'stored_card',
  'mandate',
  'other',
] as const satisfies readonly ProviderNotification['kind'][];

export type ReceivedNotificationEvent =
  | 'provider_notification.processed'
  | 'provider_notification.processed_again'
  | 'provider_notification.received';

/** A notification that was received, with its outcome once it has been processed. */
export type ReceivedNotification = Resource & {
  readonly id: Id<'pno'>;
  readonly provider: string;
  /** The provider's own id of the notification. */
  readonly notificationId: string;
  readonly livemode: boolean;
  readonly kind: ProviderNotification['kind'];
  /** Reference of the payment or the refund; null where the notification is about neither. */
  readonly reference: string | null;
  /** The status or type that the notification reports. */
  readonly says: string;
  readonly outcome: Outcome | null;
  /** The whole notification as the connector read it, as JSON; absent for those that earlier releases received. */
  readonly told?: string;
  /** How often processing was begun. */
  readonly attempts: number;
  readonly receivedAt: Timestamp;
  readonly processedAt: Timestamp | null;
};

/** The record's id, the same for a repeated notification, so that there is one record for all repetitions. */
export const idOf = (provider: string, notificationId: string): Id<'pno'> =>
  `pno_${createHash('sha256')
    .update(JSON.stringify([provider, notificationId]))
    .digest('hex')
    .slice(0, 32)}`;

export const receive = (
  provider: string,
  notification: ProviderNotification,
  known: ReceivedNotification | null,
  now: Date,
): Decision<ReceivedNotification, ReceivedNotificationEvent> => ({
  type: 'provider_notification.received',
  data: known
    ? { ...known, attempts: known.attempts + 1, told: JSON.stringify(notification) }
    : {
        id: idOf(provider, notification.id),
        version: 0,
        provider,
        notificationId: notification.id,
        livemode: notification.livemode,
        kind: notification.kind,
        reference: notification.kind === 'other' ? null : notification.reference,
        says: saysOf(notification),
        outcome: null,
        told: JSON.stringify(notification),
        attempts: 1,
        receivedAt: timestamp(now),
        processedAt: null,
      },
});

const saysOf = (notification: ProviderNotification): string => {
  if (notification.kind === 'other') return notification.type;
  return 'state' in notification ? notification.state.status : notification.kind;
};

type Processed = (
  received: ReceivedNotification,
  outcome: Outcome,
  now: Date,
) => Decision<ReceivedNotification, ReceivedNotificationEvent>;

export const finish: Processed = (received, outcome, now) => ({
  type: 'provider_notification.processed',
  data: { ...received, outcome, processedAt: timestamp(now) },
});

/** Records that an operator had the notification processed once more. */
export const processedAgain: Processed = (received, outcome, now) => ({
  type: 'provider_notification.processed_again',
  data: { ...received, outcome, attempts: received.attempts + 1, processedAt: timestamp(now) },
});
