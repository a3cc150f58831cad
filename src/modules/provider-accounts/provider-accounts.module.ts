import { defineModule, services } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { providerOptions } from '../providers/providers.module.ts';
import { providerAccountRoutes } from './provider-accounts.http.ts';
import { createProviderAccountList } from './read/list-provider-accounts.ts';
import { PROVIDER_ACCOUNTS_VIEW } from './read/provider-account.view.ts';
import { createChangeAccounts } from './write/change-accounts.ts';
import { createSealSettings } from './write/check-settings.ts';

const sealSettings = provide(createSealSettings, { ...services, options: providerOptions });

export const providerAccountsModule = defineModule({
  views: [PROVIDER_ACCOUNTS_VIEW],
  lists: [provide(createProviderAccountList, getMerchant)],
  routes: [provide(providerAccountRoutes, provide(createChangeAccounts, { ...services, sealSettings }))],
});
