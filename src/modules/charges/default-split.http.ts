import Joi from 'joi';
import type { MerchantId } from '../../kernel/ids.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { characters, dateTime, resourceId } from '../../platform/http/schemas.ts';
import { object, typed } from '../../platform/http/typed.ts';
import { merchantParams } from '../merchants/merchants.schemas.ts';
import { assertMayNameMerchant, type FindMerchants } from '../merchants/write/find-merchants.store.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { splitEntries } from './charges.schemas.ts';
import type { GetDefaultSplit } from './read/get-default-split.ts';
import type { DefaultSplit, DefaultSplitEntries } from './write/default-split.ts';
import type { PutDefaultSplit } from './write/put-default-split.ts';
import { splitNotAllowed } from './write/refusals.ts';

const TAG = 'Merchants (administration)';
const path = '/v1/admin/merchants/{id}/split';

const entries = splitEntries.description('For every payment method without a split of its own.');
const byMethod = typed<DefaultSplitEntries['byPaymentMethod'], Joi.ObjectSchema>(
  Joi.object(Object.fromEntries(PAYMENT_TYPES.map((type) => [type, splitEntries]))),
).description('Instead of `default`, by payment method; an empty list is no split at all.');

const body = object({
  default: entries,
  byPaymentMethod: byMethod,
})
  .min(1)
  .example({
    default: [{ merchantId: 'mer_01a1fe9cad9175e79603dda268ed6486', percentage: 12.5 }],
    byPaymentMethod: { pix: [] },
  })
  .label('DefaultSplitRequest');

const answer = {
  description: 'The default split.',
  schema: object({
    merchantId: resourceId('mer').required(),
    default: entries.required(),
    byPaymentMethod: byMethod.required(),
    updatedAt: dateTime().allow(null).required().description('Null where none was ever configured.'),
  }).label('DefaultSplit'),
};

const present = (merchantId: string, split: DefaultSplit | null) => ({
  merchantId,
  default: split?.default ?? [],
  byPaymentMethod: split?.byPaymentMethod ?? {},
  updatedAt: split?.updatedAt ?? null,
});

export const defaultSplitRoutes: Routes<{
  putDefaultSplit: PutDefaultSplit;
  getDefaultSplit: GetDefaultSplit;
  findMerchants: FindMerchants;
}> = (deps) => [
  route({
    method: 'put',
    operationId: 'replaceDefaultSplit',
    path,
    params: merchantParams,
    tag: TAG,
    summary: "Replace a merchant's default split",
    description:
      'Replaces the entire default split. It applies to later charges that bring no split of their own; `split: []` counts as one. A charge leaves out participants that are inactive or belong to the other environment. Their parts stay with the merchant.',
    access: { operator: 'admin.merchants.update' },
    body,
    responses: { 200: answer },
    refusals: [splitNotAllowed],
    errors: [404],
    async handle({ params, body, context }) {
      const split = { default: body.default ?? [], byPaymentMethod: body.byPaymentMethod ?? {} };
      const stored = await deps.putDefaultSplit({ merchantId: params.id, split }, context);
      return { status: 200, body: present(stored.id, stored) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getDefaultSplit',
    path,
    params: merchantParams,
    tag: TAG,
    summary: "Read a merchant's default split",
    access: { operator: 'admin.merchants.read' },
    responses: { 200: answer },
    errors: [404],
    async handle({ params }) {
      const merchantId = params.id;
      return { status: 200, body: present(merchantId, await deps.getDefaultSplit(merchantId)) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getOwnDefaultSplit',
    path: '/v1/default-split',
    tag: 'Charges',
    summary: 'Read the default split',
    description:
      'Shows how a charge without a split of its own is divided. Only an operator replaces it, with PUT /v1/admin/merchants/{id}/split.',
    access: { merchant: 'charges.read' },
    query: object({
      merchantId: characters<MerchantId>(64).description(
        'A sub-merchant of the caller, 403 for any other; the caller by default.',
      ),
    }),
    responses: { 200: answer },
    async handle({ principal, query }) {
      await assertMayNameMerchant(principal, query.merchantId, deps.findMerchants);
      const merchantId = query.merchantId ?? asMerchant(principal).merchantId;
      return { status: 200, body: present(merchantId, await deps.getDefaultSplit(merchantId)) };
    },
  }),
];
