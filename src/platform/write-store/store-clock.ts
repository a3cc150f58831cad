import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';

/** Asks the write store for its present time. */
export type StoreTime = () => Promise<Date>;

/** The time that all processes on one write store share. */
export type StoreClock = {
  readonly clock: Clock;
  /** Asks the store for its time once. */
  compare(): Promise<void>;
  /** Compares repeatedly until it is stopped. */
  start(): void;
  stop(): void;
};

/**
 * Clocks that are further apart than this count as different, and a clock that changed by more has jumped. The common
 * time is set back by this much at most.
 */
export const TOLERATED_MS = 2_000;
/** An answer that took longer says too little about the present time. */
const ANSWERED_WITHIN_MS = 1_000;
const COMPARE_EVERY_MS = 2_000;
/** A new time of the store is accepted once it has held for this long. */
const BELIEVED_AFTER_MS = 60_000;

type Times = {
  /** Time of this machine's clock, which somebody may set. */
  readonly machine: () => number;
  /** Milliseconds of a monotonic clock, which nobody can set. */
  readonly passed: () => number;
};
const SYSTEM: Times = { machine: () => Date.now(), passed: () => performance.now() };

export const createStoreTime = (db: Database): StoreTime => {
  const admin = db.client.db('admin');
  return async () => {
    const { localTime } = await admin.command({ hello: 1 });
    const time = new Date(localTime);
    if (Number.isNaN(time.getTime())) throw new Error('the write store does not tell its time');
    return time;
  };
};

/**
 * A clock that follows the write store's, so that a machine with a wrong clock ends nothing too early. Between two
 * answers of the store it counts elapsed milliseconds. A jump of the machine's clock or of the store's is refused and
 * reported, but a store that keeps to its new time for a minute is followed, because the machine may have slept.
 */
export const createStoreClock = (deps: {
  readonly storeTime: StoreTime;
  readonly logger: Logger;
  readonly report: {
    jumped(of: 'machine' | 'store'): void;
    /** Called with the seconds between the machine's clock and the store's. */
    differs(seconds: number): void;
  };
  readonly times?: Times;
}): StoreClock => {
  const { logger, report, times = SYSTEM } = deps;
  let origin = times.machine() - times.passed();
  let isKnown = false;
  let jumpedTo: { readonly origin: number; readonly since: number } | null = null;
  let isMachineWrong = false;
  let timer: NodeJS.Timeout | null = null;
  const now = (): number => origin + times.passed();

  const follow = (offered: number): void => {
    if (!isKnown || Math.abs(offered - origin) <= TOLERATED_MS) {
      isKnown = true;
      origin = offered;
      jumpedTo = null;
    } else if (jumpedTo === null || Math.abs(offered - jumpedTo.origin) > TOLERATED_MS) {
      jumpedTo = { origin: offered, since: times.passed() };
      report.jumped('store');
      logger.error(
        { ms: Math.round(offered - origin) },
        "the write store's clock jumped and is not followed",
      );
    } else if (times.passed() - jumpedTo.since >= BELIEVED_AFTER_MS) {
      logger.warn(
        { ms: Math.round(offered - origin) },
        "the write store's clock is followed to its new time",
      );
      origin = offered;
      jumpedTo = null;
    }
  };

  const judgeMachine = (): void => {
    const ms = Math.round(times.machine() - now());
    report.differs(Math.abs(ms) / 1_000);
    const wasWrong = isMachineWrong;
    isMachineWrong = Math.abs(ms) > TOLERATED_MS;
    if (!isMachineWrong || wasWrong) return;
    report.jumped('machine');
    logger.error({ ms }, "the machine's clock differs from the write store's and does not count");
  };

  const compare = async (): Promise<void> => {
    const before = times.passed();
    const time = await deps.storeTime();
    const after = times.passed();
    if (after - before <= ANSWERED_WITHIN_MS) follow(time.getTime() - (before + after) / 2);
    judgeMachine();
  };

  const compareLater = (): void => {
    timer = setTimeout(() => {
      compare()
        .catch(() => undefined) // Other checks report that the store is away.
        .finally(() => {
          if (timer) compareLater();
        });
    }, COMPARE_EVERY_MS);
    timer.unref();
  };

  return {
    clock: () => new Date(now()),
    compare,
    start: compareLater,
    stop() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
};
