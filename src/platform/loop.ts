import type { Clock } from '../kernel/clock.ts';
import type { Logger } from './logger.ts';
import { createSparingLog } from './sparing-log.ts';
import type { Membership } from './write-store/workers.ts';

/** Work that repeats in the background. */
export type Loop = {
  /** Runs a round now, or right after the current one. */
  wake(): void;
  /** Ends the loop after the current round, which may cut itself short. */
  stop(): Promise<void>;
};

/** Starts a loop of this worker, which does the worker's share of the work. */
export type StartLoop = (membership: Pick<Membership, 'owns' | 'shards'>) => Loop;

/** Stands in for work that the settings switch off. */
export const IDLE: Loop = { wake: () => undefined, stop: async () => undefined };

/** A loop that gathers work or rests between its rounds. */
export type RestingLoop = Loop & {
  /** Begins a round for which the loop was woken at once, without gathering more or resting; not after a failure. */
  hurry(): void;
};

const AFTER_ERROR_MS = 1_000;
/** Short enough for the loop to continue soon after a store has come back. */
const LONGEST_AFTER_ERROR_MS = 10_000;

/**
 * Runs `round` every `everyMs`, one at a time, and again at once where it returns true because there is more to do. A
 * round that throws is tried again after a second, and each further failure doubles that time, up to ten seconds. A
 * round that may take long observes the signal, which aborts when the loop is stopped.
 */
export const createLoop = (deps: {
  readonly name: string;
  readonly everyMs: number;
  /**
   * After a round the loop rests `restFactor` times as long as the round took (by default once), up to this limit. So
   * much work is gathered into fewer rounds, and looking for it takes only a share of the store's time.
   */
  readonly restAtMostMs?: number;
  readonly restFactor?: number;
  /** A round that took no longer than this needs no rest; of a longer one only the excess counts. */
  readonly restAfterMs?: number;
  /**
   * Once woken, the loop waits this long before its round, so that work that arrives at the same time is done together.
   */
  readonly gatherMs?: number;
  readonly logger: Logger;
  readonly round: (stopping: AbortSignal) => Promise<boolean>;
}): RestingLoop => {
  let stopped = false;
  const stopping = new AbortController();
  let woken = false;
  let hurried = false;
  let failing = false;
  let resting = false;
  let wakeUp: () => void = () => undefined;
  let failures = 0;
  const complain = createSparingLog(deps.logger, 'error');

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** A pause that `wake` does not shorten, but `hurry` does. */
  const rest = async (ms: number): Promise<void> => {
    if (ms <= 0 || stopped || hurried) return;
    resting = true;
    await pause(ms);
    resting = false;
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      woken = false;
      hurried = false;
      const startedAt = performance.now();
      try {
        const hasMore = await deps.round(stopping.signal);
        failures = 0;
        if (hasMore) continue;
        const took = Math.max(0, performance.now() - startedAt - (deps.restAfterMs ?? 0));
        await rest(Math.min(deps.restAtMostMs ?? 0, took * (deps.restFactor ?? 1)));
        if (woken || stopped) continue;
        await pause(deps.everyMs);
        if (woken) await rest(deps.gatherMs ?? 0);
      } catch (error) {
        if (stopping.signal.aborted && error === stopping.signal.reason) return;
        complain(error, { loop: deps.name }, 'background work failed');
        failing = true;
        hurried = false;
        await rest(Math.min(LONGEST_AFTER_ERROR_MS, AFTER_ERROR_MS * 2 ** failures));
        failing = false;
        failures += 1;
      }
    }
  };
  const running = run();

  return {
    wake() {
      woken = true;
      if (!resting) wakeUp();
    },
    hurry() {
      if (!woken || failing) return;
      hurried = true;
      wakeUp();
    },
    async stop() {
      stopped = true;
      stopping.abort();
      wakeUp();
      await running;
    },
  };
};

/** Work that one worker does for all. */
export type Chore = (now: Date) => Promise<unknown>;

/** A loop whose rounds are done by the worker that owns its name. */
export const createChoreLoop =
  (deps: {
    readonly name: string;
    readonly everyMs: number;
    readonly chore: Chore;
    readonly clock: Clock;
    readonly logger: Logger;
  }): StartLoop =>
  ({ owns }) =>
    createLoop({
      name: deps.name,
      everyMs: deps.everyMs,
      logger: deps.logger,
      async round() {
        if (owns(deps.name)) await deps.chore(deps.clock());
        return false;
      },
    });
