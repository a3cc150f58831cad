import { createHash } from 'node:crypto';
import { consume, createLimiter, type LimitStore } from '../../../platform/rate-limit.ts';

/** Failures that one e-mail address, or one network address, may have in a window. */
const PER_EMAIL = { points: 10, duration: 300 };
const PER_ADDRESS = { points: 100, duration: 300 };
const TOO_MANY = 'Too many failed logins';

/**
 * Runs a check of a password; null is a wrong one and counts. 429 without running it where too many were wrong.
 * Each attempt is counted before it is made, so that many at once get no further than many in a row.
 */
export type LimitLogin = <T>(
  attempt: { readonly email: string; readonly address: string },
  check: () => Promise<T | null>,
) => Promise<T | null>;

export const createLoginLimit = (store: LimitStore): LimitLogin => {
  const byEmail = createLimiter(store, 'login-email', PER_EMAIL);
  const byAddress = createLimiter(store, 'login-address', PER_ADDRESS);
  const inTurn = createTurns();

  return ({ email, address }, check) => {
    const user = createHash('sha256').update(email).digest('hex');
    // In turn, so that right logins of one user at the same time do not count against each other.
    return inTurn(user, async () => {
      await consume(byAddress, address, TOO_MANY);
      await consume(byEmail, user, TOO_MANY);
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
