import type { Clock } from '../../kernel/clock.ts';
import { ProviderBusy } from './provider.ts';

const DEFAULT_REST_MS = 1_000;
const MAX_REST_MS = 60_000;

/** The time for which a provider asks to be left alone. */
export const createRest = (clock: Clock) => {
  let endsAt = 0;
  const now = (): number => clock().getTime();
  return {
    /** Throws ProviderBusy until the rest is over. */
    check(): void {
      if (now() < endsAt) throw new ProviderBusy();
    },
    /** Begins a rest of so many seconds (RFC 9110, Retry-After), a minute at most; returns what is to be thrown. */
    begin(retryAfter: string | undefined): ProviderBusy {
      const seconds = Number(retryAfter);
      endsAt = now() + Math.min(seconds > 0 ? seconds * 1_000 : DEFAULT_REST_MS, MAX_REST_MS);
      return new ProviderBusy();
    },
  };
};
