import type { MerchantId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import type { Proposable } from '../../proposals/write/submit-command.ts';
import { MERCHANTS } from './merchant.ts';
import type { PutSetting } from './put-setting.ts';
import { contentOf, LIVE_PROVIDERS, type Setting, settingKey } from './setting.ts';
import type { FindSettingOfKey } from './settings.store.ts';

type Placed = { readonly setting: Setting; readonly isNew: boolean };

export type PlaceSetting = Proposable<
  { readonly merchantId: MerchantId | null; readonly name: string; readonly content: unknown },
  Placed
>;

/**
 * Sets or replaces a setting. Routes of live payments decide where money goes, even to merchants' own accounts, so they
 * need a second operator.
 */
export const createPlaceSetting = (deps: {
  readonly findSettingOfKey: FindSettingOfKey;
  readonly putSetting: (transact: Transact) => PutSetting;
  readonly present: (setting: Setting) => object;
}): PlaceSetting => ({
  kind: 'setting.routes',
  permission: 'admin.merchants.update',
  refusals: [],
  async describe(tx, { merchantId, name, content }) {
    if (name !== LIVE_PROVIDERS) return null;
    if (merchantId !== null && !(await tx.get(MERCHANTS, merchantId))) return null;
    const key = settingKey(merchantId, name);
    const previous = await deps.findSettingOfKey(key);
    const before = previous && { content: contentOf(previous) };
    return {
      // A setting has an id of its own only once it was set for the first time.
      resourceId: previous?.id ?? key,
      livemode: null,
      concernedUserId: null,
      summary: `Route live payments of ${merchantId ?? 'all merchants without routes of their own'}: ${String(content)}`,
      change: JSON.stringify({ before, after: { merchantId, content } }),
      seen: JSON.stringify(before),
    };
  },
  run: (transact, command, context) => deps.putSetting(transact)(command, context),
  present: ({ setting }) => deps.present(setting),
});
