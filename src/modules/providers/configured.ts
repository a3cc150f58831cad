import type { Logger } from '../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../platform/loop.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Connector, ConnectorDeps, ProviderSettings } from './connector.ts';
import { CONNECTORS, isConfigured } from './connectors.ts';
import type { PaymentProvider, ProviderNamed, ProvidersOf } from './provider.ts';
import type { ProviderCalls } from './provider-calls.store.ts';
import type { ProviderHealth } from './provider-health.ts';
import { resilient } from './resilient.ts';
import { type ProviderRoute, routed } from './routes.ts';
import { simulator } from './simulator/connector.ts';
import type { Simulator } from './simulator/simulator.ts';

export type ProviderOptions = {
  /** Providers behind live keys, by method and currency. */
  readonly liveRoutes: readonly ProviderRoute[];
  /** Name of the provider for all else behind live keys; null: none. */
  readonly liveProvider: string | null;
  /** Of all connectors. */
  readonly settings: ProviderSettings;
  readonly timeoutMs: number;
  /** Where payers and providers reach this gateway. */
  readonly publicUrl: () => string;
};

type Deps = Pick<ConnectorDeps<never>, 'db' | 'clock'> & { readonly options: ProviderOptions };

const connecting = <T>({ db, clock, options }: Deps): ConnectorDeps<T> => {
  const { settings, timeoutMs, publicUrl } = options;
  return { db, clock, settings: settings as T, timeoutMs, publicUrl };
};

/** The simulator with its controls, for the test helpers. */
export const createSimulator = (deps: Deps): Simulator => simulator.create(connecting(deps));

/** The providers that have settings, each of them guarded by time-outs and measured. */
export const createProviderNamed = (
  deps: Deps & {
    readonly metrics: Metrics;
    readonly logger: Logger;
    readonly providerCalls: Pick<ProviderCalls, 'note'>;
    readonly providerHealth: Pick<ProviderHealth, 'noteCall' | 'noteCircuit'>;
  },
): ProviderNamed => {
  const { options, metrics, logger, providerCalls, providerHealth } = deps;
  const guarded = (provider: PaymentProvider): PaymentProvider =>
    resilient(provider, {
      timeoutMs: options.timeoutMs,
      observe({ seconds, ...call }) {
        const { operation, outcome } = call;
        metrics.providerCalls.observe({ provider: provider.name, operation, outcome }, seconds);
        providerHealth.noteCall(provider.name, outcome === 'timeout' || outcome === 'error');
        providerCalls.note({ provider: provider.name, ...call, durationMs: Math.round(seconds * 1_000) });
      },
      onCircuit: (circuit) => providerHealth.noteCircuit(provider.name, circuit),
      logger,
    });
  const providers = CONNECTORS.filter((connector) => isConfigured(connector, options.settings)).map(
    (connector) => guarded(connector.create(connecting(deps))),
  );
  return (name) => providers.find((provider) => provider.name === name) ?? null;
};

/** Providers behind test and live keys. */
export const createProvidersOf = ({
  providerNamed,
  options: { liveRoutes, liveProvider },
}: {
  readonly providerNamed: ProviderNamed;
  readonly options: ProviderOptions;
}): ProvidersOf => {
  const configured = (name: string): PaymentProvider => {
    const provider = providerNamed(name);
    if (!provider) throw new Error(`there is no payment provider ${name}`);
    return provider;
  };
  const test = routed([], configured(simulator.name));
  const live = routed(
    liveRoutes.map((route) => ({ route, providers: route.providers.map(configured) })),
    liveProvider === null ? null : configured(liveProvider),
  );
  return (livemode) => (livemode ? live : test);
};

/** An intent is asked about after this many provider time-outs: its own call has ended by then. */
const GRACE_TIMEOUTS = 3;

/** Milliseconds until an intent without an outcome is asked about. */
export const createIntentGraceMs = ({ options }: { readonly options: ProviderOptions }): number =>
  GRACE_TIMEOUTS * options.timeoutMs;

const PREPARE_EVERY_MS = 30_000;

/** Prepares a provider where the settings ask for it, until it is done. */
export const createPrepareLoop =
  (connector: Connector) =>
  (deps: Deps & { readonly logger: Logger }): StartLoop =>
  () => {
    const isMeant = isConfigured(connector, deps.options.settings);
    let prepare = (isMeant && connector.prepare?.(connecting(deps))) || null;
    return createLoop({
      name: `prepare ${connector.name}`,
      everyMs: PREPARE_EVERY_MS,
      logger: deps.logger,
      async round() {
        await prepare?.().then(
          () => {
            prepare = null;
          },
          (error: unknown) =>
            deps.logger.warn({ err: error, provider: connector.name }, 'provider not prepared yet'),
        );
        return false;
      },
    });
  };
