import type { Database } from '../../platform/write-store/database.ts';
import { collections, type Migration } from '../../platform/write-store/migrate.ts';
import { isDuplicateKey } from '../../platform/write-store/mongo.ts';
import type { SharedRest } from './rest.ts';

const PROVIDER_BUDGETS = 'provider_budgets';

/** The limits that all processes share for one account; times in milliseconds since 1970. */
type Budget = {
  /** The account's name. */
  readonly _id: string;
  readonly restEndsAt?: number;
  readonly newsAskedAt?: number;
};

export const providerBudgetMigrations: readonly Migration[] = [
  collections('310-provider-budgets', { [PROVIDER_BUDGETS]: [] }),
];

export const createSharedRest = (db: Database, account: string): SharedRest => {
  const budgets = db.collection<Budget>(PROVIDER_BUDGETS);
  return {
    async read() {
      const budget = await budgets.findOne({ _id: account }, { projection: { restEndsAt: 1 } });
      return budget?.restEndsAt ?? 0;
    },
    async extend(endsAt) {
      await budgets.updateOne({ _id: account }, { $max: { restEndsAt: endsAt } }, { upsert: true });
    },
  };
};

/** Whether this process is the one that asks an account for its news now; no other one is for `everyMs`. */
type ClaimNews = (account: string, now: Date, everyMs: number) => Promise<boolean>;

export const createClaimNews =
  (db: Database): ClaimNews =>
  async (account, now, everyMs) => {
    const budgets = db.collection<Budget>(PROVIDER_BUDGETS);
    const at = now.getTime();
    const isDue = (askedAt: number): boolean => Math.abs(at - askedAt) >= everyMs;
    const { newsAskedAt } = (await budgets.findOne({ _id: account })) ?? {};
    // A time in the future was written by a clock that was wrong.
    if (newsAskedAt !== undefined && !isDue(newsAskedAt)) return false;
    const unchanged = { _id: account, newsAskedAt: newsAskedAt ?? { $exists: false } };
    try {
      const claimed = await budgets.updateOne(unchanged, { $set: { newsAskedAt: at } }, { upsert: true });
      return claimed.modifiedCount + claimed.upsertedCount === 1;
    } catch (error) {
      // Another process has claimed it in between, so that the account's document is there but not as it was.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
