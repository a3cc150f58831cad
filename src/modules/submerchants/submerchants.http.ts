import { asMerchant, grantNotHeld } from '../../kernel/principal.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import { merchantNotActive } from '../merchants/write/refusals.ts';
import type { GetFeesInfo } from './read/get-fees-info.ts';
import { presentSubmerchant } from './read/submerchant.view.ts';
import {
  feesInfo,
  keysAnswer,
  MASTERS_ONLY,
  newSubmerchant,
  submerchantAnswer,
  submerchantChanges,
  submerchantParams,
  TAG,
} from './submerchants.schemas.ts';
import type { CreateSubmerchant } from './write/create-submerchant.ts';
import type { Marketplace } from './write/marketplace.ts';
import type { ReadApiKeys } from './write/read-api-keys.ts';
import { companyTaxIdVerified } from './write/refusals.ts';
import type { UpdateSubmerchant } from './write/update-submerchant.ts';

const access = { merchant: 'submerchants.manage' } as const;

const ACTIVE_MASTERS_ONLY = [...MASTERS_ONLY, merchantNotActive];

type SubmerchantDeps = {
  createSubmerchant: CreateSubmerchant;
  updateSubmerchant: UpdateSubmerchant;
  readApiKeys: ReadApiKeys;
  getFeesInfo: GetFeesInfo;
  marketplace: Marketplace;
  checkUrl: CheckUrl;
};

const createSubmerchantRoute = (deps: SubmerchantDeps): Route =>
  route({
    method: 'post',
    operationId: 'createSubmerchant',
    path: '/v1/submerchants',
    tag: TAG,
    summary: 'Create a sub-merchant',
    description:
      "Creates a `pre_approved` sub-merchant in the environment of the key. The sub-merchant gets the master's present fees, permissions and settings; later changes of these do not affect it.",
    access,
    body: newSubmerchant,
    responses: { 201: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    refusals: ACTIVE_MASTERS_ONLY,
    async handle({ principal, body, context }) {
      deps.checkUrl('postbackUrl', body.postbackUrl);
      const command = { principal: asMerchant(principal), fields: body };
      return { status: 201, body: presentSubmerchant(await deps.createSubmerchant(command, context)) };
    },
  });

export const submerchantRoutes: Routes<SubmerchantDeps> = (deps) => [
  createSubmerchantRoute(deps),
  route({
    method: 'get',
    operationId: 'getSubmerchant',
    path: '/v1/submerchants/{id}',
    params: submerchantParams,
    tag: TAG,
    summary: 'Read a sub-merchant',
    description:
      'Serves the master and the sub-merchant itself. Reads the write store, so the answer is never behind.',
    access,
    responses: { 200: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    refusals: MASTERS_ONLY,
    errors: [404],
    async handle({ principal, params }) {
      const found = await deps.marketplace.findSubmerchant(asMerchant(principal), params.id);
      return { status: 200, body: presentSubmerchant(found) };
    },
  }),
  route({
    method: 'patch',
    operationId: 'updateSubmerchant',
    path: '/v1/submerchants/{id}',
    params: submerchantParams,
    tag: TAG,
    summary: 'Change a sub-merchant',
    description:
      'Lets the master change the record. Members that are absent stay as they are. After approval only operators can set the tax id.',
    access,
    body: submerchantChanges,
    responses: { 200: { description: 'The changed sub-merchant.', schema: submerchantAnswer } },
    refusals: [...ACTIVE_MASTERS_ONLY, companyTaxIdVerified],
    errors: [404],
    async handle({ principal, params, body, context }) {
      deps.checkUrl('postbackUrl', body.postbackUrl);
      const command = { principal: asMerchant(principal), id: params.id, changes: body };
      return { status: 200, body: presentSubmerchant(await deps.updateSubmerchant(command, context)) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getSubmerchantApiKeys',
    path: '/v1/submerchants/{id}/api-keys',
    holdsSecret: true,
    params: submerchantParams,
    tag: TAG,
    summary: "Read a sub-merchant's API keys",
    description:
      "Returns the sub-merchant's pair to its master, which has to be active, in the environment of the master's key; every read returns the same pair. Charges of the sub-merchant are made with the sub-merchant's own key. The audit log records every read. If the keys were revoked, the answer is 404.",
    access,
    responses: { 200: { description: 'The pair.', schema: keysAnswer } },
    refusals: [...ACTIVE_MASTERS_ONLY, grantNotHeld],
    errors: [404],
    async handle({ principal, params, context }) {
      const command = { principal: asMerchant(principal), id: params.id };
      return { status: 200, body: await deps.readApiKeys(command, context) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getSubAccountFees',
    path: '/v1/connect/sub-accounts/{id}/fees-info',
    params: { id: 'Id of the sub-account, `mer_…`; ignored if a sub-account asks.' },
    tag: TAG,
    summary: "Read a sub-account's fees and registration data",
    description:
      'Lets a master read one of its sub-accounts; any other id, including its own, is answered with 404. A sub-account gets its own data whatever the id. Fees are returned as they are stored, without fallback.',
    access: { merchant: 'fees.read' },
    responses: { 200: { description: 'Fees and registration data.', schema: feesInfo } },
    refusals: MASTERS_ONLY,
    errors: [404],
    async handle({ principal, params }) {
      return { status: 200, body: await deps.getFeesInfo(asMerchant(principal), params.id) };
    },
  }),
];
