import type { Clock } from '../../kernel/clock.ts';
import { WAIT_AT_MOST_MS } from '../../platform/read-store/consistency.ts';
import { viewConsumerName } from '../../platform/read-store/projector.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { collections, type Migration } from '../../platform/write-store/migrate.ts';
import { oldestLiveRow } from '../../platform/write-store/outbox.ts';
import { CHARGES_VIEW } from '../charges/read/charge.view.ts';
import { LEDGER_CONSUMER } from '../ledger/write/ledger.store.ts';
import { STATEMENT } from '../ledger/write/statement-line.ts';
import { CHECKPOINTS } from './checks/statements.store.ts';
import { DIFFERENCES } from './differences.store.ts';
import { MARKS, type Marks, oldestOf } from './marks.store.ts';

const STATE = 'ledger_check';

export const reconciliationMigrations: readonly Migration[] = [
  collections('230-ledger-check', {
    [DIFFERENCES]: [{ key: { status: 1 } }],
    [MARKS]: [{ key: { shard: 1 } }],
    [CHECKPOINTS]: [],
    [STATE]: [],
  }),
];

/**
 * Consumers of the outbox whose rows tell which records have changed: the view of charges by their ids, the view of
 * statements by journals and owners.
 */
const WITNESSED: readonly string[] = [viewConsumerName(CHARGES_VIEW.name), viewConsumerName(STATEMENT)];

/** Marks the records that those consumers' rows are about, once the rows are worked off. */
export const createWitness = (marks: Pick<Marks, 'add'>) => ({ consumers: WITNESSED, hear: marks.add });

/** The outbox consumer for records that change seldom. */
export const LEDGER_CHECK = 'ledger-check';

/** How far the check of the ledger has come. */
export type CheckState = {
  /** Everything that was committed before this time has been checked; null until a full check has ended. */
  readonly checkedUpTo: Date | null;
  /** When the last full check that has ended began and ended. */
  readonly fullCheck: { readonly startedAt: Date; readonly endedAt: Date } | null;
};

export type CheckStates = {
  get(): Promise<CheckState>;
  /** Asks the check to hurry, because somebody waits until everything up to this time is checked. */
  want(upTo: Date): Promise<void>;
  /** Whether somebody waits for a time that is not checked yet. */
  isWanted(): Promise<boolean>;
  /** Moves `checkedUpTo` forward to the time up to which everything is checked by now. */
  advance(): Promise<void>;
  endFullCheck(startedAt: Date): Promise<void>;
};

export const createCheckStates = (deps: {
  readonly db: Database;
  readonly marks: Pick<Marks, 'oldest'>;
  readonly clock: Clock;
}): CheckStates => {
  const { db, clock } = deps;
  const states = db.collection<Partial<CheckState> & { _id: string; readonly wantedUpTo?: Date }>(STATE);
  const save = (update: object) => states.updateOne({ _id: 'state' }, update, { upsert: true });

  return {
    async get() {
      const { checkedUpTo = null, fullCheck = null } = (await states.findOne({ _id: 'state' })) ?? {};
      return { checkedUpTo: fullCheck && checkedUpTo, fullCheck };
    },

    async want(upTo) {
      await save({ $max: { wantedUpTo: upTo } });
    },

    async isWanted() {
      const { wantedUpTo, checkedUpTo } = (await states.findOne({ _id: 'state' })) ?? {};
      // Nobody waits for longer than this.
      const since = clock().getTime() - WAIT_AT_MOST_MS;
      return wantedUpTo !== undefined && wantedUpTo > (checkedUpTo ?? 0) && wantedUpTo.getTime() > since;
    },

    async advance() {
      const now = clock();
      // These reads follow the way of a change through the consumers, so that none passes by unseen. Dead-lettered rows
      // were marked when they failed.
      const waiting = [
        await oldestLiveRow(db, [LEDGER_CONSUMER.name]),
        await oldestLiveRow(db, [...WITNESSED, LEDGER_CHECK]),
        await deps.marks.oldest(),
      ];
      await save({ $max: { checkedUpTo: oldestOf([now, ...waiting]) } });
    },

    async endFullCheck(startedAt) {
      await save({ $set: { fullCheck: { startedAt, endedAt: clock() } } });
    },
  };
};
