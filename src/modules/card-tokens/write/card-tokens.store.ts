import { daysBefore, findNextEnd, inBatches, madeBefore, type Removal } from '../../../platform/retention.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { CARD_TOKENS, type CardToken } from './card-token.ts';

export const cardTokenMigrations: readonly Migration[] = [
  collections('260-card-tokens', { [CARD_TOKENS.collection]: [] }),
];

/** A spent token is kept for a day, so that the error for it differs from that of an unknown one. */
const KEPT_DAYS = 1;

/** Removes tokens that can no longer be used. */
export const createCardTokenRemoval = ({ db }: { readonly db: Database }): Removal => ({
  what: 'card tokens',
  async run(now, signal, livemode) {
    const tokens = db.collection<CardToken & { readonly _id: string }>(CARD_TOKENS.collection);
    const old = madeBefore('tok', daysBefore(now, KEPT_DAYS), livemode);
    let removed = 0;
    for await (const batch of inBatches(tokens, old, { _id: 1 }, signal))
      removed += (await tokens.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } })).deletedCount;
    return removed;
  },
  ofTest: {
    next: (since) => findNextEnd(db, CARD_TOKENS.collection, { days: KEPT_DAYS, since }),
    keepsUnread: false,
  },
});
