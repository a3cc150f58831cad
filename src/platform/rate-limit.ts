import type { Redis } from 'ioredis';
import {
  BurstyRateLimiter,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { GatewayError } from '../kernel/errors.ts';

export type LimitStore = {
  readonly redis: Redis;
  /** Before the keys in Redis, where installations may share a server. */
  readonly keyPrefix: string;
  /** A Redis that is connected but does not answer holds up a request for so long at most. */
  readonly redisTimeoutMs: number;
};

/** At most `points` in `duration` seconds; one too many locks for `blockDuration` seconds, if any, from then on. */
type Limit = { readonly points: number; readonly duration: number; readonly blockDuration?: number };

/** Counts in Redis, for all processes together; in this process while Redis is down or slow. */
export const createLimiter = (
  { redis, keyPrefix, redisTimeoutMs }: LimitStore,
  name: string,
  limit: Limit,
): RateLimiterAbstract =>
  new RLWrapperTimeouts({
    // The limiter for the time without Redis takes the lock from here.
    ...limit,
    timeoutMs: redisTimeoutMs,
    limiter: new RateLimiterRedis({
      ...limit,
      storeClient: redis,
      keyPrefix: `${keyPrefix}:${name}`,
      rejectIfRedisNotReady: true,
    }),
    insuranceLimiter: new RateLimiterMemory({ ...limit, keyPrefix: name }),
  });

/** Counts one for `key`; 429 with `Retry-After` where that is one too many. */
export const consume = async (
  limiter: Pick<RateLimiterAbstract, 'consume'>,
  key: string,
  message: string,
): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new GatewayError(429, message, { headers: { 'Retry-After': String(seconds) } });
  }
};

/** Counts a request of the caller with this id; 429 where there were too many. */
export type LimitRequests = (callerId: string) => Promise<void>;

/** A burst may be so many times the rate of a second (at 100 a second, bursts of 400). */
const BURST = 4;
/** Requests of a burst beyond the rate come back within so many seconds. */
const BURST_WINDOW_SECONDS = 30;

/** Limits each caller to `perSecond` requests and bursts of four times as many; 0 limits nobody. */
export const createRequestLimit = (store: LimitStore, perSecond: number): LimitRequests => {
  if (perSecond === 0) return async () => undefined;
  const limiter = new BurstyRateLimiter(
    createLimiter(store, 'requests', { points: perSecond, duration: 1 }),
    createLimiter(store, 'requests-burst', {
      points: perSecond * (BURST - 1),
      duration: BURST_WINDOW_SECONDS,
    }),
  );
  return (callerId) => consume(limiter, callerId, 'Too many requests');
};
