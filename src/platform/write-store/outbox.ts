import { type ClientSession, type Db, type Filter, ObjectId } from 'mongodb';

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
  /** Subject that two workers must not work on at a time: the resource, or the ledger's owner. */
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

/** Commits that this consumer has not worked off at this moment; dead-lettered rows hold up nobody. */
export const outstandingCommits = async (db: Db, consumer: string): Promise<string[]> => {
  const rows = await db
    .collection<OutboxRow>(OUTBOX)
    .find({ consumer, state: { $in: ['ready', 'waiting'] } }, { projection: { _id: 0, commit: 1 } })
    .toArray();
  return [...new Set(rows.map((row) => row.commit))];
};

/** The rows of one key that a consumer has not worked off, dead ones included. */
export const outstandingRows = (
  db: Db,
  consumer: string,
  key: string,
  options: { readonly limit?: number; readonly session?: ClientSession } = {},
): Promise<readonly OutboxRow[]> =>
  db
    .collection<OutboxRow>(OUTBOX)
    // Through the index of the relays.
    .find({ consumer, state: { $in: ['ready', 'waiting', 'dead'] }, shard: shardOf(key), key }, options)
    .toArray();

/** Rows that a consumer will still work off: of all subjects, or of these. */
export const liveRows = async (
  db: Db,
  consumer: string,
  subjects: readonly string[] | null = null,
): Promise<readonly Pick<OutboxRow, 'subject' | 'key'>[]> => {
  const rows = await db
    .collection<OutboxRow>(OUTBOX)
    .find(
      { consumer, ...(subjects ? { subject: { $in: [...subjects] } } : {}) },
      { projection: { subject: 1, key: 1, state: 1 } },
    )
    .toArray();
  return rows.filter(({ state }) => state !== 'dead');
};

/** When the oldest row of these consumers was written that they will still work off; null where there is none. */
export const oldestLiveRow = async (db: Db, consumers: readonly string[]): Promise<Date | null> => {
  const [found] = await db
    .collection<OutboxRow>(OUTBOX)
    .aggregate<{ oldest: Date }>([
      { $match: { consumer: { $in: [...consumers] }, state: { $in: ['ready', 'waiting'] } } },
      { $group: { _id: null, oldest: { $min: '$createdAt' } } },
    ])
    .toArray();
  return found?.oldest ?? null;
};

/** How many rows consumers will still work off. */
export const countLiveRows = (db: Db): Promise<number> =>
  db.collection<OutboxRow>(OUTBOX).countDocuments({ state: { $in: ['ready', 'waiting'] } });

/** Leaves work in a transaction; without one it is work that is known by other means where it is lost. */
export const addRows = async (db: Db, rows: readonly OutboxRow[], session?: ClientSession): Promise<void> => {
  if (rows.length === 0) return;
  await db.collection<OutboxRow>(OUTBOX).insertMany([...rows], session ? { session } : {});
};

/** The rows of one commit. */
export const rowsOfCommit = (db: Db, session: ClientSession, commit: string): Promise<readonly OutboxRow[]> =>
  db.collection<OutboxRow>(OUTBOX).find({ commit }, { session }).toArray();

/** Takes away the rows of one commit in a transaction that does their work; answers how many there were. */
export const takeCommit = async (db: Db, session: ClientSession, commit: string): Promise<number> =>
  (await db.collection<OutboxRow>(OUTBOX).deleteMany({ commit }, { session })).deletedCount;

/** Takes rows away in a transaction that does their work; answers those that nobody has taken before. */
export const takeRows = async (
  db: Db,
  session: ClientSession,
  rows: readonly OutboxRow[],
): Promise<readonly OutboxRow[]> => {
  const outbox = db.collection<OutboxRow>(OUTBOX);
  const ids = rows.map((row) => row._id);
  const left = await outbox.find({ _id: { $in: ids } }, { session }).toArray();
  if (left.length > 0) await outbox.deleteMany({ _id: { $in: left.map((row) => row._id) } }, { session });
  return left;
};

/** The same work for another consumer, under the commit and time of the command that caused it. */
export const handedOn = ({ subject, key, commit, createdAt }: OutboxRow, consumer: string): OutboxRow =>
  outboxRow(consumer, subject, key, commit, createdAt);
