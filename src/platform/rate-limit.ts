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
  /** Prefix of the keys in Redis, for installations that share a server. */
  readonly keyPrefix: string;
  /** The longest time that a Redis that is connected but does not answer delays a request. */
  readonly redisTimeoutMs: number;
};

/** At most `points` in `duration` seconds; one more locks the key for `blockDuration` seconds, if that is set. */
type Limit = { readonly points: number; readonly duration: number; readonly blockDuration?: number };

/** Counts in Redis for all processes together, and in this process while Redis is down or slow. */
export const createLimiter = (
  { redis, keyPrefix, redisTimeoutMs }: LimitStore,
  name: string,
  limit: Limit,
): RateLimiterAbstract =>
  new RLWrapperTimeouts({
    // The limiter that counts while Redis is down takes its lock time from here.
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

/** Counts a request for `key`; throws 429 with `Retry-After` beyond the limit. */
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

/** A burst may have this many times the requests of a second (at a rate of 100, bursts of 400). */
const BURST = 4;
/** The allowance for a burst is restored within this many seconds. */
const BURST_WINDOW_SECONDS = 30;

/** Limits each caller to `perSecond` requests, with bursts of four times as many; 0 means no limit. */
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
