import type { ClientSession, Db, Filter } from 'mongodb';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { ADMINISTRATION } from './administration.ts';
import { ADMINISTRATION_PERMISSION, GROUPS, type Group } from './group.ts';
import { USERS, type User, type UserSecret } from './user.ts';

type Stored<T> = T & { readonly _id: string };
type UserDocument = Stored<User> & { readonly secret: UserSecret };

/** A user together with the hash that a password is checked against. */
export type UserWithHash = { readonly user: User; readonly passwordHash: string };

/** Questions about users and groups that an id does not answer. With a session: as that transaction sees them. */
export type IdentityStore = {
  isEmailTaken(email: string, session: ClientSession): Promise<boolean>;
  findGroups(names: readonly string[], session?: ClientSession): Promise<readonly Group[]>;
  /** Whether an enabled operator is in a group with the administration of users. */
  hasAdministrator(session: ClientSession): Promise<boolean>;
  hasOperator(session?: ClientSession): Promise<boolean>;
  findUserWithHash(by: { readonly email: string } | { readonly id: string }): Promise<UserWithHash | null>;
};

export const createIdentityStore = (db: Db): IdentityStore => {
  const users = db.collection<UserDocument>(USERS.collection);
  const groups = db.collection<Stored<Group>>(GROUPS.collection);
  const exists = async (filter: Filter<UserDocument>, session?: ClientSession): Promise<boolean> =>
    (await users.findOne(filter, { projection: { _id: 1 }, ...(session ? { session } : {}) })) !== null;

  return {
    isEmailTaken: (email, session) => exists({ email }, session),
    async findGroups(names, session) {
      if (names.length === 0) return [];
      const options = { projection: RESOURCE_ONLY, ...(session ? { session } : {}) };
      return groups.find<Group>({ name: { $in: [...names] } }, options).toArray();
    },
    async hasAdministrator(session) {
      const administering = await groups
        .find({ permissions: ADMINISTRATION_PERMISSION }, { session, projection: { name: 1 } })
        .toArray();
      const names = administering.map((group) => group.name);
      return exists({ merchantId: null, disabled: false, groups: { $in: names } }, session);
    },
    hasOperator: (session) => exists({ merchantId: null }, session),
    async findUserWithHash(by) {
      const filter = 'email' in by ? { email: by.email } : { _id: by.id };
      const found = await users.findOne(filter);
      if (!found) return null;
      const { _id, secret, ...user } = found;
      return { user, passwordHash: secret.passwordHash };
    },
  };
};

export const identityMigrations: readonly Migration[] = [
  {
    id: '020-identity',
    async up(db) {
      await ensureCollections(db, [USERS.collection, GROUPS.collection, ADMINISTRATION.collection]);
      await db.collection(USERS.collection).createIndex({ email: 1 }, { unique: true });
      await db.collection(USERS.collection).createIndex({ merchantId: 1 });
      await db.collection(GROUPS.collection).createIndex({ name: 1 }, { unique: true });
    },
  },
];
