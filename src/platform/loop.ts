import type { Logger } from './logger.ts';

/** Work that repeats in the background. */
export type Loop = {
  /** Runs a round now, or right after the one under way. */
  wake(): void;
  /** Ends after the round under way, which may cut itself short. */
  stop(): Promise<void>;
};

const AFTER_ERROR_MS = 1_000;

/**
 * Runs `round` every `everyMs`, one at a time, and at once again where it returns true (there is more to do).
 * A round that throws is logged and tried again a second later. One that may take long heeds the signal, which is
 * given when the loop is stopped.
 */
export const createLoop = (deps: {
  readonly name: string;
  readonly everyMs: number;
  readonly logger: Logger;
  readonly round: (stopping: AbortSignal) => Promise<boolean>;
}): Loop => {
  let stopped = false;
  const stopping = new AbortController();
  let woken = false;
  let failing = false;
  let wakeUp: () => void = () => undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    while (!stopped) {
      woken = false;
      try {
        const hasMore = await deps.round(stopping.signal);
        failing = false;
        if (!hasMore && !woken && !stopped) await pause(deps.everyMs);
      } catch (error) {
        if (stopping.signal.aborted && error === stopping.signal.reason) return;
        deps.logger.error({ err: error, loop: deps.name }, 'background work failed');
        failing = true;
        if (!stopped) await pause(AFTER_ERROR_MS);
      }
    }
  };
  const running = run();

  return {
    wake() {
      woken = true;
      if (!failing) wakeUp();
    },
    async stop() {
      stopped = true;
      stopping.abort();
      wakeUp();
      await running;
    },
  };
};
