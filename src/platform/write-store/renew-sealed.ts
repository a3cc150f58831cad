import type { Store } from '../../kernel/store.ts';
import type { Renewal } from '../renewal.ts';
import { type KeyRing, type Sealed, seal, unseal } from '../secrets.ts';
import type { Database } from './database.ts';

type Nested = { readonly [name: string]: Nested } | Sealed | null | undefined;

/**
 * Seals the secret with this dotted name in all documents with the current key. A secret that was replaced in between
 * stays.
 */
export const createSealedRenewal = (
  { db, sealing }: { readonly db: Database; readonly sealing: KeyRing },
  {
    what,
    from,
    name,
  }: { readonly what: string; readonly from: Pick<Store<never>, 'collection'>; readonly name: string },
): Renewal => ({
  what,
  async run() {
    const path = `secret.${name}`;
    const documents = db.collection<{ _id: string; secret: Nested }>(from.collection);
    let renewed = 0;
    for await (const { _id, secret } of documents.find({}, { projection: { secret: 1 } })) {
      const sealed = memberAt(secret, name);
      if (!sealed || sealed.keyId === sealing.current.id) continue;
      const { modifiedCount } = await documents.updateOne(
        { _id, [`${path}.nonce`]: sealed.nonce },
        { $set: { [path]: seal(sealing, unseal(sealing, sealed)) } },
      );
      renewed += modifiedCount;
    }
    return { renewed, left: [] };
  },
});

const memberAt = (secret: Nested, name: string): Sealed | null | undefined =>
  name.split('.').reduce<Nested>((at, member) => (at as Record<string, Nested> | null)?.[member], secret) as
    | Sealed
    | null
    | undefined;
