import { LRUCache } from 'lru-cache';
import type { Logger } from '../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../platform/loop.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { GuardRules } from '../../platform/outbound/guarded-post.ts';
import type { OpenHttp } from '../../platform/outbound/http-client.ts';
import { type KeyRing, unseal } from '../../platform/secrets.ts';
import { createSparingLog } from '../../platform/sparing-log.ts';
import type { ProviderAccount } from './accounts.ts';
import { type Connector, type ConnectorDeps, isAddress, type ProviderSettings } from './connector.ts';
import { connectorNamed } from './connectors.ts';
import type {
  FindMerchantAccount,
  ListMerchantAccounts,
  StoredMerchantAccount,
} from './merchant-accounts.store.ts';
import { accountIdIn } from './merchant-accounts.ts';
import type { OwnRoutes } from './own-routes.ts';
import type { PaymentProvider, ProviderNamed, ProvidersOf } from './provider.ts';
import { createSharedRest } from './provider-budgets.store.ts';
import type { ProviderCalls } from './provider-calls.store.ts';
import type { ProviderHealth } from './provider-health.ts';
import { resilient } from './resilient.ts';
import { createRest } from './rest.ts';
import { everythingOf, type ProviderRoute, routed } from './routes.ts';
import { simulator } from './simulator/connector.ts';
import type { Simulator } from './simulator/simulator.ts';

export type ProviderOptions = {
  /** `NODE_ENV` of the installation. */
  readonly environment: string;
  /** Providers behind live keys, by method and currency. */
  readonly liveRoutes: readonly ProviderRoute[];
  /** Name of the provider for all else behind live keys; null: none. */
  readonly liveProvider: string | null;
  /** Accounts of the installation. */
  readonly accounts: readonly ProviderAccount[];
  readonly timeoutMs: number;
  /** Where payers and providers reach this gateway. */
  readonly publicUrl: () => string;
  /** `PUBLIC_URL`; null where it is not set. */
  readonly configuredUrl: string | null;
  readonly createHttpClient: OpenHttp;
};

type Deps = Pick<ConnectorDeps<never>, 'db' | 'clock'> & {
  readonly options: ProviderOptions;
  readonly guardRules: GuardRules;
};

type Notes = {
  readonly noteUnreadable: () => void;
  /** Hears when the client certificate of the account ends. */
  readonly noteIdentityEnd?: (at: Date) => void;
};

const connecting = <T>(
  { db, clock, options, guardRules }: Deps,
  { name, settings, isGuarded = false }: ProviderAccount,
  { noteUnreadable, noteIdentityEnd }: Notes = { noteUnreadable: () => undefined },
): ConnectorDeps<T> => {
  const { timeoutMs, publicUrl, createHttpClient } = options;
  const guard = isGuarded ? guardRules : undefined;
  const openHttp: OpenHttp = (how) => createHttpClient({ ...how, noteIdentityEnd, guard });
  const way = { timeoutMs, openHttp, publicUrl };
  const rest = createRest(clock, createSharedRest(db, name));
  return { name, db, clock, rest, settings: settings as T, noteUnreadable, ...way };
};

/** The simulator with its controls, for the test helpers. */
export const createSimulator = (deps: Deps): Simulator => {
  const account = deps.options.accounts.find(({ name }) => name === simulator.name);
  if (!account) throw new Error('the simulator has no settings');
  return simulator.create(connecting(deps, account));
};

/** Accounts of merchants that stay open, the latest ones. */
const MAX_OPEN_ACCOUNTS = 1_000;

/**
 * Opens an account, guarded by time-outs and measured. `label` is its name in metrics, which have no room for a name of
 * each merchant.
 */
type OpenAccount = (account: ProviderAccount, label: string) => PaymentProvider | null;

export const createOpenAccount = (
  deps: Deps & {
    readonly metrics: Metrics;
    readonly logger: Logger;
    readonly providerCalls: Pick<ProviderCalls, 'note'>;
    readonly providerHealth: Pick<ProviderHealth, 'noteCall' | 'noteCircuit'>;
  },
): OpenAccount => {
  const { options, metrics, logger, providerCalls, providerHealth } = deps;
  /** When certificates end, in seconds since 1970, by the label of the metric and the account. */
  const certificateEnds = new Map<string, Map<string, number>>();
  const guarded = (provider: PaymentProvider, label: string): PaymentProvider =>
    resilient(provider, {
      timeoutMs: options.timeoutMs,
      observe({ seconds, ...call }) {
        const { operation, outcome } = call;
        metrics.providerCalls.observe({ provider: label, operation, outcome }, seconds);
        providerHealth.noteCall(provider.name, outcome === 'timeout' || outcome === 'error');
        providerCalls.note({ provider: provider.name, ...call, durationMs: Math.round(seconds * 1_000) });
      },
      onCircuit: (circuit) => providerHealth.noteCircuit(provider.name, circuit),
      logger,
    });
  return (account, label) => {
    const noteUnreadable = (): void => {
      logger.error({ provider: account.name }, 'the provider says something that nobody can read');
      // Counted as a status that nobody knows, for which operators have an alert.
      metrics.providerCalls.observe({ provider: label, operation: 'read', outcome: 'unknown_status' }, 0);
    };
    const noteIdentityEnd = (at: Date): void => {
      const ends = certificateEnds.get(label) ?? new Map<string, number>();
      ends.set(account.name, at.getTime() / 1_000);
      certificateEnds.set(label, ends);
      metrics.providerCertificateEnds.set({ provider: label }, Math.min(...ends.values()));
    };
    const notes = { noteUnreadable, noteIdentityEnd };
    const made = connectorNamed(account.connector)?.create(connecting(deps, account, notes));
    return made ? guarded({ ...made, name: account.name }, label) : null;
  };
};

/** The provider of an account of the installation; null for any other name. */
type InstalledProvider = (name: string) => PaymentProvider | null;

export const createInstalledProvider = ({
  options,
  openAccount,
}: {
  readonly options: ProviderOptions;
  readonly openAccount: OpenAccount;
}): InstalledProvider => {
  const providers = new Map(
    options.accounts.map((account) => [account.name, openAccount(account, account.name)] as const),
  );
  return (name) => providers.get(name) ?? null;
};

/** The installation's providers, and those of merchants' own accounts. */
export const createProviderNamed = (deps: {
  readonly options: ProviderOptions;
  readonly sealing: KeyRing;
  readonly openAccount: OpenAccount;
  readonly installedProvider: InstalledProvider;
  readonly findMerchantAccount: FindMerchantAccount;
}): ProviderNamed => {
  const ofMerchants = new LRUCache<
    string,
    { readonly nonce: string; readonly provider: PaymentProvider | null }
  >({ max: MAX_OPEN_ACCOUNTS });
  const openMerchantAccount = async (name: string): Promise<PaymentProvider | null> => {
    const id = accountIdIn(name);
    const stored = id && (await deps.findMerchantAccount(id));
    if (stored?.name !== name) return null;
    const { nonce } = stored.secret.sealedSettings;
    const known = ofMerchants.get(name);
    if (known?.nonce === nonce) return known.provider;
    const opened = deps.openAccount(accountOf(stored, deps), stored.provider);
    const provider = opened && { ...opened, owner: stored.merchantId };
    ofMerchants.set(name, { nonce, provider });
    return provider;
  };

  return async (name) => deps.installedProvider(name) ?? openMerchantAccount(name);
};

/** A merchant's account with its settings; those that merchants do not give are the installation's. */
const accountOf = (
  { name, provider, secret }: StoredMerchantAccount,
  { options, sealing }: { readonly options: ProviderOptions; readonly sealing: KeyRing },
): ProviderAccount => {
  const shared = options.accounts.find((account) => account.name === provider)?.settings;
  const own: ProviderSettings = JSON.parse(unseal(sealing, secret.sealedSettings));
  const isGuarded = Object.values(own).some(isAddress);
  return { name, connector: provider, settings: { ...shared, ...blank(provider), ...own }, isGuarded };
};

/** Nothing of the installation's own credentials is ever used for a merchant's account. */
const blank = (connector: string): ProviderSettings =>
  Object.fromEntries((connectorNamed(connector)?.ofMerchants ?? []).map((name) => [name, undefined]));

/** Providers behind test and live keys. */
export const createProvidersOf = ({
  installedProvider,
  ownRoutes,
  options: { liveRoutes, liveProvider },
}: {
  readonly installedProvider: InstalledProvider;
  readonly ownRoutes: Pick<OwnRoutes, 'open'>;
  readonly options: ProviderOptions;
}): ProvidersOf => {
  const configured = (name: string): PaymentProvider => {
    const provider = installedProvider(name);
    if (!provider) throw new Error(`there is no payment provider ${name}`);
    return provider;
  };
  const test = everythingOf(configured(simulator.name));
  const live = routed(
    liveRoutes.map((route) => ({ route, providers: route.providers.map(configured) })),
    liveProvider === null ? null : everythingOf(configured(liveProvider)),
  );
  return async (livemode, merchant) => {
    if (!livemode) return test;
    const { routes } = merchant;
    return routes === null ? live : routed(await ownRoutes.open(routes, merchant), live);
  };
};

/** An intent is asked about after this many provider time-outs: its own call has ended by then. */
const GRACE_TIMEOUTS = 3;

/** Milliseconds until an intent without an outcome is asked about. */
export const createIntentGraceMs = ({ options }: { readonly options: ProviderOptions }): number =>
  GRACE_TIMEOUTS * options.timeoutMs;

const PREPARE_EVERY_MS = 10_000;

/**
 * Prepares accounts of a connector where their settings ask for it, of the installation and of merchants. This happens
 * once in each worker, and again with new settings. Failures are tried again.
 */
export const createPrepareLoop =
  (connector: Connector) =>
  (
    deps: Deps & {
      readonly sealing: KeyRing;
      readonly findMerchantAccount: FindMerchantAccount;
      readonly listMerchantAccounts: ListMerchantAccounts;
      readonly logger: Logger;
    },
  ): StartLoop =>
  () => {
    const installed = deps.options.accounts.filter((account) => account.connector === connector.name);
    /** The settings that each account was prepared with, by the account's name. */
    let prepared = new Map<string, string>();
    const complain = createSparingLog(deps.logger, 'warn');
    const prepare = async (account: ProviderAccount, settings: string): Promise<void> => {
      try {
        await connector.prepare?.(connecting(deps, account))?.();
        prepared.set(account.name, settings);
      } catch (error) {
        complain(error, { provider: account.name }, `provider ${account.name} is not prepared yet`);
      }
    };
    return createLoop({
      name: `prepare ${connector.name}`,
      everyMs: PREPARE_EVERY_MS,
      logger: deps.logger,
      async round(stopping) {
        for (const account of installed)
          if (!prepared.has(account.name)) await prepare(account, 'of the installation');
        const ofMerchants = await deps.listMerchantAccounts(connector.name);
        for (const { id, name, nonce } of ofMerchants) {
          if (stopping.aborted) return false;
          if (prepared.get(name) === nonce) continue;
          const stored = await deps.findMerchantAccount(id);
          if (stored) await prepare(accountOf(stored, deps), nonce);
        }
        const known = new Set([...installed, ...ofMerchants].map(({ name }) => name));
        prepared = new Map([...prepared].filter(([name]) => known.has(name)));
        return false;
      },
    });
  };
