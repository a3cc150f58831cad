import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { unavailable } from '../../kernel/errors.ts';

/** Runs work in a place; 503 where none is free. */
export type InPlace = <T>(work: () => Promise<T>) => Promise<T>;

/** So many pieces of work at once and so many that wait. A refusal at once beats making all of them slow. */
export const createPlaces = (atOnce: number, waiting: number, refusal: string): InPlace => {
  const places = bulkhead(atOnce, waiting);
  return async (work) => {
    try {
      return await places.execute(work);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? unavailable(refusal, error) : error;
    }
  };
};
