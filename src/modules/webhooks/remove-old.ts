import { timestamp } from '../../kernel/clock.ts';
import { daysBefore, type Removal } from '../../platform/retention.ts';
import type { FindSubjects } from '../../platform/write-store/remove-events.ts';
import type { WebhookViews } from './read/webhook-views.store.ts';
import type { DeliveriesStore } from './write/deliveries.store.ts';
import { orderingPartOf } from './write/delivery.ts';
import type { SentEventsStore } from './write/sent-events.store.ts';

/**
 * Removes old deliveries and the bodies that they sent. A delivery that is in flight, or was sent again since, stays
 * together with its body. A crash in between leaves documents in the views, which the search for drift removes.
 */
export const createWebhookRemoval = (deps: {
  readonly store: Pick<DeliveriesStore, 'deliveriesBefore' | 'removeDeliveries' | 'nextEnd'> &
    Pick<SentEventsStore, 'sentEventsBefore' | 'removeSentEvents' | 'nextSentEnd'>;
  readonly findSubjects: FindSubjects;
  readonly views: WebhookViews;
  readonly days: number | null;
}): Removal => ({
  what: 'webhooks',
  async run(now, signal, livemode) {
    if (deps.days === null) return 0;
    const { store, views } = deps;
    await views.ready();
    const before = daysBefore(now, deps.days);
    // Compares the ordering part of ids, because a delivery that is still to be made gets an id derived from its domain
    // event's.
    const needed = new Set((await deps.findSubjects(before)).map(orderingPartOf));
    const sentYet = new Set(needed);
    let removed = 0;
    for await (const batch of store.deliveriesBefore(before, signal, livemode)) {
      const ended = batch.filter(
        ({ _id, dueAt, updatedAt }) =>
          dueAt === null && updatedAt < timestamp(before) && !needed.has(orderingPartOf(_id)),
      );
      const gone = new Set(await store.removeDeliveries(ended));
      for (const { _id, eventId } of batch) if (!gone.has(_id)) sentYet.add(orderingPartOf(eventId));
      await views.forgetDeliveries([...gone]);
      removed += gone.size;
    }
    for await (const batch of store.sentEventsBefore(before, signal, livemode)) {
      const gone = batch.map(({ _id }) => _id).filter((id) => !sentYet.has(orderingPartOf(id)));
      await store.removeSentEvents(gone);
      await views.forgetEvents(gone);
      removed += gone.length;
    }
    return removed;
  },
  ofTest: {
    async next(since) {
      const { days, store } = deps;
      if (days === null) return null;
      const ends = [await store.nextEnd(days, since), await store.nextSentEnd(days, since)];
      return ends.reduce((first, end) => (end && (!first || end < first) ? end : first));
    },
    keepsUnread: deps.days !== null,
  },
});
