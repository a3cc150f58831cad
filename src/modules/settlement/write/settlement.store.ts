import type { Db, Filter } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import { upToMoment } from '../../../platform/write-store/local-server.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';

export const settlementMigrations: readonly Migration[] = [
  collections('130-settlement', { [CHARGES.collection]: [whereTime('due.nextAt')] }),
];

/**
 * Whose charges are settled: all, or in the test environment those in which a merchant or one of its sub-merchants has a
 * part. Nobody outside of its marketplace shares with a sub-merchant, so the charges of the marketplace have its parts.
 */
export type SettlementScope = { readonly testMerchantId: MerchantId; readonly tenantId: TenantId } | null;

/** Charges with a part that is due by a time, batch by batch. */
export type FindSettleable = (until: Date, scope: SettlementScope) => AsyncIterable<readonly Charge['id'][]>;

const BATCH = 200;

export const createFindSettleable = (db: Db): FindSettleable =>
  async function* (until, scope) {
    const due: Filter<Charge> = {
      'due.nextAt': upToMoment(until),
      status: 'paid',
      refundId: null,
    };
    const own: Filter<Charge> = scope
      ? { ...due, livemode: false, ...ofTenant(db, CHARGES.collection, scope.tenantId) }
      : due;
    const filters = scope
      ? [
          { ...own, merchantId: scope.testMerchantId },
          { ...own, masterId: scope.testMerchantId },
          { ...own, 'split.merchantId': scope.testMerchantId },
        ]
      : [due];
    for (const filter of filters) {
      const cursor = db
        .collection<Charge>(CHARGES.collection)
        .find(filter, { projection: { _id: 0, id: 1 }, batchSize: BATCH });
      try {
        for (let batch: Charge['id'][] = []; ; ) {
          const found = await cursor.next();
          if (found) batch.push(found.id);
          if (batch.length === BATCH || (!found && batch.length > 0)) {
            yield batch;
            batch = [];
          }
          if (!found) break;
        }
      } finally {
        await cursor.close();
      }
    }
  };
