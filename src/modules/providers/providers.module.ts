import type { Services } from '../../platform/services.ts';
import { createSealedRenewal } from '../../platform/write-store/renew-sealed.ts';
import {
  createInstalledProvider,
  createIntentGraceMs,
  createOpenAccount,
  createPrepareLoop,
  createProviderNamed,
  createProvidersOf,
  createSimulator,
  type ProviderOptions,
} from './configured.ts';
import { CONNECTORS } from './connectors.ts';
import {
  createFindMerchantAccount,
  createListMerchantAccounts,
  merchantAccountMigrations,
} from './merchant-accounts.store.ts';
import { PROVIDER_ACCOUNTS } from './merchant-accounts.ts';
import { createOwnRoutes } from './own-routes.ts';
import { createClaimNews, providerBudgetMigrations } from './provider-budgets.store.ts';
import { createProviderCalls, providerCallMigrations, removeProviderCalls } from './provider-calls.store.ts';
import { createProviderHealth } from './provider-health.ts';

export type ProvidersModule = ReturnType<typeof createProvidersModule>;

export const createProvidersModule = (services: Services, options: ProviderOptions) => {
  // How a provider's server does is a matter of real time, in whichever environment it is called.
  const real = { ...services, clock: services.realClock };
  const stored = {
    ...services,
    options,
    findMerchantAccount: createFindMerchantAccount(services),
    listMerchantAccounts: createListMerchantAccounts(services),
    providerCalls: createProviderCalls(real),
    providerHealth: createProviderHealth(real),
  };
  const opening = { ...stored, openAccount: createOpenAccount(stored) };
  const installed = { ...opening, installedProvider: createInstalledProvider(opening) };
  const named = { ...installed, providerNamed: createProviderNamed(installed) };
  const deps = { ...named, ownRoutes: createOwnRoutes(named) };
  const { providerCalls, providerHealth, providerNamed, ownRoutes } = deps;
  return {
    providerCalls,
    providerHealth,
    providerNamed,
    ownRoutes,
    claimNews: createClaimNews(services.db),
    providersOf: createProvidersOf(deps),
    simulator: createSimulator(deps),
    intentGraceMs: createIntentGraceMs(deps),
    /** The installation's accounts. */
    providerAccounts: options.accounts,
    publicUrl: options.publicUrl,
    contributions: {
      migrations: [
        ...providerCallMigrations,
        ...providerBudgetMigrations,
        ...merchantAccountMigrations,
        ...CONNECTORS.flatMap((one) => one.migrations),
      ],
      renewals: [
        createSealedRenewal(services, {
          what: 'accounts at providers',
          from: PROVIDER_ACCOUNTS,
          name: 'sealedSettings',
        }),
      ],
      work: () => ({
        removals: [removeProviderCalls(services)],
        loops: CONNECTORS.filter(({ prepare }) => prepare).map((connector) =>
          createPrepareLoop(connector)(deps),
        ),
      }),
    },
  };
};
