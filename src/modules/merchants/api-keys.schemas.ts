import Joi from 'joi';
import { KEY_PERMISSIONS } from '../../kernel/principal.ts';
import { dateTime, networks, resourceId, text } from '../../platform/http/schemas.ts';

export const API_KEYS_TAG = 'API keys (administration)';
/** The operations by which a merchant's people administer its access. */
export const OWN_ACCESS_TAG = 'Keys and users';

export const livemode = Joi.boolean().description('false: sandbox (`_test_`), true: production (`_live_`).');

const PUBLIC_KEY = 'Not secret. It allows `GET /v1/payment-methods` only.';

export const permissions = Joi.array()
  .items(
    Joi.string()
      .valid(...KEY_PERMISSIONS)
      .label('KeyPermission'),
  )
  .max(KEY_PERMISSIONS.length)
  .unique()
  .allow(null)
  .description("Permissions of the pair, out of the merchant's; null for all of them.");
export const allowedNetworks = networks().description(
  'IP networks (CIDR) or addresses that the secret key has to come from; an empty list allows all.',
);
export const description = text(200).allow(null).description('For people; null without one.');
export const EXPIRES_AT = 'The pair is not accepted from then on (401); null while no end is set.';
const terms = {
  description: description.required(),
  permissions: permissions.required(),
  allowedNetworks: allowedNetworks.required(),
  expiresAt: dateTime().allow(null).required().description(EXPIRES_AT),
};

export const issuedKey = Joi.object({
  id: resourceId('key').required(),
  publicKey: Joi.string()
    .pattern(/^pk_(test|live)_/)
    .required()
    .description(PUBLIC_KEY),
  secretKey: Joi.string()
    .pattern(/^sk_(test|live)_/)
    .required()
    .description('In this answer only.'),
  livemode: livemode.required(),
  ...terms,
  createdAt: dateTime().required(),
}).label('IssuedApiKey');

export const listedKey = Joi.object({
  id: resourceId('key').required(),
  livemode: livemode.required(),
  publicKey: Joi.string().required().description(PUBLIC_KEY),
  secretKeyEnding: Joi.string().required().description('The last characters of the secret key.'),
  ...terms,
  lastUsedAt: dateTime()
    .allow(null)
    .required()
    .description('The last time that a request came with it, to the minute; null if none did.'),
  revokedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was revoked, or rolled without any time left; null otherwise.'),
  rolledTo: resourceId('key')
    .allow(null)
    .required()
    .description('The pair that took its place when it was rolled; null otherwise.'),
  createdAt: dateTime().required(),
}).label('ApiKey');
