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

/** Where a merchant gets events of one environment. */
export type WebhookEndpoint = MerchantRecord & {
  readonly id: EndpointId;
  readonly masterId: MerchantId | null;
  readonly url: string;
  readonly events: readonly (WebhookEvent | typeof ALL_EVENTS)[];
  readonly enabled: boolean;
  /** Since when it is enabled: what failed before says nothing. Null while it is disabled. */
  readonly enabledAt: Timestamp | null;
  /** Why the gateway disabled it, null where it did not. */
  readonly disabledReason: string | null;
  readonly description: string | null;
  /** Whether it also gets events of the merchant's sub-merchants. */
  readonly includeSubmerchants: boolean;
  /** One of the places that a merchant has in each environment, taken by one endpoint at most; null once deleted. */
  readonly slot: number | null;
  readonly deletedAt: Timestamp | null;
};

export const WEBHOOK_ENDPOINTS: Store<WebhookEndpoint> = store('webhook_endpoints', 'webhook_endpoint', {
  auditsEverybody: true,
});

export type EndpointSettings = Pick<
  WebhookEndpoint,
  'url' | 'events' | 'enabled' | 'description' | 'includeSubmerchants'
>;

export type EndpointOwner = Pick<WebhookEndpoint, 'livemode' | 'merchantId' | 'masterId'>;

/**
 * A new endpoint in one of the places that are left; 422 WEBHOOK_ENDPOINT_LIMIT_REACHED where none is. `random` (0 to
 * below 1) chooses the place, so that those who create at once seldom want the same one.
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
): Decision<WebhookEndpoint> => {
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
): Decision<WebhookEndpoint> => {
  const changed = { ...endpoint, ...changes, updatedAt: timestamp(now) };
  const isSwitched = changed.enabled !== endpoint.enabled;
  return {
    type: 'webhook_endpoint.updated',
    data: isSwitched
      ? { ...changed, enabledAt: changed.enabled ? timestamp(now) : null, disabledReason: null }
      : changed,
  };
};

/** Its place is free again; what is in flight to it is not sent. */
export const deleteEndpoint = (endpoint: WebhookEndpoint, now: Date): Decision<WebhookEndpoint> =>
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
): Decision<WebhookEndpoint> | null => {
  if (!endpoint.enabled || endpoint.enabledAt === null) return null;
  const since = failingSince > endpoint.enabledAt ? failingSince : endpoint.enabledAt;
  if (now.getTime() - Date.parse(since) < DISABLED_AFTER_MS) return null;
  return changed('webhook_endpoint.disabled', endpoint, now, {
    enabled: false,
    enabledAt: null,
    disabledReason: `Every delivery has failed since ${since}`,
  });
};

/** Disables an endpoint whose receiver says that it is gone for good (RFC 9110, 15.5.11); null if it has moved since. */
export const disableGone = (
  endpoint: WebhookEndpoint,
  url: string,
  now: Date,
): Decision<WebhookEndpoint> | null =>
  endpoint.enabled && endpoint.url === url
    ? changed('webhook_endpoint.disabled', endpoint, now, {
        enabled: false,
        enabledAt: null,
        disabledReason: 'The receiver answered 410 Gone',
      })
    : null;

/**
 * Whether an endpoint gets an event of this name of this merchant. A master always gets events of its sub-merchants'
 * accounts. It gets those of their charges, refunds and payouts where it asked for them.
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

/** The kinds that an endpoint wants: all that `*` stands for, and those that it names. */
export const wantedBy = ({ events }: Pick<WebhookEndpoint, 'events'>): readonly WebhookEvent[] => {
  const named = events.filter((event) => event !== ALL_EVENTS);
  return events.includes(ALL_EVENTS) ? [...new Set([...UNNAMED_EVENTS, ...named])] : named;
};

const isOfAccount = (event: WebhookEvent): boolean => event.startsWith('account.');
