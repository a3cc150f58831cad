import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { CLOCK, DB, LOGGER, METRICS, MIGRATIONS } from '../../platform/platform.module.ts';
import type { PaymentProvider, ProviderFor, ProviderNamed } from './provider.ts';
import { resilient } from './resilient.ts';
import { simulatorMigrations } from './simulator/simulator.store.ts';
import { createSimulator, type Simulator } from './simulator/simulator.ts';

export type ProviderOptions = {
  /** Name of the provider behind live keys; null: none (decisions 4). */
  readonly liveProvider: string | null;
  readonly latencyMs: number;
  readonly timeoutMs: number;
  /** Where payers reach this gateway. */
  readonly publicUrl: () => string;
  /** With which providers sign their notifications; none: no notification is taken. */
  readonly secrets: readonly string[];
};

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

/** Bound by `main`. */
export const PROVIDER_OPTIONS = token<ProviderOptions>('ProviderOptions');
export const PROVIDER_NAMED = token<ProviderNamed>('ProviderNamed');
export const PROVIDER_FOR = token<ProviderFor>('ProviderFor');
/** The simulator with its controls, for the test helpers. */
export const SIMULATOR = token<Simulator>('Simulator');

const createProviderNamed = (
  simulator: Simulator,
  { timeoutMs }: ProviderOptions,
  metrics: Metrics,
  logger: Logger,
): ProviderNamed => {
  const guarded = (provider: PaymentProvider): PaymentProvider =>
    resilient(provider, {
      timeoutMs,
      observe: (operation, outcome, seconds) =>
        metrics.providerCalls.observe({ provider: provider.name, operation, outcome }, seconds),
      logger,
    });
  const providers: readonly PaymentProvider[] = [guarded(simulator)];
  return (name) => providers.find((provider) => provider.name === name) ?? null;
};

const createProviderFor = (named: ProviderNamed, { liveProvider }: ProviderOptions): ProviderFor => {
  const configured = (name: string): PaymentProvider => {
    const provider = named(name);
    if (!provider) throw new Error(`there is no payment provider ${name}`);
    return provider;
  };
  const test = configured('simulator');
  const live = liveProvider === null ? null : configured(liveProvider);
  return (livemode) => (livemode ? live : test);
};

export const providersModule = new ContainerModule(({ bind }) => {
  bind(SIMULATOR).toResolvedValue(
    (db: Db, clock: Clock, { latencyMs, publicUrl }: ProviderOptions) =>
      createSimulator({ db, clock, latencyMs, publicUrl }),
    [DB, CLOCK, PROVIDER_OPTIONS],
  );
  bind(PROVIDER_NAMED).toResolvedValue(createProviderNamed, [SIMULATOR, PROVIDER_OPTIONS, METRICS, LOGGER]);
  bind(PROVIDER_FOR).toResolvedValue(createProviderFor, [PROVIDER_NAMED, PROVIDER_OPTIONS]);
  bind(MIGRATIONS).toConstantValue(simulatorMigrations);
});
