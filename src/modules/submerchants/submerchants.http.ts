import { asMerchant } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { pageOf } from '../../platform/http/schemas.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { GetFeesInfo } from './read/get-fees-info.ts';
import { type ListSubmerchants, SUBMERCHANT_LIST } from './read/list-submerchants.ts';
import { presentSubmerchant } from './read/submerchant.view.ts';
import {
  feesInfo,
  keysAnswer,
  newSubmerchant,
  submerchantAnswer,
  submerchantChanges,
  submerchantParams,
} from './submerchants.schemas.ts';
import type { CreateSubmerchant } from './write/create-submerchant.ts';
import type { Marketplace } from './write/marketplace.ts';
import type { ReadApiKeys } from './write/read-api-keys.ts';
import type { SubmerchantFields } from './write/submerchant.ts';
import type { UpdateSubmerchant } from './write/update-submerchant.ts';

const tag = 'Sub-merchants';
const access = { merchant: 'submerchants.manage' } as const;

const MASTERS_ONLY =
  '403 `MASTER_ONLY` for a merchant that is no `MerchantMaster`, `CONNECT_NOT_ENABLED` where the setting `enable_connect` is not `true`.';
const ACTIVE_MASTERS_ONLY = `${MASTERS_ONLY} 403 \`MERCHANT_NOT_ACTIVE\` for one that is blocked.`;

export const submerchantRoutes = (deps: {
  readonly createSubmerchant: CreateSubmerchant;
  readonly updateSubmerchant: UpdateSubmerchant;
  readonly listSubmerchants: ListSubmerchants;
  readonly readApiKeys: ReadApiKeys;
  readonly getFeesInfo: GetFeesInfo;
  readonly marketplace: Marketplace;
  readonly checkUrl: CheckUrl;
}): readonly Route[] => [
  route<SubmerchantFields>({
    method: 'post',
    path: '/v1/submerchants',
    tag,
    summary: 'Create a sub-merchant',
    description: `It belongs to the environment of the key, is \`pre_approved\` and inherits fees, permissions and settings as the master has them now; later changes of the master's do not follow. ${ACTIVE_MASTERS_ONLY}`,
    access,
    body: newSubmerchant,
    responses: { 201: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    async handle({ principal, body, context }) {
      deps.checkUrl('postbackUrl', body.postbackUrl);
      const command = { principal: asMerchant(principal), fields: body };
      return { status: 201, body: presentSubmerchant(await deps.createSubmerchant(command, context)) };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/submerchants',
    tag,
    summary: 'List sub-merchants',
    description: `Those of the calling master in the environment of its key; a sub-merchant finds itself. \`legalName\` matches all words given. Newest first by default. ${MASTERS_ONLY}`,
    access,
    query: SUBMERCHANT_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of sub-merchants.',
        schema: pageOf(submerchantAnswer).label('SubmerchantList'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      const page = await deps.listSubmerchants(asMerchant(principal), query, consistencyTokenOf(request));
      return { status: 200, body: page };
    },
  }),
  route({
    method: 'get',
    path: '/v1/submerchants/{id}',
    params: submerchantParams,
    tag,
    summary: 'Read a sub-merchant',
    description: `For its master and for itself. Read from the write store: never behind. ${MASTERS_ONLY}`,
    access,
    responses: { 200: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      const found = await deps.marketplace.findSubmerchant(asMerchant(principal), params.id ?? '');
      return { status: 200, body: presentSubmerchant(found) };
    },
  }),
  route<Partial<SubmerchantFields>>({
    method: 'patch',
    path: '/v1/submerchants/{id}',
    params: submerchantParams,
    tag,
    summary: 'Change a sub-merchant',
    description: `By its master. Members that are absent stay as they are. The tax id of a sub-merchant that was approved, with one or without, is for operators to set: 422 \`COMPANY_TAX_ID_VERIFIED\`. ${ACTIVE_MASTERS_ONLY}`,
    access,
    body: submerchantChanges,
    responses: { 200: { description: 'The changed sub-merchant.', schema: submerchantAnswer } },
    errors: [404, 422],
    async handle({ principal, params, body, context }) {
      deps.checkUrl('postbackUrl', body.postbackUrl);
      const command = { principal: asMerchant(principal), id: params.id ?? '', changes: body };
      return { status: 200, body: presentSubmerchant(await deps.updateSubmerchant(command, context)) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/submerchants/{id}/api-keys',
    params: submerchantParams,
    tag,
    summary: "Read a sub-merchant's API keys",
    description: `For its master, in the environment of the caller's key; the same pair on every read. A charge of the sub-merchant is made with its own key. Every read is recorded in the audit log. 404 also where the keys were revoked. ${MASTERS_ONLY}`,
    access,
    responses: { 200: { description: 'The pair.', schema: keysAnswer } },
    errors: [404],
    async handle({ principal, params, context }) {
      const command = { principal: asMerchant(principal), id: params.id ?? '' };
      return { status: 200, body: await deps.readApiKeys(command, context) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/connect/sub-accounts/{id}/fees-info',
    params: { id: 'Id of the sub-account, `mer_…`; ignored where a sub-account asks.' },
    tag,
    summary: "Read a sub-account's fees and registration data",
    description: `A master names one of its sub-accounts: 404 for any other id, its own included. A sub-account gets its own data whatever the id. Fees are returned as stored, without fallback; an empty list where there are none. ${MASTERS_ONLY}`,
    access: { merchant: 'fees.read' },
    responses: { 200: { description: 'Fees and registration data.', schema: feesInfo } },
    errors: [404],
    async handle({ principal, params }) {
      return { status: 200, body: await deps.getFeesInfo(asMerchant(principal), params.id ?? '') };
    },
  }),
];
