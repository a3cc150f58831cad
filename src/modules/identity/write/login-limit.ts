import { createHash } from 'node:crypto';
import { siteOf } from '../../../platform/networks.ts';
import { consume, createLimiter, type LimitStore } from '../../../platform/rate-limit.ts';

const LOCKED_SECONDS = 1_800;
/**
 * Failures that one account, or one address (for IPv6 its /64 network), may have before it is locked (PCI DSS 8.3.4).
 */
const PER_ACCOUNT = { points: 10, duration: LOCKED_SECONDS, blockDuration: LOCKED_SECONDS };
/**
 * Failures that one account may have a day from one address that it has no logins from. Further attempts are refused
 * before they count for the account, so that one address can keep an account locked for an hour a day, and not for
 * ever.
 */
const DAY_SECONDS = 86_400;
const PER_STRANGER = { points: 20, duration: DAY_SECONDS, blockDuration: DAY_SECONDS };
const PER_ADDRESS = { points: 100, duration: LOCKED_SECONDS, blockDuration: LOCKED_SECONDS };
const TOO_MANY = 'Too many failed logins';

/**
 * Runs a check of a password or code. A result of null is a failure and counts. Attempts from a known address, which is
 * one of former logins, are counted apart from all others. 429 without running the check where there were too many
 * failures. Each attempt is counted before it is made, so that many at once get no further than many in a row.
 */
export type LimitLogin = <T>(
  attempt: { readonly account: string; readonly address: string; readonly isKnown?: boolean },
  check: () => Promise<T | null>,
) => Promise<T | null>;

export const createLoginLimit = (store: LimitStore): LimitLogin => {
  const byAccount = createLimiter(store, 'login-account', PER_ACCOUNT);
  const byStranger = createLimiter(store, 'login-stranger', PER_STRANGER);
  const byAddress = createLimiter(store, 'login-address', PER_ADDRESS);
  const inTurn = createTurns();

  return ({ account, address, isKnown = false }, check) => {
    const site = siteOf(address);
    const apart = digest(`${account} ${site}`);
    const user = isKnown ? apart : digest(account);
    // One after the other, so that correct logins of one user at the same time do not count against each other.
    return inTurn(user, async () => {
      await consume(byAddress, site, TOO_MANY);
      if (!isKnown) await consume(byStranger, apart, TOO_MANY);
      const forgiveStranger = () => (isKnown ? null : byStranger.reward(apart));
      await consume(byAccount, user, TOO_MANY).catch(async (error: unknown) => {
        // Nothing was tried, so nothing counts.
        await forgiveStranger();
        throw error;
      });
      const takeBack = async (): Promise<void> => {
        await Promise.all([byAccount.reward(user), forgiveStranger(), byAddress.reward(site)]);
      };
      const result = await check().catch(async (error: unknown) => {
        await takeBack();
        throw error;
      });
      if (result !== null)
        await Promise.all([byAccount.delete(user), byStranger.delete(apart), byAddress.reward(site)]);
      return result;
    });
  };
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Runs the work of each key one after the other, in the order in which it came. */
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
