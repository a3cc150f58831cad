import { type Db, type IndexDescription, MongoBulkWriteError } from 'mongodb';
import type { Timestamp } from '../../../kernel/clock.ts';
import { type DomainEvent, type Resource, systemContext } from '../../../kernel/event.ts';
import { store } from '../../../kernel/store.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { viewConsumerName } from '../../../platform/read-store/projector.ts';
import { inBatches } from '../../../platform/retention.ts';
import { withKept } from '../../../platform/write-store/kept-once.ts';
import { idsBefore, upToMoment } from '../../../platform/write-store/local-server.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { inParts, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { enqueueWork, traceOf } from '../../../platform/write-store/outbox.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { findOfTenants, ofTenant, type Wanted } from '../../../platform/write-store/spread.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transaction.ts';
import { DOMAIN_EVENTS, VersionConflict } from '../../../platform/write-store/write-set.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { CHECKOUT_SESSIONS } from '../../checkout/write/checkout-session.ts';
import { SUBSCRIPTIONS } from '../../subscriptions/write/subscription.ts';
import { DELIVERIES, type WebhookDelivery } from './delivery.ts';
import { type EndpointOwner, WEBHOOK_ENDPOINTS, type WebhookEndpoint } from './endpoint.ts';
import type { QueueOwner } from './places.ts';
import { SENT_EVENTS, type SentEvent } from './sent-event.ts';

/** Stores whose events leave out what their documents keep. */
const KEEPING = [CHARGES, SUBSCRIPTIONS, CHECKOUT_SESSIONS] as const;

/** Name of the outbox consumer; its rows name events, or deliveries that were asked for by hand. */
export const WEBHOOKS = 'webhooks';

/** Name of the outbox consumer of what endpoints missed; its rows name events, and by their key an endpoint. */
export const RECOVERY = 'webhooks-recovery';

/** State of one endpoint's deliveries as a whole. */
type QueueState = Resource &
  QueueOwner & {
    /** The last number given. */
    readonly sequence: number;
    /** Since when there was no success, null where the last attempt was one. */
    readonly failingSince: Timestamp | null;
  };
export const QUEUES = store<QueueState>('webhook_queues', 'webhook_queue');

/** Members that decide whether a delivery may go. */
export type OldDelivery = Pick<WebhookDelivery, 'eventId' | 'version' | 'dueAt' | 'updatedAt'> & {
  readonly _id: string;
};

/** Delivered rows are looked up by id only, so these indexes skip them. */
const UNSENT_OR_FAILED: readonly IndexDescription[] = [
  whereTime('dueAt'),
  whereTime('dueAt', { queue: 1, dueAt: 1 }),
  { key: { endpointId: 1 }, partialFilterExpression: { status: 'failed' } },
];

export const webhookMigrations: readonly Migration[] = [
  collections('160-webhooks', {
    [WEBHOOK_ENDPOINTS.collection]: [
      // Says a second time that a merchant has only so many: each has a place of its own.
      {
        key: { merchantId: 1, livemode: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $gte: 0 } },
        name: 'one_endpoint_a_slot',
      },
      // The one above leaves out deleted endpoints, so it does not serve every search for a merchant's.
      { key: { merchantId: 1 } },
    ],
    [DELIVERIES.collection]: UNSENT_OR_FAILED,
    [SENT_EVENTS.collection]: [{ key: { resourceId: 1 } }],
    [QUEUES.collection]: [],
  }),
];

export const EVENTS_VIEW_NAME = 'webhook_events';
export const DELIVERIES_VIEW_NAME = 'webhook_deliveries';

/** Reads and writes of commands and sender besides recorded resources. */
export type WebhookStore = ReturnType<typeof createWebhookStore>;

export const createWebhookStore = ({ db, transact }: { readonly db: Db; readonly transact: Transact }) => {
  const endpoints = db.collection<{ _id: string }>(WEBHOOK_ENDPOINTS.collection);
  const sentEvents = db.collection<{ _id: string }>(SENT_EVENTS.collection);
  const deliveries = db.collection<{ _id: string; version?: number }>(DELIVERIES.collection);

  /** Changes deliveries whose version is still that of `previous`; answers what it changes. */
  const change = async (
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

  /** Stores what follows from a delivery as it was read; null where it has another version by now. */
  const unlessChanged = <T>(
    { id, version, ...owner }: WebhookDelivery,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T | null> => {
    let isFirstTry = true;
    return transact(systemContext('webhooks', tenantOf(owner)), async (tx) => {
      if (!isFirstTry && (await tx.get(DELIVERIES, id))?.version !== version) return null;
      isFirstTry = false;
      return work(tx);
    });
  };

  /** The state of a queue, in the shape that it has since numbers are given when an attempt begins. */
  const findQueueIn = async (
    tx: Transaction,
    { queue: id, merchantId, masterId }: WebhookDelivery,
  ): Promise<QueueState | null> => {
    const state = await tx.get(QUEUES, id);
    if (state) return state;
    const tenantId = tenantOf({ merchantId, masterId });
    const { matchedCount } = await db
      .collection<{ _id: string }>(QUEUES.collection)
      .updateOne(
        { _id: id, version: { $exists: false }, ...ofTenant(db, QUEUES.collection, tenantId) },
        { $set: { id, version: 1, merchantId, masterId, tenantId } },
      );
    if (matchedCount > 0) throw new VersionConflict();
    return null;
  };

  /** Gives a delivery the number after the last one of its endpoint. Of two that do so at once one runs again. */
  const nextNumber = async (tx: Transaction, delivery: WebhookDelivery): Promise<number> => {
    const { queue: id, merchantId, masterId } = delivery;
    const state = await findQueueIn(tx, delivery);
    const sequence = (state?.sequence ?? 0) + 1;
    if (state) await tx.update(QUEUES, state, { ...state, sequence });
    else {
      const first = { id, version: 1, sequence, failingSince: null, merchantId, masterId };
      await tx.insert(QUEUES.collection, { _id: id, ...first });
    }
    return sequence;
  };

  /** Events with all that is sent of a resource: items and metadata lie in its document only. */
  const withWhole = async <E extends DomainEvent>(events: readonly E[]): Promise<readonly E[]> => {
    const dataOf = new Map<string, Resource | undefined>();
    for (const store of KEEPING) {
      const own = events.filter(({ resource }) => resource === store.resource);
      const whole = await withKept(
        db,
        store,
        own.map(({ data }) => data),
      );
      for (const [place, { id }] of own.entries()) dataOf.set(id, whole[place]);
    }
    return events.map((event) => ({ ...event, data: dataOf.get(event.id) ?? event.data }));
  };

  return {
    change,

    /** The slots that a merchant's endpoints take. A unique index gives each of them to one. */
    async takenSlots(owner: EndpointOwner): Promise<readonly (number | null)[]> {
      const { merchantId, livemode } = owner;
      const tenant = ofTenant(db, WEBHOOK_ENDPOINTS.collection, tenantOf(owner));
      const taken = await endpoints
        .find<WebhookEndpoint>({ merchantId, livemode, slot: { $gte: 0 }, ...tenant })
        .toArray();
      return taken.map(({ slot }) => slot);
    },

    findEnabledEndpoints: (of: readonly Wanted[]): Promise<readonly WebhookEndpoint[]> =>
      findOfTenants(
        db,
        WEBHOOK_ENDPOINTS.collection,
        'merchantId',
        of,
        { projection: RESOURCE_ONLY },
        { enabled: true },
      ),

    findEndpoints: (wanted: readonly Wanted[]): Promise<readonly WebhookEndpoint[]> =>
      findOfTenants(db, WEBHOOK_ENDPOINTS.collection, '_id', wanted, { projection: RESOURCE_ONLY }),

    findDomainEvents: async (wanted: readonly Wanted[]): Promise<readonly DomainEvent[]> =>
      withWhole(
        await findOfTenants<DomainEvent>(db, DOMAIN_EVENTS, '_id', wanted, { projection: { _id: 0 } }),
      ),

    withWhole,

    /** Stores events and their deliveries where they are not stored yet, and leaves their views work. */
    async storePlanned(
      planned: readonly {
        readonly sent: SentEvent;
        readonly deliveries: readonly WebhookDelivery[];
        readonly commit: string;
        readonly isListed: boolean;
      }[],
    ): Promise<void> {
      const stored = <T extends QueueOwner & { readonly id: string }>(one: T) => ({
        ...one,
        _id: one.id,
        tenantId: tenantOf(one),
      });
      await ignoringKnown(
        sentEvents.insertMany(
          planned.map(({ sent }) => stored(sent)),
          { ordered: false },
        ),
      );
      await ignoringKnown(
        deliveries.insertMany(
          planned.flatMap((plan) => plan.deliveries.map(stored)),
          { ordered: false },
        ),
      );
      // Last: a view may look as soon as it has a row.
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
    },

    /** Stores an event that is no domain event, and its delivery, and has it sent. */
    async addInTransaction(tx: Transaction, sent: SentEvent, delivery: WebhookDelivery): Promise<void> {
      await tx.insert(SENT_EVENTS.collection, { ...sent, _id: sent.id });
      await tx.insert(DELIVERIES.collection, { ...delivery, _id: delivery.id });
      tx.enqueue(viewConsumerName(EVENTS_VIEW_NAME), sent.id);
      tx.enqueue(viewConsumerName(DELIVERIES_VIEW_NAME), delivery.id);
      tx.enqueue(WEBHOOKS, delivery.id);
    },

    findSentEvents: (wanted: readonly Wanted[]): Promise<readonly SentEvent[]> =>
      findOfTenants(db, SENT_EVENTS.collection, '_id', wanted, { projection: RESOURCE_ONLY }),

    /** Changes what was or is to be sent about a resource. The version stays: it is that of the head, which is listed. */
    async rewriteBodies(resourceId: string, rewrite: (body: string) => string): Promise<void> {
      for (const sent of await sentEvents.find<SentEvent>({ resourceId }).toArray()) {
        const body = rewrite(sent.body);
        if (body !== sent.body) await sentEvents.updateOne({ _id: sent.id }, { $set: { body } });
      }
    },

    /** Deliveries of events from before that time, in batches. */
    deliveriesBefore: (before: Date, signal: AbortSignal) =>
      inBatches<OldDelivery>(
        db.collection(DELIVERIES.collection),
        { _id: idsBefore('whd', before) },
        { _id: 1, eventId: 1, version: 1, dueAt: 1, updatedAt: 1 },
        signal,
      ),

    /** Removes those that nobody has changed meanwhile; answers their ids. */
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

    /** Ids of what was sent about events from before that time, in batches. */
    sentEventsBefore: (before: Date, signal: AbortSignal) =>
      inBatches(sentEvents, { _id: idsBefore('evt', before) }, { _id: 1 }, signal),

    async removeSentEvents(ids: readonly string[]): Promise<void> {
      for (const part of inParts(ids)) await sentEvents.deleteMany({ _id: { $in: [...part] } });
    },

    /** Body of the event that a delivery brings; null where erasure or retention has removed it. */
    async findBody(delivery: WebhookDelivery): Promise<string | null> {
      const sent = await readResource(db, SENT_EVENTS, delivery.eventId, tenantOf(delivery));
      return sent?.body ?? null;
    },

    /** Finds which of the ids name a delivery. */
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

    /** Whose queue it is; null for one in which there is nothing to do. */
    async findOwner(queue: string): Promise<QueueOwner | null> {
      const projection = { _id: 0, merchantId: 1, masterId: 1 };
      return (
        (await endpoints.findOne<QueueOwner>({ _id: queue }, { projection })) ??
        (await deliveries.findOne<QueueOwner>({ queue, dueAt: upToMoment(new Date()) }, { projection }))
      );
    },

    /** Every queue that has something to send by now. */
    async findDueQueues(now: Date): Promise<readonly string[]> {
      return (await deliveries.distinct('queue', { dueAt: upToMoment(now) })) as string[];
    },

    /** Finds the due deliveries of a queue, the longest waiting first. */
    async findDue(
      queue: string,
      tenantId: TenantId,
      now: Date,
      limit: number,
    ): Promise<readonly WebhookDelivery[]> {
      const filter = { queue, dueAt: upToMoment(now), ...ofTenant(db, DELIVERIES.collection, tenantId) };
      const due = await deliveries
        .find<WebhookDelivery>(filter, { projection: RESOURCE_ONLY })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      const order = ({ dueAt, id }: WebhookDelivery): string => `${dueAt} ${id}`;
      return due.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    },

    /** Deliveries to an endpoint that were made since then and have failed before that, some of them. */
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

    findQueue: (queue: string, tenantId: TenantId): Promise<QueueState | null> =>
      readResource(db, QUEUES, queue, tenantId),

    /** Keeps since when an endpoint only fails. Its queue has a state once an attempt has begun. */
    async setFailingSince(queue: string, tenantId: TenantId, failingSince: Timestamp | null): Promise<void> {
      await transact(systemContext('webhooks', tenantId), async (tx) => {
        const state = await tx.get(QUEUES, queue);
        if (state) await tx.update(QUEUES, state, { ...state, failingSince });
      });
    },

    /**
     * Stores an attempt that is about to begin, with the next number of its endpoint where it has none yet. Null where
     * somebody else was first.
     */
    begin: (previous: WebhookDelivery, next: WebhookDelivery): Promise<WebhookDelivery | null> =>
      unlessChanged(previous, async (tx) => {
        const isNumbered = next.endpointId === null || next.sequence !== null;
        const sequence = isNumbered ? next.sequence : await nextNumber(tx, next);
        return tx.update(DELIVERIES, previous, { ...next, sequence });
      }),

    /** Stores an outcome and leaves the view work; nothing where somebody else was first. */
    async finish(previous: WebhookDelivery, next: WebhookDelivery): Promise<void> {
      await unlessChanged(previous, async (tx) => {
        await tx.update(DELIVERIES, previous, next);
        tx.enqueue(viewConsumerName(DELIVERIES_VIEW_NAME), previous.id);
      });
    },
  };
};

const ignoringKnown = async (insert: Promise<unknown>): Promise<void> => {
  await insert.catch((error: unknown) => {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const faults = [error.writeErrors].flat();
    if (faults.length === 0 || faults.some(({ code }) => code !== 11000)) throw error;
  });
};
