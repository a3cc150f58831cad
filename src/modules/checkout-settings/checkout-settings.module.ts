import type { Services } from '../../platform/services.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { checkoutSettingsRoutes } from './checkout-settings.http.ts';
import { createFindShop } from './read/find-shop.ts';
import { createGetCheckoutSettings } from './read/get-checkout-settings.ts';
import { createUpdateCheckoutSettings } from './write/update-checkout-settings.ts';

export type CheckoutSettingsModule = ReturnType<typeof createCheckoutSettingsModule>;

export const createCheckoutSettingsModule = (
  services: Services,
  { merchants }: { readonly merchants: MerchantsModule },
) => {
  const { findSettingOfKey, findSettings, getMerchant } = merchants;
  const deps = { ...services, findSettingOfKey, findSettings, getMerchant };
  return {
    findShop: createFindShop(deps),
    contributions: {
      routes: () =>
        checkoutSettingsRoutes({
          ...deps,
          getCheckoutSettings: createGetCheckoutSettings(deps),
          updateCheckoutSettings: createUpdateCheckoutSettings(deps),
        }),
    },
  };
};
