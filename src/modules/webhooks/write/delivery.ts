import { createHash } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Traced } from '../../../platform/tracing.ts';
import type { EndpointId, WebhookEndpoint } from './endpoint.ts';
import type { SentName } from './event-kinds.ts';
import { webhookDeliveryPending } from './refusals.ts';
import type { EventHead, SentEvent } from './sent-event.ts';

export const DELIVERY_CHANNELS = ['endpoint', 'postback', 'payout', 'status'] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'unknown'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

type DeliveryId = Id<'whd'>;

/** One attempt to deliver, as the log shows it. */
export type Attempt = {
  readonly at: Timestamp;
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The first 2 KiB of the answer. */
  readonly response: string | null;
  /** A short code where nothing was answered or nothing was sent. */
  readonly error: string | null;
};

/** The delivery of one event to one address. */
export type WebhookDelivery = Resource &
  Traced & {
    readonly id: DeliveryId;
    readonly livemode: boolean;
    /** The merchant whose address it is: the master for an event that its endpoint gets of a sub-merchant. */
    readonly merchantId: MerchantId;
    readonly masterId: MerchantId | null;
    readonly eventId: SentEvent['id'];
    readonly event: SentName;
    /** Whether the delivery is of a sample instead of an event; absent in deliveries of older versions. */
    readonly isTest?: boolean;
    readonly endpointId: EndpointId | null;
    readonly channel: DeliveryChannel;
    readonly url: string;
    /** Queue of the delivery: the endpoint's id, or for a postback a name made of merchant and host. */
    readonly queue: string;
    readonly status: DeliveryStatus;
    /** Number of the delivery among all to the endpoint, without gaps; null before its first attempt. */
    readonly sequence: number | null;
    readonly attempts: readonly Attempt[];
    /** Attempts begun in total, and how many of them came before it was last sent again by hand. */
    readonly tried: number;
    readonly triedBefore: number;
    /**
     * Set while an attempt is in flight. Where it is still set when the delivery is due again, a crash cut the attempt
     * off.
     */
    readonly begunAt: Timestamp | null;
    /** When the delivery is due to be looked at again; null once there is nothing more to do. */
    readonly dueAt: Timestamp | null;
    readonly createdAt: Timestamp;
    readonly updatedAt: Timestamp;
  };

export const DELIVERIES: Store<WebhookDelivery> = store('webhook_deliveries', 'webhook_delivery');

/** Waits between attempts of an endpoint's delivery, in seconds. */
export type RetrySchedule = readonly number[];

/** The waits between three attempts. */
const LEGACY_SCHEDULE: RetrySchedule = [1, 2];
const JITTER = 0.2;
/** An attempt ends after ten seconds, so one that has no outcome after this long was cut off by a crash. */
const CUT_OFF_AFTER_MS = 20_000;
const KEPT_ATTEMPTS = 50;
/** The leading digits of an id, which give its order: time and counter of a UUIDv7. */
const ORDERING_DIGITS = 22;

/**
 * The id of a delivery, derived from event and target, so that planning it twice makes one delivery. It sorts like the
 * event's id.
 */
export const deliveryIdOf = (eventId: string, target: string): DeliveryId => `whd_${derive(eventId, target)}`;

/** An id at the same place in the order, for an event that reaches another audience under another name. */
export const derivedEventId = (eventId: string, name: SentName): SentEvent['id'] =>
  `evt_${derive(eventId, name)}`;

const derive = (id: string, salt: string): string =>
  (orderingPartOf(id) + digest(`${id} ${salt}`)).slice(0, 32);

/** The part that an event's id has in common with all ids derived from it. */
export const orderingPartOf = (id: string): string => (id.split('_')[1] ?? '').slice(0, ORDERING_DIGITS);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The id that the delivery of an event to an endpoint has, whether or not it exists. */
export const deliveryIdTo = (
  { id, event }: Pick<EventHead, 'id' | 'event'>,
  endpoint: WebhookEndpoint,
): DeliveryId => deliveryIdOf(id, `${channelOf(event)} ${endpoint.id}`);

const channelOf = (event: SentName): 'endpoint' | 'payout' =>
  event.startsWith('payout.') ? 'payout' : 'endpoint';

type Target = Pick<WebhookDelivery, 'merchantId' | 'masterId' | 'url'>;

const openDelivery = (
  sent: SentEvent,
  to: Target & Pick<WebhookDelivery, 'endpointId' | 'channel' | 'queue'>,
  now: Date,
): WebhookDelivery => ({
  id: deliveryIdOf(sent.id, `${to.channel} ${to.endpointId ?? to.url}`),
  version: 1,
  livemode: sent.livemode,
  merchantId: to.merchantId,
  masterId: to.masterId,
  eventId: sent.id,
  event: sent.event,
  endpointId: to.endpointId,
  channel: to.channel,
  url: to.url,
  queue: to.queue,
  status: 'pending',
  sequence: null,
  attempts: [],
  tried: 0,
  triedBefore: 0,
  begunAt: null,
  // Deliveries are due in the order of their events, whatever the order in which they were planned.
  dueAt: sent.createdAt,
  createdAt: timestamp(now),
  updatedAt: timestamp(now),
});

export const deliveryToEndpoint = (sent: SentEvent, endpoint: WebhookEndpoint, now: Date): WebhookDelivery =>
  openDelivery(
    sent,
    {
      merchantId: endpoint.merchantId,
      masterId: endpoint.masterId,
      url: endpoint.url,
      endpointId: endpoint.id,
      channel: channelOf(sent.event),
      queue: endpoint.id,
    },
    now,
  );

/**
 * A delivery to the postbackUrl of a charge or sub-merchant. Postbacks of one merchant to one host go one after the
 * other. Other merchants with the same host, such as a platform's, have queues of their own and do not wait.
 */
export const deliveryToUrl = (
  sent: SentEvent,
  channel: 'postback' | 'status',
  url: string,
  now: Date,
): WebhookDelivery => {
  const { merchantId, masterId } = sent;
  const host = URL.canParse(url) ? new URL(url).host : url;
  const queue = `host_${digest(`${merchantId} ${host}`).slice(0, 32)}`;
  return openDelivery(sent, { merchantId, masterId, url, endpointId: null, channel, queue }, now);
};

const waitsOf = (channel: DeliveryChannel, schedule: RetrySchedule): RetrySchedule => {
  if (channel === 'endpoint') return schedule;
  return channel === 'payout' ? [] : LEGACY_SCHEDULE;
};

/** Marks an attempt as begun, before anything is sent, so that a crash in between can be seen. */
export const beginAttempt = (delivery: WebhookDelivery, url: string, now: Date): WebhookDelivery => ({
  ...delivery,
  url,
  tried: delivery.tried + 1,
  begunAt: timestamp(now),
  dueAt: timestamp(new Date(now.getTime() + CUT_OFF_AFTER_MS)),
  updatedAt: timestamp(now),
});

/** Result of an attempt; `retryAfterSeconds` is the wait that the receiver asked for, null where it asked for none. */
export type AttemptResult = Omit<Attempt, 'at'> & { readonly retryAfterSeconds: number | null };

type RetryRules = {
  readonly schedule: RetrySchedule;
  /** A number from 0 to below 1. */
  readonly random: number;
};

/**
 * Whether the attempt succeeded. An answer that broke off has both a status and an error, and does not count as
 * success.
 */
export const isSuccess = ({ statusCode, error }: Pick<Attempt, 'statusCode' | 'error'>): boolean =>
  error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Whether the receiver said that it is gone for good, so that further attempts are useless. */
export const isGone = ({ statusCode, error }: Pick<Attempt, 'statusCode' | 'error'>): boolean =>
  error === null && statusCode === 410;

/** The delivery after an attempt: delivered, to be tried again, or failed for good. */
export const finishAttempt = (
  delivery: WebhookDelivery,
  result: AttemptResult,
  rules: RetryRules,
  now: Date,
): WebhookDelivery => {
  const { retryAfterSeconds: _, ...outcome } = result;
  const ended = withAttempt(delivery, { at: delivery.begunAt ?? timestamp(now), ...outcome }, now);
  if (isSuccess(result)) return { ...ended, status: 'delivered' };
  const wait = waitsOf(delivery.channel, rules.schedule)[delivery.tried - delivery.triedBefore - 1];
  if (wait === undefined || isGone(result)) return { ...ended, status: 'failed' };
  return { ...ended, dueAt: timestamp(new Date(now.getTime() + waitMs(delivery, wait, result, rules))) };
};

/** `Retry-After` of a 429 or 503 counts only for endpoints, and only between one and two times the planned wait. */
const waitMs = (
  { channel }: WebhookDelivery,
  wait: number,
  { statusCode, retryAfterSeconds }: AttemptResult,
  { random }: RetryRules,
): number => {
  if (channel !== 'endpoint') return wait * 1_000;
  if (retryAfterSeconds !== null && (statusCode === 429 || statusCode === 503))
    return Math.min(Math.max(retryAfterSeconds, wait), 2 * wait) * 1_000;
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random) * 1_000);
};

/**
 * The delivery after a crash during an attempt, which may have arrived. A payout event has one attempt, so its outcome
 * stays unknown. Other deliveries are tried again at once, as often as their channel allows.
 */
export const resolveCutOff = (
  delivery: WebhookDelivery,
  schedule: RetrySchedule,
  now: Date,
): WebhookDelivery => {
  const at = delivery.begunAt ?? timestamp(now);
  const ended = withAttempt(delivery, { at, ...NOT_ANSWERED, error: 'interrupted' }, now);
  if (delivery.channel === 'payout') return { ...ended, status: 'unknown' };
  const isLast = delivery.tried - delivery.triedBefore > waitsOf(delivery.channel, schedule).length;
  return isLast ? { ...ended, status: 'failed' } : { ...ended, dueAt: timestamp(now) };
};

/** A delivery that cannot be sent, because its endpoint is disabled or deleted, or its body is no longer kept. */
export const refuseDelivery = (
  delivery: WebhookDelivery,
  error: 'endpoint_disabled' | 'body_removed',
  now: Date,
): WebhookDelivery => ({
  ...withAttempt(delivery, { at: timestamp(now), ...NOT_ANSWERED, error }, now),
  status: 'failed',
});

const NOT_ANSWERED = { statusCode: null, durationMs: 0, response: null } as const;

const withAttempt = (delivery: WebhookDelivery, attempt: Attempt, now: Date): WebhookDelivery => ({
  ...delivery,
  attempts: [...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS),
  begunAt: null,
  dueAt: null,
  updatedAt: timestamp(now),
});

/**
 * Sends a delivery once more, at once. A delivery that has ended gets the whole schedule again; for any other, the next
 * attempt is brought forward. 422 WEBHOOK_DELIVERY_PENDING while an attempt is in flight.
 */
export const sendAgain = (delivery: WebhookDelivery, now: Date): WebhookDelivery => {
  if (delivery.begunAt !== null) throw webhookDeliveryPending();
  if (delivery.status === 'pending') return broughtForward(delivery, now);
  return {
    ...delivery,
    status: 'pending',
    triedBefore: delivery.tried,
    dueAt: timestamp(now),
    updatedAt: timestamp(now),
  };
};

/** The delivery with its next attempt due now, unless it is due earlier. */
const broughtForward = (delivery: WebhookDelivery, now: Date): WebhookDelivery =>
  delivery.dueAt !== null && delivery.dueAt <= timestamp(now)
    ? delivery
    : { ...delivery, dueAt: timestamp(now), updatedAt: timestamp(now) };
