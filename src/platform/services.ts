import type { Redis } from 'ioredis';
import type { Clock } from '../kernel/clock.ts';
import type { NewId } from '../kernel/ids.ts';
import type { FindTenant } from '../kernel/tenant.ts';
import type { EnvironmentTime } from './environment-time.ts';
import { createFairTurns, type FairTurns } from './fair-turns.ts';
import type { ListDeps } from './http/list.ts';
import { inTime, type ReadInTime } from './in-time.ts';
import type { Logger } from './logger.ts';
import { countEvents, type Metrics } from './metrics.ts';
import { type CheckUrl, createCheckUrl } from './outbound/check-url.ts';
import type { Scan } from './outbound/clamd.ts';
import type { GuardRules } from './outbound/guarded-post.ts';
import { type AwaitConsistency, createAwaitConsistency } from './read-store/consistency.ts';
import type { ReadStore } from './read-store/elastic.ts';
import { createReadView, type ReadView } from './read-store/read-view.ts';
import { createReadiness, type View } from './read-store/view.ts';
import type { Retention } from './retention.ts';
import type { KeyRing, KeyRings } from './secrets.ts';
import { createSignal, type Signal } from './signal.ts';
import type { CommitGroups } from './write-store/committer.ts';
import type { Database } from './write-store/database.ts';
import type { WriteStore } from './write-store/mongo.ts';
import type { Consumer } from './write-store/outbox.ts';
import { createRecentEvents, type RecentEvents } from './write-store/recent-events.ts';
import { createRecordAudit, type RecordAudit } from './write-store/record-audit.ts';
import { createSnapshot, type Snapshot } from './write-store/snapshot.ts';
import type { StoreTime } from './write-store/store-clock.ts';
import { createTransact } from './write-store/transact.ts';
import type { Transact } from './write-store/transaction.ts';

/** The parts of a process that its settings alone determine: connections, clock, keys and limits. */
export type Infrastructure = {
  /** The time of the environment for whose records the code runs. */
  readonly clock: Clock;
  /** The time outside, which no test clock moves: for people, their sessions, limits and ids. */
  readonly realClock: Clock;
  readonly time: EnvironmentTime;
  readonly newId: NewId;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly keyRings: KeyRings;
  readonly writeStore: WriteStore;
  /** The write store over connections that give the scan of a whole collection the time to begin. */
  readonly scanStore: WriteStore;
  /** Asks the write store for its time, and adds to it how far a test clock is ahead. */
  readonly storeTime: StoreTime;
  readonly readStore: ReadStore;
  readonly redis: Redis;
  /** Prefix of the keys in Redis, for installations that share a server. */
  readonly keyPrefix: string;
  /** How long a Redis that does not answer may delay a request. */
  readonly redisTimeoutMs: number;
  /** How long a command is retried until the write store accepts it. */
  readonly commandTimeoutMs: number;
  readonly commitGroups: CommitGroups;
  readonly retention: Retention;
  /** Limits the addresses to which the gateway connects at the wish of a merchant. */
  readonly guardRules: GuardRules;
  /** The scanner of uploaded documents; null for none. */
  readonly scan: Scan | null;
};

/** Reads of merchants that the platform needs without depending on their module. */
type Tenancy = {
  readonly findTenant: FindTenant;
  /** 403 for the id of a merchant that the caller may not name. */
  readonly assertMayName: ListDeps['assertMayName'];
};

/** The values with which every module is created. */
export type Services = Infrastructure &
  Tenancy & {
    readonly db: Database;
    readonly sealing: KeyRing;
    readonly transact: Transact;
    /** Raised after each commit in this process. */
    readonly committed: Signal;
    readonly recentEvents: RecentEvents;
    /** Reads several documents as of one moment. */
    readonly snapshot: Snapshot;
    readonly recordAudit: RecordAudit;
    readonly awaitConsistency: AwaitConsistency;
    readonly readView: ReadView;
    readonly viewReady: (view: View) => Promise<void>;
    readonly largePages: FairTurns;
    readonly readInTime: ReadInTime;
    readonly checkUrl: CheckUrl;
  };

/** Ends a read that takes longer than a command may. */
export const createReadInTime =
  (withinMs: number): ReadInTime =>
  (read) =>
    inTime(withinMs, 'The write store did not answer in time', read);

/** One large page may take 20 MiB of memory and a tenth of a second of processor time. */
const LARGE_PAGES = { atOnce: 4, waitingOfKey: 32, waiting: 256 };

/**
 * Creates what modules need from the infrastructure. The list of consumers is filled once their modules are created,
 * before anything is committed.
 */
export const createServices = (
  infrastructure: Infrastructure & Tenancy & { readonly consumers: readonly Consumer[] },
): Services => {
  const { consumers, ...given } = infrastructure;
  const { writeStore, readStore, realClock, metrics, commandTimeoutMs, guardRules } = given;
  const { db } = writeStore;
  const recentEvents = createRecentEvents({ db, clock: realClock });
  const committed = createSignal();
  const transact = createTransact({
    ...given,
    consumers,
    retryForMs: commandTimeoutMs,
    onCommit: (readers, events) => {
      recentEvents.remember(events);
      committed.raise(readers);
      countEvents(metrics, events);
    },
    onRetry: () => metrics.transactionRetries.inc(),
  });
  const awaitConsistency = createAwaitConsistency(db, readStore);
  const viewReady = createReadiness(readStore);
  return {
    ...given,
    db,
    sealing: given.keyRings.sealing,
    transact,
    committed,
    recentEvents,
    snapshot: createSnapshot({ writeStore, retryForMs: commandTimeoutMs }),
    recordAudit: createRecordAudit(transact),
    awaitConsistency,
    readView: createReadView({ readStore, viewReady, awaitConsistency }),
    viewReady,
    largePages: createFairTurns(LARGE_PAGES, 'Too many large pages are being read'),
    readInTime: createReadInTime(commandTimeoutMs),
    checkUrl: createCheckUrl(guardRules),
  };
};
