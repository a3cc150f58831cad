import Joi from 'joi';
import { grantNotHeld } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { instant } from '../../platform/http/schemas.ts';
import {
  API_KEYS_TAG,
  allowedNetworks,
  description,
  EXPIRES_AT,
  issuedKey,
  livemode,
  permissions,
} from './api-keys.schemas.ts';
import { merchantParams } from './merchants.schemas.ts';
import { type KeyTerms, MAX_ROLL_SECONDS } from './write/api-key.ts';
import type { CreateApiKey, IssuedApiKey } from './write/create-api-key.ts';
import { apiKeyNotActive, merchantEnvironmentMismatch } from './write/refusals.ts';
import type { RevokeApiKey } from './write/revoke-api-key.ts';
import type { RollApiKey } from './write/roll-api-key.ts';

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

export const apiKeyRoutes: Routes<{
  createApiKey: CreateApiKey;
  rollApiKey: RollApiKey;
  revokeApiKey: RevokeApiKey;
}> = (deps) => [
  route<KeyTerms>({
    method: 'post',
    operationId: 'createApiKey',
    path: '/v1/admin/merchants/{id}/api-keys',
    params: merchantParams,
    summary: 'Create a pair of API keys',
    description:
      'Shows the secret key in this answer only; the gateway keeps a keyed hash of it. An end in the past is answered with 400.',
    tag: API_KEYS_TAG,
    access: { operator: 'admin.merchants.update' },
    body: Joi.object({
      livemode: livemode.required(),
      description: description.default(null),
      permissions: permissions.default(null),
      allowedNetworks: allowedNetworks.default([]),
      expiresAt: instant().allow(null).default(null).description(EXPIRES_AT),
    }).example({ livemode: false, description: 'web shop', allowedNetworks: ['192.0.2.0/24'] }),
    responses: { 201: { description: 'The pair, with its secret key.', schema: issuedKey } },
    refusals: [merchantEnvironmentMismatch, grantNotHeld],
    errors: [404],
    async handle({ params, body, context }) {
      const command = { ...body, merchantId: params.id ?? '' };
      return { status: 201, body: toIssuedAnswer(await deps.createApiKey(command, context)) };
    },
  }),
  route<{ readonly validForSeconds: number }>({
    method: 'post',
    operationId: 'rollApiKey',
    path: '/v1/admin/merchants/{id}/api-keys/{keyId}/roll',
    createdBelow: '/v1/admin/merchants/{id}/api-keys',
    params: pairParams,
    summary: 'Replace a pair of API keys',
    description:
      'Makes a new pair for the same environment. The old one stays valid for `validForSeconds` (0 by default, so it fails at once).',
    tag: API_KEYS_TAG,
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
    refusals: [apiKeyNotActive, grantNotHeld, merchantEnvironmentMismatch],
    errors: [404],
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
    operationId: 'revokeApiKey',
    path: '/v1/admin/merchants/{id}/api-keys/{keyId}',
    params: pairParams,
    summary: 'Revoke a pair of API keys',
    description: 'Makes the pair fail at once, on every instance. Revoking it again changes nothing.',
    tag: API_KEYS_TAG,
    access: { operator: 'admin.merchants.update' },
    responses: { 204: { description: 'The pair is revoked.' } },
    errors: [404],
    async handle({ params, context }) {
      await deps.revokeApiKey({ merchantId: params.id ?? '', keyId: params.keyId ?? '' }, context);
      return { status: 204 };
    },
  }),
];
