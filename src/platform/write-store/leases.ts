import { setTimeout as sleep } from 'node:timers/promises';

/** How many milliseconds an answer counts after its read began. A busy caller is then looked up four times a second. */
export const LEASE_MS = 250;
/** A margin, because clocks of two processes do not run equally fast. */
const MARGIN_MS = 25;

/** Resolves when no process relies on earlier reads any more. */
export const leasesEnd = (): Promise<void> => sleep(LEASE_MS + MARGIN_MS);

/**
 * Answers from an earlier read for the length of a lease. `read` may use only stores with `leased`. A command that
 * changes one of their documents is answered after all processes' leases have ended, so its caller never sees the
 * former state. A null and an error are not shared.
 */
export const leased = <K extends string, A>(
  read: (key: K) => Promise<A>,
  now: () => number = () => performance.now(),
): ((key: K) => Promise<A>) => {
  /** In the order in which the leases end. */
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
