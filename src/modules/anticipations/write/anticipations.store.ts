import type { Filter, UpdateFilter, WithId } from 'mongodb';
import { timestamp } from '../../../kernel/clock.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { resourceIn } from '../../../platform/write-store/stored-resource.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import {
  ANTICIPATIONS,
  hasReserved,
  MAX_CHARGES,
  type Reserved,
  type ReservedCharge,
} from './anticipation.ts';

const DUE_TO_A_MERCHANT = [
  whereTime('due.nextAt', { merchantId: 1, 'due.nextAt': 1 }),
  whereTime('due.nextAt', { 'split.merchantId': 1, 'due.nextAt': 1 }, { 'split.merchantId': { $gte: '' } }),
];

export const anticipationMigrations: readonly Migration[] = [
  collections('230-anticipations', {
    [ANTICIPATIONS.collection]: [],
    [CHARGES.collection]: DUE_TO_A_MERCHANT,
  }),
  {
    id: '231-anticipations-by-who-is-paid-out',
    async up(db) {
      // Merchants from before this permission get it together with the permission to request payouts.
      const merchants = db.collection<{ _id: string }>(MERCHANTS.collection);
      for await (const { _id } of merchants.find(
        { permissions: 'payouts.create' },
        { projection: { _id: 1 } },
      ))
        await merchants.updateOne({ _id }, {
          $addToSet: { permissions: 'anticipations.create' },
        } as UpdateFilter<{ _id: string }>);
    },
  },
];

/** Finds charges with reserved money of a merchant, the soonest due first, as many as one anticipation takes. */
export type FindReserved = (owner: Owner, livemode: boolean, currency: string) => Promise<Reserved>;
type Owner = Parameters<typeof tenantOf>[0];

/** A date text that is later than any due date. */
const EVER = '9999';

export const createFindReserved =
  (db: Database): FindReserved =>
  async (owner, livemode, currency) => {
    const { merchantId } = owner;
    const tenant = ofTenant(db, CHARGES.collection, tenantOf(owner));
    const due: Filter<Charge> = {
      'due.nextAt': { $gte: timestamp(new Date(0)), $lt: EVER },
      livemode,
      currency,
      status: 'paid',
      refundId: null,
    };
    const soonest = async (filter: Filter<Charge>): Promise<readonly ReservedCharge[]> => {
      const cursor = db
        .collection<Charge>(CHARGES.collection)
        .find<WithId<ReservedCharge>>(filter, { projection: { items: 0, metadata: 0 } })
        .sort({ 'due.nextAt': 1 });
      const found: ReservedCharge[] = [];
      for await (const document of cursor) {
        const charge = resourceIn(document);
        if (hasReserved(charge, merchantId)) found.push(charge);
        if (found.length === MAX_CHARGES) break;
      }
      return found;
    };
    const [own, shared] = await Promise.all([
      soonest({ ...due, merchantId, ...tenant }),
      soonest({ ...due, 'split.merchantId': merchantId, ...tenant }),
    ]);
    const ends = [own, shared].flatMap((found) =>
      found.length === MAX_CHARGES ? (found.at(-1)?.due?.nextAt ?? []) : [],
    );
    return { charges: [...own, ...shared], until: ends.sort()[0] ?? null };
  };
