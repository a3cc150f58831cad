import { defineModule, outboxReader, scanStore, services } from '../../platform/platform.module.ts';
import { member, provide } from '../../platform/wiring.ts';
import { createCheckChangesLoop } from './check-changes.ts';
import { createCheckEverything, createFullCheckLoop } from './check-everything.ts';
import * as state from './check-state.store.ts';
import { createChecks, createMakeChecks, HEARD_OF } from './checks/checks.store.ts';
import { createDifferences } from './differences.store.ts';
import { createMarkRows, createMarks } from './marks.store.ts';

const stores = { ...services, scans: member(scanStore, 'db') };
const checks = provide(createChecks, stores);
const marks = provide(createMarks, services.db, checks);
export const differences = provide(createDifferences, services);
export const checkStates = provide(state.createCheckStates, { ...services, marks });
const checking = { ...services, checks, marks, differences, states: checkStates };
export const checkEverything = provide(createCheckEverything, {
  ...checking,
  createChecks: provide(createMakeChecks, stores),
});

export const ledgerCheckModule = defineModule(
  { ...checking, checkEverything },
  {
    migrations: [state.reconciliationMigrations],
    consumers: [{ name: state.LEDGER_CHECK, wants: (resource) => HEARD_OF.includes(resource) }],
    outboxReaders: [outboxReader(state.LEDGER_CHECK, provide(createMarkRows, marks))],
    witnesses: [provide(state.createWitness, marks)],
    loops: [createCheckChangesLoop, createFullCheckLoop],
  },
);
