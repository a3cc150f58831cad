import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../logger.ts';
import { createLoop, type Loop } from '../loop.ts';
import { OUTBOX, type OutboxRow } from './outbox.ts';
import type { Membership } from './workers.ts';

const LOOK_EVERY_MS = 200;
const REVIVE_EVERY_MS = 1_000;
const COUNT_DEAD_EVERY_MS = 5_000;

/**
 * Looks for all relays of this worker at once: wakes those for which there is work that no commit in this process
 * told them of, makes failed rows ready again when their time has come, and counts those that were set aside.
 */
export const startOutboxWatch = (deps: {
  readonly db: Db;
  readonly relays: ReadonlyMap<string, Pick<Loop, 'wake'>>;
  readonly membership: Membership;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rows of a consumer that were set aside. */
  readonly reportDead: (consumer: string, count: number) => void;
}): Loop => {
  const outbox = deps.db.collection<OutboxRow>(OUTBOX);
  const consumers = [...deps.relays.keys()];
  const inState = (state: OutboxRow['state']) => ({ consumer: { $in: consumers }, state });

  const revive = async (): Promise<void> => {
    // Of whatever consumer: through the index of retries it is all the same how many wait.
    await outbox.updateMany(
      { state: 'waiting', retryAt: { $gte: new Date(0), $lt: deps.clock() } },
      { $set: { state: 'ready' } },
    );
  };

  const countDead = async (): Promise<void> => {
    const dead = await outbox.find(inState('dead'), { projection: { _id: 0, consumer: 1 } }).toArray();
    for (const consumer of consumers)
      deps.reportDead(consumer, dead.filter((row) => row.consumer === consumer).length);
  };

  const look = async (): Promise<void> => {
    const shard = { $in: [...deps.membership.shards()] };
    for (const consumer of await outbox.distinct('consumer', { ...inState('ready'), shard }))
      deps.relays.get(consumer)?.wake();
  };

  const upkeep = [atMostEvery(REVIVE_EVERY_MS, revive), atMostEvery(COUNT_DEAD_EVERY_MS, countDead)];

  return createLoop({
    name: 'watch of the outbox',
    everyMs: LOOK_EVERY_MS,
    logger: deps.logger,
    async round() {
      for (const work of upkeep) await work();
      await look();
      return false;
    },
  });
};

const atMostEvery = (ms: number, work: () => Promise<void>): (() => Promise<void>) => {
  let doneAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - doneAt < ms) return;
    doneAt = performance.now();
    await work();
  };
};
