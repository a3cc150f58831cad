import { defineModule, services } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { providerOptions } from '../providers/providers.module.ts';
import { providerAccountRoutes } from './provider-accounts.http.ts';
import { PROVIDER_ACCOUNT_LIST } from './read/list-provider-accounts.ts';
import { createChangeAccounts } from './write/change-accounts.ts';
import { createSealSettings } from './write/check-settings.ts';

const scope = { ...services, getMerchant, options: providerOptions };
const sealing = provideEach(scope, { createSealSettings });

export const providerAccountsModule = defineModule(provideEach(sealing, { createChangeAccounts }), {
  lists: [PROVIDER_ACCOUNT_LIST],
  routes: [providerAccountRoutes],
});
