import { type Routes, route } from '../../platform/http/route.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import { presentSubmerchant } from './read/submerchant.view.ts';
import { ADMIN_TAG, statusMove, submerchantAnswer, submerchantParams } from './submerchants.schemas.ts';
import type { MoveStatus } from './write/move-status.ts';
import { statusMoveNotAllowed, submerchantChanged } from './write/refusals.ts';

/** The environment of the operator's token does not matter here, as for all other merchants. */
export const adminSubmerchantRoutes: Routes<{
  moveStatus: MoveStatus;
  findSubmerchant: (id: string) => Promise<Merchant>;
}> = (deps) => [
  route({
    method: 'get',
    operationId: 'getSubmerchantAsOperator',
    path: '/v1/admin/submerchants/{id}',
    params: submerchantParams,
    tag: ADMIN_TAG,
    summary: 'Read a sub-merchant',
    access: { operator: 'admin.merchants.read' },
    responses: { 200: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: presentSubmerchant(await deps.findSubmerchant(params.id)) };
    },
  }),
  route({
    method: 'post',
    operationId: 'setSubmerchantStatus',
    path: '/v1/admin/submerchants/{id}/status',
    params: submerchantParams,
    tag: ADMIN_TAG,
    summary: 'Move a sub-merchant to another status',
    description:
      'Moves `pre_approved` to `active` or `rejected`, `active` to `blocked`, `blocked` to `active`, and `rejected` to `pre_approved`. `version` names the version of the record that was reviewed. The new status takes effect with the next request of the sub-merchant. Only an `active` sub-merchant can sell.',
    access: { operator: 'admin.merchants.update' },
    body: statusMove,
    responses: { 200: { description: 'The sub-merchant.', schema: submerchantAnswer } },
    refusals: [submerchantChanged, statusMoveNotAllowed],
    errors: [404],
    async handle({ params, body, context }) {
      const submerchant = await deps.moveStatus({ id: params.id, ...body }, context);
      return { status: 200, body: presentSubmerchant(submerchant) };
    },
  }),
];
