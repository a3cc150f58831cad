import { type ClientSession, ObjectId } from 'mongodb';
import type { TenantId } from '../../kernel/tenant.ts';
import type { Traced } from '../tracing.ts';
import type { Database, Wanted } from './database.ts';
import { inParts } from './mongo.ts';
import { named, ofTenants } from './spread.ts';

export const OUTBOX = 'outbox';

/** Possible numbers of parts of a consumer's work, which workers share (relay.ts). */
export const SHARD_COUNTS = [1, 2, 4, 8, 16, 32, 64] as const;
export type ShardCount = (typeof SHARD_COUNTS)[number];
/** The number of shards that this many workers need. */
export const shardsFor = (workers: number): ShardCount =>
  SHARD_COUNTS.find((count) => count >= workers) ?? SHARDS;

/** The number of shards that a row is assigned to, whatever number the writing process has set. */
export const SHARDS = 64;

/** A consumer of the outbox. `wants` selects the events; a consumer of appended documents wants none. */
export type Consumer = {
  readonly name: string;
  wants(resource: string, eventType: string): boolean;
};

/** Prefix of consumers that feed a view. Versions decide what a view keeps, so their work needs no order. */
export const VIEW_CONSUMERS = 'view-';

/** One piece of work for one consumer. It is written in the transaction that caused it, and deleted when it is done. */
export type OutboxRow = Traced & {
  /** All pieces of a joined row share its id. */
  readonly _id: ObjectId;
  readonly consumer: string;
  /** `ready` to be taken, `waiting` for `retryAt` after a failure, or `dead` after the last failure. */
  readonly state: 'ready' | 'waiting' | 'dead';
  /** Part of the consumer's work, one of 64 until the row is stored; one worker at a time handles it. */
  readonly shard: number;
  /** Id of the event or of the appended document. */
  readonly subject: string;
  /** A subject that two workers must not handle at the same time: the resource, or the ledger's owner. */
  readonly key: string;
  readonly commit: string;
  /** The tenant of the subject; absent in rows of version 1.0, and in joined rows of several tenants. */
  readonly tenantId?: TenantId;
  readonly failures: number;
  readonly retryAt: Date | null;
  /** The process that does this work itself for as long as it lives (holders.ts); absent for all other rows. */
  readonly heldBy?: string;
  readonly error: string | null;
  readonly createdAt: Date;
};

/**
 * Several pieces of work that one commit left for a consumer, in one document. Members at the same place in the lists
 * belong to one piece. Version 1.0 does not know this state, so its workers leave these rows alone.
 */
type JoinedRow = Omit<OutboxRow, 'state' | 'subject' | 'key' | 'commit' | 'traceparent'> & {
  readonly state: 'joined';
  readonly subject: readonly string[];
  readonly key: readonly string[];
  readonly commit: readonly string[];
  /** Absent where none of the pieces is traced. */
  readonly traceparent?: readonly (string | null)[];
};

/** A document of the collection. A search by subject, key or commit finds both kinds. */
export type StoredRow = OutboxRow | JoinedRow;

/** States in which a row can be taken. */
export const READY: readonly StoredRow['state'][] = ['ready', 'joined'];
/** States of rows that a consumer will still handle. */
const LIVE: readonly StoredRow['state'][] = [...READY, 'waiting'];

export const outboxRow = (
  consumer: string,
  subject: string,
  key: string,
  commit: string,
  createdAt: Date,
  tenantId: TenantId | null = null,
): OutboxRow => ({
  _id: new ObjectId(),
  consumer,
  state: 'ready',
  shard: shardOf(key),
  subject,
  key,
  commit,
  ...(tenantId === null ? {} : { tenantId }),
  failures: 0,
  retryAt: null,
  error: null,
  createdAt,
});

/**
 * FNV-1a, which spreads keys evenly and is the same in every process. The part out of a smaller number of parts follows
 * from it.
 */
export const shardOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return hash % SHARDS;
};

/**
 * Joins ready pieces into as few rows as there are consumers and shards, fifty pieces a row at most. Pieces of several
 * tenants are joined unless `tenantOf` tells them apart.
 */
export const joinRows = (
  rows: readonly OutboxRow[],
  tenantOf: (row: OutboxRow) => TenantId | null = () => null,
): readonly StoredRow[] => {
  const groups = new Map<string, OutboxRow[]>();
  for (const row of rows) {
    const part = row.consumer.startsWith(VIEW_CONSUMERS) ? '' : row.shard;
    const name = row.state === 'ready' ? `${row.consumer} ${part} ${tenantOf(row)}` : row._id.toHexString();
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups.values()].flatMap((group) => inParts(group).map(joined));
};

const joined = (rows: readonly OutboxRow[]): StoredRow => {
  const [first] = rows as readonly [OutboxRow, ...OutboxRow[]];
  if (rows.length === 1) return first;
  const { traceparent: _, tenantId, ...shared } = first;
  return {
    ...shared,
    ...(tenantId !== undefined && rows.every((row) => row.tenantId === tenantId) ? { tenantId } : {}),
    ...(rows.some(({ traceparent }) => traceparent !== undefined)
      ? { traceparent: rows.map(({ traceparent = null }) => traceparent) }
      : {}),
    state: 'joined',
    subject: rows.map(({ subject }) => subject),
    key: rows.map(({ key }) => key),
    commit: rows.map(({ commit }) => commit),
    createdAt: new Date(Math.min(...rows.map(({ createdAt }) => createdAt.getTime()))),
  };
};

/** The pieces of work in a stored row. */
export const piecesOf = (row: StoredRow): readonly OutboxRow[] =>
  row.state === 'joined'
    ? row.subject.map((subject, place) => {
        const { traceparent, ...shared } = row;
        return {
          ...shared,
          state: 'ready',
          subject,
          key: String(row.key[place]),
          commit: String(row.commit[place]),
          ...(traceparent ? { traceparent: traceparent[place] ?? null } : {}),
        };
      })
    : [row];

/** Selects the rows of these shards. Where they are all shards, no condition is needed. */
export const inShards = (shards: readonly number[]): { readonly shard?: { readonly $in: number[] } } =>
  shards.length === SHARDS ? {} : { shard: { $in: [...shards] } };

/** Whether every row of these commits is done for this consumer; a dead-lettered row never is. */
export const areDone = async (db: Database, consumer: string, commits: readonly string[]): Promise<boolean> =>
  commits.length === 0 ||
  (await db
    .collection<StoredRow>(OUTBOX)
    .findOne({ commit: { $in: [...commits] }, consumer }, { projection: { _id: 1 } })) === null;

/** Commits that this consumer has not handled yet; dead-lettered rows hold up nobody. */
export const outstandingCommits = async (db: Database, consumer: string): Promise<string[]> => {
  const rows = await db
    .collection<StoredRow>(OUTBOX)
    .find({ consumer, state: { $in: [...LIVE] } }, { projection: { _id: 0, commit: 1 } })
    .toArray();
  return [...new Set(rows.flatMap((row) => row.commit))];
};

/** Selects rows of these tenants, and rows that name none; all rows where a tenant is unknown. */
const ofKnownTenants = (db: Database, wanted: readonly Wanted[]) => {
  const tenants = wanted.map(({ tenantId }) => tenantId);
  return tenants.includes(null) ? {} : ofTenants(db, OUTBOX, [...tenants, null]);
};

/** Part of a filter that restricts a statement to the shards with these rows. */
export const whereRowsLie = (db: Database, rows: readonly Pick<OutboxRow, 'tenantId'>[]) =>
  ofTenants(
    db,
    OUTBOX,
    rows.map(({ tenantId = null }) => tenantId),
  );

/** Work with these keys that a consumer has not done, including dead-lettered rows. */
export const outstandingRows = async (
  db: Database,
  consumer: string,
  wanted: readonly Wanted[],
  options: { readonly limit?: number; readonly session?: ClientSession } = {},
): Promise<readonly OutboxRow[]> => {
  const keys = wanted.map(({ value }) => value);
  // This search uses the same index as the relays.
  const shards = keys.flatMap((key) => SHARD_COUNTS.map((count) => shardOf(key) % count));
  const place = {
    consumer,
    state: { $in: [...LIVE, 'dead'] as const },
    shard: { $in: [...new Set(shards)] },
  };
  const rows = await db
    .collection<StoredRow>(OUTBOX)
    .find(
      { ...place, key: { $in: [...keys] }, ...ofKnownTenants(db, wanted) },
      options.session ? options : { ...options, readConcern: { level: 'majority' } },
    )
    .toArray();
  return rows.flatMap(piecesOf).filter(({ key }) => keys.includes(key));
};

/** Work that a consumer will still do: all of it, or that about these subjects. */
export const liveRows = async (
  db: Database,
  consumer: string,
  subjects: readonly string[] | null = null,
): Promise<readonly Pick<OutboxRow, 'subject' | 'key'>[]> => {
  const rows = await db
    .collection<StoredRow>(OUTBOX)
    .find({ consumer, ...(subjects ? { subject: { $in: [...subjects] } } : {}) })
    .toArray();
  return rows.flatMap(piecesOf).filter(({ state }) => state !== 'dead');
};

/** When the oldest row that these consumers will still handle was written; null where there is none. */
export const oldestLiveRow = async (db: Database, consumers: readonly string[]): Promise<Date | null> => {
  const [found] = await db
    .collection<StoredRow>(OUTBOX)
    .aggregate<{ oldest: Date }>([
      { $match: { consumer: { $in: [...consumers] }, state: { $in: [...LIVE] } } },
      { $group: { _id: null, oldest: { $min: '$createdAt' } } },
    ])
    .toArray();
  return found?.oldest ?? null;
};

/** Whether a row waits for one of these consumers, other than for a retry after a failure. */
export const isAnyRowReady = async (db: Database, consumers: readonly string[]): Promise<boolean> =>
  (await db
    .collection<StoredRow>(OUTBOX)
    .findOne(
      { consumer: { $in: [...consumers] }, state: { $in: [...READY] } },
      { projection: { _id: 1 } },
    )) !== null;

/** How many rows consumers will still handle. */
export const countLiveRows = (db: Database): Promise<number> =>
  db.collection<StoredRow>(OUTBOX).countDocuments({ state: { $in: [...LIVE] } });

/** Work that no transaction causes, so that it can be found again if it is lost. */
type Work = Traced & Pick<OutboxRow, 'consumer' | 'subject' | 'key' | 'commit' | 'tenantId'>;

/** Adds work for consumers outside a transaction; inside one, use the transaction's `enqueue`. */
export const enqueueWork = (db: Database, work: readonly Work[]): Promise<void> => {
  const now = new Date();
  return addRows(
    db,
    work.map((one) => ({
      ...outboxRow(one.consumer, one.subject, one.key, one.commit, now, one.tenantId),
      ...traceOf(one),
    })),
  );
};

/** Adds work for consumers, in a transaction where a session is given. */
export const addRows = async (
  db: Database,
  rows: readonly OutboxRow[],
  session?: ClientSession,
): Promise<void> => {
  if (rows.length === 0) return;
  const { outboxShards } = db.layout;
  const cut = rows.map((row) => ({ ...row, shard: row.shard % outboxShards }));
  const documents = joinRows(cut, ({ tenantId = null }) => named(db, OUTBOX, tenantId));
  await db.collection<StoredRow>(OUTBOX).insertMany([...documents], session ? { session } : {});
};

/** The work that one commit left. */
export const rowsOfCommit = async (
  db: Database,
  session: ClientSession,
  commit: string,
): Promise<readonly OutboxRow[]> => {
  const rows = await db.collection<StoredRow>(OUTBOX).find({ commit }, { session }).toArray();
  return rows.flatMap(piecesOf).filter((row) => row.commit === commit);
};

/** Removes the rows of one commit in a transaction that does their work; returns how many there were. */
export const takeCommit = async (db: Database, session: ClientSession, commit: string): Promise<number> =>
  (await db.collection<StoredRow>(OUTBOX).deleteMany({ commit }, { session })).deletedCount;

/** Removes work in the transaction that does it; returns the pieces that nobody had taken before. */
export const takeRows = async (
  db: Database,
  session: ClientSession,
  rows: readonly OutboxRow[],
): Promise<readonly OutboxRow[]> => {
  const outbox = db.collection<StoredRow>(OUTBOX);
  const nameOf = ({ _id, subject, key }: OutboxRow): string => `${_id.toHexString()} ${subject} ${key}`;
  const wanted = new Set(rows.map(nameOf));
  const ids = new Map(rows.map(({ _id }) => [_id.toHexString(), _id]));
  const stored = await outbox
    .find({ _id: { $in: [...ids.values()] }, ...whereRowsLie(db, rows) }, { session })
    .toArray();
  const leftOf = (row: StoredRow) => piecesOf(row).filter((piece) => !wanted.has(nameOf(piece)));
  const done = stored.filter((row) => leftOf(row).length === 0);
  if (done.length > 0)
    await outbox.deleteMany(
      { _id: { $in: done.map(({ _id }) => _id) }, ...whereRowsLie(db, done) },
      { session },
    );
  for (const row of stored.filter((one) => !done.includes(one)))
    await outbox.updateOne(
      { _id: row._id, ...whereRowsLie(db, [row]) },
      { $set: joined(leftOf(row)) },
      { session },
    );
  return stored.flatMap(piecesOf).filter((piece) => wanted.has(nameOf(piece)));
};

/** Subjects of rows, with their tenants. */
export const subjectsOf = (rows: readonly OutboxRow[]): readonly Wanted[] =>
  rows.map(({ subject, tenantId = null }) => ({ value: subject, tenantId }));

/** A row's work for another consumer, with the commit and time of the command that caused it. */
export const handedOn = (row: OutboxRow, consumer: string): OutboxRow => ({
  ...outboxRow(consumer, row.subject, row.key, row.commit, row.createdAt, row.tenantId),
  ...traceOf(row),
});

/** The trace that a row carries. */
export const traceOf = ({ traceparent }: Traced): Traced => (traceparent ? { traceparent } : {});
