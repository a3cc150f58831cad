import type { DueWork } from '../../platform/due-work.ts';
import type { StartLoop } from '../../platform/loop.ts';
import type { Services } from '../../platform/services.ts';
import { testClockRoutes } from './test-clock.http.ts';
import { createAdvanceClock } from './write/advance-clock.ts';
import { createAdvanceLoop } from './write/run-advance.ts';
import { createFindTestClock, testClockMigrations } from './write/test-clock.store.ts';

export const createTestClockModule = (services: Services) => {
  const deps = { ...services, findTestClock: createFindTestClock(services.db) };
  return {
    /** Made by a worker, which knows the work of all modules that falls due. */
    createAdvanceLoop: (work: {
      readonly due: readonly DueWork[];
      readonly isQuiet: () => Promise<boolean>;
      readonly hurry: () => void;
    }): StartLoop => createAdvanceLoop({ ...deps, ...work }),
    contributions: {
      migrations: testClockMigrations,
      routes: () => testClockRoutes({ ...deps, advanceClock: createAdvanceClock(deps) }),
    },
  };
};
