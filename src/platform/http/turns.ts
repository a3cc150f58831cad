import { setImmediate as afterThis, setTimeout as sleep } from 'node:timers/promises';
import { createPlaces } from './places.ts';

/** Resolves when it is the caller's turn to keep the processor busy; 503 where too many wait. */
type TakeTurn = () => Promise<void>;

/**
 * Turns for work that keeps the processor busy. After each one a pause lasts as long as it took. Other requests have
 * half of the time, and wait for one such piece of work at most.
 */
export const createTurns = (waiting: number, refusal: string): TakeTurn => {
  const inTurn = createPlaces(1, waiting, refusal);
  return () =>
    new Promise((resolve, reject) => {
      const take = async (): Promise<void> => {
        const startedAt = performance.now();
        resolve();
        // The caller goes on before that.
        await afterThis();
        await sleep(performance.now() - startedAt);
      };
      inTurn(take).catch(reject);
    });
};
