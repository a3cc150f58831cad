import type { DomainEvent, Resource } from '../../../kernel/event.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { findNextEnd, inBatches, madeBefore } from '../../../platform/retention.ts';
import type { Database, Wanted } from '../../../platform/write-store/database.ts';
import { withKept } from '../../../platform/write-store/kept-once.ts';
import { inParts, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { findOfTenants } from '../../../platform/write-store/spread.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { CHECKOUT_SESSIONS } from '../../checkout/write/checkout-session.ts';
import { SUBSCRIPTIONS } from '../../subscriptions/write/subscription.ts';
import type { WebhookDelivery } from './delivery.ts';
import { SENT_EVENTS, type SentEvent } from './sent-event.ts';

/** Stores whose events leave out members that their documents keep. */
const KEEPING = [CHARGES, SUBSCRIPTIONS, CHECKOUT_SESSIONS] as const;

type StoredEvent = DomainEvent & { readonly tenantId?: TenantId };

/** Domain events in the form in which they are sent, and the bodies that were sent. */
export type SentEventsStore = ReturnType<typeof createSentEventsStore>;

export const createSentEventsStore = (db: Database) => {
  const sentEvents = db.collection<{ _id: string }>(SENT_EVENTS.collection);

  /** The events with everything that is sent of the resource, because items and metadata are only in its document. */
  const withWhole = async <E extends StoredEvent>(events: readonly E[]): Promise<readonly E[]> => {
    const dataOf = new Map<string, Resource | undefined>();
    for (const store of KEEPING) {
      const own = events.filter(({ resource }) => resource === store.resource);
      const whole = await withKept(
        db,
        store,
        own.map(({ data, tenantId = null }) => ({ resource: data, tenantId })),
      );
      for (const [place, { id }] of own.entries()) dataOf.set(id, whole[place]?.resource);
    }
    return events.map((event) => ({ ...event, data: dataOf.get(event.id) ?? event.data }));
  };

  return {
    withWhole,

    findDomainEvents: async (wanted: readonly Wanted[]): Promise<readonly DomainEvent[]> =>
      withWhole(
        await findOfTenants<StoredEvent>(db, DOMAIN_EVENTS, '_id', wanted, { projection: { _id: 0 } }),
      ),

    findSentEvents: (wanted: readonly Wanted[]): Promise<readonly SentEvent[]> =>
      findOfTenants(db, SENT_EVENTS.collection, '_id', wanted, { projection: RESOURCE_ONLY }),

    /**
     * Changes the frozen and future bodies about a resource. The version stays, because it is the head's, which is
     * listed.
     */
    async rewriteBodies(resourceId: string, rewrite: (body: string) => string): Promise<void> {
      for (const sent of await sentEvents.find<SentEvent>({ resourceId }).toArray()) {
        const body = rewrite(sent.body);
        if (body !== sent.body) await sentEvents.updateOne({ _id: sent.id }, { $set: { body } });
      }
    },

    /** The body of the event that a delivery sends; null where erasure or retention has removed it. */
    async findBody(delivery: WebhookDelivery): Promise<string | null> {
      const sent = await readResource(db, SENT_EVENTS, delivery.eventId, tenantOf(delivery));
      return sent?.body ?? null;
    },

    /** Ids of the sent events from before this time, in batches. */
    sentEventsBefore: (before: Date, signal: AbortSignal, livemode: boolean | null) =>
      inBatches<{ readonly _id: string }>(
        db.collection(SENT_EVENTS.collection),
        madeBefore('evt', before, livemode),
        { _id: 1 },
        signal,
      ),

    nextSentEnd: (days: number, since: Date): Promise<Date | null> =>
      findNextEnd(db, SENT_EVENTS.collection, { days, since }),

    async removeSentEvents(ids: readonly string[]): Promise<void> {
      for (const part of inParts(ids)) await sentEvents.deleteMany({ _id: { $in: [...part] } });
    },
  };
};
