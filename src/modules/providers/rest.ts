import type { Clock } from '../../kernel/clock.ts';
import { inTime } from '../../platform/in-time.ts';
import { ProviderBusy } from './provider.ts';

const DEFAULT_REST_MS = 1_000;
const MAX_REST_MS = 60_000;
/** A payment does not wait longer than this for the store, which has a part in it that may be missed. */
const STORE_ANSWERS_WITHIN_MS = 200;

/** The time for which a provider asks an account to be left alone. */
export type Rest = {
  /** Throws ProviderBusy until the rest is over. */
  check(): Promise<void>;
  /** Begins a rest of so many seconds (RFC 9110, Retry-After), a minute at most; returns what is to be thrown. */
  begin(retryAfter: string | undefined): Promise<ProviderBusy>;
};

/** The end of an account's rest in milliseconds since 1970, as all processes know it; 0 where there was none. */
export type SharedRest = {
  read(): Promise<number>;
  extend(endsAt: number): Promise<void>;
};

const OF_THIS_PROCESS: SharedRest = { read: async () => 0, extend: async () => undefined };

const soon = <T>(work: () => Promise<T>): Promise<T> =>
  inTime(STORE_ANSWERS_WITHIN_MS, 'The write store does not answer in time', work);

/**
 * A provider counts the requests of an account, whichever process they come from, so that all processes rest together.
 * While the store does not answer in time, each process knows of its own rest only, because a payment must neither fail
 * nor be late for that.
 */
export const createRest = (clock: Clock, shared: SharedRest = OF_THIS_PROCESS): Rest => {
  let endsAt = 0;
  const now = (): number => clock().getTime();
  return {
    async check() {
      if (now() >= endsAt) {
        const known = await soon(() => shared.read()).catch(() => 0);
        // A later end was written by a clock that was wrong.
        if (known <= now() + MAX_REST_MS) endsAt = known;
      }
      if (now() < endsAt) throw new ProviderBusy();
    },
    async begin(retryAfter) {
      const seconds = Number(retryAfter);
      endsAt = now() + Math.min(seconds > 0 ? seconds * 1_000 : DEFAULT_REST_MS, MAX_REST_MS);
      await soon(() => shared.extend(endsAt)).catch(() => undefined);
      return new ProviderBusy();
    },
  };
};
