import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from 'inversify';
import { newCommitId } from '../kernel/ids.ts';
import { createLoop, type Loop } from '../platform/loop.ts';
import * as platform from '../platform/platform.module.ts';
import { startDriftDetector } from '../platform/read-store/drift.ts';
import { createViewKeeper } from '../platform/read-store/fill-views.ts';
import { consumerOf, createProjector } from '../platform/read-store/projector.ts';
import { startRetention } from '../platform/retention.ts';
import { createSparingLog } from '../platform/sparing-log.ts';
import { startBackupWatch } from '../platform/write-store/backups.ts';
import { type Relay, startRelay } from '../platform/write-store/relay.ts';
import { createRowsInHand } from '../platform/write-store/rows-in-hand.ts';
import { startOutboxWatch } from '../platform/write-store/watch.ts';
import { joinWorkers } from '../platform/write-store/workers.ts';
import type { Config } from './config.ts';

const KEEP_VIEWS_EVERY_MS = 2_000;
const VIEWS_AT_START_MS = 3_000;

export type Worker = { stop(): Promise<void> };

/** Starts what happens behind the API: views, ledger, reconcilers. Several workers share the work. */
export const startWorker = async (
  container: Container,
  { viewCheckMs }: Pick<Config, 'viewCheckMs'>,
): Promise<Worker> => {
  const db = container.get(platform.db);
  const logger = container.get(platform.logger);
  const metrics = container.get(platform.metrics);
  const clock = container.get(platform.clock);
  const readStore = container.get(platform.readStore);
  const views = container.get(platform.views);
  const recentEvents = container.get(platform.recentEvents);

  const scans = container.get(platform.scanStore).db;
  const keeper = createViewKeeper({ db: scans, readStore, views, logger });
  // Views are usually whole at a start: lists then answer from the first request on. A long filling goes on behind.
  await keeper.keep().catch((error: unknown) => logger.error({ err: error }, 'views are not ready yet'));
  await Promise.race([keeper.untilWhole(), sleep(VIEWS_AT_START_MS, undefined, { ref: false })]);

  const name = `${hostname()}-${process.pid}-${newCommitId()}`;
  const complain = createSparingLog(logger, 'error');
  const membership = await joinWorkers(db, name, (error) => complain(error, {}, 'heartbeat failed'));
  const readers: readonly platform.OutboxReader[] = [
    ...views.map((view) => ({
      consumer: consumerOf(view).name,
      gatherMs: view.gatherMs,
      handle: createProjector({ db, readStore, recentEvents, view, views }),
    })),
    ...container.getAll(platform.outboxReaders),
  ];
  const inHand = createRowsInHand(db, membership);
  const witnesses = container.getAll(platform.witnesses);
  const relays = new Map(
    readers.map((reader): [string, Relay] => [
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
  container.get(platform.committed).listen((consumers) => {
    for (const consumer of consumers) relays.get(consumer)?.wake();
  });
  // A counter that begins above zero has risen for nobody.
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
    ...container.getAll(platform.loops).map((start) => start(membership)),
    createLoop({
      name: 'views',
      everyMs: KEEP_VIEWS_EVERY_MS,
      logger,
      round: () => keeper.keep().then(() => false),
    }),
    startRetention({ removals: container.getAll(platform.removals), membership, clock, logger }),
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
      awaitConsistency: container.get(platform.awaitConsistency),
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
