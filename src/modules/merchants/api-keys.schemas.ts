import { KEY_PERMISSIONS } from '../../kernel/principal.ts';
import { dateTime, networks, resourceId, text } from '../../platform/http/schemas.ts';
import { arrayOf, boolean, object, string } from '../../platform/http/typed.ts';

export const API_KEYS_TAG = 'API keys (administration)';
/** Tag of the operations by which a merchant's people administer its keys and users. */
export const OWN_ACCESS_TAG = 'Keys and users';

export const livemode = boolean().description('false: sandbox (`_test_`), true: production (`_live_`).');

const PUBLIC_KEY = 'Not secret. It allows `GET /v1/payment-methods` only.';

export const permissions = arrayOf(
  string()
    .valid(...KEY_PERMISSIONS)
    .label('KeyPermission'),
)
  .max(KEY_PERMISSIONS.length)
  .unique()
  .allow(null)
  .description(
    "Permissions of the pair, some of the merchant's; null for all of the merchant's permissions.",
  );
export const allowedNetworks = networks().description(
  'IP networks (CIDR) or addresses from which the secret key may come; an empty list allows all.',
);
export const description = text(200)
  .allow(null)
  .description('Description of the pair, for people; null without one.');
export const EXPIRES_AT =
  'When the pair expires; from then on it is answered with 401. Null if it does not expire.';
const terms = {
  description: description.required(),
  permissions: permissions.required(),
  allowedNetworks: allowedNetworks.required(),
  expiresAt: dateTime().allow(null).required().description(EXPIRES_AT),
};

export const issuedKey = object({
  id: resourceId('key').required(),
  publicKey: string()
    .pattern(/^pk_(test|live)_/)
    .required()
    .description(PUBLIC_KEY),
  secretKey: string()
    .pattern(/^sk_(test|live)_/)
    .required()
    .description('The secret key, which no other answer shows.'),
  livemode: livemode.required(),
  ...terms,
  createdAt: dateTime().required(),
}).label('IssuedApiKey');

export const listedKey = object({
  id: resourceId('key').required(),
  livemode: livemode.required(),
  publicKey: string().required().description(PUBLIC_KEY),
  secretKeyEnding: string().required().description('The last characters of the secret key.'),
  ...terms,
  lastUsedAt: dateTime()
    .allow(null)
    .required()
    .description('When a request last used the pair, to the minute; null if none did.'),
  revokedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was revoked, or rolled without any time left; null otherwise.'),
  rolledTo: resourceId('key')
    .allow(null)
    .required()
    .description('The pair that replaced it when it was rolled; null otherwise.'),
  createdAt: dateTime().required(),
}).label('ApiKey');
