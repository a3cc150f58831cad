import { GatewayError, unavailable } from '../kernel/errors.ts';

/** Runs work when its key has its turn. */
export type FairTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

type Bounds = {
  /** Pieces of work that run at the same time. */
  readonly atOnce: number;
  /** How many pieces of one key may wait, and how many of all keys together. */
  readonly waitingOfKey: number;
  readonly waiting: number;
};

/**
 * Limits work that keeps a processor busy for long. Keys take turns, however much work each has waiting, so that a key
 * with much work delays the others by no more than the work that is running. 429 where too much work of one key waits,
 * 503 where too much waits in total.
 */
export const createFairTurns = ({ atOnce, waitingOfKey, waiting }: Bounds, refusal: string): FairTurns => {
  /** Keys with waiting work, in the order of their turns. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;
  let waitingNow = 0;

  const startNext = (): void => {
    const [next] = queues;
    if (!next || running >= atOnce) return;
    const [key, queue] = next;
    queues.delete(key);
    const start = queue.shift();
    if (queue.length > 0) queues.set(key, queue);
    running += 1;
    waitingNow -= 1;
    start?.();
  };

  const turn = (key: string): Promise<void> => {
    const queue = queues.get(key) ?? [];
    if (queue.length >= waitingOfKey)
      throw new GatewayError(429, refusal, { headers: { 'Retry-After': '1' } });
    if (waitingNow >= waiting) throw unavailable(refusal);
    return new Promise((start) => {
      queues.set(key, [...queue, start]);
      waitingNow += 1;
      startNext();
    });
  };

  return async (key, work) => {
    await turn(key);
    try {
      return await work();
    } finally {
      running -= 1;
      startNext();
    }
  };
};
