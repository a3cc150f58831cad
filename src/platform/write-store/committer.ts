import { unavailable } from '../../kernel/errors.ts';
import { Culprits, findLosers, inTransaction, storeTogether } from './commit.ts';
import { isUnknownResult, Uncertain } from './failures.ts';
import { isStoreDown, type WriteStore } from './mongo.ts';
import { keyOf, VersionConflict, type WriteSet } from './write-set.ts';

/** Larger groups collide more often and cost no less for each command. */
const COMMANDS_TOGETHER = 64;

/**
 * Transactions of this process at the same time; further ones wait. More were no faster on any server that was
 * measured, because each needs this process between its statements.
 */
export const TRANSACTIONS_AT_ONCE = 16;

export const NOT_IN_TIME = 'The write store did not take the command in time';

/** Stores a write set before this time; throws `Uncertain` where it may have been stored after all. */
type Commit = (set: WriteSet, giveUpAt: number) => Promise<void>;

type Member = {
  readonly set: WriteSet;
  /** The documents that the write set changes. */
  readonly keys: readonly string[];
  readonly giveUpAt: number;
  /** Whether a transaction with this write set was already sent to be committed, so that it may be stored. */
  wasSent: boolean;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Which commands may share a transaction: on one replica set all of them; on a sharded cluster those of one tenant, so
 * that no transaction spans tenants. Each of these groups has its own transactions in flight.
 */
export const COMMIT_GROUPS = ['all', 'tenant'] as const;
export type CommitGroups = (typeof COMMIT_GROUPS)[number];

/**
 * Stores commands together that arrive in one turn of the event loop, or while a transaction is in flight; none of them
 * waits for others to arrive. A group that fails is divided until the failing command is alone.
 */
export const createCommitter = (deps: {
  readonly writeStore: WriteStore;
  /** Called after each transaction with the write sets that it stored. */
  readonly onCommit: (sets: readonly WriteSet[]) => void;
  readonly groups: CommitGroups;
}): Commit => {
  const { db } = deps.writeStore;
  const groupOf = ({ set }: Member): string => (deps.groups === 'all' ? '' : set.tenantId);
  const atOnce = (): number =>
    deps.groups === 'all' ? db.limits().groupCommitsAtOnce : TRANSACTIONS_AT_ONCE;
  let waiting: Member[] = [];
  let willStart = false;
  /** Documents that transactions in flight write. */
  const taken = new Set<string>();
  /** The commit group of each transaction in flight. */
  const underWay: string[] = [];
  const mayStart = (name: string): boolean =>
    underWay.filter((one) => one === name).length < db.limits().groupCommitsAtOnce;

  const succeed = (members: readonly Member[]): void => {
    deps.onCommit(members.map(({ set }) => set));
    for (const { resolve } of members) resolve();
    // Commands that wait to change one of these documents were decided on its former state.
    const stored = new Set(members.flatMap(({ keys }) => keys));
    const lost = waiting.filter(({ keys }) => keys.some((key) => stored.has(key)));
    waiting = waiting.filter((member) => !lost.includes(member));
    for (const member of lost) fail(member, new VersionConflict());
  };

  const store = async (members: readonly Member[]): Promise<void> => {
    const sets = members.map(({ set }) => set);
    const giveUpAt = Math.min(...members.map((member) => member.giveUpAt));
    try {
      await inTransaction(deps.writeStore, giveUpAt, async (session) => {
        await storeTogether(db, session, sets);
        return { result: undefined, stored: sets };
      });
    } catch (thrown) {
      if (thrown instanceof Uncertain) for (const member of members) member.wasSent = true;
      const error = thrown instanceof Uncertain ? thrown.cause : thrown;
      // Where the store cannot be reached no member is at fault, so each is retried by itself.
      if (members.length === 1 || isUnknownResult(error) || isStoreDown(error))
        for (const member of members) fail(member, error instanceof Culprits ? error.cause : error);
      else await splitGroup(members, error);
      return;
    }
    succeed(members);
  };

  const splitGroup = async (members: readonly Member[], error: unknown): Promise<void> => {
    const sets = members.map(({ set }) => set);
    const documentsOf = ({ documents, reads }: WriteSet) => [...documents, ...reads];
    const lost = new Set(await findLosers(db, sets, documentsOf).catch(() => []));
    for (const member of members.filter(({ set }) => lost.has(set))) fail(member, new VersionConflict());
    const left = members.filter(({ set }) => !lost.has(set));
    for (const part of partsOf(left, error, lost.size > 0)) await store(part);
  };

  const next = (): void => {
    willStart = false;
    while (underWay.length < atOnce()) {
      const { group, others, late } = divideWaiting(waiting, taken, mayStart, groupOf);
      waiting = others;
      for (const member of late) fail(member, unavailable(NOT_IN_TIME));
      const [first] = group;
      if (!first) return;
      const name = groupOf(first);
      const keys = group.flatMap((member) => member.keys);
      for (const key of keys) taken.add(key);
      underWay.push(name);
      void store(group).finally(() => {
        for (const key of keys) taken.delete(key);
        underWay.splice(underWay.indexOf(name), 1);
        next();
      });
    }
  };

  return (set, giveUpAt) =>
    new Promise((resolve, reject) => {
      waiting.push({ set, keys: set.documents.map(keyOf), giveUpAt, wasSent: false, resolve, reject });
      if (willStart || underWay.length >= atOnce()) return;
      willStart = true;
      setImmediate(next);
    });
};

const fail = ({ wasSent, reject }: Member, error: unknown): void =>
  reject(wasSent ? new Uncertain('may be stored', { cause: error }) : error);

/**
 * The parts of a group that are tried next: each member that the error names alone, and the rest together; without
 * names, two halves.
 */
const partsOf = (
  members: readonly Member[],
  error: unknown,
  isSmaller: boolean,
): readonly (readonly Member[])[] => {
  if (error instanceof Culprits) {
    const others = members.filter(({ set }) => !error.sets.has(set));
    const named = members.filter(({ set }) => error.sets.has(set)).map((member) => [member]);
    return others.length === 0 ? named : [others, ...named];
  }
  if (isSmaller || members.length < 2) return members.length === 0 ? [] : [members];
  const middle = Math.ceil(members.length / 2);
  return [members.slice(0, middle), members.slice(middle)];
};

/**
 * Divides the waiting members: a group of those that wait the longest, in which only the first of several that write
 * the same document is included, so that their order stays; all others; and those whose time is over.
 */
const divideWaiting = (
  waiting: readonly Member[],
  taken: ReadonlySet<string>,
  mayStart: (group: string) => boolean,
  groupOf: (member: Member) => string,
) => {
  const now = Date.now();
  const written = new Set(taken);
  const group: Member[] = [];
  const others: Member[] = [];
  const late: Member[] = [];
  for (const member of waiting) {
    // A command that is given up keeps nobody else from the documents that it would have written.
    if (member.giveUpAt < now) {
      late.push(member);
      continue;
    }
    const isOfGroup = group[0] ? groupOf(group[0]) === groupOf(member) : mayStart(groupOf(member));
    const isFree =
      isOfGroup && group.length < COMMANDS_TOGETHER && !member.keys.some((key) => written.has(key));
    for (const key of member.keys) written.add(key);
    if (isFree) group.push(member);
    else others.push(member);
  }
  return { group, others, late };
};
