import { setImmediate as afterThis, setTimeout as sleep } from 'node:timers/promises';
import { createBulkhead } from './bulkhead.ts';

/** Resolves when the caller may keep the processor busy; 503 where too many wait. */
type TakeTurn = () => Promise<void>;

/**
 * Turns for work that keeps the processor busy. After each turn there is a pause of the same length, so that other
 * requests get half of the time, and wait for one such piece of work at most.
 */
export const createTurns = (waiting: number, refusal: string): TakeTurn => {
  const inTurn = createBulkhead(1, waiting, refusal);
  return () =>
    new Promise((resolve, reject) => {
      const take = async (): Promise<void> => {
        const startedAt = performance.now();
        resolve();
        // The caller continues before this does.
        await afterThis();
        await sleep(performance.now() - startedAt);
      };
      inTurn(take).catch(reject);
    });
};
