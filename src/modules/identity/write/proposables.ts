import { grantNotHeld } from '../../../kernel/principal.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transaction.ts';
import type { Subject } from '../../proposals/write/proposal.ts';
import type { Proposable } from '../../proposals/write/submit-command.ts';
import type { CreateGroup } from './create-group.ts';
import type { CreateUser, PreparedUser } from './create-user.ts';
import { givenByGroups } from './grants.ts';
import type { Group, GroupId, NewGroup } from './group.ts';
import type { IdentityStore } from './identity.store.ts';
import {
  groupAlreadyExists,
  lastAdministrator,
  ownAccount,
  REFERENCE_REFUSALS,
  secondFactorNotSet,
} from './refusals.ts';
import type { OneTimePassword, ResetCredentials } from './reset-credentials.ts';
import type { UpdateGroup } from './update-group.ts';
import type { UpdateUser, UpdateUserCommand } from './update-user.ts';
import { type NewUser, USERS, type User } from './user.ts';

export type IdentityProposables = {
  readonly createUser: Proposable<PreparedUser, User>;
  readonly updateUser: Proposable<UpdateUserCommand, User>;
  readonly resetPassword: Proposable<{ readonly userId: string }, OneTimePassword>;
  readonly resetSecondFactor: Proposable<{ readonly userId: string }, User>;
  readonly createGroup: Proposable<NewGroup & { readonly id: GroupId }, Group>;
  readonly updateGroup: Proposable<NewGroup, Group>;
};

export const IDENTITY_PROPOSABLE_NAMES = [
  'createUser',
  'updateUser',
  'resetPassword',
  'resetSecondFactor',
  'createGroup',
  'updateGroup',
] as const satisfies readonly (keyof IdentityProposables)[];

const shared = {
  permission: 'admin.users.update',
  refusals: [
    grantNotHeld,
    ...REFERENCE_REFUSALS,
    groupAlreadyExists,
    lastAdministrator,
    ownAccount,
    secondFactorNotSet,
  ],
} as const;

/**
 * Commands that administer operators, their groups and the groups' permissions, and that may need a second operator.
 */
export const createIdentityProposables = (deps: {
  readonly identityStore: Pick<IdentityStore, 'findGroups'>;
  readonly createUser: (transact: Transact) => CreateUser;
  readonly updateUser: (transact: Transact) => UpdateUser;
  readonly resetCredentials: (transact: Transact) => ResetCredentials;
  readonly createGroup: (transact: Transact) => CreateGroup;
  readonly updateGroup: (transact: Transact) => UpdateGroup;
  readonly presentUser: (user: User) => object;
  readonly presentGroup: (group: Group) => object;
}): IdentityProposables => ({
  createUser: {
    ...shared,
    kind: 'user.create',
    async describe(_tx, { id, passwordHash: _, ...user }) {
      if (user.merchantId !== null) return null;
      const summary = `Create operator ${user.email} with groups: ${listed(user.groups)}`;
      return subjectOf({ id, summary, concernedUserId: id, before: null, after: user, seen: null });
    },
    run: (transact, command, context) => deps.createUser(transact)(command, context),
    present: deps.presentUser,
  },
  updateUser: {
    ...shared,
    kind: 'user.update',
    async describe(tx, { userId, changes }) {
      const found = await describeUser(tx, userId);
      // No approval is needed for a merchant's user who stays one.
      if (!found || (found.user.merchantId !== null && changes.merchantId !== null)) return null;
      const { user, seen } = found;
      const members = Object.keys(changes) as (keyof NewUser)[];
      const before = Object.fromEntries(members.map((member) => [member, user[member]]));
      const summary = `Change operator ${user.email}: ${listed(members)}`;
      return subjectOf({ id: userId, summary, concernedUserId: user.id, before, after: changes, seen });
    },
    run: (transact, command, context) => deps.updateUser(transact)(command, context),
    present: deps.presentUser,
  },
  resetPassword: {
    ...shared,
    kind: 'user.password_reset',
    describe: (tx, { userId }) => describeReset(tx, userId, 'password'),
    run: (transact, command, context) => deps.resetCredentials(transact).password(command, context),
    present: (result) => result,
  },
  resetSecondFactor: {
    ...shared,
    kind: 'user.second_factor_reset',
    describe: (tx, { userId }) => describeReset(tx, userId, 'second factor'),
    run: (transact, command, context) => deps.resetCredentials(transact).secondFactor(command, context),
    present: deps.presentUser,
  },
  createGroup: {
    ...shared,
    kind: 'group.create',
    async describe(_tx, { id, ...group }) {
      const summary = `Create group ${group.name} with permissions: ${listed(group.permissions)}`;
      return subjectOf({ id, summary, concernedUserId: null, before: null, after: group, seen: null });
    },
    run: (transact, command, context) => deps.createGroup(transact)(command, context),
    present: deps.presentGroup,
  },
  updateGroup: {
    ...shared,
    kind: 'group.update',
    async describe({ session }, { name, permissions }) {
      const [group] = await deps.identityStore.findGroups([name], session);
      if (!group) return null;
      const summary = `Change the permissions of group ${name} to: ${listed(permissions)}`;
      const before = { permissions: group.permissions };
      const seen = givenByGroups([group]);
      return subjectOf({
        id: group.id,
        summary,
        concernedUserId: null,
        before,
        after: { permissions },
        seen,
      });
    },
    run: (transact, command, context) => deps.updateGroup(transact)(command, context),
    present: deps.presentGroup,
  },
});

/** The user as far as an approval relies on it; the time of the last login, for instance, is left out. */
const describeUser = async (tx: Transaction, userId: string) => {
  const user = await tx.get(USERS, userId);
  if (!user) return null;
  const { email, name, merchantId, groups, disabled, allowedNetworks } = user;
  return { user, seen: { email, name, merchantId, groups, disabled, allowedNetworks } };
};

const describeReset = async (
  tx: Transaction,
  userId: string,
  credential: 'password' | 'second factor',
): Promise<Subject | null> => {
  const found = await describeUser(tx, userId);
  if (!found || found.user.merchantId !== null) return null;
  const { user, seen } = found;
  const { secondFactor } = user;
  const summary = `Reset the ${credential} of operator ${user.email}`;
  const isFactor = credential === 'second factor';
  return subjectOf({
    id: user.id,
    summary,
    concernedUserId: user.id,
    before: isFactor ? { secondFactor } : null,
    after: isFactor ? { secondFactor: false } : {},
    seen: { ...seen, secondFactor },
  });
};

const subjectOf = (about: {
  readonly id: string;
  readonly summary: string;
  readonly concernedUserId: Subject['concernedUserId'];
  readonly before: object | null;
  readonly after: object;
  readonly seen: object | null;
}): Subject => ({
  summary: about.summary,
  resourceId: about.id,
  livemode: null,
  concernedUserId: about.concernedUserId,
  change: JSON.stringify({ before: about.before, after: about.after }),
  seen: JSON.stringify(about.seen),
});

const listed = (names: readonly string[]): string => names.join(', ') || 'none';
