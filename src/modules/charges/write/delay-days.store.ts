import type { Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import {
  ownFirst,
  SETTINGS,
  SETTLEMENT_DELAY_DAYS,
  type Setting,
  settingIds,
  settlementDelaysOf,
} from '../../merchants/write/setting.ts';
import type { DelayDays } from './settlement.ts';

/** The settlement delays that count for a merchant: its own, then the gateway's for methods that it does not name. */
export const createFindDelayDays =
  (db: Db) =>
  async (merchantId: MerchantId): Promise<DelayDays> =>
    delayDaysOf(
      await db
        .collection<{ _id: string }>(SETTINGS.collection)
        .find<Setting>({ _id: { $in: [...delayIds(merchantId)] } }, { projection: RESOURCE_ONLY })
        .toArray(),
    );

/** Ids of the settings that `delayDaysOf` wants. */
export const delayIds = (merchantId: MerchantId): readonly string[] =>
  settingIds(merchantId, SETTLEMENT_DELAY_DAYS);

export const delayDaysOf = (settings: readonly Setting[]): DelayDays =>
  ownFirst(settings).map(settlementDelaysOf);
