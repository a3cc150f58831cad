import type { Database } from '../../../../platform/write-store/database.ts';
import { upToMoment } from '../../../../platform/write-store/ranges.ts';
import { findFirstTime } from '../../../../platform/write-store/read-resource.ts';
import { DELIVERIES, type WebhookDelivery } from '../delivery.ts';
import { AT_ANY_TIME } from './attempts.store.ts';

/** The deliveries of the test environment that are to be sent, for the worker that advances its clock. */
export type DueOfTest = ReturnType<typeof createDueOfTest>;

type Found = Pick<WebhookDelivery, 'id' | 'version' | 'queue'>;

export const createDueOfTest = (db: Database) => {
  const deliveries = db.collection<WebhookDelivery>(DELIVERIES.collection);
  return {
    /**
     * When the next delivery is due. One whose attempt was cut off by a crash is due, too: until its end is noted, it
     * counts as being sent, and each stop of the clock would wait for it.
     */
    findNext: (): Promise<Date | null> => findFirstTime<WebhookDelivery>(db, DELIVERIES.collection, 'dueAt'),

    isAnyBeingSent: async (): Promise<boolean> => {
      const begun = { livemode: false, dueAt: AT_ANY_TIME, begunAt: { $ne: null } };
      return (await deliveries.findOne(begun, { projection: { id: 1 } })) !== null;
    },

    findDue: (now: Date): Promise<readonly Found[]> =>
      deliveries
        .find<Found>(
          { dueAt: upToMoment(now), livemode: false },
          { projection: { _id: 0, id: 1, version: 1, queue: 1 }, sort: { dueAt: 1, _id: 1 } },
        )
        .toArray(),
  };
};
