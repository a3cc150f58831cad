import type { Db } from 'mongodb';
import { RESOURCE_ONLY, readResource } from '../../platform/write-store/mongo.ts';
import { API_KEYS, type ApiKey } from '../merchants/write/api-key.ts';
import { MERCHANTS, type Merchant } from '../merchants/write/merchant.ts';
import { GROUPS, type Group } from './write/group.ts';
import { USERS, type User } from './write/user.ts';

/** What authentication reads, from the write store on every request: so that a change counts at once. */
export type CredentialsStore = {
  /** The pair that one of these hashes belongs to. */
  findApiKey(kind: 'secret_key' | 'public_key', hashes: readonly string[]): Promise<ApiKey | null>;
  findMerchant(id: string): Promise<Merchant | null>;
  findUser(id: string): Promise<User | null>;
  findGroups(names: readonly string[]): Promise<readonly Group[]>;
};

const HASH_FIELD = { secret_key: 'secret.secretKeyHash', public_key: 'secret.publicKeyHash' } as const;

export const createCredentialsStore = (db: Db): CredentialsStore => ({
  findApiKey: (kind, hashes) =>
    db
      .collection(API_KEYS.collection)
      .findOne<ApiKey>({ [HASH_FIELD[kind]]: { $in: [...hashes] } }, { projection: RESOURCE_ONLY }),
  findMerchant: (id) => readResource(db, MERCHANTS, id),
  findUser: (id) => readResource(db, USERS, id),
  findGroups: (names) =>
    db
      .collection(GROUPS.collection)
      .find<Group>({ name: { $in: [...names] } }, { projection: RESOURCE_ONLY })
      .toArray(),
});
