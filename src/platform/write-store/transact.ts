import { bulkhead } from 'cockatiel';
import type { Clock } from '../../kernel/clock.ts';
import { unavailable } from '../../kernel/errors.ts';
import type { CommandContext, DomainEvent } from '../../kernel/event.ts';
import type { FindTenant } from '../../kernel/tenant.ts';
import { inTime } from '../in-time.ts';
import { inSpan } from '../tracing.ts';
import { inTransaction, isUnchanged, storeTogether } from './commit.ts';
import { type CommitGroups, createCommitter, NOT_IN_TIME, TRANSACTIONS_AT_ONCE } from './committer.ts';
import { documentsIn, storedReads } from './document-access.ts';
import { mayRunAgain } from './failures.ts';
import type { WriteStore } from './mongo.ts';
import { type Consumer, handedOn, takeRows } from './outbox.ts';
import type { OwnTransaction, Transact, Transaction } from './transaction.ts';
import { type Attempt, untilStored } from './until-stored.ts';
import {
  createPendingDocuments,
  createRecorder,
  isEmpty,
  VersionConflict,
  type WriteSet,
} from './write-set.ts';

/** How long a try that has already begun may exceed the time of the command. */
const LAST_TRY_MS = 1_000;
const SPAN = { attributes: { 'db.system.name': 'mongodb', 'db.operation.name': 'transaction' } };
type TransactDeps = {
  readonly writeStore: WriteStore;
  readonly consumers: readonly Consumer[];
  /** The time of the environment for whose records the command runs. */
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly findTenant: FindTenant;
  readonly commitGroups: CommitGroups;
  /** How long one command may be retried. */
  readonly retryForMs: number;
  /** Called after each commit with the consumers that it left work for, to wake them in this process. */
  readonly onCommit: (consumers: ReadonlySet<string>, events: readonly DomainEvent[]) => void;
  readonly onRetry: () => void;
};

export const createTransact = (deps: TransactDeps): Transact => {
  const { writeStore } = deps;

  const onCommit = (sets: readonly WriteSet[]): void => {
    const rows = sets.flatMap((set) => set.rows);
    deps.onCommit(
      new Set(rows.map(({ consumer }) => consumer)),
      sets.flatMap((set) => set.events),
    );
  };
  const commit = createCommitter({ writeStore, onCommit, groups: deps.commitGroups });

  const storing = { db: writeStore.db, onCommit, onRetry: deps.onRetry };

  const together = <T>(context: CommandContext, work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const giveUpAt = Date.now() + deps.retryForMs;
    const run = (): Promise<T> =>
      untilStored(storing, context, giveUpAt, async (sending) => {
        const attempt = await decide(deps, context, work);
        if (isEmpty(attempt.set)) return attempt;
        sending(attempt);
        await commit(attempt.set, giveUpAt);
        return attempt;
      });
    return inSpan('transaction', SPAN, () => inTime(deps.retryForMs + LAST_TRY_MS, NOT_IN_TIME, run));
  };

  const turns = bulkhead(TRANSACTIONS_AT_ONCE, Number.POSITIVE_INFINITY);
  const runInTurn: Transact['alone'] = <T>(
    context: CommandContext,
    work: (tx: OwnTransaction) => Promise<T>,
  ) => {
    const giveUpAt = Date.now() + deps.retryForMs;
    return turns.execute(() => {
      if (Date.now() > giveUpAt) throw unavailable(NOT_IN_TIME);
      const run = (): Promise<T> =>
        untilStored(storing, context, giveUpAt, async (sending) => {
          const attempt = await runAlone(deps, context, work, giveUpAt, sending);
          onCommit([attempt.set]);
          return attempt;
        });
      return inSpan('transaction', SPAN, () => inTime(giveUpAt + LAST_TRY_MS - Date.now(), NOT_IN_TIME, run));
    });
  };

  return Object.assign(together, { alone: runInTurn });
};

/** Runs a command that stores nothing before it has decided everything. */
const decide = async <T>(
  deps: TransactDeps,
  context: CommandContext,
  work: (tx: Transaction) => Promise<T>,
): Promise<Attempt<T>> => {
  const { db } = deps.writeStore;
  const documents = createPendingDocuments(storedReads(db, context.tenantId), context.tenantId);
  const recorder = createRecorder(deps, context, documents);
  /** Where nothing is stored, no transaction ensures that all reads are of one moment, so this does. */
  const assertOneMoment = async (): Promise<void> => {
    const seen = [...documents.reads(), ...documents.writes()];
    if (seen.length > 1 && !(await isUnchanged(db, seen))) throw new VersionConflict();
  };
  let result: T;
  try {
    result = await work(recorder.tx);
  } catch (refusal) {
    if (!mayRunAgain(refusal)) await assertOneMoment();
    throw refusal;
  }
  const { commit: name, events, rows } = recorder;
  const set = {
    commit: name,
    tenantId: recorder.tenantId(),
    reads: documents.reads(),
    documents: documents.writes(),
    events,
    rows,
    isLeased: recorder.isLeased(),
  };
  if (isEmpty(set)) await assertOneMoment();
  return { result, set };
};

/** Runs a command in a transaction of its own. */
const runAlone = async <T>(
  deps: TransactDeps,
  context: CommandContext,
  work: (tx: OwnTransaction) => Promise<T>,
  giveUpAt: number,
  sending: (attempt: Attempt<T>) => void,
): Promise<Attempt<T>> => {
  const { db } = deps.writeStore;
  return inTransaction(deps.writeStore, giveUpAt, async (session) => {
    const recorder = createRecorder(deps, context, documentsIn(db, session, context.tenantId));
    const { commit: name, events, rows } = recorder;
    const result = await work({
      ...recorder.tx,
      session,
      takeRows: (taken) => takeRows(db, session, taken),
      handOn: (taken, consumer) => {
        rows.push(...taken.map((row) => handedOn(row, consumer)));
      },
    });
    const tenantId = recorder.tenantId();
    const isLeased = recorder.isLeased();
    const set = { commit: name, tenantId, reads: [], documents: [], events, rows, isLeased };
    await storeTogether(db, session, [set]);
    sending({ result, set });
    return { result: { result, set }, stored: [set] };
  });
};
