import { existing, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from './merchant.ts';
import { removeSetting as removeRule, SETTINGS, settingKey } from './setting.ts';
import type { FindSettingOfKey } from './settings.store.ts';

type RemoveSettingCommand = { readonly merchantId: MerchantId; readonly name: string };
/** 404 for an unknown merchant, and for a name that the merchant has no setting of its own for. */
export type RemoveSetting = Command<RemoveSettingCommand, void>;

export const createRemoveSetting =
  (deps: Changing & { readonly findSettingOfKey: FindSettingOfKey }): RemoveSetting =>
  ({ merchantId, name }, context) =>
    deps.transact(context, async (tx) => {
      if (!(await tx.get(MERCHANTS, merchantId))) throw notFound('Merchant');
      const setting = existing(await deps.findSettingOfKey(settingKey(merchantId, name)), 'Setting');
      await tx.record(SETTINGS, setting, removeRule(setting, deps.clock()));
    });
