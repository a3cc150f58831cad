import Joi from 'joi';
import { MERCHANT_PERMISSIONS } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { dateTime, instant, networks, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { merchantParams } from './merchants.schemas.ts';
import { apiKeyList, type ListApiKeys } from './read/list-api-keys.ts';
import { type KeyTerms, MAX_ROLL_SECONDS } from './write/api-key.ts';
import type { CreateApiKey, IssuedApiKey } from './write/create-api-key.ts';
import type { RevokeApiKey } from './write/revoke-api-key.ts';
import type { RollApiKey } from './write/roll-api-key.ts';

const TAG = 'API keys (administration)';

const livemode = Joi.boolean().description('false: sandbox (`_test_`), true: production (`_live_`).');

const PUBLIC_KEY = 'May be known: enough for `GET /v1/payment-methods` only.';

const permissions = Joi.array()
  .items(Joi.string().valid(...MERCHANT_PERMISSIONS))
  .unique()
  .allow(null)
  .description("What the pair may do, of what the merchant may; null: all of the merchant's permissions.");
const allowedNetworks = networks().description(
  'IP networks (CIDR) or addresses that the secret key has to come from; empty: everywhere. From elsewhere: 403 `NETWORK_NOT_ALLOWED`.',
);
const description = text(200).trim().allow(null).description('For people; null without one.');
const EXPIRES_AT = 'The pair is not accepted from then on (401); null while no end is set.';
const terms = {
  description: description.required(),
  permissions: permissions.required(),
  allowedNetworks: allowedNetworks.required(),
  expiresAt: dateTime().allow(null).required().description(EXPIRES_AT),
};

const issuedKey = Joi.object({
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

const listedKey = Joi.object({
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

const pairParams = { ...merchantParams, keyId: 'Id of the pair, `key_…`.' };

const toIssuedAnswer = (key: IssuedApiKey): object => ({
  id: key.id,
  publicKey: key.publicKey,
  secretKey: key.secretKey,
  livemode: key.livemode,
  description: key.description,
  permissions: key.permissions,
  allowedNetworks: key.allowedNetworks,
  expiresAt: key.expiresAt,
  createdAt: key.createdAt,
});

export const apiKeyRoutes = (deps: {
  readonly createApiKey: CreateApiKey;
  readonly rollApiKey: RollApiKey;
  readonly revokeApiKey: RevokeApiKey;
  readonly listApiKeys: ListApiKeys;
}): readonly Route[] => [
  route<KeyTerms>({
    method: 'post',
    path: '/v1/admin/merchants/{id}/api-keys',
    params: merchantParams,
    summary: 'Create a pair of API keys',
    description:
      'The secret key is in this answer only; the gateway keeps a keyed hash of it. 422 `MERCHANT_ENVIRONMENT_MISMATCH` for a sub-merchant of the other environment, 403 `GRANT_NOT_HELD` for permissions that the merchant does not have, 400 for an end in the past.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: Joi.object({
      livemode: livemode.required(),
      description: description.default(null),
      permissions: permissions.default(null),
      allowedNetworks: allowedNetworks.default([]),
      expiresAt: instant().allow(null).default(null).description(EXPIRES_AT),
    }).example({ livemode: false, description: 'web shop', allowedNetworks: ['192.0.2.0/24'] }),
    responses: { 201: { description: 'The pair, with its secret key.', schema: issuedKey } },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const command = { ...body, merchantId: params.id ?? '' };
      return { status: 201, body: toIssuedAnswer(await deps.createApiKey(command, context)) };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/merchants/{id}/api-keys',
    params: merchantParams,
    summary: "List a merchant's API keys",
    description: 'Without secret keys; ended and revoked pairs included. Newest first by default.',
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    query: apiKeyList.query,
    consistent: true,
    responses: { 200: { description: 'A page of pairs.', schema: pageOf(listedKey) } },
    errors: [404],
    async handle(request) {
      const { params, query } = request;
      const page = await deps.listApiKeys(params.id ?? '', query, consistencyTokenOf(request));
      return { status: 200, body: page };
    },
  }),
  route<{ readonly validForSeconds: number }>({
    method: 'post',
    path: '/v1/admin/merchants/{id}/api-keys/{keyId}/roll',
    params: pairParams,
    summary: 'Replace a pair of API keys',
    description:
      'Makes a new pair for the same environment. The old one stays valid for `validForSeconds` (0 by default: it fails at once). 422 `API_KEY_NOT_ACTIVE` for a pair that was rolled or revoked before.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: Joi.object({
      validForSeconds: Joi.number()
        .integer()
        .min(0)
        .max(MAX_ROLL_SECONDS)
        .default(0)
        .description('Seconds for which the old pair stays valid.'),
    })
      .default()
      .optional()
      .example({ validForSeconds: 3600 }),
    responses: { 201: { description: 'The new pair, with its secret key.', schema: issuedKey } },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const command = {
        merchantId: params.id ?? '',
        keyId: params.keyId ?? '',
        validForSeconds: body.validForSeconds,
      };
      return { status: 201, body: toIssuedAnswer(await deps.rollApiKey(command, context)) };
    },
  }),
  route({
    method: 'delete',
    path: '/v1/admin/merchants/{id}/api-keys/{keyId}',
    params: pairParams,
    summary: 'Revoke a pair of API keys',
    description: 'It fails at once, on every instance. Revoking it again changes nothing.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    responses: { 204: { description: 'The pair is revoked.' } },
    errors: [404],
    async handle({ params, context }) {
      await deps.revokeApiKey({ merchantId: params.id ?? '', keyId: params.keyId ?? '' }, context);
      return { status: 204 };
    },
  }),
];
