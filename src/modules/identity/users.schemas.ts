import Joi from 'joi';
import {
  characters,
  dateTime,
  email,
  networks,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './write/user.ts';

export const TAG = 'Users (administration)';

const password = characters(MAX_PASSWORD, MIN_PASSWORD).description(
  `${MIN_PASSWORD} to ${MAX_PASSWORD} characters. A one-time password, which ends after seven days and has to be changed at the first login.`,
);
const NAME = "The person's name, for people; null without one.";
const name = text(200).allow(null).description(NAME);
const MERCHANT = 'The merchant that the user belongs to; null for an operator.';
const merchantId = characters(64).allow(null).description(MERCHANT);
const GROUPS =
  "Names of groups. A merchant's user has the merchant's permissions without any, and `keys.manage` and `users.manage` by groups.";
const groups = Joi.array().items(text(64)).max(100).unique().description(GROUPS);
const disabled = Joi.boolean().description('Whether the user is kept from logging in.');

const allowedNetworks = networks().description(
  'IP networks (CIDR) or addresses that the user has to come from; an empty list allows all.',
);

export const newUser = Joi.object({
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

export const userChanges = Joi.object({
  email: email(),
  name,
  merchantId,
  groups,
  disabled,
  allowedNetworks,
})
  .min(1)
  .example({ name: 'Rui Costa' });

/** A user as a colleague with `users.manage` makes it. */
export const newColleague = Joi.object({
  email: email().required(),
  password: password.required(),
  name: name.default(null),
  groups: groups.default([]),
  disabled: disabled.default(false),
  allowedNetworks: allowedNetworks.default([]),
}).example({ email: 'shop@example.com', password: 'a long password', name: 'Ana Souza' });

export const colleagueChanges = Joi.object({ email: email(), name, groups, disabled, allowedNetworks })
  .min(1)
  .example({ name: 'Ana Souza' });

export const oneTimePassword = Joi.object({
  oneTimePassword: Joi.string().required().description('To be handed over in private.'),
  expiresAt: dateTime().required(),
}).label('OneTimePassword');

export const userAnswer = Joi.object({
  id: resourceId('usr').required(),
  email: Joi.string().required().description('In lower case.'),
  name: Joi.string().allow(null).required().description(NAME),
  merchantId: resourceId('mer').allow(null).required().description(MERCHANT),
  groups: Joi.array().items(Joi.string()).required().description(GROUPS),
  disabled: disabled.required(),
  disabledReason: Joi.string()
    .valid('operator', 'inactivity')
    .allow(null)
    .required()
    .label('DisabledReason')
    .description(
      '`operator`: by an operator, or a user with `users.manage`. `inactivity`: no login for 90 days. Null for one that is enabled.',
    ),
  oneTimePasswordExpiresAt: dateTime()
    .allow(null)
    .required()
    .description('End of a one-time password that was not changed yet, else null.'),
  secondFactor: Joi.boolean().required().description('Whether the login takes a code besides the password.'),
  lastLoginAt: dateTime().allow(null).required(),
  allowedNetworks: allowedNetworks.required(),
  ...timestamps,
}).label('User');
