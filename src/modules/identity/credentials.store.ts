import type { Db } from 'mongodb';
import { RESOURCE_ONLY, readResource } from '../../platform/write-store/mongo.ts';
import { API_KEYS, type ApiKey, type ApiKeySecret } from '../merchants/write/api-key.ts';
import { MERCHANTS, type Merchant } from '../merchants/write/merchant.ts';
import { GROUPS, type Group } from './write/group.ts';
import { USERS, type User } from './write/user.ts';

/** What authentication reads, from the write store on every request: so that a change counts at once. */
export type CredentialsStore = {
  /** The pair that one of these hashes of one secret belongs to; it is found by each of them from then on. */
  findApiKey(kind: 'secret_key' | 'public_key', hashes: readonly string[]): Promise<ApiKey | null>;
  findMerchant(id: string): Promise<Merchant | null>;
  findUser(id: string): Promise<User | null>;
  findGroups(names: readonly string[]): Promise<readonly Group[]>;
};

const HASHES = { secret_key: 'secretKeyHashes', public_key: 'publicKeyHashes' } as const;

export const createCredentialsStore = (db: Db): CredentialsStore => ({
  async findApiKey(kind, hashes) {
    const keys = db.collection<{ _id: string }>(API_KEYS.collection);
    const field = `secret.${HASHES[kind]}`;
    const found = await keys.findOne<ApiKey & { readonly secret: ApiKeySecret }>(
      { [field]: { $in: [...hashes] } },
      { projection: { _id: 0, 'secret.sealedSecretKey': 0 } },
    );
    if (!found) return null;
    const { secret, ...key } = found;
    if (!hashes.every((hash) => secret[HASHES[kind]].includes(hash)))
      // A pepper is new. Nobody waits for this: where it fails the next use does it.
      await keys.updateOne({ _id: key.id }, { $set: { [field]: hashes } }).catch(() => undefined);
    return key;
  },
  findMerchant: (id) => readResource(db, MERCHANTS, id),
  findUser: (id) => readResource(db, USERS, id),
  findGroups: (names) =>
    db
      .collection(GROUPS.collection)
      .find<Group>({ name: { $in: [...names] } }, { projection: RESOURCE_ONLY })
      .toArray(),
});
