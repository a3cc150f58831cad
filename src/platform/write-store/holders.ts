import type { Clock } from '../../kernel/clock.ts';
import type { Database } from './database.ts';
import { OUTBOX, type OutboxRow } from './outbox.ts';

/** Processes that hold rows of the outbox back because they do that work themselves, with their last heartbeats. */
const HOLDERS = 'outbox_holders';
const HEARTBEAT_MS = 2_000;
/** A process that is merely busy must not lose its rows, while the work of a dead one is done within a minute. */
const EXPIRES_AFTER_MS = 20_000;
const FORGOTTEN_AFTER_MS = 3_600_000;

type Holder = { readonly _id: string; readonly seenAt: Date };

type Hold = { stop(): Promise<void> };

/** Sends the heartbeats of a holder: rows with its name in `heldBy` are left to it. `stop` releases the rest. */
export const holdRows = async (
  db: Database,
  name: string,
  onError: (error: unknown) => void,
): Promise<Hold> => {
  const holders = db.collection<Holder>(HOLDERS);
  const beat = async (): Promise<void> => {
    await holders.updateOne({ _id: name }, { $set: { seenAt: new Date() } }, { upsert: true });
  };
  await beat();
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(beat).catch(onError);
  }, HEARTBEAT_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await release(db, name);
      await holders.deleteOne({ _id: name });
    },
  };
};

const release = async (db: Database, heldBy: string): Promise<void> => {
  await db
    .collection<OutboxRow>(OUTBOX)
    .updateMany({ state: 'waiting', heldBy }, { $set: { state: 'ready' } });
};

/**
 * Releases the rows of holders that died. The holders are remembered for a while, because one may only have stood
 * still.
 */
export const takeOverRows = async (db: Database, clock: Clock): Promise<void> => {
  const holders = db.collection<Holder>(HOLDERS);
  const now = clock().getTime();
  for (const { _id, seenAt } of await holders.find().toArray()) {
    const silentForMs = now - seenAt.getTime();
    if (silentForMs < EXPIRES_AFTER_MS) continue;
    await release(db, _id);
    if (silentForMs > FORGOTTEN_AFTER_MS) await holders.deleteOne({ _id, seenAt });
  }
};
