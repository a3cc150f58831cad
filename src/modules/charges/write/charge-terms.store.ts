import type { Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import { alongside, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { FEE_DEFINITIONS, type FeeDefinitions } from '../../merchants/write/fees.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import { SETTINGS, type Setting } from '../../merchants/write/setting.ts';
import { DEFAULT_SPLITS, type DefaultSplit, type DefaultSplitEntries } from './default-split.ts';
import { delayDaysOf, delayKeys } from './delay-days.store.ts';
import type { DelayDays } from './settlement.ts';

/** What was agreed on with a merchant about its charges. */
export type ChargeTerms = {
  readonly merchant: Merchant;
  readonly fees: Pick<FeeDefinitions, 'version' | 'definitions'> | null;
  readonly defaultSplit: DefaultSplitEntries | null;
  readonly delayDays: DelayDays;
};

/** The terms as they are at this moment; null for an unknown merchant. */
export type FindChargeTerms = (merchantId: MerchantId) => Promise<ChargeTerms | null>;

/** In one statement, because every charge waits for it. */
export const createFindChargeTerms =
  (db: Db): FindChargeTerms =>
  async (merchantId) => {
    const [found] = await db
      .collection<{ _id: string }>(MERCHANTS.collection)
      .aggregate<
        Merchant & {
          readonly fees: readonly FeeDefinitions[];
          readonly splits: readonly DefaultSplit[];
          readonly delayKeys: readonly string[];
          readonly delays: readonly Setting[];
        }
      >([
        { $match: { _id: merchantId } },
        { $set: { delayKeys: delayKeys(merchantId) } },
        alongside('fees', FEE_DEFINITIONS, { localField: 'id', foreignField: '_id' }),
        alongside('splits', DEFAULT_SPLITS, { localField: 'id', foreignField: '_id' }),
        alongside('delays', SETTINGS, { localField: 'delayKeys', foreignField: 'key' }),
        { $project: RESOURCE_ONLY },
      ])
      .toArray();
    if (!found) return null;
    const { fees, splits, delayKeys: _, delays, ...merchant } = found;
    return {
      merchant,
      fees: fees[0] ?? null,
      defaultSplit: splits[0] ?? null,
      delayDays: delayDaysOf(delays),
    };
  };
