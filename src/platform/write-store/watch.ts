import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../logger.ts';
import { createLoop, type Loop } from '../loop.ts';
import type { Database } from './database.ts';
import { takeOverRows } from './holders.ts';
import { inShards, OUTBOX, READY, type StoredRow } from './outbox.ts';
import type { Relay } from './relay.ts';
import type { Membership } from './workers.ts';

const LOOK_EVERY_MS = 400;
/** A search may be slow while many rows wait for their retry, so the loop rests for a multiple of its time. */
const REST = { restFactor: 4, restAtMostMs: 5_000 };
const REVIVE_EVERY_MS = 1_000;
const TAKE_OVER_EVERY_MS = 5_000;
const COUNT_DEAD_EVERY_MS = 5_000;

/**
 * Searches the outbox for all relays of this worker at once. It wakes relays with work that no commit in this process
 * announced, makes failed rows ready again when their time has come or their holder has died, and counts dead-lettered
 * rows.
 */
export const startOutboxWatch = (deps: {
  readonly db: Database;
  readonly relays: ReadonlyMap<string, Pick<Relay, 'wake' | 'isBusy'>>;
  readonly membership: Pick<Membership, 'shards'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the number of dead-lettered rows of a consumer. */
  readonly reportDead: (consumer: string, count: number) => void;
}): Loop => {
  const outbox = deps.db.collection<StoredRow>(OUTBOX);
  const consumers = [...deps.relays.keys()];

  const revive = async (): Promise<void> => {
    // One search for all consumers: by the index of retries it costs the same however many rows wait.
    await outbox.updateMany(
      { state: 'waiting', retryAt: { $gte: new Date(0), $lt: deps.clock() } },
      { $set: { state: 'ready' } },
    );
  };

  const countDead = async (): Promise<void> => {
    const dead = await outbox.find({ state: 'dead' }, { projection: { _id: 0, consumer: 1 } }).toArray();
    for (const consumer of consumers)
      deps.reportDead(consumer, dead.filter((row) => row.consumer === consumer).length);
  };

  const look = async (): Promise<void> => {
    // Busy relays are left out. While a store is down they have many rows, and searching would cost as much as reading
    // them.
    const busy = consumers.filter((consumer) => deps.relays.get(consumer)?.isBusy());
    const idle = consumers.filter((consumer) => !busy.includes(consumer));
    const shards = inShards(deps.membership.shards());
    const found = await outbox.distinct('consumer', {
      consumer: { $in: idle },
      state: { $in: [...READY] },
      ...shards,
    });
    for (const consumer of [...busy, ...found]) deps.relays.get(consumer)?.wake();
  };

  const upkeep = [
    atMostEvery(REVIVE_EVERY_MS, revive),
    atMostEvery(TAKE_OVER_EVERY_MS, () => takeOverRows(deps.db, deps.clock)),
    atMostEvery(COUNT_DEAD_EVERY_MS, countDead),
  ];

  return createLoop({
    name: 'watch of the outbox',
    everyMs: LOOK_EVERY_MS,
    ...REST,
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
