import type { MerchantId } from '../../../kernel/ids.ts';
import {
  CARD_ORIGINS,
  CHECKOUT_ACCENT,
  CHECKOUT_LOGO,
  CHECKOUT_NAME,
  CHECKOUT_WEBSITE,
  isOn,
  originsOf,
  PORTAL_CANCEL,
  SUBSCRIPTION_HOUR,
  subscriptionHourOf,
  textOf,
} from '../../merchants/write/setting.ts';
import type { FindSettings } from '../../merchants/write/settings.store.ts';
import { SETTING_OF } from '../write/update-checkout-settings.ts';

/** The settings that count for a merchant: its own, or the gateway-wide defaults. */
export type CheckoutSettings = {
  readonly name: string | null;
  readonly accent: string | null;
  readonly website: string | null;
  readonly logo: string | null;
  readonly cardOrigins: readonly string[];
  readonly portalCancel: boolean;
  readonly subscriptionHour: number;
};

/** From the write store, so never behind. */
export type GetCheckoutSettings = (merchantId: MerchantId) => Promise<CheckoutSettings>;

export const createGetCheckoutSettings =
  ({ findSettings }: { readonly findSettings: FindSettings }): GetCheckoutSettings =>
  async (merchantId) => {
    const found = await findSettings(merchantId, Object.values(SETTING_OF));
    const of = (name: string) => found.get(name) ?? null;
    return {
      name: textOf(of(CHECKOUT_NAME)),
      accent: textOf(of(CHECKOUT_ACCENT)),
      website: textOf(of(CHECKOUT_WEBSITE)),
      logo: textOf(of(CHECKOUT_LOGO)),
      cardOrigins: originsOf(of(CARD_ORIGINS)),
      portalCancel: isOn(of(PORTAL_CANCEL)),
      subscriptionHour: subscriptionHourOf(of(SUBSCRIPTION_HOUR)),
    };
  };
