import { defineModule, provideWithin, services } from '../../platform/platform.module.ts';
import { contribute, member, provide, provideEach } from '../../platform/wiring.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { proposables, submitCommand } from '../proposals/proposals.module.ts';
import { providerOptions } from '../providers/providers.module.ts';
import { providerAccountRoutes } from './provider-accounts.http.ts';
import { PROVIDER_ACCOUNT_LIST } from './read/list-provider-accounts.ts';
import { presentProviderAccount } from './read/provider-account.view.ts';
import { createChangeAccounts } from './write/change-accounts.ts';
import { createSealSettings } from './write/check-settings.ts';
import { createAccountProposables } from './write/proposables.ts';

const scope = { ...services, getMerchant, options: providerOptions };
const sealing = provideEach(scope, { createSealSettings });
const commands = provide(createAccountProposables, {
  changeAccounts: provideWithin(createChangeAccounts, sealing),
  present: presentProviderAccount,
});
const deciding = { ...sealing, submit: submitCommand, proposables: commands };

export const providerAccountsModule = defineModule(provideEach(deciding, { createChangeAccounts }), {
  lists: [PROVIDER_ACCOUNT_LIST],
  routes: [providerAccountRoutes],
  contributions: [
    contribute(proposables, member(commands, 'createAccount'), member(commands, 'replaceAccount')),
  ],
});
