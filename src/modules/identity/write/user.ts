import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { HOUR_MS } from '../../../kernel/durations.ts';
import { notFound } from '../../../kernel/errors.ts';
import { changed, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { MerchantId, UserId } from '../../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import { secondFactorAlreadySet, secondFactorNotSet } from './refusals.ts';
import type { SecondFactorSecret } from './second-factor.ts';

type UserEvent =
  | 'user.created'
  | 'user.disabled_for_inactivity'
  | 'user.logged_in'
  | 'user.login_failed'
  | 'user.password_changed'
  | 'user.password_reset'
  | 'user.recovery_code_used'
  | 'user.second_factor_confirmed'
  | 'user.second_factor_removed'
  | 'user.second_factor_reset'
  | 'user.second_factor_started'
  | 'user.updated';

/** A person. Operators belong to the gateway (`merchantId` null), other users to one merchant. */
export type User = DatedResource & {
  readonly id: UserId;
  /** In lower case, because addresses are compared without regard to case. */
  readonly email: string;
  readonly name: string | null;
  readonly merchantId: MerchantId | null;
  /**
   * Names of groups. A merchant's user has by groups only the permissions that keys never have; all others are the
   * merchant's.
   */
  readonly groups: readonly string[];
  readonly disabled: boolean;
  /** Networks (CIDR) that the user may come from; empty where the user may come from everywhere. */
  readonly allowedNetworks: readonly string[];
  /** Null for an enabled user. */
  readonly disabledReason: DisabledReason | null;
  /**
   * When the one-time password ends, which has to be changed at the first login; null for a password that the user
   * chose.
   */
  readonly oneTimePasswordExpiresAt: Timestamp | null;
  /** Whether the login asks for a code besides the password. */
  readonly secondFactor: boolean;
  readonly lastLoginAt: Timestamp | null;
  /** Time of the last login, enabling or creation, from which inactivity counts. */
  readonly idleSince: Timestamp;
  /** Time at which a merchant's user became an operator; null or absent for all others. */
  readonly operatorSince?: Timestamp | null;
  /** Sessions carry this version, and a change ends all that were opened before. */
  readonly credentialsVersion: number;
};

type DisabledReason = 'operator' | 'inactivity';

/** Secrets of a user, stored beside it; neither events nor answers show them. */
export type UserSecret = {
  readonly passwordHash: string;
  /** Hashes of former passwords, the latest first. */
  readonly formerHashes: readonly string[];
  /** Counts once `User.secondFactor` is set. */
  readonly secondFactor: SecondFactorSecret | null;
};

export const USERS: SecretStore<User, UserEvent> = secretStore('users', 'user', { auditsEverybody: true });

/** Length of passwords in characters (NIST SP 800-63B prefers long passwords to complicated ones). */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 128;
/** How many former passwords are remembered: with the present one they are the last four (PCI DSS 8.3.7). */
const FORMER_PASSWORDS = 3;

const DAY_MS = 24 * HOUR_MS;
/** Validity of the one-time password of a new user, and of one after a reset. */
const NEW_USER_MS = 7 * DAY_MS;
const RESET_MS = HOUR_MS;
/** A user who does not log in for this long is disabled (PCI DSS 8.2.6). */
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

/** `hasOneTimePassword` is true where somebody else chose the password. */
export const openUser = (
  command: NewUser,
  hasOneTimePassword: boolean,
  id: UserId,
  now: Date,
): Decision<User, UserEvent> => ({
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

/** A change of e-mail address, groups or merchant, and disabling, end the user's sessions. */
export const changeUser = (user: User, changes: UserChanges, now: Date): Decision<User, UserEvent> => {
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

/** The user with changed credentials, which ends every session that was opened before. */
const withNewCredentials = (user: User, changes: Partial<User>, now: Date): User => ({
  ...user,
  ...changes,
  credentialsVersion: user.credentialsVersion + 1,
  updatedAt: timestamp(now),
});

export const changeOwnPassword = (user: User, now: Date): Decision<User, UserEvent> => ({
  type: 'user.password_changed',
  data: withNewCredentials(user, { oneTimePasswordExpiresAt: null }, now),
});

/** Replaces the password by a one-time password at somebody else's request. */
export const resetPassword = (user: User, now: Date): Decision<User, UserEvent> => ({
  type: 'user.password_reset',
  data: withNewCredentials(user, { oneTimePasswordExpiresAt: later(now, RESET_MS) }, now),
});

/** The secret with another password; the present one joins the former ones. */
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

/** Whether the user has a one-time password that has expired. */
export const isPasswordOver = ({ oneTimePasswordExpiresAt }: User, now: Date): boolean =>
  oneTimePasswordExpiresAt !== null && oneTimePasswordExpiresAt <= timestamp(now);

export const startSecondFactor = (user: User, now: Date): Decision<User, UserEvent> => {
  if (user.secondFactor) throw secondFactorAlreadySet();
  return changed('user.second_factor_started', user, now, {});
};

export const confirmSecondFactor = (user: User, now: Date): Decision<User, UserEvent> => ({
  type: 'user.second_factor_confirmed',
  data: withNewCredentials(user, { secondFactor: true }, now),
});

/** Takes the second factor away; 422 SECOND_FACTOR_NOT_SET where there is none. */
export const removeSecondFactor = (
  user: User,
  type: 'user.second_factor_removed' | 'user.second_factor_reset',
  now: Date,
): Decision<User, UserEvent> => {
  if (!user.secondFactor) throw secondFactorNotSet();
  return { type, data: withNewCredentials(user, { secondFactor: false }, now) };
};

export const logIn = (user: User, now: Date): Decision<User, UserEvent> => ({
  type: 'user.logged_in',
  data: { ...user, lastLoginAt: timestamp(now), idleSince: timestamp(now) },
});

export const disableIdleUser = (user: User, now: Date): Decision<User, UserEvent> => ({
  type: 'user.disabled_for_inactivity',
  data: withNewCredentials(user, { disabled: true, disabledReason: 'inactivity' }, now),
});

/** Users who were last seen before this time are to be disabled. */
export const idleLimit = (now: Date): Timestamp => later(now, -IDLE_DAYS * DAY_MS);

/** The user; 404 for an unknown one, and for one of another merchant than the one that is named. */
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
