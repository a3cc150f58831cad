import { EXPANDED_BYTES, pageTooLarge } from '../../../platform/http/expanded.ts';
import type { Database, Wanted } from '../../../platform/write-store/database.ts';
import { findOfTenants } from '../../../platform/write-store/spread.ts';
import { CHARGES } from '../write/charge.store.ts';
import type { Charge } from '../write/charge.ts';

/**
 * How many charges have their items in memory at a time. Charges of former versions can have 256 KiB of items each.
 */
const AT_ONCE = 10;

/**
 * Items of charges, in the order of the charges. 422 PAGE_TOO_LARGE as soon as they have more bytes than one answer may
 * have.
 */
export type FindItems = (wanted: readonly Wanted[]) => Promise<readonly Charge['items'][]>;

export const createFindItems =
  (db: Database): FindItems =>
  async (wanted) => {
    type Found = Pick<Charge, 'items'> & { readonly _id: string };
    const items: Charge['items'][] = [];
    let bytes = 0;
    for (let start = 0; start < wanted.length; start += AT_ONCE) {
      const part = wanted.slice(start, start + AT_ONCE);
      const found = await findOfTenants<Found>(db, CHARGES.collection, '_id', part, {
        projection: { items: 1 },
      });
      const byId = new Map(found.map((charge) => [charge._id, charge.items]));
      for (const { value } of part) items.push(byId.get(value) ?? null);
      bytes += Buffer.byteLength(JSON.stringify(found));
      if (bytes > EXPANDED_BYTES) throw pageTooLarge();
    }
    return items;
  };
