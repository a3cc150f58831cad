import { setTimeout as sleep } from 'node:timers/promises';
import { CHARGES_VIEW } from '../../src/modules/charges/read/charge.view.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { dropOldIndexes, reproject } from '../../src/platform/read-store/reproject.ts';
import { readBatches } from '../../src/platform/read-store/resources.ts';
import { aliasOf, createIndex, type View } from '../../src/platform/read-store/view.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { createProgress } from '../progress.ts';
import { copyCharges } from '../seed/copy-charges.ts';
import { drained } from './creates.ts';
import { operatorOf, QUERIES } from './lists.ts';
import { alternate, elapsed, type Row } from './measure.ts';
import { seedUpTo } from './seeding.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const GOAL = 0.7;
const ORIGINALS = 1_000;
const WRITES_PER_SECOND = 50;
/** The most writers. A machine that is slower gets fewer writes, instead of a queue that only grows. */
const WRITERS = 16;
const READERS = 2;
const PAGE = 5_000;
/**
 * Bare bulk batches that are prepared and sent without a pause, because Elasticsearch would merge segments during a
 * pause without that being measured.
 */
const READY = 20;
const VIEW = CHARGES_VIEW as unknown as View;

/**
 * The speed of rebuilding the charges view against bulk requests with the same documents, in turns. In the first runs
 * nothing else happens. During the others clients create charges and read lists, whose answers are checked.
 */
export const measureReproject = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { mongodbUri, mongodbDatabase } = bench.config;
  const { client, db } = openWriteStore(mongodbUri, mongodbDatabase, { forScans: true });
  return measure(bench, merchants, db).finally(() => client.close());
};

const measure = async (bench: Bench, merchants: Merchants, db: Database): Promise<Row[]> => {
  const { charges, rounds } = bench;
  await seedUpTo(bench, Math.min(ORIGINALS, charges), () => undefined);
  const progress = createProgress('charges', charges);
  const seeded = await db.collection(CHARGES.collection).estimatedDocumentCount();
  await copyCharges(db, Math.max(0, charges - seeded), (copied) => progress.update(seeded + copied));
  progress.end();
  await drained(bench);

  // The copies are in no index yet; this also warms up.
  await scanRate(bench, db);
  const quiet = await alternate(
    rounds,
    () => scanRate(bench, db),
    () => bulkRate(bench, db),
  );
  const load = await startLoad(bench, merchants);
  const busy = await alternate(
    1,
    () => scanRate(bench, db),
    () => bulkRate(bench, db),
  ).finally(load.stop);
  await drained(bench);
  const { writes, reads, failures } = load.counts();
  const { stored, wrong } = await compareIds(bench, db);
  const row = (what: string, { a, b, ratio }: typeof quiet, goal: number | null): Row => ({
    what,
    gateway: a.toFixed(0),
    reference: `bare bulk: ${b.toFixed(0)}`,
    result: `${ratio.toFixed(2)} ×`,
    goal: goal === null ? '' : `≥ ${goal} ×`,
    isMet: goal === null ? null : ratio >= goal,
  });
  const none = { reference: '', result: '', goal: '0' };
  return [
    row(`charges reprojected per second, ${charges} charges`, quiet, null),
    row(`the same at ${writes.toFixed(0)} creates and ${reads.toFixed(0)} lists a second`, busy, GOAL),
    {
      ...none,
      what: 'requests that failed meanwhile',
      gateway: String(failures),
      isMet: failures === 0,
    },
    {
      ...none,
      what: `charges missing or doubled afterwards, of ${stored}`,
      gateway: String(wrong),
      isMet: wrong === 0,
    },
  ];
};

/** Resources per second that `make reproject` reads and indexes, without its waits and its proof. */
const scanRate = async (bench: Bench, db: Database): Promise<number> => {
  const { container, charges, say } = bench;
  const { readStore } = container.get(platform.services);
  const deps = {
    db,
    readStore,
    awaitConsistency: container.get(platform.services).awaitConsistency,
    logger: container.get(platform.services).logger,
  };
  const progress = createProgress('reproject', charges);
  let startedAt = 0;
  let scannedAt = 0;
  const done = await reproject(deps, VIEW, {
    signal: new AbortController().signal,
    onProgress: (resources) => {
      if (resources === 0) startedAt = performance.now();
      progress.update(resources);
    },
    onScanned: () => {
      scannedAt = performance.now();
      progress.end();
    },
  });
  say(`proven in ${((performance.now() - scannedAt) / 1000).toFixed(1)} s`);
  await dropOldIndexes(readStore, VIEW);
  return (done?.resources ?? 0) / ((scannedAt - startedAt) / 1000);
};

/**
 * Documents per second of bulk requests with the same documents, in batches of the same size, into the same kind of
 * index.
 */
const bulkRate = async ({ container, charges }: Bench, db: Database): Promise<number> => {
  const { readStore } = container.get(platform.services);
  const { client, prefix } = readStore;
  const index = await createIndex({ ...readStore, prefix: `${prefix}bare-` }, VIEW, 1, { isWhole: false });
  const progress = createProgress('bare bulk', charges);
  let done = 0;
  let ms = 0;
  let ready: object[][] = [];
  const send = async (): Promise<void> => {
    ms += await elapsed(async () => {
      for (const operations of ready) {
        const { errors } = await client.bulk({ index, operations });
        if (errors) throw new Error('documents were refused');
      }
    });
    done += ready.reduce((documents, { length }) => documents + length / 2, 0);
    progress.update(done);
    ready = [];
  };
  for await (const batch of readBatches(db, VIEW, new AbortController().signal)) {
    ready.push(
      batch.flatMap(({ resource }) => [
        { index: { _id: resource.id, version: resource.version, version_type: 'external' as const } },
        VIEW.toDocument(resource),
      ]),
    );
    if (ready.length === READY) await send();
  }
  await send();
  progress.end();
  await client.indices.delete({ index });
  return done / (ms / 1000);
};

type Load = {
  stop(): Promise<void>;
  /** Writes and reads a second, and how many of both got a wrong answer or none. */
  counts(): { readonly writes: number; readonly reads: number; readonly failures: number };
};

/** Clients that create charges at a steady pace, and clients that read lists without a pause. */
const startLoad = async (bench: Bench, merchants: Merchants): Promise<Load> => {
  const { call, say } = bench;
  const operator = await operatorOf(bench);
  const startedAt = performance.now();
  let seconds = 0;
  const done = { writes: 0, reads: 0, failures: 0 };
  let started = 0;
  let isOver = false;
  const attempt = async (what: 'writes' | 'reads', work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      done.failures += 1;
      say(String(error));
    }
    done[what] += 1;
  };
  const writer = async (): Promise<void> => {
    while (!isOver) {
      started += 1;
      const authorization = merchants[started % merchants.length] ?? '';
      const due = startedAt + (started * 1000) / WRITES_PER_SECOND;
      await sleep(Math.max(0, due - performance.now()));
      await attempt('writes', async () => {
        await createCharge(call, authorization);
      });
    }
  };
  const reader = async (_: unknown, number: number): Promise<void> => {
    for (let turn = number; !isOver; turn += 1) {
      const path = `/v1/charges?page=1&size=10${QUERIES[turn % QUERIES.length]}`;
      await attempt('reads', async () => {
        const { status, body } = await call('GET', path, operator);
        if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
      });
    }
  };
  const clients = [...Array.from({ length: WRITERS }, writer), ...Array.from({ length: READERS }, reader)];
  return {
    async stop() {
      isOver = true;
      await Promise.all(clients);
      seconds = (performance.now() - startedAt) / 1000;
    },
    counts: () => ({ writes: done.writes / seconds, reads: done.reads / seconds, failures: done.failures }),
  };
};

/** Compares the ids in the view with those in the write store. */
const compareIds = async (
  { container }: Bench,
  db: Database,
): Promise<{ readonly stored: number; readonly wrong: number }> => {
  const { client } = container.get(platform.services).readStore;
  const index = aliasOf(container.get(platform.services).readStore, VIEW);
  const missing = new Set<string>();
  for await (const batch of readBatches(db, VIEW, new AbortController().signal))
    for (const { resource } of batch) missing.add(resource.id);
  const stored = missing.size;
  let extra = 0;
  await client.indices.refresh({ index });
  for (let after: string | undefined; ; ) {
    const { hits } = await client.search<{ readonly id: string }>({
      index,
      size: PAGE,
      _source: ['id'],
      sort: [{ id: 'desc' }],
      track_total_hits: false,
      ...(after ? { search_after: [after] } : {}),
    });
    for (const { _source } of hits.hits) if (!missing.delete(_source?.id ?? '')) extra += 1;
    after = hits.hits.at(-1)?._source?.id;
    if (hits.hits.length < PAGE) return { stored, wrong: missing.size + extra };
  }
};
