import type { Timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { SentName } from './event-kinds.ts';

/** What was or is to be sent, to however many addresses: every attempt sends these bytes. Changed by erasure only. */
export type SentEvent = Resource & {
  readonly id: Id<'evt'>;
  readonly livemode: boolean;
  /** Whose resource it is about. */
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly event: SentName;
  readonly resourceId: string;
  /** The body of the POST as JSON text, sent as UTF-8. */
  readonly body: string;
  readonly createdAt: Timestamp;
};

export const SENT_EVENTS: Store<SentEvent> = store('webhook_events', 'webhook_event');
