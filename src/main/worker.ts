import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from 'inversify';
import { newCommitId } from '../kernel/ids.ts';
import type { DueLoop } from '../platform/due-work.ts';
import { createLoop, type Loop, type StartLoop } from '../platform/loop.ts';
import * as platform from '../platform/platform.module.ts';
import { startDriftDetector } from '../platform/read-store/drift.ts';
import { createViewKeeper } from '../platform/read-store/fill-views.ts';
import { consumerOf, createProjector } from '../platform/read-store/projector.ts';
import { createRetention } from '../platform/retention.ts';
import { createSparingLog } from '../platform/sparing-log.ts';
import { startBackupWatch } from '../platform/write-store/backups.ts';
import { isAnyRowReady, VIEW_CONSUMERS } from '../platform/write-store/outbox.ts';
import { type Relay, startRelay } from '../platform/write-store/relay.ts';
import { createRowsInHand } from '../platform/write-store/rows-in-hand.ts';
import { startOutboxWatch } from '../platform/write-store/watch.ts';
import { joinWorkers, type Membership } from '../platform/write-store/workers.ts';
import type { Config } from './config.ts';
import { modules } from './modules.ts';

const KEEP_VIEWS_EVERY_MS = 2_000;
const VIEWS_AT_START_MS = 3_000;

export type Worker = { stop(): Promise<void> };

/** Starts the work behind the API: views, ledger and reconcilers. Several workers share it. */
export const startWorker = async (
  container: Container,
  { viewCheckMs }: Pick<Config, 'viewCheckMs'>,
): Promise<Worker> => {
  const services = container.get(platform.services);
  const { db, logger, metrics, realClock: clock, readStore, awaitConsistency } = services;
  const views = container.get(platform.views);
  const work = container.getAll(platform.work);
  // Records are removed last of all that is due at an instant.
  const dueLoops = [...work.flatMap((one) => one.dueLoops ?? []), retentionOf(container)];

  const scans = services.scanStore.db;
  const keeper = createViewKeeper({ db: scans, readStore, views, logger });
  // Views are usually complete at a start, so lists can answer from the first request on. A long rebuild continues in
  // the background.
  await keeper.keep().catch((error: unknown) => logger.error({ err: error }, 'views are not ready yet'));
  await Promise.race([keeper.untilWhole(), sleep(VIEWS_AT_START_MS, undefined, { ref: false })]);

  const name = `${hostname()}-${process.pid}-${newCommitId()}`;
  const complain = createSparingLog(logger, 'error');
  const membership = await joinWorkers(db, name, (error) => complain(error, {}, 'heartbeat failed'));
  const relays = startRelays(container, membership);
  // Each counter starts at zero here, because Prometheus does not see a rise in one that first appears above zero.
  for (const { name: view } of views)
    for (const outcome of ['repaired', 'failed']) metrics.viewDifferences.inc({ view, outcome }, 0);
  const loops: readonly Loop[] = [
    ...relays.values(),
    startOutboxWatch({
      db,
      relays,
      membership,
      clock,
      logger,
      reportDead: (consumer, count) => metrics.outboxDead.set({ consumer }, count),
    }),
    ...work.flatMap((one) => one.loops ?? []).map((start) => start(membership)),
    ...dueLoops.map(({ start }) => start(membership)),
    startAdvancing(container, dueLoops, relays)(membership),
    createLoop({
      name: 'views',
      everyMs: KEEP_VIEWS_EVERY_MS,
      logger,
      round: () => keeper.keep().then(() => false),
    }),
    startBackupWatch({
      db,
      logger,
      report: (finishedAt) => metrics.backupFinishedAt.set((finishedAt?.getTime() ?? 0) / 1_000),
    }),
    startDriftDetector({
      everyMs: viewCheckMs,
      db,
      readStore,
      views,
      membership,
      awaitConsistency,
      logger,
      report: {
        compared: (view, count) => metrics.viewDocumentsCompared.inc({ view }, count),
        differed: (view, outcome, count) => metrics.viewDifferences.inc({ view, outcome }, count),
      },
    }),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await keeper.stop();
      await membership.stop();
    },
  };
};

const READ_WITHIN_MS = 5_000;
const READ_CHECK_MS = 20;

const retentionOf = (container: Container): DueLoop => {
  const { db, time, logger } = container.get(platform.services);
  const consumers = container.get(platform.consumers).map(({ name }) => name);
  return createRetention({
    removals: container.getAll(platform.work).flatMap((one) => one.removals ?? []),
    time,
    logger,
    async untilRead() {
      const giveUpAt = performance.now() + READ_WITHIN_MS;
      while (performance.now() < giveUpAt && (await isAnyRowReady(db, consumers))) await sleep(READ_CHECK_MS);
    },
  });
};

/** Advances the test clock, for which it has to know everything that falls due. */
const startAdvancing = (
  container: Container,
  dueLoops: readonly DueLoop[],
  relays: ReadonlyMap<string, Relay>,
): StartLoop => {
  const { db } = container.get(platform.services);
  const consumers = container.get(platform.consumers).map(({ name }) => name);
  const working = consumers.filter((name) => !name.startsWith(VIEW_CONSUMERS));
  return container.get(modules).testClock.createAdvanceLoop({
    due: [...dueLoops.map(({ due }) => due), ...container.getAll(platform.due).flat()],
    isQuiet: async () => !(await isAnyRowReady(db, working)),
    hurry() {
      for (const name of working) relays.get(name)?.hurry();
    },
  });
};

/** Starts the consumers of the outbox. Each is woken by commits of this process that concern it. */
const startRelays = (container: Container, membership: Membership): ReadonlyMap<string, Relay> => {
  const { db, realClock: clock, logger, metrics, committed } = container.get(platform.services);
  const witnesses = container.getAll(platform.work).flatMap((one) => one.witnesses ?? []);
  const inHand = createRowsInHand(db, membership);
  const relays = new Map(
    readersOf(container).map((reader): [string, Relay] => [
      reader.consumer,
      startRelay({
        ...reader,
        db,
        inHand,
        clock,
        logger,
        witnesses: witnesses
          .filter(({ consumers }) => consumers.includes(reader.consumer))
          .map(({ hear }) => hear),
        report: {
          lag: (of, seconds) => metrics.outboxLag.set({ consumer: of }, seconds),
          done: (of, count) => metrics.outboxDone.inc({ consumer: of }, count),
        },
      }),
    ]),
  );
  committed.listen((consumers) => {
    for (const consumer of consumers) relays.get(consumer)?.wake();
  });
  return relays;
};

/** The consumers of the outbox: one for each view, and those of the modules. */
const readersOf = (container: Container): readonly platform.OutboxReader[] => {
  const { db, readStore, recentEvents } = container.get(platform.services);
  const views = container.get(platform.views);
  return [
    ...views.map((view) => ({
      consumer: consumerOf(view).name,
      gatherMs: view.gatherMs,
      handle: createProjector({ db, readStore, recentEvents, view, views }),
    })),
    ...container.getAll(platform.work).flatMap((one) => one.outboxReaders ?? []),
  ];
};
