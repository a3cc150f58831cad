import { type Timestamp, timestamp } from '../../kernel/clock.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/durations.ts';
import type { CommandContext } from '../../kernel/event.ts';
import type { ProviderNotification } from './provider.ts';

/**
 * Ages at which a provider is asked again about live money that it has given back: a bank may send the money back
 * afterwards, and the news of that may be lost.
 */
const LOOKED_AT_AGES_MS = [HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 8 * DAY_MS];

/** When to ask next about money that was to be given back since `requestedAt`; null where it is final by now. */
export const nextLookAfter = (requestedAt: Timestamp, now: Date): Timestamp | null => {
  const since = Date.parse(requestedAt);
  const nextAge = LOOKED_AT_AGES_MS.find((age) => since + age > now.getTime());
  return nextAge === undefined ? null : timestamp(new Date(since + nextAge));
};

/** Acts on news of money given back that nobody told, by the account of the provider. */
export type HearLateFailure = (
  provider: string,
  news: ProviderNotification,
  context: CommandContext,
) => Promise<void>;
