import { batched } from '../../platform/write-store/batched.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { leased } from '../../platform/write-store/leases.ts';
import { alongside, findAmong } from '../../platform/write-store/mongo.ts';
import { readResource } from '../../platform/write-store/read-resource.ts';
import { resourceIn } from '../../platform/write-store/stored-resource.ts';
import { API_KEYS, type ApiKey, type ApiKeySecret } from '../merchants/write/api-key.ts';
import { createNoteUse, type NoteUse } from '../merchants/write/api-key-uses.store.ts';
import { MERCHANTS, type Merchant } from '../merchants/write/merchant.ts';
import { GROUPS, type Group } from './write/group.ts';
import type { Session } from './write/session.ts';
import { SESSIONS } from './write/sessions.store.ts';
import { USERS, type User } from './write/user.ts';

/**
 * Reads credentials from the write store, so that a change counts at once. Every request waits for these reads, so
 * requests that come together share the statements, and requests with the same key share one answer for the length of a
 * lease.
 */
export type CredentialsStore = {
  /**
   * The pair of keys that is stored under one of these hashes of a secret, with its merchant. The pair is found by each
   * of the hashes from then on.
   */
  findApiKey(
    kind: 'secret_key' | 'public_key',
    hashes: readonly string[],
  ): Promise<{ readonly key: ApiKey; readonly merchant: Merchant | null } | null>;
  readonly noteUse: NoteUse;
  findMerchant(id: string): Promise<Merchant | null>;
  /** A session with its user, the user's groups and the user's merchant, which is null for an operator. */
  findSession(id: string): Promise<{
    readonly session: Session;
    readonly user: User;
    readonly groups: readonly Group[];
    readonly merchant: Merchant | null;
  } | null>;
};

type SessionContext = {
  readonly user: User;
  readonly merchants: readonly Merchant[];
  readonly memberOf: readonly Group[];
};

const HASHES = { secret_key: 'secretKeyHashes', public_key: 'publicKeyHashes' } as const;

type StoredKey = ApiKey & { readonly _id: string; readonly secret: ApiKeySecret };
type KnownKey = {
  readonly key: ApiKey;
  /** Hashes of the secret or public key, one for each pepper that it has been used with. */
  readonly hashes: readonly string[];
  readonly merchant: Merchant | null;
};
type Kind = keyof typeof HASHES;

/** A secret may be stored under its hash with each of two peppers. */
const HASHES_OF_A_SECRET = 2;

export const createCredentialsStore = (db: Database): CredentialsStore => {
  const keys = db.collection<{ _id: string }>(API_KEYS.collection);
  const fieldOf = (kind: Kind): string => `secret.${HASHES[kind]}`;
  const findBy = (kind: Kind) => {
    const findStored = batched<readonly string[], KnownKey | null>(
      db,
      async (asked) => {
        const found = await findAmong<StoredKey>(db, API_KEYS.collection, fieldOf(kind), asked.flat(), {});
        // Merchants are read after the keys, so that blocking a merchant ends its keys at once. A join would cost the
        // store more.
        const merchants = await Promise.all(
          found.map(({ merchantId }) => readResource(db, MERCHANTS, merchantId)),
        );
        const byHash = new Map(
          found.flatMap((stored, index) => {
            const hashes = stored.secret[HASHES[kind]];
            const known: KnownKey = { key: resourceIn(stored), hashes, merchant: merchants[index] ?? null };
            return hashes.map((hash) => [hash, known]);
          }),
        );
        return asked.map((hashes) => hashes.map((hash) => byHash.get(hash)).find(Boolean) ?? null);
      },
      { idsPerKey: HASHES_OF_A_SECRET },
    );
    return leased(async (joined) => {
      const hashes = joined.split(' ');
      const found = await findStored(hashes);
      if (found && !hashes.every((hash) => found.hashes.includes(hash)))
        // A pepper is new, so the hash with it is added. Nobody waits for this: where it fails, the next use adds it.
        await keys
          .updateOne({ _id: found.key.id }, { $set: { [fieldOf(kind)]: hashes } })
          .catch(() => undefined);
      return found;
    });
  };
  const find = { secret_key: findBy('secret_key'), public_key: findBy('public_key') };
  const findSessions = batched<string, (Session & SessionContext) | null>(db, async (ids) => {
    const found = await db
      .collection<{ _id: string }>(SESSIONS)
      .aggregate<Session & SessionContext>([
        { $match: { _id: { $in: [...ids] } } },
        alongside('user', USERS, { localField: 'userId', foreignField: '_id' }),
        { $unwind: '$user' },
        alongside('merchants', MERCHANTS, { localField: 'user.merchantId', foreignField: '_id' }),
        alongside('memberOf', GROUPS, { localField: 'user.groups', foreignField: 'name' }),
        { $project: { _id: 0, 'user._id': 0, 'user.secret': 0 } },
      ])
      .toArray();
    const byId = new Map<string, Session & SessionContext>(found.map((session) => [session.id, session]));
    return ids.map((id) => byId.get(id) ?? null);
  });
  return {
    findApiKey: (kind, hashes) => find[kind](hashes.join(' ')),
    noteUse: createNoteUse(db),
    findMerchant: (id) => readResource(db, MERCHANTS, id),
    async findSession(id) {
      const found = await findSessions(id);
      if (!found) return null;
      const { user, merchants, memberOf, ...session } = found;
      return { session, user, groups: memberOf, merchant: merchants[0] ?? null };
    },
  };
};
