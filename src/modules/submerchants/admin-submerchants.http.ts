import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { pageOf } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import { ADMIN_SUBMERCHANT_LIST, type ListSubmerchants } from './read/list-submerchants.ts';
import { presentSubmerchant } from './read/submerchant.view.ts';
import { statusMove, submerchantAnswer, submerchantParams } from './submerchants.schemas.ts';
import type { MoveStatus } from './write/move-status.ts';
import type { StatusMove } from './write/submerchant.ts';

const tag = 'Sub-merchants (administration)';

/** As with every other merchant, the environment of the operator's token does not matter (decisions 1, livemode). */
export const adminSubmerchantRoutes = (deps: {
  readonly moveStatus: MoveStatus;
  readonly listSubmerchants: ListSubmerchants;
  readonly findSubmerchant: (id: string) => Promise<Merchant>;
}): readonly Route[] => [
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/submerchants',
    tag,
    summary: 'List the sub-merchants of all masters',
    description: 'Of both environments, unless `livemode` says which. Newest first by default.',
    access: { operator: 'admin.merchants.read' },
    query: ADMIN_SUBMERCHANT_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of sub-merchants.',
        schema: pageOf(submerchantAnswer).label('SubmerchantList'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      const page = await deps.listSubmerchants(principal, query, consistencyTokenOf(request));
      return { status: 200, body: page };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/submerchants/{id}',
    params: submerchantParams,
    tag,
    summary: 'Read a sub-merchant',
    access: { operator: 'admin.merchants.read' },
    responses: { 200: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: presentSubmerchant(await deps.findSubmerchant(params.id ?? '')) };
    },
  }),
  route<StatusMove>({
    method: 'post',
    path: '/v1/admin/submerchants/{id}/status',
    params: submerchantParams,
    tag,
    summary: 'Move a sub-merchant to another status',
    description:
      '`pre_approved` → `active` or `rejected`; `active` → `blocked`; `blocked` → `active`; `rejected` → `pre_approved`. Any other move: 422 `TRANSITION_NOT_ALLOWED`. With `version` the decision is about what was reviewed: 409 `VERSION_CHANGED` where the master changed it since. It counts from the next request of the sub-merchant on; only while `active` can it sell.',
    access: { operator: 'admin.merchants.update' },
    body: statusMove,
    responses: { 200: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    errors: [404, 409, 422],
    async handle({ params, body, context }) {
      const submerchant = await deps.moveStatus({ id: params.id ?? '', ...body }, context);
      return { status: 200, body: presentSubmerchant(submerchant) };
    },
  }),
];
