import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { unavailable } from '../../kernel/errors.ts';

/** Runs work within a limit; 503 beyond it. */
export type Bulkhead = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Allows this many pieces of work at once, and this many to wait. Refusing further work at once is better than making
 * all of it slow.
 */
export const createBulkhead = (atOnce: number, waiting: number, refusal: string): Bulkhead => {
  const limited = bulkhead(atOnce, waiting);
  return async (work) => {
    try {
      return await limited.execute(work);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? unavailable(refusal, error) : error;
    }
  };
};
