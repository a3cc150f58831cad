import type { Timestamp } from '../../../../kernel/clock.ts';
import { systemContext } from '../../../../kernel/event.ts';
import { type TenantId, tenantOf } from '../../../../kernel/tenant.ts';
import { viewConsumerName } from '../../../../platform/read-store/projector.ts';
import type { Database } from '../../../../platform/write-store/database.ts';
import { RESOURCE_ONLY } from '../../../../platform/write-store/mongo.ts';
import { upToMoment } from '../../../../platform/write-store/ranges.ts';
import { inEnvironment, readResource } from '../../../../platform/write-store/read-resource.ts';
import { ofTenant } from '../../../../platform/write-store/spread.ts';
import type { Transact, Transaction } from '../../../../platform/write-store/transaction.ts';
import { VersionConflict } from '../../../../platform/write-store/write-set.ts';
import { DELIVERIES, type WebhookDelivery } from '../delivery.ts';
import { WEBHOOK_ENDPOINTS } from '../endpoint.ts';
import { DELIVERIES_VIEW_NAME, QUEUES, type QueueState } from '../webhooks.store.ts';
import type { QueueOwner } from './slots.ts';

/** Selects deliveries that will be sent some time. */
export const AT_ANY_TIME = { $gte: '0', $lt: ':' };

/** Stores attempts to deliver, and the state of each endpoint's queue. */
export type AttemptsStore = ReturnType<typeof createAttemptsStore>;

export const createAttemptsStore = ({
  db,
  transact,
}: {
  readonly db: Database;
  readonly transact: Transact;
}) => {
  const endpoints = db.collection<{ _id: string }>(WEBHOOK_ENDPOINTS.collection);
  const deliveries = db.collection<{ _id: string; version?: number }>(DELIVERIES.collection);

  /** Runs `work` in a transaction if the delivery still has the version that was read; null where it has another. */
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

  return {
    /** The merchant that the queue belongs to; null for a queue with nothing to do. */
    async findOwner(queue: string): Promise<QueueOwner | null> {
      const projection = { _id: 0, merchantId: 1, masterId: 1 };
      return (
        (await endpoints.findOne<QueueOwner>({ _id: queue }, { projection })) ??
        (await deliveries.findOne<QueueOwner>({ queue, dueAt: AT_ANY_TIME }, { projection }))
      );
    },

    /** The queues that have a delivery due by now, in one environment or in both. */
    async findDueQueues(now: Date, livemode: boolean | null): Promise<readonly string[]> {
      const due = { dueAt: upToMoment(now), ...inEnvironment(livemode) };
      return (await deliveries.distinct('queue', due)) as string[];
    },

    /** Due deliveries of a queue, the longest waiting first. */
    async findDue(
      queue: string,
      tenantId: TenantId,
      now: Date,
      limit: number,
      livemode: boolean | null = null,
    ): Promise<readonly WebhookDelivery[]> {
      const filter = {
        queue,
        dueAt: upToMoment(now),
        ...inEnvironment(livemode),
        ...ofTenant(db, DELIVERIES.collection, tenantId),
      };
      const due = await deliveries
        .find<WebhookDelivery>(filter, { projection: RESOURCE_ONLY })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      const order = ({ dueAt, id }: WebhookDelivery): string => `${dueAt} ${id}`;
      return due.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    },

    findQueue: (queue: string, tenantId: TenantId): Promise<QueueState | null> =>
      readResource(db, QUEUES, queue, tenantId),

    /** Stores since when all deliveries to an endpoint have failed. A queue has a state once an attempt has begun. */
    async setFailingSince(queue: string, tenantId: TenantId, failingSince: Timestamp | null): Promise<void> {
      await transact(systemContext('webhooks', tenantId), async (tx) => {
        const state = await tx.get(QUEUES, queue);
        if (state) await tx.update(QUEUES, state, { ...state, failingSince });
      });
    },

    /**
     * Stores an attempt that is about to begin, and numbers the delivery where it has no number yet. Null where
     * somebody else was first.
     */
    begin: (previous: WebhookDelivery, next: WebhookDelivery): Promise<WebhookDelivery | null> =>
      unlessChanged(previous, async (tx) => {
        const isNumbered = next.endpointId === null || next.sequence !== null;
        const sequence = isNumbered ? next.sequence : await nextNumber(db, tx, next);
        return tx.update(DELIVERIES, previous, { ...next, sequence });
      }),

    /** Stores the outcome of an attempt and leaves a row for the view; does nothing where somebody else was first. */
    async finish(previous: WebhookDelivery, next: WebhookDelivery): Promise<void> {
      await unlessChanged(previous, async (tx) => {
        await tx.update(DELIVERIES, previous, next);
        tx.enqueue(viewConsumerName(DELIVERIES_VIEW_NAME), previous.id);
      });
    },
  };
};

/** The state of a queue, in its present shape, in which a delivery is numbered when its first attempt begins. */
const findQueueIn = async (
  db: Database,
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

/** The number after the last one of the endpoint. Of two transactions that take it at once, one runs again. */
const nextNumber = async (db: Database, tx: Transaction, delivery: WebhookDelivery): Promise<number> => {
  const { queue: id, merchantId, masterId } = delivery;
  const state = await findQueueIn(db, tx, delivery);
  const sequence = (state?.sequence ?? 0) + 1;
  if (state) await tx.update(QUEUES, state, { ...state, sequence });
  else {
    const first = { id, version: 1, sequence, failingSince: null, merchantId, masterId };
    await tx.insert(QUEUES.collection, { _id: id, ...first });
  }
  return sequence;
};
