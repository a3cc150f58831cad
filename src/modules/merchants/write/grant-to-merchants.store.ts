import type { Filter } from 'mongodb';
import type { DomainEvent } from '../../../kernel/event.ts';
import type { MerchantPermission } from '../../../kernel/principal.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import { MERCHANTS, type Merchant } from './merchant.ts';

type Stored<T> = T & { readonly _id: string };

/**
 * Gives a permission to merchants that were created before an upgrade introduced it. The last event of each merchant
 * gets it as well, because views follow from events and have to agree with the records.
 */
export const grantToMerchants = async (
  db: Database,
  filter: Filter<Stored<Merchant>>,
  permissions: readonly MerchantPermission[],
): Promise<void> => {
  const merchants = db.collection<Stored<Merchant>>(MERCHANTS.collection);
  const events = db.collection<Stored<DomainEvent>>(DOMAIN_EVENTS);
  const added = { $each: [...permissions] };
  for await (const { _id, id, masterId, version } of merchants.find(filter)) {
    await merchants.updateOne({ _id }, { $addToSet: { permissions: added } });
    const lastEvent = { resource: MERCHANTS.resource, resourceId: id, version };
    await events.updateOne(
      { ...lastEvent, ...ofTenant(db, DOMAIN_EVENTS, masterId ?? id) },
      { $addToSet: { 'data.permissions': added } },
    );
  }
};
