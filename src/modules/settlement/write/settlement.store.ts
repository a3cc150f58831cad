import type { Filter } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { upToMoment } from '../../../platform/write-store/ranges.ts';
import { findFirstTime } from '../../../platform/write-store/read-resource.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';

export const settlementMigrations: readonly Migration[] = [
  collections('130-settlement', { [CHARGES.collection]: [whereTime('due.nextAt')] }),
];

/**
 * Which charges are settled. Null: all of them; by `livemode`, those of one environment. Otherwise, in the test
 * environment, the charges in which a merchant or one of its sub-merchants has a part. Only merchants of the same
 * marketplace can share with a sub-merchant, so all of these are charges of the marketplace.
 */
export type SettlementScope =
  | { readonly testMerchantId: MerchantId; readonly tenantId: TenantId }
  | { readonly livemode: boolean }
  | null;

/** Finds the charges with a part that is due by a time, in batches. */
export type FindSettleable = (until: Date, scope: SettlementScope) => AsyncIterable<readonly Charge['id'][]>;

const BATCH = 200;

/** The state of charges whose due parts are settled. */
const SETTLEABLE = { status: 'paid', refundId: null } as const;

const filtersOf = (db: Database, due: Filter<Charge>, scope: SettlementScope): readonly Filter<Charge>[] => {
  if (scope === null) return [due];
  if ('livemode' in scope) return [{ ...due, livemode: scope.livemode }];
  const own: Filter<Charge> = {
    ...due,
    livemode: false,
    ...ofTenant(db, CHARGES.collection, scope.tenantId),
  };
  return [
    { ...own, merchantId: scope.testMerchantId },
    { ...own, masterId: scope.testMerchantId },
    { ...own, 'split.merchantId': scope.testMerchantId },
  ];
};

/** When the next part of a charge of the test environment is due. */
export const createFindNextSettlement = (db: Database) => (): Promise<Date | null> =>
  findFirstTime<Charge>(db, CHARGES.collection, 'due.nextAt', SETTLEABLE);

export const createFindSettleable = (db: Database): FindSettleable =>
  async function* (until, scope) {
    const due: Filter<Charge> = { ...SETTLEABLE, 'due.nextAt': upToMoment(until) };
    // Where time is moved by hand, what is due at one instant is settled in the order of its sale.
    const inOrder = scope !== null && 'livemode' in scope && !scope.livemode;
    for (const filter of filtersOf(db, due, scope)) {
      const cursor = db.collection<Charge>(CHARGES.collection).find(filter, {
        projection: { _id: 0, id: 1 },
        batchSize: BATCH,
        ...(inOrder ? { sort: { 'due.nextAt': 1, _id: 1 } } : {}),
      });
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
