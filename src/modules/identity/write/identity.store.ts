import type { ClientSession, Filter } from 'mongodb';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { siteOf } from '../../../platform/networks.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { inParts, RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { ADMINISTRATION } from './administration.ts';
import { ADMINISTRATION_PERMISSION, GROUPS, type Group } from './group.ts';
import { SAVED_VIEWS } from './saved-views.store.ts';
import { SESSIONS, type SessionDocument } from './sessions.store.ts';
import { USERS, type User, type UserSecret } from './user.ts';

type Stored<T> = T & { readonly _id: string };
type UserDocument = Stored<User> & { readonly secret: UserSecret };

/** A user together with the secrets that its credentials are checked against. */
export type UserWithSecret = { readonly user: User; readonly secret: UserSecret };

/**
 * Questions about users and groups that cannot be answered by an id. With a session, the answer is what that
 * transaction sees.
 */
export type IdentityStore = {
  isEmailTaken(email: string, session: ClientSession): Promise<boolean>;
  findGroups(names: readonly string[], session?: ClientSession): Promise<readonly Group[]>;
  /** Whether any enabled operator is in a group that gives the administration of users. */
  hasAdministrator(session: ClientSession): Promise<boolean>;
  hasOperator(session?: ClientSession): Promise<boolean>;
  findUserWithSecret(
    by: { readonly email: string } | { readonly id: string },
    session?: ClientSession,
  ): Promise<UserWithSecret | null>;
  /** Marks the code of this time step as used; false where it, or a later one, was used before. */
  takeStep(id: UserId, step: number): Promise<boolean>;
  /** Uses a recovery code up; false where there is none with this hash, or it was used before. */
  takeRecoveryCode(id: UserId, hash: string): Promise<boolean>;
  /** Ids of the enabled users who were last seen before this time. */
  findIdle(before: Timestamp): Promise<readonly string[]>;
};

export const createIdentityStore = (db: Database): IdentityStore => {
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
    async findUserWithSecret(by, session) {
      const filter = 'email' in by ? { email: by.email } : { _id: by.id };
      const found = await users.findOne(filter, session ? { session } : {});
      if (!found) return null;
      const { _id, secret, ...user } = found;
      return { user, secret };
    },
    async takeStep(id, step) {
      const { modifiedCount } = await users.updateOne(
        { _id: id, 'secret.secondFactor.lastStep': { $lt: step } },
        { $set: { 'secret.secondFactor.lastStep': step } },
      );
      return modifiedCount === 1;
    },
    async takeRecoveryCode(id, hash) {
      const { modifiedCount } = await users.updateOne(
        { _id: id, 'secret.secondFactor.recoveryHashes': hash },
        { $pull: { 'secret.secondFactor.recoveryHashes': hash } },
      );
      return modifiedCount === 1;
    },
    async findIdle(before) {
      const found = users.find({ disabled: false, idleSince: { $lt: before } }, { projection: { _id: 1 } });
      return (await found.toArray()).map(({ _id }) => _id);
    },
  };
};

export const identityMigrations: readonly Migration[] = [
  collections('020-identity', {
    [USERS.collection]: [{ key: { email: 1 }, unique: true }, { key: { merchantId: 1 } }],
    [GROUPS.collection]: [{ key: { name: 1 }, unique: true }],
    [ADMINISTRATION.collection]: [],
  }),
  {
    id: '211-user-networks',
    async up(db) {
      const users = db.collection<{ _id: string }>(USERS.collection);
      const before = { allowedNetworks: { $exists: false } };
      for await (const { _id } of users.find(before, { projection: { _id: 1 } }))
        await users.updateOne({ _id }, { $set: { allowedNetworks: [] } });
    },
  },
  {
    id: '230-sign-in',
    async up(db) {
      await ensureCollections(db, [SESSIONS]);
      await db.collection(SESSIONS).createIndex({ userId: 1, address: 1 });
      await db.collection(SESSIONS).createIndex({ expiresAt: 1 });
      await db.collection(USERS.collection).updateMany(
        { idleSince: { $exists: false } },
        {
          $set: {
            oneTimePasswordExpiresAt: null,
            secondFactor: false,
            lastLoginAt: null,
            // Inactivity counts from now, because it was not recorded before.
            idleSince: timestamp(new Date()),
            disabledReason: null,
            'secret.formerHashes': [],
            'secret.secondFactor': null,
          },
        },
      );
      await db
        .collection(USERS.collection)
        .updateMany({ disabled: true, disabledReason: null }, { $set: { disabledReason: 'operator' } });
      await db.collection(USERS.collection).createIndex({ idleSince: 1 });
    },
  },
  {
    id: '232-session-sites',
    async up(db) {
      const sessions = db.collection<SessionDocument>(SESSIONS);
      await sessions.createIndex({ userId: 1, site: 1 });
      const before = sessions.find({ site: { $exists: false } }, { projection: { address: 1 } });
      const found = await before.toArray();
      for (const part of inParts(found))
        await sessions.bulkWrite(
          part.map(({ _id, address }) => ({
            updateOne: { filter: { _id }, update: { $set: { site: siteOf(address) } } },
          })),
        );
      await sessions.dropIndex('userId_1_address_1').catch(() => undefined);
    },
  },
  collections('321-saved-views', { [SAVED_VIEWS]: [] }),
];
