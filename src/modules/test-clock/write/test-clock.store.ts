import { store } from '../../../kernel/store.ts';
import type { TestTime } from '../../../platform/environment-time.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { TEST_CLOCK_ID, type TestClock, type TestClockEvent } from './test-clock.ts';

export const TEST_CLOCKS = store<TestClock, TestClockEvent>('test_clocks', 'test_clock');

export const testClockMigrations: readonly Migration[] = [
  collections('480-test-clock', { [TEST_CLOCKS.collection]: [] }),
];

/** Reads the clock of the test environment; null before anybody has moved it. */
export type FindTestClock = () => Promise<TestClock | null>;

export const createFindTestClock =
  (db: Database): FindTestClock =>
  () =>
    readResource(db, TEST_CLOCKS, TEST_CLOCK_ID);

export const createReadTestTime = (db: Database): (() => Promise<TestTime>) => {
  const find = createFindTestClock(db);
  return async () => {
    const clock = await find();
    return { offsetMs: clock?.offsetMs ?? 0, standsAt: clock?.advance?.at ?? null };
  };
};
