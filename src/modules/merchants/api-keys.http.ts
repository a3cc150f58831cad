import { asMerchant, grantNotHeld, type Principal } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { instant } from '../../platform/http/schemas.ts';
import { number, object } from '../../platform/http/typed.ts';
import {
  API_KEYS_TAG,
  allowedNetworks,
  description,
  EXPIRES_AT,
  issuedKey,
  livemode,
  OWN_ACCESS_TAG,
  permissions,
} from './api-keys.schemas.ts';
import { merchantParams } from './merchants.schemas.ts';
import { MAX_ROLL_SECONDS } from './write/api-key.ts';
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

const terms = {
  description: description.default(null),
  permissions: permissions.default(null),
  allowedNetworks: allowedNetworks.default([]),
  expiresAt: instant().allow(null).default(null).description(EXPIRES_AT),
};

const roll = object({
  validForSeconds: number()
    .integer()
    .min(0)
    .max(MAX_ROLL_SECONDS)
    .default(0)
    .description('Seconds for which the old pair stays valid.'),
})
  .default()
  .optional()
  .example({ validForSeconds: 3600 });

type Deps = { createApiKey: CreateApiKey; rollApiKey: RollApiKey; revokeApiKey: RevokeApiKey };
export const apiKeyRoutes: Routes<Deps> = (deps) => [
  route({
    method: 'post',
    operationId: 'createApiKey',
    path: '/v1/admin/merchants/{id}/api-keys',
    params: merchantParams,
    summary: 'Create a pair of API keys',
    description:
      'Shows the secret key in this answer only, because the gateway stores only a keyed hash of it. An `expiresAt` in the past is answered with 400.',
    tag: API_KEYS_TAG,
    access: { operator: 'admin.merchants.update' },
    body: object({ livemode: livemode.required(), ...terms }).example({
      livemode: false,
      description: 'web shop',
      allowedNetworks: ['192.0.2.0/24'],
    }),
    responses: { 201: { description: 'The pair, with its secret key.', schema: issuedKey } },
    refusals: [merchantEnvironmentMismatch, grantNotHeld],
    errors: [404],
    async handle({ params, body, context }) {
      const command = { ...body, merchantId: params.id };
      return { status: 201, body: toIssuedAnswer(await deps.createApiKey(command, context)) };
    },
  }),
  route({
    method: 'post',
    operationId: 'rollApiKey',
    path: '/v1/admin/merchants/{id}/api-keys/{keyId}/roll',
    createdBelow: '/v1/admin/merchants/{id}/api-keys',
    params: pairParams,
    summary: 'Replace a pair of API keys',
    description:
      'Creates a new pair for the same environment. The old pair stays valid for `validForSeconds` (0 by default, so that it fails at once).',
    tag: API_KEYS_TAG,
    access: { operator: 'admin.merchants.update' },
    body: roll,
    responses: { 201: { description: 'The new pair, with its secret key.', schema: issuedKey } },
    refusals: [apiKeyNotActive, grantNotHeld, merchantEnvironmentMismatch],
    errors: [404],
    async handle({ params, body, context }) {
      const command = {
        merchantId: params.id,
        keyId: params.keyId,
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
      await deps.revokeApiKey({ merchantId: params.id, keyId: params.keyId }, context);
      return { status: 204 };
    },
  }),
];

/** The merchant and environment of the caller, who sees only the key pairs of these two. */
const ofCaller = (principal: Principal) => {
  const { merchantId, livemode: ofToken } = asMerchant(principal);
  return { merchantId, livemode: ofToken };
};

const BY_GROUP = 'A user gets the permission from a group; a key never has it.';

export const ownApiKeyRoutes: Routes<Deps> = (deps) => [
  route({
    method: 'post',
    operationId: 'createOwnApiKey',
    path: '/v1/api-keys',
    summary: "Create a pair of API keys of one's own merchant",
    description: `Creates a pair for the environment of the token, and shows the secret key in this answer only. ${BY_GROUP}`,
    tag: OWN_ACCESS_TAG,
    access: { merchant: 'keys.manage' },
    body: object(terms).example({ description: 'web shop', permissions: ['charges.create'] }),
    responses: { 201: { description: 'The pair, with its secret key.', schema: issuedKey } },
    refusals: [grantNotHeld, merchantEnvironmentMismatch],
    async handle({ principal, body, context }) {
      const command = { ...body, ...ofCaller(principal) };
      return { status: 201, body: toIssuedAnswer(await deps.createApiKey(command, context)) };
    },
  }),
  route({
    method: 'post',
    operationId: 'rollOwnApiKey',
    path: '/v1/api-keys/{keyId}/roll',
    createdBelow: '/v1/api-keys',
    params: { keyId: pairParams.keyId },
    summary: "Replace a pair of API keys of one's own merchant",
    description:
      'Creates a new pair with the restrictions of the old one, which stays valid for `validForSeconds` (0 by default, so that it fails at once).',
    tag: OWN_ACCESS_TAG,
    access: { merchant: 'keys.manage' },
    body: roll,
    responses: { 201: { description: 'The new pair, with its secret key.', schema: issuedKey } },
    refusals: [apiKeyNotActive, grantNotHeld, merchantEnvironmentMismatch],
    errors: [404],
    async handle({ principal, params: { keyId }, body, context }) {
      const command = { ...body, ...ofCaller(principal), keyId };
      return { status: 201, body: toIssuedAnswer(await deps.rollApiKey(command, context)) };
    },
  }),
  route({
    method: 'delete',
    operationId: 'revokeOwnApiKey',
    path: '/v1/api-keys/{keyId}',
    params: { keyId: pairParams.keyId },
    summary: "Revoke a pair of API keys of one's own merchant",
    description: 'Makes the pair fail at once, on every instance. Revoking it again changes nothing.',
    tag: OWN_ACCESS_TAG,
    access: { merchant: 'keys.manage' },
    responses: { 204: { description: 'The pair is revoked.' } },
    errors: [404],
    async handle({ principal, params: { keyId }, context }) {
      await deps.revokeApiKey({ ...ofCaller(principal), keyId }, context);
      return { status: 204 };
    },
  }),
];
