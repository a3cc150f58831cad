import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { GatewayError } from '../../../kernel/errors.ts';

/** Failures that one e-mail address, or one network address, may have in a window. */
const PER_EMAIL = { points: 10, duration: 300 };
const PER_ADDRESS = { points: 100, duration: 300 };
/** A Redis that is connected but does not answer must not hold up a login for longer. */
const REDIS_TIMEOUT_MS = 300;

/**
 * Runs a check of a password; null is a wrong one and counts. 429 without running it where too many were wrong.
 * Each attempt is counted before it is made, so that many at once get no further than many in a row.
 */
export type LimitLogin = <T>(
  attempt: { readonly email: string; readonly address: string },
  check: () => Promise<T | null>,
) => Promise<T | null>;

type LimitStore = { readonly redis: Redis; readonly keyPrefix: string };

export const createLoginLimit = (store: LimitStore): LimitLogin => {
  const byEmail = createLimiter(store, 'login-email', PER_EMAIL);
  const byAddress = createLimiter(store, 'login-address', PER_ADDRESS);
  const inTurn = createTurns();

  return ({ email, address }, check) => {
    const user = createHash('sha256').update(email).digest('hex');
    // In turn, so that right logins of one user at the same time do not count against each other.
    return inTurn(user, async () => {
      await consume(byAddress, address);
      await consume(byEmail, user);
      const takeBack = async (): Promise<void> => {
        await Promise.all([byEmail.reward(user), byAddress.reward(address)]);
      };
      const result = await check().catch(async (error: unknown) => {
        await takeBack();
        throw error;
      });
      if (result !== null) await Promise.all([byEmail.delete(user), byAddress.reward(address)]);
      return result;
    });
  };
};

/** Counts in Redis; in this process while Redis is down or slow (decisions 2). */
const createLimiter = (
  { redis, keyPrefix }: LimitStore,
  name: string,
  limit: { readonly points: number; readonly duration: number },
): RateLimiterAbstract =>
  new RLWrapperTimeouts({
    timeoutMs: REDIS_TIMEOUT_MS,
    limiter: new RateLimiterRedis({
      ...limit,
      storeClient: redis,
      keyPrefix: `${keyPrefix}:${name}`,
      rejectIfRedisNotReady: true,
    }),
    insuranceLimiter: new RateLimiterMemory({ ...limit, keyPrefix: name }),
  });

const consume = async (limiter: RateLimiterAbstract, key: string): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new GatewayError(429, 'Too many failed logins', { headers: { 'Retry-After': String(seconds) } });
  }
};

/** Runs work under one key one after the other, in the order in which it came. */
const createTurns = (): (<T>(key: string, work: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    const leave = (): void => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
};
