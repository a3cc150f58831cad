import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { UNNAMED_EVENTS, type WebhookEvent } from './event-kinds.ts';
import { webhookEndpointLimitReached } from './refusals.ts';

export const ALL_EVENTS = '*';
const MAX_ENDPOINTS = 20;
const DISABLED_AFTER_MS = 5 * DAY_MS;

export type EndpointId = Id<'whe'>;

type WebhookEndpointEvent =
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.updated';

/** An address at which a merchant gets events of one environment. */
export type WebhookEndpoint = MerchantRecord & {
  readonly id: EndpointId;
  readonly masterId: MerchantId | null;
  readonly url: string;
  readonly events: readonly (WebhookEvent | typeof ALL_EVENTS)[];
  readonly enabled: boolean;
  /** Since when the endpoint is enabled. Failures before that do not count. Null while it is disabled. */
  readonly enabledAt: Timestamp | null;
  /** Why the gateway disabled it; null where it did not. */
  readonly disabledReason: string | null;
  readonly description: string | null;
  /** Whether it also gets events of the merchant's sub-merchants. */
  readonly includeSubmerchants: boolean;
  /** The place that the endpoint takes among those that a merchant has in each environment; null once it is deleted. */
  readonly slot: number | null;
  readonly deletedAt: Timestamp | null;
};

export const WEBHOOK_ENDPOINTS: Store<WebhookEndpoint, WebhookEndpointEvent> = store(
  'webhook_endpoints',
  'webhook_endpoint',
  {
    auditsEverybody: true,
  },
);

export type EndpointSettings = Pick<
  WebhookEndpoint,
  'url' | 'events' | 'enabled' | 'description' | 'includeSubmerchants'
>;

export type EndpointOwner = Pick<WebhookEndpoint, 'livemode' | 'merchantId' | 'masterId'>;

/**
 * A new endpoint in one of the free places; 422 WEBHOOK_ENDPOINT_LIMIT_REACHED where all are taken. `random` (0 to
 * below 1) chooses the place, so that concurrent creations seldom want the same one.
 */
export const openEndpoint = (
  settings: EndpointSettings,
  owner: EndpointOwner,
  given: {
    readonly id: EndpointId;
    readonly takenSlots: readonly (number | null)[];
    readonly random: number;
  },
  now: Date,
): Decision<WebhookEndpoint, WebhookEndpointEvent> => {
  const free = Array.from({ length: MAX_ENDPOINTS }, (_, slot) => slot).filter(
    (slot) => !given.takenSlots.includes(slot),
  );
  const slot = free[Math.floor(given.random * free.length)];
  if (slot === undefined) throw webhookEndpointLimitReached(MAX_ENDPOINTS);
  return created('webhook_endpoint.created', now, {
    id: given.id,
    ...owner,
    ...settings,
    enabledAt: settings.enabled ? timestamp(now) : null,
    disabledReason: null,
    slot,
    deletedAt: null,
  });
};

export const changeEndpoint = (
  endpoint: WebhookEndpoint,
  changes: Partial<EndpointSettings>,
  now: Date,
): Decision<WebhookEndpoint, WebhookEndpointEvent> => {
  const changed = { ...endpoint, ...changes, updatedAt: timestamp(now) };
  const isSwitched = changed.enabled !== endpoint.enabled;
  return {
    type: 'webhook_endpoint.updated',
    data: isSwitched
      ? { ...changed, enabledAt: changed.enabled ? timestamp(now) : null, disabledReason: null }
      : changed,
  };
};

/** Deletes the endpoint, which frees its place. Deliveries in flight to it are not sent. */
export const deleteEndpoint = (
  endpoint: WebhookEndpoint,
  now: Date,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  changed('webhook_endpoint.deleted', endpoint, now, {
    enabled: false,
    enabledAt: null,
    slot: null,
    deletedAt: timestamp(now),
  });

/** Disables an endpoint that has only failed for five days; null while it may still recover. */
export const disableFailing = (
  endpoint: WebhookEndpoint,
  failingSince: Timestamp,
  now: Date,
): Decision<WebhookEndpoint, WebhookEndpointEvent> | null => {
  if (!endpoint.enabled || endpoint.enabledAt === null) return null;
  const since = failingSince > endpoint.enabledAt ? failingSince : endpoint.enabledAt;
  if (now.getTime() - Date.parse(since) < DISABLED_AFTER_MS) return null;
  return changed('webhook_endpoint.disabled', endpoint, now, {
    enabled: false,
    enabledAt: null,
    disabledReason: `Every delivery has failed since ${since}`,
  });
};

/**
 * Disables an endpoint whose receiver says that it is gone for good (RFC 9110, section 15.5.11); null if its URL has
 * changed since.
 */
export const disableGone = (
  endpoint: WebhookEndpoint,
  url: string,
  now: Date,
): Decision<WebhookEndpoint, WebhookEndpointEvent> | null =>
  endpoint.enabled && endpoint.url === url
    ? changed('webhook_endpoint.disabled', endpoint, now, {
        enabled: false,
        enabledAt: null,
        disabledReason: 'The receiver answered 410 Gone',
      })
    : null;

/**
 * Whether an endpoint gets an event of this name and merchant. A master always gets events of its sub-merchants'
 * accounts, but events of their charges, refunds and payouts only where the endpoint asks for them.
 */
export const isRecipient = (
  endpoint: WebhookEndpoint,
  event: EndpointOwner & { readonly event: WebhookEvent },
): boolean =>
  endpoint.enabled &&
  endpoint.livemode === event.livemode &&
  wantedBy(endpoint).includes(event.event) &&
  (endpoint.merchantId === event.merchantId ||
    (endpoint.merchantId === event.masterId && (endpoint.includeSubmerchants || isOfAccount(event.event))));

/** The kinds of events that an endpoint wants: all that `*` stands for, and the ones that it names. */
export const wantedBy = ({ events }: Pick<WebhookEndpoint, 'events'>): readonly WebhookEvent[] => {
  const named = events.filter((event) => event !== ALL_EVENTS);
  return events.includes(ALL_EVENTS) ? [...new Set([...UNNAMED_EVENTS, ...named])] : named;
};

const isOfAccount = (event: WebhookEvent): boolean => event.startsWith('account.');
