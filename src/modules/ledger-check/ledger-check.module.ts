import type { Services } from '../../platform/services.ts';
import { createCheckChangesLoop } from './check-changes.ts';
import { createCheckEverything, createFullCheckLoop } from './check-everything.ts';
import * as state from './check-state.store.ts';
import { createChecks, createMakeChecks, HEARD_OF } from './checks/checks.store.ts';
import { createDifferences } from './differences.store.ts';
import { createMarkRows, createMarks } from './marks.store.ts';

export type LedgerCheckModule = ReturnType<typeof createLedgerCheckModule>;

export const createLedgerCheckModule = (services: Services) => {
  const stores = { ...services, scans: services.scanStore.db };
  const checks = createChecks(stores);
  const marks = createMarks(services.db, checks);
  const differences = createDifferences(services);
  const checkStates = state.createCheckStates({ ...services, marks });
  const checking = { ...services, checks, marks, differences, states: checkStates };
  const checkEverything = createCheckEverything({ ...checking, createChecks: createMakeChecks(stores) });
  return {
    checkEverything,
    checkStates,
    differences,
    contributions: {
      migrations: state.reconciliationMigrations,
      consumers: [{ name: state.LEDGER_CHECK, wants: (resource: string) => HEARD_OF.includes(resource) }],
      work: () => ({
        outboxReaders: [{ consumer: state.LEDGER_CHECK, handle: createMarkRows(marks) }],
        witnesses: [state.createWitness(marks)],
        loops: [createCheckChangesLoop(checking), createFullCheckLoop({ ...checking, checkEverything })],
      }),
    },
  };
};
