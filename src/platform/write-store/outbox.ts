import { type Db, type Filter, ObjectId } from 'mongodb';

export const OUTBOX = 'outbox';

/** How many parts the work of each consumer is cut into; workers share them out (relay.ts). */
export const SHARDS = 16;

/** A reader of the outbox. `wants` chooses the events; a consumer of appended documents wants none. */
export type Consumer = {
  readonly name: string;
  wants(resource: string, eventType: string): boolean;
};

/** One piece of work for one consumer, written in the transaction that caused it, deleted when it is done. */
export type OutboxRow = {
  readonly _id: ObjectId;
  readonly consumer: string;
  /** `ready` to be taken, `waiting` for `retryAt` after a failure, `dead` after the last one. */
  readonly state: 'ready' | 'waiting' | 'dead';
  readonly shard: number;
  /** Id of the event or of the appended document. */
  readonly subject: string;
  /** What must not be worked on by two at a time: the resource, or the ledger's owner. */
  readonly key: string;
  readonly commit: string;
  readonly failures: number;
  readonly retryAt: Date | null;
  /** The process that does this work itself for as long as it lives (holders.ts); absent for all other rows. */
  readonly heldBy?: string;
  readonly error: string | null;
  readonly createdAt: Date;
};

export const outboxRow = (
  consumer: string,
  subject: string,
  key: string,
  commit: string,
  createdAt: Date,
): OutboxRow => ({
  _id: new ObjectId(),
  consumer,
  state: 'ready',
  shard: shardOf(key),
  subject,
  key,
  commit,
  failures: 0,
  retryAt: null,
  error: null,
  createdAt,
});

/** FNV-1a: spreads keys evenly and is the same in every process. */
export const shardOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return hash % SHARDS;
};

/** Selects rows in these shards; whoever has all of them need not search the index for each. */
export const inShards = (shards: readonly number[]): Filter<OutboxRow> =>
  shards.length === SHARDS ? {} : { shard: { $in: [...shards] } };

/** Whether every row of these commits is done for this consumer; a dead row never is. */
export const areDone = async (db: Db, consumer: string, commits: readonly string[]): Promise<boolean> =>
  (await db
    .collection<OutboxRow>(OUTBOX)
    .findOne({ commit: { $in: [...commits] }, consumer }, { projection: { _id: 1 } })) === null;

/** Commits that this consumer has not worked off at this moment; rows that were set aside hold up nobody. */
export const outstandingCommits = async (db: Db, consumer: string): Promise<string[]> => {
  const rows = await db
    .collection<OutboxRow>(OUTBOX)
    .find({ consumer, state: { $in: ['ready', 'waiting'] } }, { projection: { _id: 0, commit: 1 } })
    .toArray();
  return [...new Set(rows.map((row) => row.commit))];
};

/** Selects the rows of one key that a consumer has not worked off, dead ones included, through the readers' index. */
export const outstandingOf = (consumer: string, key: string): Filter<OutboxRow> => ({
  consumer,
  state: { $in: ['ready', 'waiting', 'dead'] },
  shard: shardOf(key),
  key,
});
