import Joi from 'joi';
import { type Route, route } from '../../platform/http/route.ts';
import { dateTime, resourceId } from '../../platform/http/schemas.ts';
import { merchantParams } from '../merchants/merchants.schemas.ts';
import { PAYMENT_TYPES } from '../providers/provider.ts';
import { splitEntries } from './charges.schemas.ts';
import type { GetDefaultSplit } from './read/get-default-split.ts';
import type { DefaultSplit, DefaultSplitEntries } from './write/default-split.ts';
import type { PutDefaultSplit } from './write/put-default-split.ts';

const TAG = 'Merchants (administration)';
const path = '/v1/admin/merchants/{id}/split';

const entries = splitEntries.description('For every payment method without a split of its own.');
const byMethod = Joi.object(
  Object.fromEntries(PAYMENT_TYPES.map((type) => [type, splitEntries])),
).description('Instead of `default`, by payment method; an empty list is no split at all.');

const body = Joi.object({
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
  schema: Joi.object({
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

export const defaultSplitRoutes = (deps: {
  readonly putDefaultSplit: PutDefaultSplit;
  readonly getDefaultSplit: GetDefaultSplit;
}): readonly Route[] => [
  route<Partial<DefaultSplitEntries>>({
    method: 'put',
    path,
    params: merchantParams,
    tag: TAG,
    summary: "Replace a merchant's default split",
    description:
      'Applied to later charges of the merchant that bring no split of their own; `split: []` in a charge is a split ' +
      'of its own. The body is the whole of it. A participant that is not active (any more), or belongs to the other ' +
      'environment than the charge, is left out of that charge: its part stays with the merchant. A merchant outside ' +
      'of the group, or not active: 422 `SPLIT_NOT_ALLOWED`.',
    access: { operator: 'admin.merchants.update' },
    body,
    responses: { 200: answer },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const split = { default: body.default ?? [], byPaymentMethod: body.byPaymentMethod ?? {} };
      const stored = await deps.putDefaultSplit({ merchantId: params.id ?? '', split }, context);
      return { status: 200, body: present(stored.id, stored) };
    },
  }),
  route({
    method: 'get',
    path,
    params: merchantParams,
    tag: TAG,
    summary: "Read a merchant's default split",
    access: { operator: 'admin.merchants.read' },
    responses: { 200: answer },
    errors: [404],
    async handle({ params }) {
      const merchantId = params.id ?? '';
      return { status: 200, body: present(merchantId, await deps.getDefaultSplit(merchantId)) };
    },
  }),
];
