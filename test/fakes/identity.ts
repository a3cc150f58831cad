import type { ClientSession } from 'mongodb';
import { timestamp } from '../../src/kernel/clock.ts';
import type { Actor, CommandContext } from '../../src/kernel/event.ts';
import type { UserId } from '../../src/kernel/ids.ts';
import { GROUPS, type Group, openGroup } from '../../src/modules/identity/write/group.ts';
import type { IdentityStore, UserWithSecret } from '../../src/modules/identity/write/identity.store.ts';
import type { Passwords } from '../../src/modules/identity/write/passwords.ts';
import type { Session } from '../../src/modules/identity/write/session.ts';
import type { SessionsStore } from '../../src/modules/identity/write/sessions.store.ts';
import {
  newSecret,
  openUser,
  USERS,
  type User,
  type UserSecret,
} from '../../src/modules/identity/write/user.ts';
import { siteOf } from '../../src/platform/networks.ts';
import { NOW } from '../builders.ts';
import { createFakeWriteStore, type FakeWriteStore } from './write-store.ts';

/** Passwords that are no work to check. */
export const CHEAP_PASSWORDS: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (passwordHash, password) => passwordHash === `hash of ${password}`,
};

/** Users, their groups and sessions in memory, with the questions that commands ask about them. */
type FakeIdentity = FakeWriteStore & {
  readonly identityStore: IdentityStore;
  readonly sessions: SessionsStore;
  /** Everything that was stored of sessions. */
  readonly opened: Map<string, Session>;
  addGroup(name: string, permissions: Group['permissions']): void;
  addUser(id: UserId, changes?: Partial<User>, secret?: Partial<UserSecret>): User;
  user(id: string): User;
  secret(id: string): UserSecret;
};

export const createFakeIdentity = (): FakeIdentity => {
  const store = createFakeWriteStore({} as ClientSession);
  const ids: string[] = [];
  const opened = new Map<string, Session>();
  const groups = new Map<string, string>();
  const first = new Map<string, UserSecret>();
  const all = (): readonly User[] => ids.flatMap((id) => store.find(USERS, id) ?? []);
  const secretOf = (id: string): UserSecret => {
    const secret = (store.secretOf(USERS, id) as UserSecret | null) ?? first.get(id);
    if (!secret) throw new Error(`${id} has no secret`);
    return secret;
  };
  const changeFactor = (id: string, changes: Partial<NonNullable<UserSecret['secondFactor']>>): void => {
    const { secondFactor } = secretOf(id);
    if (secondFactor) Object.assign(secondFactor, changes);
  };
  return {
    ...store,
    opened,
    addGroup(name, permissions) {
      const { data } = openGroup({ name, permissions }, `grp_${name}`, NOW);
      groups.set(name, data.id);
      store.put(GROUPS, { ...data, version: 1 });
    },
    user: (id) => store.find(USERS, id) as User,
    secret: secretOf,
    addUser(id, changes = {}, secret = {}) {
      const fields = {
        email: `${id}@example.test`,
        name: null,
        merchantId: null,
        groups: [],
        disabled: false,
      };
      const user = { ...openUser(fields, false, id, NOW).data, version: 1, ...changes };
      ids.push(id);
      store.put(USERS, user);
      first.set(id, { ...newSecret('hash of right'), ...secret });
      return user;
    },
    identityStore: {
      isEmailTaken: async (email) => all().some((user) => user.email === email),
      findGroups: async (names) => names.flatMap((name) => store.find(GROUPS, groups.get(name) ?? '') ?? []),
      hasAdministrator: async () => true,
      hasOperator: async () => true,
      async findUserWithSecret(by): Promise<UserWithSecret | null> {
        const user = all().find((one) => ('id' in by ? one.id === by.id : one.email === by.email));
        return user ? { user, secret: secretOf(user.id) } : null;
      },
      async takeStep(id, step) {
        const isNew = (secretOf(id).secondFactor?.lastStep ?? step) < step;
        if (isNew) changeFactor(id, { lastStep: step });
        return isNew;
      },
      async takeRecoveryCode(id, hash) {
        const hashes = secretOf(id).secondFactor?.recoveryHashes ?? [];
        changeFactor(id, { recoveryHashes: hashes.filter((one) => one !== hash) });
        return hashes.includes(hash);
      },
      findIdle: async (before) => all().flatMap((user) => (user.idleSince < before ? [user.id] : [])),
    },
    sessions: {
      async insert(session) {
        opened.set(session.id, session);
      },
      isKnownAddress: async (userId, address) =>
        [...opened.values()].some(
          (session) => session.userId === userId && siteOf(session.address) === siteOf(address),
        ),
      findLasting: async () => [],
      touch: async () => undefined,
      async advance(id, refreshNumber) {
        const session = opened.get(id);
        if (session?.refreshNumber !== refreshNumber) return false;
        opened.set(id, { ...session, refreshNumber: refreshNumber + 1 });
        return true;
      },
      async end({ userId, id }, endedAt) {
        const which = [...opened.values()].filter(
          (session) => session.userId === userId && (id === undefined || session.id === id),
        );
        for (const session of which) opened.set(session.id, { ...session, endedAt });
        return which.length;
      },
    },
  };
};

export const asked = (by: UserId, more: Partial<CommandContext> = {}): CommandContext => ({
  actor: { kind: 'operator', id: by } satisfies Actor,
  requestId: timestamp(NOW),
  address: '192.0.2.1',
  tenantId: null,
  commits: [],
  ...more,
});
