import type { Db } from 'mongodb';
import { EXPANDED_BYTES, pageTooLarge } from '../../../platform/http/expanded.ts';
import { findOfTenants, type Wanted } from '../../../platform/write-store/spread.ts';
import { CHARGES } from '../write/charge.store.ts';
import type { Charge } from '../write/charge.ts';

/** Charges whose items are in hand at a time: those of former versions have up to 256 KiB each. */
const AT_ONCE = 10;

/** Items of charges in the order given; 422 PAGE_TOO_LARGE as soon as they are too many bytes for one answer. */
export type FindItems = (wanted: readonly Wanted[]) => Promise<readonly Charge['items'][]>;

export const createFindItems =
  (db: Db): FindItems =>
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
