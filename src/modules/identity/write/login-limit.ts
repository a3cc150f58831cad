import { createHash } from 'node:crypto';
import { consume, createLimiter, type LimitStore } from '../../../platform/rate-limit.ts';

const LOCKED_SECONDS = 1_800;
/** Failures that one account, or one network address, may have before it is locked (PCI DSS 8.3.4). */
const PER_ACCOUNT = { points: 10, duration: LOCKED_SECONDS, blockDuration: LOCKED_SECONDS };
const PER_ADDRESS = { points: 100, duration: LOCKED_SECONDS, blockDuration: LOCKED_SECONDS };
const TOO_MANY = 'Too many failed logins';

/**
 * Runs a check of a password or code; null is a wrong one and counts. An account may be named together with an address,
 * to be counted apart from the same account elsewhere. 429 without running it where too many were wrong.
 * Each attempt is counted before it is made, so that many at once get no further than many in a row.
 */
export type LimitLogin = <T>(
  attempt: { readonly account: string; readonly address: string },
  check: () => Promise<T | null>,
) => Promise<T | null>;

export const createLoginLimit = (store: LimitStore): LimitLogin => {
  const byAccount = createLimiter(store, 'login-account', PER_ACCOUNT);
  const byAddress = createLimiter(store, 'login-address', PER_ADDRESS);
  const inTurn = createTurns();

  return ({ account, address }, check) => {
    const user = createHash('sha256').update(account).digest('hex');
    // In turn, so that right logins of one user at the same time do not count against each other.
    return inTurn(user, async () => {
      await consume(byAddress, address, TOO_MANY);
      await consume(byAccount, user, TOO_MANY);
      const takeBack = async (): Promise<void> => {
        await Promise.all([byAccount.reward(user), byAddress.reward(address)]);
      };
      const result = await check().catch(async (error: unknown) => {
        await takeBack();
        throw error;
      });
      if (result !== null) await Promise.all([byAccount.delete(user), byAddress.reward(address)]);
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
