import { setTimeout as sleep } from 'node:timers/promises';
import { bulkhead } from 'cockatiel';
import { type ClientSession, MongoError, MongoServerError } from 'mongodb';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { CommandContext, Decision, DomainEvent, Resource } from '../../kernel/event.ts';
import { newCommitId, newId } from '../../kernel/ids.ts';
import type { Store } from '../../kernel/store.ts';
import { AUDIT_LOG, type Audited, auditEntry, environmentOf } from './audit.ts';
import { AUDIT_CHAIN_CONSUMER, AUDIT_CHAIN_KEY, newAuditSecret } from './audit-chain.ts';
import { isDuplicateKey, isStoreDown, RESOURCE_ONLY, type WriteStore } from './mongo.ts';
import { type Consumer, OUTBOX, type OutboxRow, outboxRow } from './outbox.ts';

export const DOMAIN_EVENTS = 'domain_events';

/** Time that one command may spend on retrying its transaction. */
const RETRY_FOR_MS = 8_000;
/**
 * Transactions of this process at once; the others wait. More are no faster anywhere, as each needs this process
 * between its statements, and they slow each other down: in the local server each statement waits for all others.
 */
const AT_ONCE = 16;
const NOT_IN_TIME = 'The write store did not take the command in time';

/** Thrown where a document changed since it was read; the transaction runs again on fresh state. */
class VersionConflict extends Error {}

export type Transaction = {
  readonly session: ClientSession;
  /** Names what this transaction commits, for outbox rows that are handed on. */
  readonly commit: string;
  /** The resource as this transaction sees it. */
  get<T extends Resource>(from: Store<T>, id: string): Promise<T | null>;
  /**
   * Saves what a rule decided: the resource (if its version is still that of `previous`), the event and an outbox
   * row for every consumer that wants it. Null as `previous` creates it. `secret` is stored beside the resource
   * and in no event. The audit log records an operator's change, and every change where the store says so.
   */
  record<T extends Resource>(
    into: Store<T>,
    previous: T | null,
    decision: Decision<T>,
    secret?: object,
  ): Promise<T>;
  /** Records in the audit log what changed nothing but must leave a trace, such as the reading of a secret. */
  audit(audited: Audited): Promise<void>;
  /** Saves something that never changes and has no event, with a row for `consumer` under each of `keys`. */
  append(
    collection: string,
    document: { readonly _id: string },
    consumer: string,
    keys: readonly string[],
  ): Promise<void>;
  /** Hands work on to consumers, besides what follows from `record` and `append`. */
  enqueue(rows: readonly OutboxRow[]): void;
};

/** Runs `work` in a transaction, again where it collided with another one. `work` may run several times. */
export type Transact = <T>(context: CommandContext, work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** The event of a decision that led to `data`. */
export const eventOf = <T extends Resource>(
  resource: string,
  type: string,
  data: T,
  id: string,
  at: Date,
  { actor, requestId }: CommandContext,
): DomainEvent<T> => ({
  id,
  type,
  resource,
  resourceId: data.id,
  version: data.version,
  at: timestamp(at),
  actor,
  requestId,
  data,
});

type Attempt<T> = {
  readonly result: T;
  readonly firstEventId: string | null;
  readonly commit: string;
  readonly consumers: ReadonlySet<string>;
  readonly eventTypes: readonly string[];
};

export const createTransact = (deps: {
  readonly writeStore: WriteStore;
  readonly consumers: readonly Consumer[];
  readonly clock: Clock;
  /** Called after each commit with those that it left work for, to wake their readers in this process. */
  readonly onCommit: (consumers: ReadonlySet<string>, eventTypes: readonly string[]) => void;
  readonly onRetry: () => void;
}): Transact => {
  const { client, db } = deps.writeStore;

  const attempt = async <T>(
    session: ClientSession,
    context: CommandContext,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<Attempt<T>> => {
    const commit = newCommitId();
    const rows: OutboxRow[] = [];
    const events: (DomainEvent & { _id: string })[] = [];
    const save: Transaction['record'] = async (into, previous, decision, secret) => {
      const data = { ...decision.data, version: (previous?.version ?? 0) + 1 };
      const documents = db.collection<{ _id: string; version: number }>(into.collection);
      const stored = secret ? { ...data, secret } : data;
      if (previous) {
        const { matchedCount } = await documents.updateOne(
          { _id: data.id, version: previous.version },
          { $set: stored },
          { session },
        );
        if (matchedCount === 0) throw new VersionConflict();
      } else {
        await documents.insertOne({ ...stored, _id: data.id }, { session });
      }
      const id = newId('evt');
      const at = deps.clock();
      events.push({ _id: id, ...eventOf(into.resource, decision.type, data, id, at, context) });
      for (const consumer of deps.consumers) {
        if (consumer.wants(into.resource, decision.type))
          rows.push(outboxRow(consumer.name, id, data.id, commit, at));
      }
      return data;
    };
    const audit = async (
      audited: Audited,
      before: Resource | null = null,
      after: Resource | null = null,
    ): Promise<void> => {
      const entry = auditEntry(context, { ...audited, before, after }, newId('aud'), deps.clock());
      const { id } = await save(AUDIT_LOG, null, entry, newAuditSecret());
      rows.push(outboxRow(AUDIT_CHAIN_CONSUMER, id, AUDIT_CHAIN_KEY, commit, deps.clock()));
    };
    const tx: Transaction = {
      session,
      commit,
      get: <T extends Resource>(from: Store<T>, id: string) =>
        db
          .collection<{ _id: string }>(from.collection)
          .findOne<T>({ _id: id }, { session, projection: RESOURCE_ONLY }),
      async record(into, previous, decision, secret) {
        const data = await save(into, previous, decision, secret);
        if (context.actor.kind === 'operator' || into.auditsEverybody) {
          const { resource } = into;
          const livemode = environmentOf(data);
          await audit({ type: decision.type, resource, resourceId: data.id, livemode }, previous, data);
        }
        return data;
      },
      audit: (audited) => audit(audited),
      async append(collection, document, consumer, keys) {
        await db.collection<{ _id: string }>(collection).insertOne(document, { session });
        for (const key of keys) rows.push(outboxRow(consumer, document._id, key, commit, deps.clock()));
      },
      enqueue: (more) => {
        rows.push(...more);
      },
    };
    const result = await work(tx);
    if (events.length > 0)
      await db.collection<{ _id: string }>(DOMAIN_EVENTS).insertMany(events, { session });
    if (rows.length > 0) await db.collection<OutboxRow>(OUTBOX).insertMany(rows, { session });
    const consumers = new Set(rows.map((row) => row.consumer));
    const eventTypes = events.map((event) => event.type);
    return { result, firstEventId: events[0]?.id ?? null, commit, consumers, eventTypes };
  };

  /** The attempt whose commit failed but took effect, if there is one: its event is in the store. */
  const findCommitted = async <T>(uncertain: readonly Attempt<T>[]): Promise<Attempt<T> | null> => {
    const ids = uncertain.flatMap(({ firstEventId }) => firstEventId ?? []);
    if (ids.length === 0) return null;
    const event = await db
      .collection<{ _id: string }>(DOMAIN_EVENTS)
      .findOne({ _id: { $in: ids } }, { projection: { _id: 1 }, readConcern: { level: 'majority' } });
    return uncertain.find(({ firstEventId }) => firstEventId !== null && firstEventId === event?._id) ?? null;
  };

  /**
   * Commits, and again where the answer leaves open whether it was done: a commit that has not arrived leaves its
   * transaction open for a minute, in the way of whoever wants to change the same documents, ourselves included.
   */
  const commit = async <T>(
    session: ClientSession,
    attempted: Attempt<T>,
    giveUpAt: number,
  ): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await session.commitTransaction();
        return;
      } catch (error) {
        if (!hasLabel(error, 'UnknownTransactionCommitResult') || Date.now() > giveUpAt) throw error;
        if (await findCommitted([attempted]).catch(() => null)) return;
        await pauseAfter(tries);
      }
    }
  };

  const run = async <T>(
    context: CommandContext,
    work: (tx: Transaction) => Promise<T>,
    giveUpAt: number,
  ): Promise<T> => {
    const uncertain: Attempt<T>[] = [];
    const finish = ({ result, commit, consumers, eventTypes }: Attempt<T>): T => {
      context.commits.push(commit);
      deps.onCommit(consumers, eventTypes);
      return result;
    };
    for (let tries = 1; ; tries += 1) {
      const session = client.startSession();
      let attempted: Attempt<T> | null = null;
      try {
        session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
        attempted = await attempt(session, context, work);
        await commit(session, attempted, giveUpAt);
        return finish(attempted);
      } catch (error) {
        if (attempted === null) await session.abortTransaction().catch(() => undefined);
        // Whatever the error says: the driver sends a commit twice, and the answer may be that to the second.
        else uncertain.push(attempted);
        let reason = error;
        try {
          // Also before a refusal by a rule is believed: it may have seen the effect of our own earlier try.
          const committed = await findCommitted(uncertain);
          if (committed) return finish(committed);
        } catch (unknown) {
          reason = unknown;
        }
        if (!mayRunAgain(reason)) throw reason;
        if (Date.now() > giveUpAt) throw unavailable(NOT_IN_TIME, error);
        deps.onRetry();
        await pauseAfter(tries);
      } finally {
        await session.endSession();
      }
    }
  };

  const places = bulkhead(AT_ONCE, Number.POSITIVE_INFINITY);
  return (context, work) => {
    const giveUpAt = Date.now() + RETRY_FOR_MS;
    return places.execute(() => {
      if (Date.now() > giveUpAt) throw unavailable(NOT_IN_TIME);
      return run(context, work, giveUpAt);
    });
  };
};

/** Waits at random, so that those who collided do not meet again, and longer from one try to the next. */
const pauseAfter = (tries: number): Promise<void> => sleep(Math.random() * Math.min(200, 5 * tries));

const hasLabel = (error: unknown, label: string): boolean =>
  error instanceof MongoError && error.hasErrorLabel(label);

/** A lost race or a lost connection; a unique key that a racing transaction took first is a lost race too. */
const mayRunAgain = (error: unknown): boolean =>
  error instanceof VersionConflict ||
  hasLabel(error, 'TransientTransactionError') ||
  hasLabel(error, 'UnknownTransactionCommitResult') ||
  isDuplicateKey(error) ||
  isWriteConflict(error) ||
  isStoreDown(error);

const isWriteConflict = (error: unknown): boolean => error instanceof MongoServerError && error.code === 112;
