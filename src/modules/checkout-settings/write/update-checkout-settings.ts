import type { Command } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import {
  CARD_ORIGINS,
  CHECKOUT_ACCENT,
  CHECKOUT_LOGO,
  CHECKOUT_NAME,
  CHECKOUT_WEBSITE,
  PORTAL_CANCEL,
  putSetting,
  removeSetting,
  SETTINGS,
  SUBSCRIPTION_HOUR,
  settingKey,
} from '../../merchants/write/setting.ts';
import type { FindSettingOfKey } from '../../merchants/write/settings.store.ts';

/** The settings of a merchant that its payers notice, which it changes itself. Null returns to the default. */
type CheckoutSettingsChange = {
  readonly name?: string | null;
  readonly accent?: string | null;
  /** A data URL. */
  readonly logo?: string | null;
  readonly website?: string | null;
  readonly cardOrigins?: readonly string[] | null;
  readonly portalCancel?: boolean | null;
  readonly subscriptionHour?: number | null;
};

/** The names under which they are kept, as settings that operators see and change as well. */
export const SETTING_OF = {
  name: CHECKOUT_NAME,
  accent: CHECKOUT_ACCENT,
  logo: CHECKOUT_LOGO,
  website: CHECKOUT_WEBSITE,
  cardOrigins: CARD_ORIGINS,
  portalCancel: PORTAL_CANCEL,
  subscriptionHour: SUBSCRIPTION_HOUR,
} as const satisfies Readonly<Record<keyof CheckoutSettingsChange, string>>;
const MEMBERS = Object.keys(SETTING_OF) as readonly (keyof CheckoutSettingsChange)[];

/** Changes the members that are given, all or none; one that stays as it was is not written. */
export type UpdateCheckoutSettings = Command<
  { readonly merchantId: MerchantId; readonly change: CheckoutSettingsChange },
  void
>;

export const createUpdateCheckoutSettings =
  (deps: Creating & { readonly findSettingOfKey: FindSettingOfKey }): UpdateCheckoutSettings =>
  ({ merchantId, change }, context) =>
    deps.transact(context, async (tx) => {
      const now = deps.clock();
      for (const member of MEMBERS) {
        const content = change[member];
        if (content === undefined) continue;
        const name = SETTING_OF[member];
        const previous = await deps.findSettingOfKey(settingKey(merchantId, name));
        if (previous ? previous.content === JSON.stringify(content) : content === null) continue;
        const decision =
          content === null && previous
            ? removeSetting(previous, now)
            : putSetting(previous, { id: deps.newId('set'), merchantId, name, content }, now);
        await tx.record(SETTINGS, previous, decision);
      }
    });
