import { type Routes, route } from '../../platform/http/route.ts';
import { merchantAnswer, merchantChanges, merchantParams, newMerchant, TAG } from './merchants.schemas.ts';
import type { GetMerchant } from './read/get-merchant.ts';
import { presentMerchant } from './read/merchant.view.ts';
import type { CreateMerchant } from './write/create-merchant.ts';
import { statusMovedByReview, submerchantCannotBeMaster } from './write/refusals.ts';
import type { UpdateMerchant } from './write/update-merchant.ts';

const CHANGING = { tag: TAG, access: { operator: 'admin.merchants.update' } } as const;

export const merchantRoutes: Routes<{
  createMerchant: CreateMerchant;
  updateMerchant: UpdateMerchant;
  getMerchant: GetMerchant;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createMerchant',
    path: '/v1/admin/merchants',
    summary: 'Create a merchant',
    description:
      'Creates an active merchant that exists in both environments and has every merchant permission. `timeZone` is UTC by default.',
    ...CHANGING,
    body: newMerchant,
    responses: { 201: { description: 'The merchant.', schema: merchantAnswer } },
    async handle({ body, context }) {
      return { status: 201, body: presentMerchant(await deps.createMerchant(body, context)) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getMerchant',
    path: '/v1/admin/merchants/{id}',
    params: merchantParams,
    summary: 'Read a merchant',
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    responses: { 200: { description: 'The merchant.', schema: merchantAnswer } },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: presentMerchant(await deps.getMerchant(params.id)) };
    },
  }),
  route({
    method: 'patch',
    operationId: 'updateMerchant',
    path: '/v1/admin/merchants/{id}',
    params: merchantParams,
    summary: 'Change a merchant',
    description:
      "Members that are absent stay as they are. A change takes effect with the merchant's next request.",
    ...CHANGING,
    body: merchantChanges,
    responses: { 200: { description: 'The changed merchant.', schema: merchantAnswer } },
    refusals: [statusMovedByReview, submerchantCannotBeMaster],
    errors: [404],
    async handle({ params, body, context }) {
      const merchant = await deps.updateMerchant({ merchantId: params.id, changes: body }, context);
      return { status: 200, body: presentMerchant(merchant) };
    },
  }),
];
