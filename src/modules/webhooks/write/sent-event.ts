import type { Timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { SentName } from './event-kinds.ts';

/** An event as it is listed: all but its body. */
export type EventHead = Resource & {
  readonly id: Id<'evt'>;
  readonly livemode: boolean;
  /** Merchant that owns the resource. */
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly event: SentName;
  readonly resourceId: string;
  /** Request that led to it. Samples have none, nor have events of versions before 1.1. */
  readonly requestId?: string;
  readonly createdAt: Timestamp;
};

/**
 * Frozen body of an event: every attempt to any address sends these bytes. Changed by erasure only. Of an event that
 * was sent to nobody nothing is stored, because it follows from its domain event.
 */
export type SentEvent = EventHead & {
  /** The body of the POST as JSON text, sent as UTF-8. */
  readonly body: string;
};

export const SENT_EVENTS: Store<SentEvent> = store('webhook_events', 'webhook_event');

/** The id of a sample's resource, which does not exist, after its prefix. */
export const NOUGHTS = '0'.repeat(32);

/** Whether this was sent for a receiver to try itself out, and tells of nothing that happened. */
export const isSample = ({ resourceId }: Pick<EventHead, 'resourceId'>): boolean =>
  resourceId.endsWith(`_${NOUGHTS}`);
