import type { Timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { SentName } from './event-kinds.ts';

/** An event as it is listed, without its body. */
export type EventHead = Resource & {
  readonly id: Id<'evt'>;
  readonly livemode: boolean;
  /** The merchant that owns the resource. */
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly event: SentName;
  readonly resourceId: string;
  /** The request that caused the event. Samples have none, and neither do events of versions before 1.1. */
  readonly requestId?: string;
  readonly createdAt: Timestamp;
};

/**
 * An event with its frozen body: every attempt to any address sends these bytes, and only erasure changes them. Nothing
 * is stored for an event that was sent to nobody, because it can be derived from its domain event.
 */
export type SentEvent = EventHead & {
  /** The body of the POST as JSON text, sent as UTF-8. */
  readonly body: string;
};

export const SENT_EVENTS: Store<SentEvent> = store('webhook_events', 'webhook_event');

/** The id of a sample's resource after its prefix; no such resource exists. */
export const NOUGHTS = '0'.repeat(32);

/** Whether this is a sample, by which a receiver can be tried out, and not an event that happened. */
export const isSample = ({ resourceId }: Pick<EventHead, 'resourceId'>): boolean =>
  resourceId.endsWith(`_${NOUGHTS}`);
