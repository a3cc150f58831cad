import type { Db } from 'mongodb';
import type { ChargeId } from '../../../kernel/ids.ts';
import { store } from '../../../kernel/store.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { batched } from '../../../platform/write-store/batched.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { findOfTenants } from '../../../platform/write-store/spread.ts';
import type { Charge } from './charge.ts';
import { DEFAULT_SPLITS } from './default-split.ts';

export const CHARGES = store<Charge>('charges', 'charge');

export const chargeMigrations: readonly Migration[] = [
  collections('100-charges', { [CHARGES.collection]: [whereTime('reconcileAt')] }),
  {
    id: '101-alike-charges-by-time',
    async up(db) {
      const charges = db.collection(CHARGES.collection);
      await charges.createIndex({ duplicateKey: 1, createdAt: 1 });
      // It may be gone: this is a new installation, or another process was faster.
      await charges.dropIndex('duplicateKey_1').catch(() => undefined);
    },
  },
  collections('105-default-splits', { [DEFAULT_SPLITS.collection]: [] }),
];

/** Most charges that are looked at for the names of their providers. */
const MAX_OPEN = 5_000;

/** Providers of live Pix charges that wait for their payers. */
export const createFindOpenProviders = (db: Db) => async (): Promise<readonly string[]> => {
  const open = await db
    .collection(CHARGES.collection)
    // Every charge that waits has a time for asking about it, and few have.
    .find<Pick<Charge, 'provider' | 'livemode' | 'status' | 'paymentMethod'>>(
      { reconcileAt: { $gte: '0', $lt: ':' } },
      { projection: { _id: 0, provider: 1, livemode: 1, status: 1, paymentMethod: 1 }, limit: MAX_OPEN },
    )
    .toArray();
  const waiting = open.filter(
    ({ livemode, status, paymentMethod }) => livemode && status === 'pending' && paymentMethod.type === 'pix',
  );
  return [...new Set(waiting.map(({ provider }) => provider))];
};

/**
 * The latest charge since `since` and before this one, by their ids, that looks like the same payment. It was neither
 * refused nor failed; null where there is none. Older ones are not read. Where everybody pays the same, as at a counter
 * without names, there are more of them every day.
 */
export type FindDuplicate = (charge: Charge, since: Date) => Promise<ChargeId | null>;

export const createFindDuplicate = (db: Db): FindDuplicate => {
  type Alike = Pick<Charge, 'status' | 'duplicateKey' | 'createdAt'> & { readonly _id: ChargeId };
  type Asked = { readonly value: string; readonly since: string; readonly tenantId: TenantId };
  const find = batched<Asked, readonly Alike[]>(async (asked) => {
    const earliest = asked.map(({ since }) => since).sort()[0] ?? '';
    const found = await findOfTenants<Alike>(
      db,
      CHARGES.collection,
      'duplicateKey',
      asked,
      {},
      { createdAt: { $gte: earliest } },
    );
    return asked.map(({ value, since }) =>
      found.filter((one) => one.duplicateKey === value && one.createdAt >= since),
    );
  });
  return async (charge, since) => {
    const { id, duplicateKey: value } = charge;
    const alike = await find({ value, since: since.toISOString(), tenantId: tenantOf(charge) });
    const originals = alike.filter(
      ({ _id, status }) => _id < id && status !== 'refused' && status !== 'failed',
    );
    return (
      originals
        .map(({ _id }) => _id)
        .sort()
        .at(-1) ?? null
    );
  };
};
