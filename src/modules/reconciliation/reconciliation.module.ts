import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { createLoop } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CLOCK,
  CONSUMER,
  DB,
  LOGGER,
  METRICS,
  MIGRATIONS,
  OUTBOX_READER,
  SCAN_STORE,
  TRANSACT,
  WITNESS,
} from '../../platform/platform.module.ts';
import type { Check } from './check.ts';
import { createCheckChanges } from './check-changes.ts';
import { type CheckEverything, createCheckEverything, createFullCheckRound } from './check-everything.ts';
import {
  type CheckStates,
  createCheckStates,
  LEDGER_CHECK,
  reconciliationMigrations,
  WITNESSED,
} from './check-state.store.ts';
import { createChecks, HEARD_OF } from './checks/checks.store.ts';
import { createDifferences, type Differences } from './differences.store.ts';
import { createMarks, type Marks } from './marks.store.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

const CHECKS = token<readonly Check[]>('Checks');
const MARKS = token<Marks>('Marks');
export const DIFFERENCES = token<Differences>('Differences');
export const CHECK_STATES = token<CheckStates>('CheckStates');
export const CHECK_EVERYTHING = token<CheckEverything>('CheckEverything');

const CHECK_CHANGES_EVERY_MS = 1_000;
/** Rests after a round: the check takes at most a third of the time, whatever there is to check. */
const REST_FACTOR = 2;
const REST_AT_MOST_MS = 10_000;
const LOOK_FOR_FULL_CHECK_EVERY_MS = 10_000;

export const reconciliationModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(reconciliationMigrations);
  bind(CHECKS).toResolvedValue(
    (db, scanStore, transact) => createChecks({ db, scans: scanStore.db, transact }),
    [DB, SCAN_STORE, TRANSACT],
  );
  bind(MARKS).toResolvedValue(
    (db, checks) => createMarks(db, new Set(checks.map(({ prefix }) => prefix))),
    [DB, CHECKS],
  );
  bind(DIFFERENCES).toResolvedValue((db, clock) => createDifferences({ db, clock }), [DB, CLOCK]);
  bind(CHECK_STATES).toResolvedValue(
    (db, marks, clock) => createCheckStates({ db, marks, clock }),
    [DB, MARKS, CLOCK],
  );
  bind(CHECK_EVERYTHING).toResolvedValue(
    (db, scanStore, transact, differences, states, clock) =>
      createCheckEverything({
        createChecks: () => createChecks({ db, scans: scanStore.db, transact }),
        differences,
        states,
        clock,
      }),
    [DB, SCAN_STORE, TRANSACT, DIFFERENCES, CHECK_STATES, CLOCK],
  );
  bind(CONSUMER).toConstantValue({
    name: LEDGER_CHECK,
    wants: (resource) => HEARD_OF.includes(resource),
  });
  bind(OUTBOX_READER).toResolvedValue(
    (marks) => ({ consumer: LEDGER_CHECK, handle: async (rows) => marks.add(rows).then(() => []) }),
    [MARKS],
  );
  bind(WITNESS).toResolvedValue((marks) => ({ consumers: WITNESSED, hear: marks.add }), [MARKS]);
  bind(BACKGROUND).toResolvedValue(
    (checks, marks, differences, states, clock, logger, metrics) => (membership) =>
      createLoop({
        name: 'ledger check of changes',
        everyMs: CHECK_CHANGES_EVERY_MS,
        restFactor: REST_FACTOR,
        restAtMostMs: REST_AT_MOST_MS,
        logger,
        round: createCheckChanges({
          checks,
          marks,
          differences,
          states,
          membership,
          clock,
          retract: () => metrics.ledgerDifferences.set(0),
          report: (open, { checkedUpTo, fullCheck }) => {
            metrics.ledgerDifferences.set(open);
            metrics.ledgerCheckedUpTo.set((checkedUpTo?.getTime() ?? 0) / 1000);
            metrics.ledgerFullCheckEndedAt.set((fullCheck?.endedAt.getTime() ?? 0) / 1000);
          },
        }),
      }),
    [CHECKS, MARKS, DIFFERENCES, CHECK_STATES, CLOCK, LOGGER, METRICS],
  );
  bind(BACKGROUND).toResolvedValue(
    (checkEverything, states, clock, logger) =>
      ({ owns }) =>
        createLoop({
          name: 'full ledger check',
          everyMs: LOOK_FOR_FULL_CHECK_EVERY_MS,
          logger,
          round: createFullCheckRound({ checkEverything, states, owns, clock, logger }),
        }),
    [CHECK_EVERYTHING, CHECK_STATES, CLOCK, LOGGER],
  );
});
