import { daysBefore, inBatches, type Removal } from '../../../platform/retention.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { idsBefore } from '../../../platform/write-store/ranges.ts';
import { CARD_TOKENS } from './card-token.ts';

export const cardTokenMigrations: readonly Migration[] = [
  collections('260-card-tokens', { [CARD_TOKENS.collection]: [] }),
];

/** A spent token is kept for a day, so that the error for it differs from that of an unknown one. */
const KEPT_DAYS = 1;

/** Removes tokens that can no longer be used. */
export const createCardTokenRemoval = ({ db }: { readonly db: Database }): Removal => ({
  what: 'card tokens',
  async run(now, signal) {
    const tokens = db.collection<{ _id: string }>(CARD_TOKENS.collection);
    const old = { _id: idsBefore('tok', daysBefore(now, KEPT_DAYS)) };
    let removed = 0;
    for await (const batch of inBatches(tokens, old, { _id: 1 }, signal))
      removed += (await tokens.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } })).deletedCount;
    return removed;
  },
});
