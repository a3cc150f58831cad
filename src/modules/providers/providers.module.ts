import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { CLOCK, DB, METRICS, MIGRATIONS } from '../../platform/platform.module.ts';
import type { PaymentProvider, ProviderFor } from './provider.ts';
import { simulatorMigrations } from './simulator/simulator.store.ts';
import { createSimulator, type Simulator } from './simulator/simulator.ts';
import { withTimeout } from './with-timeout.ts';

export type ProviderOptions = {
  /** Name of the provider behind live keys; null: none (decisions 4). */
  readonly liveProvider: string | null;
  readonly latencyMs: number;
  readonly timeoutMs: number;
  /** Where payers reach this gateway. */
  readonly publicUrl: () => string;
};

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

/** Bound by `main`. */
export const PROVIDER_OPTIONS = token<ProviderOptions>('ProviderOptions');
export const PROVIDER_FOR = token<ProviderFor>('ProviderFor');
/** The simulator with its controls, for the test helpers. */
export const SIMULATOR = token<Simulator>('Simulator');

const createProviderFor = (simulator: Simulator, options: ProviderOptions, metrics: Metrics): ProviderFor => {
  const observed = (provider: PaymentProvider): PaymentProvider =>
    withTimeout(provider, {
      timeoutMs: options.timeoutMs,
      observe: (operation, outcome, seconds) =>
        metrics.providerCalls.observe({ provider: provider.name, operation, outcome }, seconds),
    });
  const providers: readonly PaymentProvider[] = [observed(simulator)];
  const named = (name: string): PaymentProvider => {
    const provider = providers.find((candidate) => candidate.name === name);
    if (!provider) throw new Error(`there is no payment provider ${name}`);
    return provider;
  };
  const test = named('simulator');
  const live = options.liveProvider === null ? null : named(options.liveProvider);
  return (livemode) => (livemode ? live : test);
};

export const providersModule = new ContainerModule(({ bind }) => {
  bind(SIMULATOR).toResolvedValue(
    (db: Db, clock: Clock, { latencyMs, publicUrl }: ProviderOptions) =>
      createSimulator({ db, clock, latencyMs, publicUrl }),
    [DB, CLOCK, PROVIDER_OPTIONS],
  );
  bind(PROVIDER_FOR).toResolvedValue(createProviderFor, [SIMULATOR, PROVIDER_OPTIONS, METRICS]);
  bind(MIGRATIONS).toConstantValue(simulatorMigrations);
});
