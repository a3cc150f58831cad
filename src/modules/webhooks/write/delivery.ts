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

/** One attempt, as the log shows it. */
export type Attempt = {
  readonly at: Timestamp;
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The first 2 KiB of the answer. */
  readonly response: string | null;
  /** A short code where there was no answer, or where nothing was sent. */
  readonly error: string | null;
};

/** One event on its way to one address. */
export type WebhookDelivery = Resource &
  Traced & {
    readonly id: DeliveryId;
    readonly livemode: boolean;
    /** Whose address it is: a master's for an event of its sub-merchant. */
    readonly merchantId: MerchantId;
    readonly masterId: MerchantId | null;
    readonly eventId: SentEvent['id'];
    readonly event: SentName;
    /** Whether it brings a sample and no event; absent in deliveries of older versions. */
    readonly isTest?: boolean;
    readonly endpointId: EndpointId | null;
    readonly channel: DeliveryChannel;
    readonly url: string;
    /** Queue of the delivery: an endpoint's id, or a name for merchant and host of a postback. */
    readonly queue: string;
    readonly status: DeliveryStatus;
    /** Its place among all that was sent to the endpoint, without gaps; null before its first attempt. */
    readonly sequence: number | null;
    readonly attempts: readonly Attempt[];
    /** Attempts begun, all together, and those of them before it was last sent again by hand. */
    readonly tried: number;
    readonly triedBefore: number;
    /** Set while an attempt is in flight; still set when it is due again, it tells of a crash. */
    readonly begunAt: Timestamp | null;
    /** When to look at it again; null once there is nothing more to do. */
    readonly dueAt: Timestamp | null;
    readonly createdAt: Timestamp;
    readonly updatedAt: Timestamp;
  };

export const DELIVERIES: Store<WebhookDelivery> = store('webhook_deliveries', 'webhook_delivery');

/** Waits between attempts of an endpoint's delivery, in seconds. */
export type RetrySchedule = readonly number[];

/** Three attempts; a third wait would precede a fourth one. */
const LEGACY_SCHEDULE: RetrySchedule = [1, 2];
const JITTER = 0.2;
/** An attempt ends after ten seconds; one without an outcome after this long was cut off by a crash. */
const CUT_OFF_AFTER_MS = 20_000;
const KEPT_ATTEMPTS = 50;
/** The digits of an id that tell its order: time and counter of a UUIDv7. */
const ORDERING_DIGITS = 22;

/**
 * The id of a delivery follows from event and target, so that planning it twice makes one. It sorts as the event's
 * id does.
 */
export const deliveryIdOf = (eventId: string, target: string): DeliveryId => `whd_${derive(eventId, target)}`;

/** Another id of the same time: for an event that reaches another audience under another name. */
export const derivedEventId = (eventId: string, name: SentName): SentEvent['id'] =>
  `evt_${derive(eventId, name)}`;

const derive = (id: string, salt: string): string => (orderOf(id) + digest(`${id} ${salt}`)).slice(0, 32);

/** Common part of an event's id and all ids that follow from it. */
export const orderOf = (id: string): string => (id.split('_')[1] ?? '').slice(0, ORDERING_DIGITS);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The id of the delivery of an event to an endpoint, whether or not there is one. */
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
  // In the order of the events, whatever the order in which they were planned.
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
 * To a charge's or a sub-merchant's postbackUrl; what one merchant sends to one host goes one after the other. Others
 * who use the same host, a platform's say, do not wait for it.
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

/** Result of an attempt; `retryAfterSeconds` as the receiver asked for it, null where it did not. */
export type AttemptResult = Omit<Attempt, 'at'> & { readonly retryAfterSeconds: number | null };

type RetryRules = {
  readonly schedule: RetrySchedule;
  /** From 0 to below 1. */
  readonly random: number;
};

/** An answer that broke off has a status and an error, and counts as none. */
export const isSuccess = ({ statusCode, error }: Pick<Attempt, 'statusCode' | 'error'>): boolean =>
  error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Whether the receiver said that it will never be there again; trying again could only annoy it. */
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

/** `Retry-After` of 429 and 503 counts within one to two times the delay, and only for endpoints. */
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
 * The delivery after a crash in the middle of an attempt, which may have arrived. A payout event has one attempt: its
 * outcome stays unknown. The others are tried again at once, as often as their channel allows.
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

/** A delivery that cannot be sent, to an endpoint that is disabled or gone or without its body any more. */
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
 * Sends a delivery once more, at once. A delivery that has come to an end gets the whole schedule; another one's next
 * attempt comes earlier. 422 WEBHOOK_DELIVERY_PENDING while an attempt is in flight.
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

/** The delivery with its next attempt due by now, if it is not due already. */
const broughtForward = (delivery: WebhookDelivery, now: Date): WebhookDelivery =>
  delivery.dueAt !== null && delivery.dueAt <= timestamp(now)
    ? delivery
    : { ...delivery, dueAt: timestamp(now), updatedAt: timestamp(now) };
