import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Timestamp } from '../kernel/clock.ts';
import type { StoreTime } from './write-store/store-clock.ts';

/** How the test environment's time differs from the real one. */
export type TestTime = {
  /** How many milliseconds it is ahead. */
  readonly offsetMs: number;
  /** The instant at which it stands while somebody advances it; null while it runs. */
  readonly standsAt: Timestamp | null;
};

/**
 * The time of each environment. Live records have the real time. Test records have it, too, unless the gateway was
 * started with a test clock, which may be ahead of it.
 */
export type EnvironmentTime = {
  readonly hasTestClock: boolean;
  /** The time of the environment for whose records the code runs; the real time where it runs for none. */
  readonly clock: Clock;
  /** The time by the write store's word; for test records, no other than that of `clock`. */
  readonly storeTime: StoreTime;
  /** The time of an environment at present. */
  now(livemode: boolean): Promise<Date>;
  /** Runs work for records of one environment, so that `clock` answers that environment's time in it. */
  within<T>(livemode: boolean, work: () => Promise<T>): Promise<T>;
  /** Runs work as of an instant of the test environment, at which `clock` stands. */
  at<T>(instant: Date, work: () => Promise<T>): Promise<T>;
  /**
   * As `within`, for work of the background. Null, and nothing is done, for the test environment while its clock is
   * advanced, because whoever advances it does everything that falls due.
   */
  unlessAdvancing<T>(livemode: boolean, work: () => Promise<T>): Promise<T | null>;
  /**
   * Runs a round of background work. Without a test clock it runs once for the records of both environments and is
   * given null; with one it runs once for each environment. True where a run returned true.
   */
  inEach(round: (livemode: boolean | null) => Promise<boolean>): Promise<boolean>;
};

/**
 * The clock follows the asynchronous context, as traces do, so that a rule needs no other clock than its handler was
 * given. The test environment's time is read anew for each piece of work, so it is the same in all processes.
 */
export const createEnvironmentTime = (deps: {
  readonly realClock: Clock;
  readonly storeTime: StoreTime;
  /** Reads how far the test clock is; null without one. */
  readonly readTestTime: (() => Promise<TestTime>) | null;
}): EnvironmentTime => {
  const { realClock, readTestTime } = deps;
  const current = new AsyncLocalStorage<Clock>();
  const clockOf = ({ offsetMs, standsAt }: TestTime): Clock =>
    standsAt === null ? () => new Date(realClock().getTime() + offsetMs) : () => new Date(standsAt);
  const within = async <T>(livemode: boolean, work: () => Promise<T>): Promise<T> => {
    if (readTestTime === null) return work();
    return current.run(livemode ? realClock : clockOf(await readTestTime()), work);
  };
  const unlessAdvancing = async <T>(livemode: boolean, work: () => Promise<T>): Promise<T | null> => {
    if (readTestTime === null || livemode) return within(livemode, work);
    const time = await readTestTime();
    return time.standsAt === null ? current.run(clockOf(time), work) : null;
  };
  return {
    hasTestClock: readTestTime !== null,
    clock: () => (current.getStore() ?? realClock)(),
    async storeTime() {
      const clock = current.getStore() ?? realClock;
      return clock === realClock ? deps.storeTime() : clock();
    },
    now: async (livemode) =>
      readTestTime === null || livemode ? realClock() : clockOf(await readTestTime())(),
    within,
    at: (instant, work) => current.run(() => new Date(instant), work),
    unlessAdvancing,
    async inEach(round) {
      if (readTestTime === null) return round(null);
      const ofLive = await within(true, () => round(true));
      const ofTest = await unlessAdvancing(false, () => round(false));
      return ofLive || ofTest === true;
    },
  };
};
