import { setTimeout as sleep } from 'node:timers/promises';

/** For so long an answer counts after its read began: a busy caller is looked up four times a second. */
export const LEASE_MS = 250;
/** Clocks of two processes do not run equally fast. */
const MARGIN_MS = 25;

/** Resolves when no process relies any more on what it read before. */
export const leasesEnd = (): Promise<void> => sleep(LEASE_MS + MARGIN_MS);

/**
 * Answers from an earlier read for the length of a lease. `read` reads stores with `leased` only. A command that changes
 * one of them is answered after the leases of all processes. So its caller never sees the former state. An answer of
 * null, and an error, are for one caller.
 */
export const leased = <K extends string, A>(
  read: (key: K) => Promise<A>,
  now: () => number = () => performance.now(),
): ((key: K) => Promise<A>) => {
  /** In the order of their ends. */
  const held = new Map<K, { readonly until: number; readonly answer: Promise<A> }>();

  const readAnew = (key: K): Promise<A> => {
    const lease = { until: now() + LEASE_MS, answer: read(key) };
    held.delete(key);
    held.set(key, lease);
    const drop = (): void => {
      if (held.get(key) === lease) held.delete(key);
    };
    lease.answer.then((answer) => answer === null && drop(), drop);
    return lease.answer;
  };

  return (key) => {
    for (const [ended, { until }] of held) {
      if (until > now()) break;
      held.delete(ended);
    }
    return held.get(key)?.answer ?? readAnew(key);
  };
};
