import type { Resource } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Store } from '../../../kernel/store.ts';
import { batched } from '../../../platform/write-store/batched.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { leased } from '../../../platform/write-store/leases.ts';
import { findAmong, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { FEE_DEFINITIONS, type FeeDefinitions } from '../../merchants/write/fees.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import {
  isOn,
  LIVE_PROVIDERS,
  ownFirst,
  routesOf,
  SETTINGS,
  SETTLEMENT_DELAY_DAYS,
  type Setting,
  settingKeys,
  UNIQUE_REFERENCES,
} from '../../merchants/write/setting.ts';
import { DEFAULT_SPLITS, type DefaultSplitEntries } from './default-split.ts';
import { delayDaysOf } from './delay-days.store.ts';
import type { DelayDays } from './settlement-schedule.ts';

/** Terms of a merchant's charges. */
type ChargeTerms = {
  readonly merchant: Merchant;
  readonly fees: Pick<FeeDefinitions, 'version' | 'definitions'> | null;
  readonly defaultSplit: DefaultSplitEntries | null;
  readonly delayDays: DelayDays;
  /**
   * The merchant's own routes to providers, which take precedence over those of the installation; null without any.
   */
  readonly routes: string | null;
  /** Whether a reference that a charge has is refused for another. */
  readonly uniqueReferences: boolean;
};

/** The terms as they were at most a lease ago; null for an unknown merchant. */
export type FindChargeTerms = (merchantId: MerchantId) => Promise<ChargeTerms | null>;

const NAMES = [SETTLEMENT_DELAY_DAYS, LIVE_PROVIDERS, UNIQUE_REFERENCES];

/** A merchant's charges share the terms for a lease. A join would cost more than four reads by key. */
export const createFindChargeTerms = (db: Database): FindChargeTerms => leased(createReadTerms(db));

const createReadTerms = (db: Database): FindChargeTerms =>
  batched(db, async (asked) => {
    const ids = [...new Set(asked)];
    const byId = async <T extends Resource>({ collection }: Store<T>): Promise<ReadonlyMap<string, T>> => {
      const found = await findAmong<T>(db, collection, '_id', ids, { projection: RESOURCE_ONLY });
      return new Map(found.map((one) => [one.id, one]));
    };
    const keys = ids.flatMap((id) => NAMES.flatMap((name) => settingKeys(id, name)));
    const [merchants, fees, splits, settings] = await Promise.all([
      byId(MERCHANTS),
      byId(FEE_DEFINITIONS),
      byId(DEFAULT_SPLITS),
      findAmong<Setting>(db, SETTINGS.collection, 'key', keys, { projection: RESOURCE_ONLY }),
    ]);
    return asked.map((id) => {
      const merchant = merchants.get(id);
      if (!merchant) return null;
      const named = (name: string): readonly Setting[] =>
        settings.filter(({ key }) => settingKeys(id, name).includes(key));
      return {
        merchant,
        fees: fees.get(id) ?? null,
        defaultSplit: splits.get(id) ?? null,
        delayDays: delayDaysOf(named(SETTLEMENT_DELAY_DAYS)),
        routes: routesOf(ownFirst(named(LIVE_PROVIDERS))[0] ?? null),
        uniqueReferences: isOn(ownFirst(named(UNIQUE_REFERENCES))[0] ?? null),
      };
    });
  });
