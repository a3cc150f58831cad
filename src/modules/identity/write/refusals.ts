import { forbidden, refusal } from '../../../kernel/errors.ts';

export const emailAlreadyUsed = refusal('EMAIL_ALREADY_USED', 'Another user has this e-mail address');

export const environmentNotAvailable = refusal(
  'ENVIRONMENT_NOT_AVAILABLE',
  'The sub-merchant belongs to the other environment',
);

export const groupAlreadyExists = refusal('GROUP_ALREADY_EXISTS', 'Another group has this name');

export const groupNotFound = refusal(
  'GROUP_NOT_FOUND',
  'A named group does not exist',
  (name: string) => `Group not found: ${name}`,
);

export const groupsNotAllowed = refusal(
  'GROUPS_NOT_ALLOWED',
  "A merchant's user can be in groups of `keys.manage` and `users.manage` only, an operator in none of them",
);

export const lastAdministrator = refusal('LAST_ADMINISTRATOR', 'Nobody could administer users any more');

export const merchantNotFound = refusal('MERCHANT_NOT_FOUND', 'Merchant not found');

export const ownAccount = refusal('OWN_ACCOUNT', 'Your own credentials are changed by /v1/auth, not reset');

export const passwordNamesUser = refusal(
  'PASSWORD_NAMES_USER',
  'The password must not be the e-mail address or the name',
);

export const passwordTooCommon = refusal(
  'PASSWORD_TOO_COMMON',
  'The password is one of those that are tried first',
);

export const passwordUsedBefore = refusal('PASSWORD_USED_BEFORE', 'The password is one of your last four');

export const requestedWithMissing = forbidden(
  'REQUESTED_WITH_MISSING',
  'The header `X-Requested-With: portico` is missing',
);

export const savedViewLimitReached = refusal(
  'SAVED_VIEW_LIMIT_REACHED',
  'The user has the most saved views that one may have',
  (most: number) => `A user has at most ${most} saved views`,
);

export const secondFactorAlreadySet = refusal(
  'SECOND_FACTOR_ALREADY_SET',
  'There is a second factor already; remove it first',
);

export const secondFactorNotSet = refusal('SECOND_FACTOR_NOT_SET', 'There is no second factor');

export const secondFactorNotStarted = refusal(
  'SECOND_FACTOR_NOT_STARTED',
  'There is no second factor that waits for its first code',
);

export const wrongCode = refusal('WRONG_CODE', 'The code is wrong, or was used before');

export const wrongPassword = refusal('WRONG_PASSWORD', 'The current password is wrong');

/** Refusals for the e-mail address, merchant and groups that a new or changed user names. */
export const REFERENCE_REFUSALS = [merchantNotFound, groupNotFound, groupsNotAllowed, emailAlreadyUsed];
