import type { MerchantId } from '../../../kernel/ids.ts';
import { SETTLEMENT_DELAY_DAYS, settlementDelaysOf } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import type { DelayDays } from './settlement.ts';

/** The settlement delays that count for a merchant: its own, then the gateway's for methods that it does not name. */
export const createFindDelayDays =
  (find: FindSetting) =>
  async (merchantId: MerchantId): Promise<DelayDays> => {
    const first = await find(merchantId, SETTLEMENT_DELAY_DAYS);
    const second = first?.merchantId ? await find(null, SETTLEMENT_DELAY_DAYS) : null;
    return [first, second].flatMap((setting) => (setting ? [settlementDelaysOf(setting)] : []));
  };
