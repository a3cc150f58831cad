import type { DomainEvent } from '../../kernel/event.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import type { Wanted } from '../../platform/write-store/database.ts';
import type { Charge } from '../charges/write/charge.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import { ownerOf, sentEventOf } from './read/envelope.ts';
import { deliveryToEndpoint, deliveryToUrl, type WebhookDelivery } from './write/delivery.ts';
import { isRecipient, type WebhookEndpoint } from './write/endpoint.ts';
import { isWebhookEvent, namesOf } from './write/event-kinds.ts';
import { isSample, type SentEvent } from './write/sent-event.ts';

/** An event and its deliveries. */
export type Planned = { readonly sent: SentEvent; readonly deliveries: readonly WebhookDelivery[] };

/** The delivery of a missed event to one endpoint; null for an event that the endpoint does not want. */
export const planRecovery = (sent: SentEvent, endpoint: WebhookEndpoint, now: Date): Planned | null => {
  const { event } = sent;
  if (!isWebhookEvent(event) || isSample(sent) || !isRecipient(endpoint, { ...sent, event })) return null;
  return { sent, deliveries: [deliveryToEndpoint(sent, endpoint, now)] };
};

/** Merchants whose endpoints may get the event, each with its tenant. */
export const concernedBy = (event: DomainEvent): readonly Wanted[] => {
  const owner = ownerOf(event);
  if (!owner) return [];
  const tenantId = tenantOf(owner);
  return [owner.merchantId, ...(owner.masterId ? [owner.masterId] : [])].map((value) => ({
    value,
    tenantId,
  }));
};

/**
 * Whether anybody could get the event: at an address that its resource names, or at an endpoint of a merchant that has
 * some.
 */
export const hasAddressee = (event: DomainEvent, listeners: ReadonlySet<string>): boolean => {
  const { postbackUrl = null } = event.data as Charge | Merchant;
  return postbackUrl !== null || concernedBy(event).some(({ value }) => listeners.has(value));
};

/** The deliveries of a domain event; events that nobody would get are left out. */
export const planDeliveries = (
  event: DomainEvent,
  endpoints: readonly WebhookEndpoint[],
  now: Date,
): readonly Planned[] => {
  const names = namesOf(event.resource, event.type);
  const { endpoints: name } = names;
  const owner = ownerOf(event);
  if (!owner) return [];
  const recipients = name ? endpoints.filter((one) => isRecipient(one, { ...owner, event: name })) : [];
  const { postbackUrl = null } = event.data as Charge | Merchant;

  const planned = new Map<SentEvent['id'], { sent: SentEvent; deliveries: WebhookDelivery[] }>();
  const plan = (as: SentEvent['event'], deliver: (sent: SentEvent) => readonly WebhookDelivery[]): void => {
    const sent = sentEventOf(event, as);
    const deliveries = sent ? deliver(sent) : [];
    if (!sent || deliveries.length === 0) return;
    const known = planned.get(sent.id);
    if (known) known.deliveries.push(...deliveries);
    else planned.set(sent.id, { sent, deliveries: [...deliveries] });
  };
  if (name) plan(name, (sent) => recipients.map((endpoint) => deliveryToEndpoint(sent, endpoint, now)));
  for (const channel of ['postback', 'status'] as const) {
    const as = names[channel];
    if (as && postbackUrl) plan(as, (sent) => [deliveryToUrl(sent, channel, postbackUrl, now)]);
  }
  return [...planned.values()];
};
