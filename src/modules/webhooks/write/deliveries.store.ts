import { MongoBulkWriteError } from 'mongodb';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { viewConsumerName } from '../../../platform/read-store/projector.ts';
import { daysAfter, daysBefore, inBatches, madeBefore } from '../../../platform/retention.ts';
import type { Database, Wanted } from '../../../platform/write-store/database.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { enqueueWork, traceOf } from '../../../platform/write-store/outbox.ts';
import { findOfTenants, ofTenant } from '../../../platform/write-store/spread.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { DELIVERIES, type WebhookDelivery } from './delivery.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import type { QueueOwner } from './sending/slots.ts';
import { SENT_EVENTS, type SentEvent } from './sent-event.ts';
import { DELIVERIES_VIEW_NAME, EVENTS_VIEW_NAME, WEBHOOKS } from './webhooks.store.ts';

/** Members that decide whether a delivery may be removed. */
export type OldDelivery = Pick<WebhookDelivery, 'eventId' | 'version' | 'dueAt' | 'updatedAt'> & {
  readonly _id: string;
};

/** An event to be sent, with its deliveries. */
type PlannedEvent = {
  readonly sent: SentEvent;
  readonly deliveries: readonly WebhookDelivery[];
  readonly commit: string;
  readonly isListed: boolean;
};

export type DeliveriesStore = ReturnType<typeof createDeliveriesStore>;

export const createDeliveriesStore = (db: Database) => {
  const deliveries = db.collection<{ _id: string; version?: number }>(DELIVERIES.collection);
  return {
    change: changeDeliveries,
    storePlanned: (planned: readonly PlannedEvent[]) => storePlanned(db, planned),
    /**
     * Stores an event that follows from no domain event, such as a sample, with its delivery, and queues the delivery.
     */
    async addInTransaction(tx: Transaction, sent: SentEvent, delivery: WebhookDelivery): Promise<void> {
      await tx.insert(SENT_EVENTS.collection, { ...sent, _id: sent.id });
      await tx.insert(DELIVERIES.collection, { ...delivery, _id: delivery.id });
      tx.enqueue(viewConsumerName(EVENTS_VIEW_NAME), sent.id);
      tx.enqueue(viewConsumerName(DELIVERIES_VIEW_NAME), delivery.id);
      tx.enqueue(WEBHOOKS, delivery.id);
    },

    /** The ids among these that belong to a delivery. */
    async knownDeliveries(wanted: readonly Wanted[]): Promise<ReadonlySet<string>> {
      const options = { projection: { _id: 1 } };
      const { collection } = DELIVERIES;
      const found = await findOfTenants<{ readonly _id: string }>(db, collection, '_id', wanted, options);
      return new Set(found.map(({ _id }) => _id));
    },

    async findQueues(wanted: readonly Wanted[]): Promise<readonly string[]> {
      const found = await findOfTenants<{ readonly queue: string }>(
        db,
        DELIVERIES.collection,
        '_id',
        wanted,
        { projection: { _id: 0, queue: 1 } },
      );
      return found.map(({ queue }) => queue);
    },

    /** Deliveries to an endpoint that were made since one time and failed before another, up to a limit. */
    findFailed: (
      endpoint: WebhookEndpoint,
      { since, before }: { readonly since: Timestamp; readonly before: Timestamp },
      limit: number,
    ): Promise<readonly WebhookDelivery[]> =>
      deliveries
        .find<WebhookDelivery>(
          {
            endpointId: endpoint.id,
            status: 'failed',
            createdAt: { $gte: since },
            updatedAt: { $lt: before },
            ...ofTenant(db, DELIVERIES.collection, tenantOf(endpoint)),
          },
          { projection: RESOURCE_ONLY, limit },
        )
        .toArray(),

    /**
     * Deliveries of events from before this time, in batches. In the test environment they are all deliveries, because
     * only their ids have the time of their event.
     */
    deliveriesBefore: (before: Date, signal: AbortSignal, livemode: boolean | null) =>
      inBatches<OldDelivery>(
        db.collection(DELIVERIES.collection),
        livemode === false ? { livemode } : madeBefore('whd', before, livemode),
        { _id: 1, eventId: 1, version: 1, dueAt: 1, updatedAt: 1 },
        signal,
      ),

    /** When the next delivery of the test environment has been at its end for so many days, at `since` or after it. */
    async nextEnd(days: number, since: Date): Promise<Date | null> {
      const ended = { $gte: timestamp(daysBefore(since, days)), $lt: ':' };
      const first = await db
        .collection<WebhookDelivery>(DELIVERIES.collection)
        .findOne(
          { livemode: false, dueAt: null, updatedAt: ended },
          { projection: { updatedAt: 1 }, sort: { updatedAt: 1 } },
        );
      return first && daysAfter(first.updatedAt, days);
    },

    /** Removes the deliveries that nobody has changed meanwhile; returns their ids. */
    async removeDeliveries(old: readonly OldDelivery[]): Promise<readonly string[]> {
      if (old.length === 0) return [];
      await deliveries.bulkWrite(
        old.map(({ _id, version }) => ({ deleteOne: { filter: { _id, version } } })),
        { ordered: false },
      );
      const ids = old.map(({ _id }) => _id);
      const left = await deliveries.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
      const stays = new Set(left.map(({ _id }) => _id));
      return ids.filter((id) => !stays.has(id));
    },
  };
};

/** Changes deliveries whose version is still the one of `previous`; returns the changed ones. */
const changeDeliveries = async (
  tx: Transaction,
  changes: readonly { readonly previous: WebhookDelivery; readonly next: WebhookDelivery }[],
): Promise<readonly WebhookDelivery[]> => {
  const present = await tx.getAll(
    DELIVERIES,
    changes.map(({ previous }) => previous.id),
  );
  const versions = new Map(present.map(({ id, version }) => [id, version]));
  const changed: WebhookDelivery[] = [];
  for (const { previous, next } of changes) {
    if (versions.get(previous.id) !== previous.version) continue;
    changed.push(await tx.update(DELIVERIES, previous, next));
    tx.enqueue(viewConsumerName(DELIVERIES_VIEW_NAME), previous.id);
  }
  return changed;
};

/** Stores events and deliveries that are not stored yet, and leaves outbox rows for their views. */
const storePlanned = async (db: Database, planned: readonly PlannedEvent[]): Promise<void> => {
  const stored = <T extends QueueOwner & { readonly id: string }>(one: T) => ({
    ...one,
    _id: one.id,
    tenantId: tenantOf(one),
  });
  await ignoringKnown(
    db.collection<{ _id: string }>(SENT_EVENTS.collection).insertMany(
      planned.map(({ sent }) => stored(sent)),
      { ordered: false },
    ),
  );
  await ignoringKnown(
    db.collection<{ _id: string }>(DELIVERIES.collection).insertMany(
      planned.flatMap((plan) => plan.deliveries.map(stored)),
      { ordered: false },
    ),
  );
  // Outbox rows come last, because a view may read the documents as soon as it has a row.
  const listing = (view: string, one: QueueOwner & { readonly id: string }, commit: string) => ({
    consumer: viewConsumerName(view),
    subject: one.id,
    key: one.id,
    commit,
    tenantId: tenantOf(one),
  });
  const work = planned.flatMap(({ sent, deliveries: made, commit, isListed }) => [
    ...(isListed ? [] : [listing(EVENTS_VIEW_NAME, sent, commit)]),
    ...made.map((delivery) => ({
      ...listing(DELIVERIES_VIEW_NAME, delivery, commit),
      ...traceOf(delivery),
    })),
  ]);
  await enqueueWork(db, work);
};

const ignoringKnown = async (insert: Promise<unknown>): Promise<void> => {
  await insert.catch((error: unknown) => {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const faults = [error.writeErrors].flat();
    if (faults.length === 0 || faults.some(({ code }) => code !== 11000)) throw error;
  });
};
