import type { MerchantId } from '../../kernel/ids.ts';
import {
  characters,
  dateTime,
  email,
  networks,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { arrayOf, boolean, object, string } from '../../platform/http/typed.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './write/user.ts';

export const TAG = 'Users (administration)';

const password = characters(MAX_PASSWORD, MIN_PASSWORD).description(
  `${MIN_PASSWORD} to ${MAX_PASSWORD} characters. A one-time password, which expires after seven days and has to be changed at the first login.`,
);
const NAME = 'Name of the person; null without one.';
const name = text(200).allow(null).description(NAME);
const MERCHANT = 'The merchant that the user belongs to; null for an operator.';
const merchantId = characters<MerchantId>(64).allow(null).description(MERCHANT);
const GROUPS =
  "Names of groups. A merchant's user has the permissions of the merchant even without groups, and gets `keys.manage` and `users.manage` from groups.";
const groups = arrayOf(text(64)).max(100).unique().description(GROUPS);
const disabled = boolean().description('Whether the user is disabled and cannot log in.');

const allowedNetworks = networks().description(
  'IP networks (CIDR) or addresses from which the user may come; an empty list allows all.',
);

export const newUser = object({
  email: email().required(),
  password: password.required(),
  name: name.default(null),
  merchantId: merchantId.required(),
  groups: groups.required(),
  disabled: disabled.default(false),
  allowedNetworks: allowedNetworks.default([]),
}).example({
  email: 'finance@example.com',
  password: 'a long password',
  name: 'Rui Costa',
  merchantId: null,
  groups: [],
});

export const userChanges = object({
  email: email(),
  name,
  merchantId,
  groups,
  disabled,
  allowedNetworks,
})
  .min(1)
  .example({ name: 'Rui Costa' });

/** The body by which somebody with `users.manage` creates a user of the same merchant. */
export const newColleague = object({
  email: email().required(),
  password: password.required(),
  name: name.default(null),
  groups: groups.default([]),
  disabled: disabled.default(false),
  allowedNetworks: allowedNetworks.default([]),
}).example({ email: 'shop@example.com', password: 'a long password', name: 'Ana Souza' });

export const colleagueChanges = object({ email: email(), name, groups, disabled, allowedNetworks })
  .min(1)
  .example({ name: 'Ana Souza' });

export const oneTimePassword = object({
  oneTimePassword: string().required().description('The one-time password, to be handed over in private.'),
  expiresAt: dateTime().required(),
}).label('OneTimePassword');

export const userAnswer = object({
  id: resourceId('usr').required(),
  email: string().required().description('In lower case.'),
  name: string().allow(null).required().description(NAME),
  merchantId: resourceId('mer').allow(null).required().description(MERCHANT),
  groups: arrayOf(string()).required().description(GROUPS),
  disabled: disabled.required(),
  disabledReason: string()
    .valid('operator', 'inactivity')
    .allow(null)
    .required()
    .label('DisabledReason')
    .description(
      'Why the user is disabled. `operator`: by an operator, or by a user with `users.manage`. `inactivity`: no login for 90 days. Null if the user is enabled.',
    ),
  oneTimePasswordExpiresAt: dateTime()
    .allow(null)
    .required()
    .description('When a one-time password that was not changed yet expires; else null.'),
  secondFactor: boolean().required().description('Whether the login needs a code besides the password.'),
  lastLoginAt: dateTime().allow(null).required(),
  allowedNetworks: allowedNetworks.required(),
  ...timestamps,
}).label('User');
