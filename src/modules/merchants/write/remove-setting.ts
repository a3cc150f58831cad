import { existing, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Changing, Transact } from '../../../platform/write-store/transaction.ts';
import type { Proposable } from '../../proposals/write/submit-command.ts';
import { MERCHANTS } from './merchant.ts';
import { contentOf, LIVE_PROVIDERS, removeSetting as removeRule, SETTINGS, settingKey } from './setting.ts';
import type { FindSettingOfKey } from './settings.store.ts';

type RemoveSettingCommand = { readonly merchantId: MerchantId; readonly name: string };
/** Removes a setting. 404 for an unknown merchant, and where the merchant has no setting of its own with this name. */
type RemoveSetting = Command<RemoveSettingCommand, void>;

export const createRemoveSetting =
  (deps: Changing & { readonly findSettingOfKey: FindSettingOfKey }): RemoveSetting =>
  ({ merchantId, name }, context) =>
    deps.transact(context, async (tx) => {
      if (!(await tx.get(MERCHANTS, merchantId))) throw notFound('Merchant');
      const setting = existing(await deps.findSettingOfKey(settingKey(merchantId, name)), 'Setting');
      await tx.record(SETTINGS, setting, removeRule(setting, deps.clock()));
    });

export type WithdrawSetting = Proposable<RemoveSettingCommand, void>;

/**
 * Removes a setting. Without routes of its own a merchant's live money goes another way, so their removal needs a
 * second operator.
 */
export const createWithdrawSetting = (deps: {
  readonly findSettingOfKey: FindSettingOfKey;
  readonly removeSetting: (transact: Transact) => RemoveSetting;
}): WithdrawSetting => ({
  kind: 'setting.routes_removal',
  permission: 'admin.merchants.update',
  refusals: [],
  async describe(_tx, { merchantId, name }) {
    if (name !== LIVE_PROVIDERS) return null;
    const setting = await deps.findSettingOfKey(settingKey(merchantId, name));
    if (setting === null) return null;
    const before = { content: contentOf(setting) };
    return {
      resourceId: setting.id,
      livemode: null,
      concernedUserId: null,
      summary: `Remove the routes of live payments of ${merchantId}: those of the installation count again`,
      change: JSON.stringify({ before, after: { merchantId, content: null } }),
      seen: JSON.stringify(before),
    };
  },
  run: (transact, command, context) => deps.removeSetting(transact)(command, context),
  present: () => ({}),
});
