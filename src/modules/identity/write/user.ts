import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { HOUR_MS } from '../../../kernel/durations.ts';
import { notFound } from '../../../kernel/errors.ts';
import { changed, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { MerchantId, UserId } from '../../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import { secondFactorAlreadySet, secondFactorNotSet } from './refusals.ts';
import type { SecondFactorSecret } from './second-factor.ts';

/** A person. Operators belong to the gateway (`merchantId` null), the others to one merchant. */
export type User = DatedResource & {
  readonly id: UserId;
  /** In lower case: addresses are compared without regard to it. */
  readonly email: string;
  readonly name: string | null;
  readonly merchantId: MerchantId | null;
  /** Names of groups. Those of a merchant's user bring what keys never have; all else is the merchant's. */
  readonly groups: readonly string[];
  readonly disabled: boolean;
  /** Networks (CIDR) that the user has to come from; empty: it may come from everywhere. */
  readonly allowedNetworks: readonly string[];
  /** Null for one that is enabled. */
  readonly disabledReason: DisabledReason | null;
  /** End of the one-time password, which has to be changed at the first login; null for a password of one's own. */
  readonly oneTimePasswordExpiresAt: Timestamp | null;
  /** Whether the login takes a code besides the password. */
  readonly secondFactor: boolean;
  readonly lastLoginAt: Timestamp | null;
  /** Time of the last login, enabling or creation: inactivity counts from it. */
  readonly idleSince: Timestamp;
  /** Time at which a merchant's user became an operator; null or absent for all others. */
  readonly operatorSince?: Timestamp | null;
  /** Carried by sessions: a change ends all that were opened before. */
  readonly credentialsVersion: number;
};

type DisabledReason = 'operator' | 'inactivity';

/** Secrets of a user, stored beside it; no event and no answer has them. */
export type UserSecret = {
  readonly passwordHash: string;
  /** Hashes of the passwords before, the latest first. */
  readonly formerHashes: readonly string[];
  /** Counts once `User.secondFactor` is set. */
  readonly secondFactor: SecondFactorSecret | null;
};

export const USERS: SecretStore<User> = secretStore('users', 'user', { auditsEverybody: true });

/** Length of passwords in characters (NIST SP 800-63B: long rather than complicated). */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 128;
/** Former passwords that are remembered: with the present one the last four (PCI DSS 8.3.7). */
const FORMER_PASSWORDS = 3;

const DAY_MS = 24 * HOUR_MS;
/** Life of the one-time password of a new user, and of one after a reset. */
const NEW_USER_MS = 7 * DAY_MS;
const RESET_MS = HOUR_MS;
/** A user that does not log in for so long is disabled (PCI DSS 8.2.6). */
const IDLE_DAYS = 90;

export type NewUser = {
  readonly email: string;
  readonly name: string | null;
  readonly merchantId: MerchantId | null;
  readonly groups: readonly string[];
  readonly disabled: boolean;
  readonly allowedNetworks?: readonly string[];
};

/** Changes; a member that is absent stays as it is. */
export type UserChanges = Partial<NewUser>;

export const normalizeEmail = (email: string): string => email.toLowerCase();

const later = (now: Date, ms: number): Timestamp => timestamp(new Date(now.getTime() + ms));

/** `hasOneTimePassword` says that somebody else chose the password. */
export const openUser = (
  command: NewUser,
  hasOneTimePassword: boolean,
  id: UserId,
  now: Date,
): Decision<User> => ({
  type: 'user.created',
  data: {
    id,
    version: 0,
    email: normalizeEmail(command.email),
    name: command.name,
    merchantId: command.merchantId,
    groups: command.groups,
    disabled: command.disabled,
    allowedNetworks: command.allowedNetworks ?? [],
    disabledReason: command.disabled ? 'operator' : null,
    oneTimePasswordExpiresAt: hasOneTimePassword ? later(now, NEW_USER_MS) : null,
    secondFactor: false,
    lastLoginAt: null,
    idleSince: timestamp(now),
    operatorSince: null,
    credentialsVersion: 1,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  },
});

/** Another e-mail address, other groups, another merchant and disabling end the user's sessions. */
export const changeUser = (user: User, changes: UserChanges, now: Date): Decision<User> => {
  const changed = { ...user, ...changes, email: normalizeEmail(changes.email ?? user.email) };
  const isEnabled = user.disabled && !changed.disabled;
  const isDisabled = !user.disabled && changed.disabled;
  const becomesOperator = user.merchantId !== null && changed.merchantId === null;
  const endsSessions =
    isDisabled ||
    changed.email !== user.email ||
    changed.merchantId !== user.merchantId ||
    !sameNames(changed.groups, user.groups);
  return {
    type: 'user.updated',
    data: {
      ...changed,
      disabledReason: isDisabled ? 'operator' : isEnabled ? null : user.disabledReason,
      idleSince: isEnabled ? timestamp(now) : user.idleSince,
      operatorSince: becomesOperator ? timestamp(now) : (user.operatorSince ?? null),
      credentialsVersion: user.credentialsVersion + (endsSessions ? 1 : 0),
      updatedAt: timestamp(now),
    },
  };
};

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name) => right.includes(name));

/** The user with changed credentials: every session that was opened before is over. */
const withNewCredentials = (user: User, changes: Partial<User>, now: Date): User => ({
  ...user,
  ...changes,
  credentialsVersion: user.credentialsVersion + 1,
  updatedAt: timestamp(now),
});

export const changeOwnPassword = (user: User, now: Date): Decision<User> => ({
  type: 'user.password_changed',
  data: withNewCredentials(user, { oneTimePasswordExpiresAt: null }, now),
});

/** Replaces the password of somebody else by a one-time password. */
export const resetPassword = (user: User, now: Date): Decision<User> => ({
  type: 'user.password_reset',
  data: withNewCredentials(user, { oneTimePasswordExpiresAt: later(now, RESET_MS) }, now),
});

/** The secret with another password; the one until now is remembered. */
export const withPassword = (secret: UserSecret, passwordHash: string): UserSecret => ({
  ...secret,
  passwordHash,
  formerHashes: [secret.passwordHash, ...secret.formerHashes].slice(0, FORMER_PASSWORDS),
});

export const newSecret = (passwordHash: string): UserSecret => ({
  passwordHash,
  formerHashes: [],
  secondFactor: null,
});

/** Whether the one-time password has had its time. */
export const isPasswordOver = ({ oneTimePasswordExpiresAt }: User, now: Date): boolean =>
  oneTimePasswordExpiresAt !== null && oneTimePasswordExpiresAt <= timestamp(now);

export const startSecondFactor = (user: User, now: Date): Decision<User> => {
  if (user.secondFactor) throw secondFactorAlreadySet();
  return changed('user.second_factor_started', user, now, {});
};

export const confirmSecondFactor = (user: User, now: Date): Decision<User> => ({
  type: 'user.second_factor_confirmed',
  data: withNewCredentials(user, { secondFactor: true }, now),
});

/** Takes the second factor away; 422 SECOND_FACTOR_NOT_SET where there is none. */
export const removeSecondFactor = (
  user: User,
  type: 'user.second_factor_removed' | 'user.second_factor_reset',
  now: Date,
): Decision<User> => {
  if (!user.secondFactor) throw secondFactorNotSet();
  return { type, data: withNewCredentials(user, { secondFactor: false }, now) };
};

export const logIn = (user: User, now: Date): Decision<User> => ({
  type: 'user.logged_in',
  data: { ...user, lastLoginAt: timestamp(now), idleSince: timestamp(now) },
});

export const disableIdleUser = (user: User, now: Date): Decision<User> => ({
  type: 'user.disabled_for_inactivity',
  data: withNewCredentials(user, { disabled: true, disabledReason: 'inactivity' }, now),
});

/** Users that were seen last before this time are disabled. */
export const idleLimit = (now: Date): Timestamp => later(now, -IDLE_DAYS * DAY_MS);

/** The user; 404 where there is none, or one that does not belong to the merchant that is named. */
export const userWithin = (ofMerchant: MerchantId | undefined, user: User | null): User => {
  if (!user || (ofMerchant !== undefined && user.merchantId !== ofMerchant)) throw notFound('User');
  return user;
};

/** Whether the change may take an administrator away from the gateway. */
export const mayLoseAdministration = (before: User, after: User): boolean =>
  before.merchantId === null &&
  !before.disabled &&
  (after.disabled ||
    after.merchantId !== null ||
    before.groups.some((group) => !after.groups.includes(group)));
