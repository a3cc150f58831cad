import { timestamp } from '../../../kernel/clock.ts';
import type { DueWork } from '../../../platform/due-work.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { API_KEYS, type ApiKey } from './api-key.ts';

/**
 * Counts the test keys that end while the test clock is advanced. Nothing is done to them: a key is refused from its end
 * on.
 */
export const createEndOfKeys = (db: Database): DueWork => {
  const keys = db.collection<ApiKey>(API_KEYS.collection);
  const running = { livemode: false, revokedAt: null };
  return {
    kind: 'api_key',
    async next(since) {
      const [first] = await keys
        .find(
          { ...running, expiresAt: { $gt: timestamp(since), $lt: ':' } },
          { projection: { expiresAt: 1 } },
        )
        .sort({ expiresAt: 1 })
        .limit(1)
        .toArray();
      return first?.expiresAt ? new Date(first.expiresAt) : null;
    },
    run: (now) => keys.countDocuments({ ...running, expiresAt: timestamp(now) }),
  };
};
