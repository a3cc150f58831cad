import { GatewayError, unavailable } from '../kernel/errors.ts';

/** Runs work when it is the turn of its key. */
type FairTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

type Bounds = {
  /** Pieces of work that run at a time. */
  readonly atOnce: number;
  /** Pieces of one key that may wait, and of all keys together. */
  readonly waitingOfKey: number;
  readonly waiting: number;
};

/**
 * Places for work that takes a processor for long. Keys take turns, whatever each has waiting, so that one that asks for
 * much makes nobody else wait for more than what is running. 429 where a key has too much waiting, 503 where all have.
 */
export const createFairTurns = ({ atOnce, waitingOfKey, waiting }: Bounds, refusal: string): FairTurns => {
  /** Keys in the order of their turns; each has somebody waiting. */
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
