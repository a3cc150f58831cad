import { inGivenTransaction } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProposalsModule } from '../proposals/proposals.module.ts';
import type { ProviderOptions } from '../providers/configured.ts';
import { providerAccountRoutes } from './provider-accounts.http.ts';
import { PROVIDER_ACCOUNT_LIST } from './read/list-provider-accounts.ts';
import { presentProviderAccount } from './read/provider-account.view.ts';
import { createChangeAccounts } from './write/change-accounts.ts';
import { createSealSettings } from './write/check-settings.ts';
import { createAccountProposables } from './write/proposables.ts';

export const createProviderAccountsModule = (
  services: Services,
  {
    options,
    merchants,
    proposals,
  }: {
    readonly options: ProviderOptions;
    readonly merchants: MerchantsModule;
    readonly proposals: ProposalsModule;
  },
) => {
  const stored = { ...services, getMerchant: merchants.getMerchant, options };
  const deps = { ...stored, sealSettings: createSealSettings(stored) };
  const proposables = createAccountProposables({
    changeAccounts: inGivenTransaction(createChangeAccounts, deps),
    present: presentProviderAccount,
  });
  proposals.addProposables(proposables.createAccount, proposables.replaceAccount);
  const cases = {
    ...deps,
    submit: proposals.submitCommand,
    proposables,
    changeAccounts: createChangeAccounts(deps),
  };
  return {
    contributions: {
      views: [PROVIDER_ACCOUNT_LIST.view],
      routes: () => [...PROVIDER_ACCOUNT_LIST.routes(cases), ...providerAccountRoutes(cases)],
    },
  };
};
