import { defineModule, retention, services } from '../../platform/platform.module.ts';
import { member, provide, provideEach, token } from '../../platform/wiring.ts';
import * as configured from './configured.ts';
import { CONNECTORS } from './connectors.ts';
import {
  createFindMerchantAccount,
  createListMerchantAccounts,
  createMerchantAccountRenewal,
  merchantAccountMigrations,
} from './merchant-accounts.store.ts';
import { createOwnRoutes } from './own-routes.ts';
import { createProviderCalls, providerCallMigrations, removeProviderCalls } from './provider-calls.store.ts';
import { createProviderHealth } from './provider-health.ts';

/** Bound by `main`. */
export const providerOptions = token<configured.ProviderOptions>('providerOptions');
export const providerCalls = provide(createProviderCalls, services);
export const providerHealth = provide(createProviderHealth, services);
const findMerchantAccount = provide(createFindMerchantAccount, services);
const listMerchantAccounts = provide(createListMerchantAccounts, services);
const scope = { ...services, options: providerOptions, providerCalls, providerHealth, findMerchantAccount };
const { createSimulator, createOpenAccount, createIntentGraceMs } = configured;
const opened = provideEach(scope, { createSimulator, createOpenAccount, createIntentGraceMs });
export const { simulator, intentGraceMs } = opened;
const installedProvider = provide(configured.createInstalledProvider, { ...scope, ...opened });
export const providerNamed = provide(configured.createProviderNamed, {
  ...scope,
  ...opened,
  installedProvider,
});
/** Names the installation's accounts. */
export const providerAccounts = member(providerOptions, 'accounts');
export const ownRoutes = provide(createOwnRoutes, { ...scope, providerNamed });
export const providersOf = provide(configured.createProvidersOf, {
  ...scope,
  installedProvider,
  ownRoutes,
});

export const providersModule = defineModule({
  migrations: [
    providerCallMigrations,
    merchantAccountMigrations,
    ...CONNECTORS.map(({ migrations }) => migrations),
  ],
  removals: [provide(removeProviderCalls, { ...services, retention })],
  renewals: [provide(createMerchantAccountRenewal, services.db, services.sealing)],
  loops: CONNECTORS.filter(({ prepare }) => prepare).map((connector) =>
    provide(configured.createPrepareLoop(connector), { ...scope, listMerchantAccounts }),
  ),
});
