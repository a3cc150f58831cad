import { randomUUID } from 'node:crypto';
import { newId } from '../../src/kernel/ids.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import type { Database } from '../../src/platform/write-store/database.ts';

const BATCH = 1_000;

type Stored = Charge & { readonly _id: string };

/**
 * Adds charges to the write store only, and not to events, views or the ledger. They are copies, with ids of their own,
 * of charges that no worker waits for. This is a hundred times as fast as seeding.
 */
export const copyCharges = async (
  db: Database,
  count: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<void> => {
  const charges = db.collection<Stored>(CHARGES.collection);
  const originals = await charges
    .find({ reconcileAt: null, 'due.nextAt': null }, { limit: 2 * BATCH })
    .toArray();
  if (originals.length === 0) throw new Error('there is no charge to be copied');
  for (let done = 0; done < count; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - done) }, (_, place): Stored => {
      const id = newId('chg');
      const original = originals[(done + place) % originals.length] as Stored;
      return { ...original, _id: id, id, duplicateKey: randomUUID() };
    });
    await charges.insertMany(batch);
    onProgress(done + batch.length);
  }
};
