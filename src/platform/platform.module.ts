import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Redis } from 'ioredis';
import type { Db } from 'mongodb';
import type { Clock } from '../kernel/clock.ts';
import type { Authenticate } from './http/app.ts';
import type { Route } from './http/route.ts';
import type { Logger } from './logger.ts';
import type { Loop } from './loop.ts';
import type { Metrics } from './metrics.ts';
import { type CheckUrl, createCheckUrl } from './outbound/check-url.ts';
import type { Scan } from './outbound/clamd.ts';
import type { GuardRules } from './outbound/guarded-post.ts';
import { type AwaitConsistency, createAwaitConsistency } from './read-store/consistency.ts';
import type { ReadStore } from './read-store/elastic.ts';
import { consumerOf } from './read-store/projector.ts';
import { createReadView, type ReadView } from './read-store/read-view.ts';
import { forgetUnlessShown } from './read-store/resources.ts';
import { createReadiness, type View } from './read-store/view.ts';
import type { Renewal } from './renewal.ts';
import type { Removal, Retention } from './retention.ts';
import type { KeyRings } from './secrets.ts';
import { createSignal, type Signal } from './signal.ts';
import type { Migration } from './write-store/migrate.ts';
import type { WriteStore } from './write-store/mongo.ts';
import type { Consumer } from './write-store/outbox.ts';
import { createRecordAudit, type RecordAudit } from './write-store/record-audit.ts';
import type { HandleRows, Hear } from './write-store/relay.ts';
import { removeEvents } from './write-store/remove-events.ts';
import { createTransact, type Transact } from './write-store/transact.ts';
import type { Membership } from './write-store/workers.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const CLOCK = token<Clock>('Clock');
export const LOGGER = token<Logger>('Logger');
export const METRICS = token<Metrics>('Metrics');
export const KEY_RINGS = token<KeyRings>('KeyRings');
export const WRITE_STORE = token<WriteStore>('WriteStore');
/** The write store again, with connections that wait until the scan of a whole collection begins. */
export const SCAN_STORE = token<WriteStore>('ScanStore');
export const DB = token<Db>('Db');
export const READ_STORE = token<ReadStore>('ReadStore');
export const REDIS = token<Redis>('Redis');
/** Raised after each commit in this process. */
export const COMMITTED = token<Signal>('Committed');
export const TRANSACT = token<Transact>('Transact');
export const RECORD_AUDIT = token<RecordAudit>('RecordAudit');
export const AWAIT_CONSISTENCY = token<AwaitConsistency>('AwaitConsistency');
export const VIEW_READY = token<(view: View) => Promise<void>>('ViewReady');
export const READ_VIEW = token<ReadView>('ReadView');
/** Which addresses that merchants choose may be connected to. */
export const GUARD_RULES = token<GuardRules>('GuardRules');
/** The scanner of uploaded documents, null for none. */
export const SCAN = token<Scan | null>('Scan');
export const CHECK_URL = token<CheckUrl>('CheckUrl');
export const AUTHENTICATE = token<Authenticate>('Authenticate');

/** What modules contribute: bound many times, once a module. */
export const ROUTES = token<readonly Route[]>('Routes');
export const MIGRATIONS = token<readonly Migration[]>('Migrations');
export const VIEW = token<View>('View');
/** A consumer of the outbox that is no view; its reader, bound apart, may itself need TRANSACT. */
export const CONSUMER = token<Consumer>('Consumer');
export const OUTBOX_READER = token<{ readonly consumer: string; readonly handle: HandleRows }>(
  'OutboxReader',
);
/** Hears of the rows that readers of the outbox have worked off. */
export const WITNESS = token<{ readonly consumers: readonly string[]; readonly hear: Hear }>('Witness');
/** What `make rotate` makes anew. */
export const RENEWAL = token<Renewal>('Renewal');
export const RETENTION = token<Retention>('Retention');
/** What a worker removes once it was kept long enough. */
export const REMOVAL = token<Removal>('Removal');
/** Work that a worker process repeats; called once at its start. */
export const BACKGROUND = token<(membership: Pick<Membership, 'owns' | 'shards'>) => Loop>('Background');

export const platformModule = new ContainerModule(({ bind }) => {
  bind(DB).toResolvedValue((writeStore) => writeStore.db, [WRITE_STORE]);
  bind(REMOVAL).toResolvedValue(
    (
      db: Db,
      readStore: ReadStore,
      views: View[],
      viewReady: (view: View) => Promise<void>,
      { eventDays }: Retention,
    ) => {
      const shown = views.filter(({ fromEvents }) => fromEvents);
      return removeEvents({
        db,
        days: eventDays,
        viewsReady: () => Promise.all(shown.map(viewReady)),
        async forget(ids) {
          for (const view of shown) await forgetUnlessShown({ db, readStore, view }, ids);
        },
      });
    },
    [DB, READ_STORE, { serviceIdentifier: VIEW, isMultiple: true }, VIEW_READY, RETENTION],
  );
  bind(COMMITTED).toResolvedValue(() => createSignal());
  bind(TRANSACT).toResolvedValue(
    (
      writeStore: WriteStore,
      views: View[],
      consumers: Consumer[],
      clock: Clock,
      committed: Signal,
      metrics: Metrics,
    ) =>
      createTransact({
        writeStore,
        consumers: [...views.map(consumerOf), ...consumers],
        clock,
        onCommit: (readers, eventTypes) => {
          committed.raise(readers);
          for (const type of eventTypes) metrics.events.inc({ type });
        },
        onRetry: () => metrics.transactionRetries.inc(),
      }),
    [
      WRITE_STORE,
      { serviceIdentifier: VIEW, isMultiple: true },
      { serviceIdentifier: CONSUMER, isMultiple: true },
      CLOCK,
      COMMITTED,
      METRICS,
    ],
  );
  bind(RECORD_AUDIT).toResolvedValue(createRecordAudit, [TRANSACT]);
  bind(AWAIT_CONSISTENCY).toResolvedValue(createAwaitConsistency, [DB, READ_STORE]);
  bind(CHECK_URL).toResolvedValue(createCheckUrl, [GUARD_RULES]);
  bind(VIEW_READY).toResolvedValue(createReadiness, [READ_STORE]);
  bind(READ_VIEW).toResolvedValue(
    (readStore, viewReady, awaitConsistency) => createReadView({ readStore, viewReady, awaitConsistency }),
    [READ_STORE, VIEW_READY, AWAIT_CONSISTENCY],
  );
});
