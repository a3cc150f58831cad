import type { Resource } from '../../../kernel/event.ts';
import type { ChargeId, MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { batched } from '../../../platform/write-store/batched.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { findAmong } from '../../../platform/write-store/mongo.ts';
import { findOfTenants, ofTenant } from '../../../platform/write-store/spread.ts';
import { type MerchantAccount, PROVIDER_ACCOUNTS } from '../../providers/merchant-accounts.ts';
import { CHARGE_STATUSES, type Charge, type ChargeEvent } from './charge.ts';
import { DEFAULT_SPLITS } from './default-split.ts';

export const CHARGES = store<Charge, ChargeEvent>('charges', 'charge', { keptOnce: ['items', 'metadata'] });

/** Names the latest charge that took a reference, so that two charges that want it write the same document. */
type ReferenceTaken = Resource & {
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly chargeId: ChargeId;
};

export const REFERENCES_TAKEN: Store<ReferenceTaken> = store('charge_references', 'charge_reference');

export const chargeMigrations: readonly Migration[] = [
  collections('100-charges', { [CHARGES.collection]: [whereTime('reconcileAt')] }),
  {
    id: '101-alike-charges-by-time',
    async up(db) {
      const charges = db.collection(CHARGES.collection);
      await charges.createIndex({ duplicateKey: 1, createdAt: 1 });
      // The index may be gone already, because the installation is new or another process was faster.
      await charges.dropIndex('duplicateKey_1').catch(() => undefined);
    },
  },
  collections('105-default-splits', { [DEFAULT_SPLITS.collection]: [] }),
  {
    // Open charges of merchants' own accounts are not the gateway's to collect. Paid ones stay as they were booked.
    id: '237-collectors-of-open-charges',
    async up(db) {
      const accounts = db.collection<MerchantAccount>(PROVIDER_ACCOUNTS.collection);
      for (const { name, merchantId } of await accounts.find().toArray())
        await db
          .collection(CHARGES.collection)
          .updateMany(
            { provider: name, paidAt: null, collectedBy: { $exists: false } },
            { $set: { collectedBy: merchantId } },
          );
    },
  },
  collections('311-open-charges-by-provider', {
    [CHARGES.collection]: [whereTime('reconcileAt', { provider: 1, reconcileAt: 1 })],
  }),
  collections('106-references', {
    [CHARGES.collection]: [{ key: { merchantId: 1, reference: 1 } }],
    [REFERENCES_TAKEN.collection]: [],
  }),
];

/** Accounts at providers that have open charges, each found by one step through the index. */
export const createFindOpenProviders = (db: Database) => async (): Promise<readonly string[]> => {
  const charges = db.collection<Pick<Charge, 'provider' | 'reconcileAt'>>(CHARGES.collection);
  const found: string[] = [];
  for (;;) {
    // Every open charge has a time at which the provider is asked about it, and few charges are open.
    const next = await charges.findOne(
      { provider: { $gt: found.at(-1) ?? '' }, reconcileAt: { $gte: '0', $lt: ':' } },
      { projection: { _id: 0, provider: 1 }, sort: { provider: 1 } },
    );
    if (!next) return found;
    found.push(next.provider);
  }
};

/**
 * The latest charge since `since` and before this one that looks like the same payment. The order is that of creation,
 * and of ids at the same moment. It was neither refused nor failed; null where there is none. Older ones are not read.
 * Where everybody pays the same, as at a counter without names, there are more of them every day.
 */
export type FindDuplicate = (charge: Charge, since: Date) => Promise<ChargeId | null>;

export const createFindDuplicate = (db: Database): FindDuplicate => {
  type Alike = Pick<Charge, 'status' | 'duplicateKey' | 'createdAt'> & { readonly _id: ChargeId };
  type Asked = { readonly value: string; readonly since: string; readonly tenantId: TenantId };
  const find = batched<Asked, readonly Alike[]>(db, async (asked) => {
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
    const { id, createdAt, duplicateKey: value } = charge;
    const place = `${createdAt} ${id}`;
    const alike = await find({ value, since: since.toISOString(), tenantId: tenantOf(charge) });
    const originals = alike
      .filter(({ status }) => status !== 'refused' && status !== 'failed')
      .map((one) => ({ id: one._id, place: `${one.createdAt} ${one._id}` }))
      .filter((one) => one.place < place)
      .sort((left, right) => (left.place < right.place ? -1 : 1));
    return originals.at(-1)?.id ?? null;
  };
};

/** Statuses of charges of one tenant by their ids, as they are now. */
export type FindStatuses = (
  ids: readonly ChargeId[],
  tenantId: TenantId,
) => Promise<ReadonlyMap<ChargeId, Charge['status']>>;

export const createFindStatuses =
  (db: Database): FindStatuses =>
  async (ids, tenantId) => {
    const found = await findAmong<{ readonly _id: ChargeId; readonly status: Charge['status'] }>(
      db,
      CHARGES.collection,
      '_id',
      ids,
      { projection: { status: 1 }, readConcern: { level: 'majority' } },
      ofTenant(db, CHARGES.collection, tenantId),
    );
    return new Map(found.map(({ _id, status }) => [_id, status]));
  };

/** A charge of the merchant and environment that has the reference of this one and is neither refused nor failed. */
export type FindHolder = (charge: Charge) => Promise<ChargeId | null>;

const HOLDING = CHARGE_STATUSES.filter((status) => status !== 'refused' && status !== 'failed');

export const createFindHolder =
  (db: Database): FindHolder =>
  async (charge) => {
    const { merchantId, livemode, reference } = charge;
    if (reference === null) return null;
    const found = await db.collection<{ readonly _id: ChargeId }>(CHARGES.collection).findOne(
      {
        merchantId,
        reference,
        livemode,
        status: { $in: [...HOLDING] },
        ...ofTenant(db, CHARGES.collection, tenantOf(charge)),
      },
      { projection: { _id: 1 } },
    );
    return found?._id ?? null;
  };
