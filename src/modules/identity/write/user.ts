import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { unprocessable } from '../../../kernel/errors.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { MerchantId, UserId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';

/** A person. Operators belong to the gateway (`merchantId` null), the others to one merchant (decisions 2). */
export type User = Resource & {
  readonly id: UserId;
  /** In lower case: addresses are compared without regard to it. */
  readonly email: string;
  readonly name: string | null;
  readonly merchantId: MerchantId | null;
  /** Names of groups; none for a merchant's user, whose permissions are the merchant's. */
  readonly groups: readonly string[];
  readonly disabled: boolean;
  /** Carried by tokens: a change ends all that were given before. */
  readonly credentialsVersion: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** What is stored beside a user and appears in no event and no answer. */
export type UserSecret = { readonly passwordHash: string };

export const USERS: Store<User> = store('users', 'user', { auditsEverybody: true });

/** Length of passwords in characters (NIST SP 800-63B: long rather than complicated). */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 256;

export type NewUser = {
  readonly email: string;
  readonly name: string | null;
  readonly merchantId: MerchantId | null;
  readonly groups: readonly string[];
  readonly disabled: boolean;
};

/** What may change; a member that is absent stays as it is. */
export type UserChanges = Partial<NewUser>;

export const normalizeEmail = (email: string): string => email.toLowerCase();

export const openUser = (command: NewUser, id: UserId, now: Date): Decision<User> => ({
  type: 'user.created',
  data: checked({
    id,
    version: 0,
    email: normalizeEmail(command.email),
    name: command.name,
    merchantId: command.merchantId,
    groups: command.groups,
    disabled: command.disabled,
    credentialsVersion: 1,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  }),
});

/** A new password and disabling end the user's tokens; `hasNewPassword` says that one comes with the change. */
export const changeUser = (
  user: User,
  changes: UserChanges,
  hasNewPassword: boolean,
  now: Date,
): Decision<User> => {
  const endsTokens = hasNewPassword || (changes.disabled === true && !user.disabled);
  return {
    type: 'user.updated',
    data: checked({
      ...user,
      ...changes,
      email: normalizeEmail(changes.email ?? user.email),
      credentialsVersion: user.credentialsVersion + (endsTokens ? 1 : 0),
      updatedAt: timestamp(now),
    }),
  };
};

export const changeOwnPassword = (user: User, now: Date): Decision<User> => ({
  type: 'user.password_changed',
  data: { ...user, credentialsVersion: user.credentialsVersion + 1, updatedAt: timestamp(now) },
});

const checked = (user: User): User => {
  if (user.merchantId !== null && user.groups.length > 0)
    throw unprocessable(
      'GROUPS_NOT_ALLOWED',
      "Groups are for operators: a merchant's user has its permissions",
    );
  return user;
};

/** Whether the change may take an administrator away from the gateway. */
export const mayLoseAdministration = (before: User, after: User): boolean =>
  before.merchantId === null &&
  !before.disabled &&
  (after.disabled ||
    after.merchantId !== null ||
    before.groups.some((group) => !after.groups.includes(group)));

export const emailAlreadyUsed = (): Error =>
  unprocessable('EMAIL_ALREADY_USED', 'Another user has this e-mail address');
