import type { Database } from './database.ts';
import { SHARDS, shardOf } from './outbox.ts';

const WORKERS = 'workers';
const HEARTBEAT_MS = 1_000;
const EXPIRES_AFTER_MS = 4_000;

type Worker = { readonly _id: string; readonly seenAt: Date };

/** Whether any worker is running on this write store. */
export const isAnyWorkerAlive = async (db: Database): Promise<boolean> => {
  const workers = await db.collection<Worker>(WORKERS).find().toArray();
  return workers.some((worker) => worker.seenAt.getTime() >= Date.now() - EXPIRES_AFTER_MS);
};

/**
 * One worker process among others, which sends heartbeats and knows its shards. While a worker joins or dies, a shard
 * may briefly have two owners or none.
 */
export type Membership = {
  /** The outbox shards that this worker reads. */
  shards(): readonly number[];
  /** Whether this worker owns a subject: a resource's id, or the name of work that one worker does for all. */
  owns(subject: string): boolean;
  stop(): Promise<void>;
};

/**
 * Joins the workers on this write store. Shards are distributed in turn over the living workers in the order of their
 * names. An overlap is harmless, because all shared work may be done twice.
 */
export const joinWorkers = async (
  db: Database,
  name: string,
  onError: (error: unknown) => void,
): Promise<Membership> => {
  const workers = db.collection<Worker>(WORKERS);
  let mine: readonly number[] = [];
  let stopped = false;

  const beat = async (): Promise<void> => {
    const now = Date.now();
    await workers.updateOne({ _id: name }, { $set: { seenAt: new Date(now) } }, { upsert: true });
    const all = await workers.find().toArray();
    const dead = all.filter((worker) => worker.seenAt.getTime() < now - EXPIRES_AFTER_MS);
    if (dead.length > 0) await workers.deleteMany({ _id: { $in: dead.map((worker) => worker._id) } });
    const alive = all
      .filter((worker) => !dead.includes(worker))
      .map((worker) => worker._id)
      .sort();
    const rank = alive.indexOf(name);
    mine = Array.from({ length: SHARDS }, (_, shard) => shard).filter(
      (shard) => shard % alive.length === rank,
    );
  };

  await beat().catch(onError);
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => (stopped ? undefined : beat())).catch(onError);
  }, HEARTBEAT_MS);

  return {
    shards: () => mine,
    owns: (subject) => mine.includes(shardOf(subject)),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      await workers.deleteOne({ _id: name }).catch(onError);
    },
  };
};
