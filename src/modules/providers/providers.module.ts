import { defineModule, retention, sealedRenewal, services } from '../../platform/platform.module.ts';
import { member, provideEach, token } from '../../platform/wiring.ts';
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
import { createProviderCalls, providerCallMigrations, removeProviderCalls } from './provider-calls.store.ts';
import { createProviderHealth } from './provider-health.ts';

/** Bound by `main`. */
export const providerOptions = token<ProviderOptions>('providerOptions');
const accounts = { createFindMerchantAccount, createListMerchantAccounts };
const calls = { createProviderCalls, createProviderHealth };
const scope = provideEach({ ...services, retention, options: providerOptions }, { ...accounts, ...calls });
export const { providerCalls, providerHealth } = scope;
const opened = provideEach(scope, { createSimulator, createOpenAccount, createIntentGraceMs });
const installed = provideEach(opened, { createInstalledProvider });
const named = provideEach(provideEach(installed, { createProviderNamed }), { createOwnRoutes });
export const { simulator, intentGraceMs, providerNamed, ownRoutes } = named;
export const { providersOf } = provideEach(named, { createProvidersOf });
/** Names the installation's accounts. */
export const providerAccounts = member(providerOptions, 'accounts');
export const publicUrl = member(providerOptions, 'publicUrl');

export const providersModule = defineModule(scope, {
  migrations: [providerCallMigrations, merchantAccountMigrations, ...CONNECTORS.map((one) => one.migrations)],
  removals: [removeProviderCalls],
  renewals: [sealedRenewal('accounts at providers', PROVIDER_ACCOUNTS, 'sealedSettings')],
  loops: CONNECTORS.filter(({ prepare }) => prepare).map((connector) => createPrepareLoop(connector)),
});
