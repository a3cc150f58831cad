import { unavailable } from '../kernel/errors.ts';

/**
 * Returns the result of `work`, or throws 503 after this many milliseconds. The work itself goes on, so it may end
 * otherwise than the caller was told, as after a crash.
 */
export const inTime = async <T>(withinMs: number, message: string, work: () => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(message)), withinMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Ends a read of the write store that takes longer than a command may, with 503. */
export type ReadInTime = <T>(read: () => Promise<T>) => Promise<T>;
