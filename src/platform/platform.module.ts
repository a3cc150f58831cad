import type { ContainerModule } from 'inversify';
import type { Redis } from 'ioredis';
import type { Db } from 'mongodb';
import type { Clock } from '../kernel/clock.ts';
import type { Resource } from '../kernel/event.ts';
import type { NewId } from '../kernel/ids.ts';
import type { Store } from '../kernel/store.ts';
import type { FindTenant, TenantId } from '../kernel/tenant.ts';
import { createFairTurns } from './fair-turns.ts';
import type { List, ListDeps } from './http/list.ts';
import type { Route } from './http/route.ts';
import { inTime, type ReadInTime } from './in-time.ts';
import type { Logger } from './logger.ts';
import { type Chore, createChoreLoop, type StartLoop } from './loop.ts';
import { countEvents, type Metrics } from './metrics.ts';
import { createCheckUrl } from './outbound/check-url.ts';
import type { Scan } from './outbound/clamd.ts';
import type { GuardRules } from './outbound/guarded-post.ts';
import { createAwaitConsistency } from './read-store/consistency.ts';
import type { ReadStore } from './read-store/elastic.ts';
import { consumerOf } from './read-store/projector.ts';
import { createReadView } from './read-store/read-view.ts';
import { createReadiness, type View } from './read-store/view.ts';
import { createReconcileLoop } from './reconcile.ts';
import { createEventRemoval } from './remove-old-events.ts';
import type { Renewal } from './renewal.ts';
import type { Removal, Retention } from './retention.ts';
import type { KeyRings } from './secrets.ts';
import { createSignal, type Signal } from './signal.ts';
import {
  all,
  bindContributions,
  type Contribution,
  contribute,
  type Dependency,
  member,
  provide,
  type Scope,
  type Token,
  token,
  type ValuesOf,
} from './wiring.ts';
import type { CommitGroups } from './write-store/committer.ts';
import type { Migration } from './write-store/migrate.ts';
import type { WriteStore } from './write-store/mongo.ts';
import type { Consumer } from './write-store/outbox.ts';
import { createFindDue, type FindById, readResource } from './write-store/read-resource.ts';
import { createRecentEvents, type RecentEvents } from './write-store/recent-events.ts';
import { createRecordAudit } from './write-store/record-audit.ts';
import type { HandleRows, Hear, Reading } from './write-store/relay.ts';
import { createSealedRenewal } from './write-store/renew-sealed.ts';
import { createSnapshot } from './write-store/snapshot.ts';
import type { StoreClock, StoreTime } from './write-store/store-clock.ts';
import { createTransact } from './write-store/transact.ts';
import type { Transact } from './write-store/transaction.ts';

export const clock = token<Clock>('clock');
export const newId = token<NewId>('newId');
export const random = token<() => number>('random');
export const logger = token<Logger>('logger');
export const metrics = token<Metrics>('metrics');
export const keyRings = token<KeyRings>('keyRings');
export const sealing = member(keyRings, 'sealing');
export const writeStore = token<WriteStore>('writeStore');
export const storeTime = token<StoreTime>('storeTime');
export const storeClock = token<StoreClock>('storeClock');
/** The write store again, with connections that wait until the scan of a whole collection begins. */
export const scanStore = token<WriteStore>('scanStore');
export const readStore = token<ReadStore>('readStore');
export const redis = token<Redis>('redis');
/** Which addresses that merchants choose may be connected to. */
export const guardRules = token<GuardRules>('guardRules');
/** The scanner of uploaded documents, null for none. */
export const scan = token<Scan | null>('scan');
export const retention = token<Retention>('retention');

/** Parts that modules contribute. */
export const routes = token<readonly Route[]>('routes');
export const migrations = token<readonly Migration[]>('migrations');
const viewsOfModules = token<View>('viewsOfModules');
/** The views of all lists, and those that modules have besides. */
export const views = provide((each: readonly View[]) => [...new Set(each)], all(viewsOfModules));
/** Consumers of the outbox that are no views; their readers may themselves need `transact`. */
export const consumers = token<Consumer>('consumers');
export type OutboxReader = Reading & { readonly consumer: string; readonly handle: HandleRows };
export const outboxReaders = token<OutboxReader>('outboxReaders');
/** Hear of the rows that readers of the outbox have worked off. */
export const witnesses = token<{ readonly consumers: readonly string[]; readonly hear: Hear }>('witnesses');
/** Renewals that `make rotate` runs. */
export const renewals = token<Renewal>('renewals');
/** Removals by a worker after the retention time. */
export const removals = token<Removal>('removals');
/** Work that a worker process repeats; called once at its start. */
export const loops = token<StartLoop>('loops');

const PARTS = { routes, migrations, consumers, outboxReaders, witnesses, renewals, removals, loops };
type Parts = typeof PARTS;
type PartOf<S extends Scope, T> =
  T extends Token<infer One> ? readonly (One | Token<One> | ((scope: ValuesOf<S>) => One))[] : never;

/**
 * A module of the gateway: its lists, what it adds to the parts above, and to those of other modules. Lists take what
 * they need from the scope, and so do factories of the parts.
 */
export const defineModule = <S extends Scope>(
  scope: S,
  {
    lists = [],
    contributions = [],
    ...parts
  }: {
    readonly lists?: readonly List<unknown, ValuesOf<S>>[];
    /** To tokens of other modules. */
    readonly contributions?: readonly Contribution[];
  } & { readonly [Part in keyof Parts]?: PartOf<S, Parts[Part]> },
): ContainerModule => {
  const made = (factory: unknown): Token<never> => provide(factory as (values: unknown) => never, scope);
  const withLists = { ...(scope as object), readView, largePages, assertMayName } as Dependency<
    ListDeps & ValuesOf<S>
  >;
  return bindContributions([
    contribute(viewsOfModules, ...lists.map(({ view }) => view)),
    contribute(routes, ...lists.map((list) => provide(list.routes, withLists))),
    ...Object.entries(parts).map(([part, values]) => ({
      to: PARTS[part as keyof Parts],
      values: values.map((value) => (typeof value === 'function' ? made(value) : value)),
    })),
    ...contributions,
  ]);
};

export const db = member(writeStore, 'db');
export const recentEvents = provide(createRecentEvents, { db, clock });
export const commitGroups = token<CommitGroups>('commitGroups');
/** Before the keys in Redis, where installations may share a server. */
export const keyPrefix = token<string>('keyPrefix');
/** How long a Redis that does not answer may hold up a request. */
export const redisTimeoutMs = token<number>('redisTimeoutMs');
/** How long a command is tried again until the write store takes it. */
export const commandTimeoutMs = token<number>('commandTimeoutMs');
/** Merchants have it. */
export const findTenant = token<FindTenant>('findTenant');
/** Raised after each commit in this process. */
export const committed = provide(createSignal);
export const transact = provide(
  (deps: {
    readonly writeStore: WriteStore;
    readonly views: readonly View[];
    readonly consumers: readonly Consumer[];
    readonly clock: Clock;
    readonly findTenant: FindTenant;
    readonly commitGroups: CommitGroups;
    readonly commandTimeoutMs: number;
    readonly committed: Signal;
    readonly recentEvents: RecentEvents;
    readonly metrics: Metrics;
  }) =>
    createTransact({
      writeStore: deps.writeStore,
      consumers: [...deps.views.map(consumerOf), ...deps.consumers],
      clock: deps.clock,
      findTenant: deps.findTenant,
      commitGroups: deps.commitGroups,
      retryForMs: deps.commandTimeoutMs,
      onCommit: (readers, events) => {
        deps.recentEvents.remember(events);
        deps.committed.raise(readers);
        countEvents(deps.metrics, events);
      },
      onRetry: () => deps.metrics.transactionRetries.inc(),
    }),
  {
    writeStore,
    views: views,
    consumers: all(consumers),
    clock,
    findTenant,
    commitGroups,
    commandTimeoutMs,
    committed,
    recentEvents,
    metrics,
  },
);
/** Reads of several documents as of one moment. */
export const snapshot = provide(createSnapshot, { writeStore, retryForMs: commandTimeoutMs });
export const recordAudit = provide(createRecordAudit, transact);
export const awaitConsistency = provide(createAwaitConsistency, db, readStore);
export const checkUrl = provide(createCheckUrl, guardRules);
export const viewReady = provide(createReadiness, readStore);
export const readView = provide(createReadView, { readStore, viewReady, awaitConsistency });

/** One large page may take 20 MiB of memory and a tenth of a second of the processor. */
const largePages = provide(() =>
  createFairTurns({ atOnce: 4, waitingOfKey: 32, waiting: 256 }, 'Too many large pages are being read'),
);

export const readInTime = provide(
  (withinMs: number): ReadInTime =>
    (read) =>
      inTime(withinMs, 'The write store did not answer in time', read),
  commandTimeoutMs,
);

/** The scope of every module: its factories take from it what they need. */
export const services = {
  db,
  transact,
  recentEvents,
  snapshot,
  recordAudit,
  readStore,
  readView,
  viewReady,
  redis,
  keyPrefix,
  redisTimeoutMs,
  clock,
  storeTime,
  readInTime,
  newId,
  random,
  keyRings,
  sealing,
  checkUrl,
  guardRules,
  scan,
  logger,
  metrics,
};

/** Refuses a merchant's id that the caller may not name; merchants have it. */
export const assertMayName = token<ListDeps['assertMayName']>('assertMayName');

export const platformModule = defineModule(
  { ...services, views, retention },
  { removals: [createEventRemoval] },
);

/** A reader of the outbox. */
export const outboxReader = (
  consumer: string,
  handle: Token<HandleRows>,
  reading: Reading = {},
): Token<OutboxReader> => provide((rows: HandleRows) => ({ consumer, handle: rows, ...reading }), handle);

/** A command that runs in the transaction that it is given. */
export const provideWithin = <D extends { readonly transact: Transact }, T>(
  factory: (deps: D) => T,
  dependencies: Dependency<Omit<D, 'transact'>>,
): Token<(transact: Transact) => T> =>
  provide(
    (deps: Omit<D, 'transact'>) => (within: Transact) => factory({ ...deps, transact: within } as D),
    dependencies,
  );

/** A read that a command needs before its transaction begins, with the limit of the command. */
export const limitedRead = <Asked extends readonly unknown[], Found>(
  find: Token<(...asked: Asked) => Promise<Found>>,
): Token<(...asked: Asked) => Promise<Found>> =>
  provide(
    (deps: { readonly find: (...asked: Asked) => Promise<Found>; readonly readInTime: ReadInTime }) =>
      (...asked: Asked) =>
        deps.readInTime(() => deps.find(...asked)),
    { find, readInTime },
  );

/** Reads a resource by its id, outside any transaction; `tenantId` as in `readResource`. */
export const findById = <T extends Resource>(from: Store<T>): Token<FindById<T>> =>
  provide(
    (deps: { readonly db: Db; readonly readInTime: ReadInTime }) =>
      (id: string, tenantId: TenantId | null = null) =>
        deps.readInTime(() => readResource(deps.db, from, id, tenantId)),
    { db, readInTime },
  );

/** Seals secrets of documents anew, as `make rotate` asks; `name` as in `createSealedRenewal`. */
export const sealedRenewal = (what: string, from: Pick<Store<never>, 'collection'>, name: string) =>
  provide(createSealedRenewal(what, from, name), { db, sealing });

/** Asks again and again about what has an open end, and lets it be reconciled. */
export const reconcileLoop = <T extends Resource>(
  name: string,
  of: Store<T>,
  reconcile: Token<(due: T, now: Date) => Promise<void>>,
  atOnce = 1,
): Token<StartLoop> => {
  const findDue = provide(createFindDue<T>, db, of);
  return provide(createReconcileLoop<T>(name), { findDue, reconcile, atOnce, clock, logger });
};

/** A chore of which each round is done by one worker alone. */
export const choreLoop = (name: string, everyMs: number, chore: Token<Chore>): Token<StartLoop> =>
  provide(createChoreLoop(name, everyMs), { chore, clock, logger });
