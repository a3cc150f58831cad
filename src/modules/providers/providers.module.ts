import { defineModule, retention, services } from '../../platform/platform.module.ts';
import { provide, provideEach, token } from '../../platform/wiring.ts';
import * as configured from './configured.ts';
import { CONNECTORS } from './connectors.ts';
import { createProviderCalls, providerCallMigrations, removeProviderCalls } from './provider-calls.store.ts';
import { createProviderHealth } from './provider-health.ts';

/** Bound by `main`. */
export const providerOptions = token<configured.ProviderOptions>('providerOptions');
export const providerCalls = provide(createProviderCalls, services);
export const providerHealth = provide(createProviderHealth, services);
const scope = { ...services, options: providerOptions, providerCalls, providerHealth };
const { createSimulator, createProviderNamed, createIntentGraceMs } = configured;
export const { simulator, providerNamed, intentGraceMs } = provideEach(scope, {
  createSimulator,
  createProviderNamed,
  createIntentGraceMs,
});
export const providersOf = provide(configured.createProvidersOf, { ...scope, providerNamed });

export const providersModule = defineModule({
  migrations: [providerCallMigrations, ...CONNECTORS.map(({ migrations }) => migrations)],
  removals: [provide(removeProviderCalls, { ...services, retention })],
  loops: CONNECTORS.filter(({ prepare }) => prepare).map((connector) =>
    provide(configured.createPrepareLoop(connector), scope),
  ),
});
