import Joi from 'joi';
import { MERCHANT_PERMISSIONS } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { dateTime, email, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { companyTaxId, legalName, merchantParams, taxId, timeZone } from './merchants.schemas.ts';
import type { GetMerchant } from './read/get-merchant.ts';
import { type ListMerchants, merchantList } from './read/list-merchants.ts';
import { toMerchantAnswer } from './read/merchant.view.ts';
import type { CreateMerchant } from './write/create-merchant.ts';
import {
  MERCHANT_ROLES,
  MERCHANT_STATUSES,
  type MerchantChanges,
  type NewMerchant,
} from './write/merchant.ts';
import type { UpdateMerchant } from './write/update-merchant.ts';

const TAG = 'Merchants (administration)';

const role = Joi.string()
  .valid(...MERCHANT_ROLES)
  .description('A `MerchantMaster` can have sub-merchants.');

const permissions = Joi.array()
  .items(Joi.string().valid(...MERCHANT_PERMISSIONS))
  .unique()
  .description("What the merchant's keys and users may do.");

const newMerchant = Joi.object({
  legalName: legalName.required(),
  email: email().required(),
  companyTaxId: companyTaxId.default(null),
  role: role.required(),
  timeZone: timeZone.default('UTC'),
}).example({
  legalName: 'Padaria do Bairro Ltda',
  email: 'padaria@example.com',
  companyTaxId: '11.222.333/0001-81',
  role: 'Merchant',
  timeZone: 'America/Sao_Paulo',
});

const merchantChanges = Joi.object({
  legalName,
  email: email(),
  companyTaxId,
  role,
  permissions,
  timeZone,
  status: Joi.string()
    .valid('active', 'blocked')
    .description(
      'A blocked merchant reads, and refunds what it sold; it neither sells nor asks for payouts, and its pending ones wait. Of a sub-merchant: 422 `TRANSITION_NOT_ALLOWED`, see `POST /v1/admin/submerchants/{id}/status`.',
    ),
  reason: text(1024).description('The reason of `status`, given together with it.'),
})
  .min(1)
  .example({ role: 'MerchantMaster' });

const merchantAnswer = Joi.object({
  id: resourceId('mer').required(),
  legalName: Joi.string().required().description('Registered name.'),
  email: Joi.string().required().description('As given.'),
  companyTaxId: taxId.required(),
  role: role.required(),
  masterId: resourceId('mer')
    .allow(null)
    .required()
    .description('The master of a sub-merchant; null for other merchants.'),
  status: Joi.string()
    .valid(...MERCHANT_STATUSES)
    .required()
    .description('Of a sub-merchant, its credentialing; another merchant is `active` or `blocked`.'),
  statusReason: Joi.string()
    .allow(null)
    .required()
    .description('The reason that was given when `status` last moved; null where there was none.'),
  livemode: Joi.boolean()
    .allow(null)
    .required()
    .description('The environment of a sub-merchant; null for a merchant that exists in both.'),
  permissions: permissions.required(),
  timeZone: Joi.string().required().description('Name of the IANA time zone database.'),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('Merchant');

export const merchantRoutes = (deps: {
  readonly createMerchant: CreateMerchant;
  readonly updateMerchant: UpdateMerchant;
  readonly getMerchant: GetMerchant;
  readonly listMerchants: ListMerchants;
}): readonly Route[] => [
  route<NewMerchant>({
    method: 'post',
    path: '/v1/admin/merchants',
    summary: 'Create a merchant',
    description:
      'The merchant exists in both environments, is active at once and has every merchant permission. `timeZone` is UTC by default.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: newMerchant,
    responses: { 201: { description: 'The merchant.', schema: merchantAnswer } },
    async handle({ body, context }) {
      return { status: 201, body: toMerchantAnswer(await deps.createMerchant(body, context)) };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/merchants',
    summary: 'List merchants',
    description: 'Newest first by default.',
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    query: merchantList.query,
    consistent: true,
    responses: { 200: { description: 'A page of merchants.', schema: pageOf(merchantAnswer) } },
    async handle(request) {
      return {
        status: 200,
        body: await deps.listMerchants(request.query, consistencyTokenOf(request)),
      };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/merchants/{id}',
    params: merchantParams,
    summary: 'Read a merchant',
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    responses: { 200: { description: 'The merchant.', schema: merchantAnswer } },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: toMerchantAnswer(await deps.getMerchant(params.id ?? '')) };
    },
  }),
  route<MerchantChanges>({
    method: 'patch',
    path: '/v1/admin/merchants/{id}',
    params: merchantParams,
    summary: 'Change a merchant',
    description:
      'Members that are absent stay as they are. A change counts from the next request of the merchant on. 422 `SUBMERCHANT_CANNOT_BE_MASTER`, `TRANSITION_NOT_ALLOWED`.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: merchantChanges,
    responses: { 200: { description: 'The changed merchant.', schema: merchantAnswer } },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const merchant = await deps.updateMerchant({ merchantId: params.id ?? '', changes: body }, context);
      return { status: 200, body: toMerchantAnswer(merchant) };
    },
  }),
];
