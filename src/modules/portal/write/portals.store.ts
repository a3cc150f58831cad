import type { TenantId } from '../../../kernel/tenant.ts';
import { daysBefore, findNextEnd, inBatches, madeBefore, type Removal } from '../../../platform/retention.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { PORTALS, type Portal } from './portal.ts';

export const portalMigrations: readonly Migration[] = [
  collections('280-portals', { [PORTALS.collection]: [{ key: { customerId: 1, refusals: 1 } }] }),
];

/** How many cards of a customer were refused at any page that was opened since then. */
export type CountRefusals = (
  customer: Pick<Portal, 'customerId'>,
  tenantId: TenantId,
  since: Date,
) => Promise<number>;

export const createCountRefusals =
  (db: Database): CountRefusals =>
  async ({ customerId }, tenantId, since) => {
    const portals = await db
      .collection<Portal>(PORTALS.collection)
      .find<Pick<Portal, 'refusals' | 'createdAt'>>(
        { customerId, refusals: { $gt: 0 }, ...ofTenant(db, PORTALS.collection, tenantId) },
        { projection: { _id: 0, refusals: 1, createdAt: 1 }, readConcern: { level: 'majority' } },
      )
      .toArray();
    return portals
      .filter(({ createdAt }) => createdAt > since.toISOString())
      .reduce((total, { refusals }) => total + refusals, 0);
  };

/** Longer than any address is valid. */
const KEPT_DAYS = 31;

/** Removes addresses that no longer work. */
export const createPortalRemoval = ({ db }: { readonly db: Database }): Removal => ({
  what: 'subscription portals',
  async run(now, signal, livemode) {
    const portals = db.collection<Portal & { readonly _id: string }>(PORTALS.collection);
    const old = madeBefore('prt', daysBefore(now, KEPT_DAYS), livemode);
    let removed = 0;
    for await (const batch of inBatches(portals, old, { _id: 1 }, signal))
      removed += (await portals.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } })).deletedCount;
    return removed;
  },
  ofTest: {
    next: (since) => findNextEnd(db, PORTALS.collection, { days: KEPT_DAYS, since }),
    keepsUnread: false,
  },
});
