import { defineModule, services } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { findSettingOfKey, findSettings, getMerchant } from '../merchants/merchants.module.ts';
import { checkoutSettingsRoutes } from './checkout-settings.http.ts';
import { createFindShop } from './read/find-shop.ts';
import { createGetCheckoutSettings } from './read/get-checkout-settings.ts';
import { createUpdateCheckoutSettings } from './write/update-checkout-settings.ts';

const cases = provideEach(
  { ...services, findSettingOfKey, findSettings, getMerchant },
  { createFindShop, createGetCheckoutSettings, createUpdateCheckoutSettings },
);
export const { findShop } = cases;

export const checkoutSettingsModule = defineModule(cases, { routes: [checkoutSettingsRoutes] });
