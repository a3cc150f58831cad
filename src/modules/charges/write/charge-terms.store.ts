import type { Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import { batched } from '../../../platform/write-store/batched.ts';
import { alongside, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { FEE_DEFINITIONS, type FeeDefinitions } from '../../merchants/write/fees.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import {
  LIVE_PROVIDERS,
  ownFirst,
  routesOf,
  SETTINGS,
  SETTLEMENT_DELAY_DAYS,
  type Setting,
  settingKeysInMerchants,
} from '../../merchants/write/setting.ts';
import { DEFAULT_SPLITS, type DefaultSplit, type DefaultSplitEntries } from './default-split.ts';
import { delayDaysOf } from './delay-days.store.ts';
import type { DelayDays } from './settlement-schedule.ts';

/** Terms of a merchant's charges. */
type ChargeTerms = {
  readonly merchant: Merchant;
  readonly fees: Pick<FeeDefinitions, 'version' | 'definitions'> | null;
  readonly defaultSplit: DefaultSplitEntries | null;
  readonly delayDays: DelayDays;
  /** Routes to providers that count before those of the installation; null without any. */
  readonly routes: string | null;
};

/** The terms as they are at this moment; null for an unknown merchant. */
export type FindChargeTerms = (merchantId: MerchantId) => Promise<ChargeTerms | null>;

type Found = Merchant & {
  readonly fees: readonly FeeDefinitions[];
  readonly splits: readonly DefaultSplit[];
  readonly settingKeys: readonly string[];
  readonly settings: readonly Setting[];
};

const NAMES = [SETTLEMENT_DELAY_DAYS, LIVE_PROVIDERS];

/** In one statement, because every charge waits for it; charges that come at the same time share it. */
export const createFindChargeTerms = (db: Db): FindChargeTerms => {
  const find = batched<MerchantId, Found | null>(async (asked) => {
    const ids = [...new Set(asked)];
    const found = await db
      .collection<{ _id: string }>(MERCHANTS.collection)
      .aggregate<Found>([
        { $match: { _id: { $in: ids } } },
        { $set: { settingKeys: NAMES.flatMap(settingKeysInMerchants) } },
        alongside('fees', FEE_DEFINITIONS, { localField: 'id', foreignField: '_id' }),
        alongside('splits', DEFAULT_SPLITS, { localField: 'id', foreignField: '_id' }),
        alongside('settings', SETTINGS, { localField: 'settingKeys', foreignField: 'key' }),
        { $project: RESOURCE_ONLY },
      ])
      .toArray();
    const byId = new Map<MerchantId, Found>(found.map((terms) => [terms.id, terms]));
    return asked.map((id) => byId.get(id) ?? null);
  });
  return async (merchantId) => {
    const found = await find(merchantId);
    if (!found) return null;
    const { fees, splits, settingKeys: _, settings, ...merchant } = found;
    const named = (name: string): readonly Setting[] => settings.filter((setting) => setting.name === name);
    return {
      merchant,
      fees: fees[0] ?? null,
      defaultSplit: splits[0] ?? null,
      delayDays: delayDaysOf(named(SETTLEMENT_DELAY_DAYS)),
      routes: routesOf(ownFirst(named(LIVE_PROVIDERS))[0] ?? null),
    };
  };
};
