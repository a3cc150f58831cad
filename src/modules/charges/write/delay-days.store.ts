import type { MerchantId } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import {
  ownFirst,
  SETTINGS,
  SETTLEMENT_DELAY_DAYS,
  type Setting,
  settingKeys,
  settlementDelaysOf,
} from '../../merchants/write/setting.ts';
import type { DelayDays } from './settlement-schedule.ts';

/** The settlement delays that count for a merchant: its own, then the gateway's for methods that it does not name. */
export const createFindDelayDays =
  (db: Database) =>
  async (merchantId: MerchantId): Promise<DelayDays> =>
    delayDaysOf(
      await db
        .collection(SETTINGS.collection)
        .find<Setting>(
          { key: { $in: [...settingKeys(merchantId, SETTLEMENT_DELAY_DAYS)] } },
          { projection: RESOURCE_ONLY },
        )
        .toArray(),
    );

export const delayDaysOf = (settings: readonly Setting[]): DelayDays =>
  ownFirst(settings).map(settlementDelaysOf);
