import Joi from 'joi';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { dateTime, pageOf, resourceId } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { merchantParams } from './merchants.schemas.ts';
import { apiKeyList, type ListApiKeys } from './read/list-api-keys.ts';
import { MAX_ROLL_SECONDS } from './write/api-key.ts';
import type { CreateApiKey, IssuedApiKey } from './write/create-api-key.ts';
import type { RevokeApiKey } from './write/revoke-api-key.ts';
import type { RollApiKey } from './write/roll-api-key.ts';

const TAG = 'API keys (administration)';

const livemode = Joi.boolean().description('false: sandbox (`_test_`), true: production (`_live_`).');

const PUBLIC_KEY = 'May be known: enough for `GET /v1/payment-methods` only.';

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
  createdAt: dateTime().required(),
}).label('IssuedApiKey');

const listedKey = Joi.object({
  id: resourceId('key').required(),
  livemode: livemode.required(),
  publicKey: Joi.string().required().description(PUBLIC_KEY),
  secretKeyEnding: Joi.string().required().description('The last characters of the secret key.'),
  expiresAt: dateTime()
    .allow(null)
    .required()
    .description('End of a rolled pair, which is not accepted from then on; null while no end is set.'),
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
  createdAt: key.createdAt,
});

export const apiKeyRoutes = (deps: {
  readonly createApiKey: CreateApiKey;
  readonly rollApiKey: RollApiKey;
  readonly revokeApiKey: RevokeApiKey;
  readonly listApiKeys: ListApiKeys;
}): readonly Route[] => [
  route<{ readonly livemode: boolean }>({
    method: 'post',
    path: '/v1/admin/merchants/{id}/api-keys',
    params: merchantParams,
    summary: 'Create a pair of API keys',
    description:
      'The secret key is in this answer only; the gateway keeps a keyed hash of it. 422 `MERCHANT_ENVIRONMENT_MISMATCH` for a sub-merchant of the other environment.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: Joi.object({ livemode: livemode.required() }).example({ livemode: false }),
    responses: { 201: { description: 'The pair, with its secret key.', schema: issuedKey } },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const command = { merchantId: params.id ?? '', livemode: body.livemode };
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
