import type { Filter } from 'mongodb';
import { timestamp } from '../../../kernel/clock.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { asMerchant, type Principal } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { TimeRange } from '../../../kernel/time-range.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { addUpUpcoming, type SettledCharge, type UpcomingDay } from './upcoming.ts';

/**
 * The money that becomes available to the caller, or to the sub-merchant that the caller names, by day and currency;
 * 403 for any other merchant. Reads the write store, so it is never behind.
 */
export type GetUpcoming = (
  principal: Principal,
  asked: { readonly range: TimeRange; readonly merchantId?: MerchantId; readonly currency?: string },
) => Promise<{ readonly merchantId: MerchantId; readonly rows: readonly UpcomingDay[] }>;

/** Only the members that the sums need: whole charges of a busy merchant would take a hundred times the memory. */
const PROJECTION = {
  _id: 0,
  merchantId: 1,
  currency: 1,
  net: 1,
  split: 1,
  status: 1,
  refundId: 1,
  due: 1,
  settlement: 1,
} as const;
const BATCH = 1_000;
/** A date text that is later than any due date. */
const EVER = '9999';

export const createGetUpcoming =
  (deps: { readonly db: Database; readonly findMerchants: FindMerchants }): GetUpcoming =>
  async (principal, { range, merchantId: named, currency }) => {
    const caller = asMerchant(principal);
    await assertMayNameMerchant(caller, named, deps.findMerchants);
    const merchantId = named ?? caller.merchantId;
    const until = range.to === null ? EVER : timestamp(new Date(range.to));
    const due: Filter<Charge> = {
      'due.nextAt': { $gte: timestamp(new Date(0)), $lt: until },
      livemode: caller.livemode,
      status: 'paid',
      refundId: null,
      ...(currency === undefined ? {} : { currency }),
    };
    // The merchant is the caller or its own sub-merchant, so all charges are of the caller's tenant.
    const tenant = ofTenant(deps.db, CHARGES.collection, tenantOf(caller));
    const sums = addUpUpcoming(merchantId, range);
    for (const owner of [{ merchantId }, { 'split.merchantId': merchantId }]) {
      const cursor = deps.db
        .collection<Charge>(CHARGES.collection)
        .find<SettledCharge>({ ...owner, ...due, ...tenant }, { projection: PROJECTION, batchSize: BATCH });
      for await (const charge of cursor) sums.add(charge);
    }
    return { merchantId, rows: sums.rows() };
  };
