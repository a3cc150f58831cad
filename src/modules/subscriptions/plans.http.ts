import { type Routes, route } from '../../platform/http/route.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { presentPlan } from './read/plan.view.ts';
import { newPlan, PLAN_TAG, planAnswer, planChanges, planParams } from './subscriptions.schemas.ts';
import type { CreatePlan, UpdatePlan } from './write/manage-plans.ts';
import type { Plan } from './write/plan.ts';
import { subscriptionOwnerOnly } from './write/refusals.ts';

const access = { merchant: 'subscriptions.manage' } as const;

export const planRoutes: Routes<{
  createPlan: CreatePlan;
  updatePlan: UpdatePlan;
  findPlan: FindById<Plan>;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createPlan',
    path: '/v1/plans',
    tag: PLAN_TAG,
    summary: 'Create a plan',
    description: 'A price that subscriptions name. It never changes: another price is another plan.',
    access,
    body: newPlan,
    responses: { 201: { description: 'The plan.', schema: planAnswer } },
    async handle({ principal, body, context }) {
      return { status: 201, body: presentPlan(await deps.createPlan({ principal, request: body }, context)) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getPlan',
    path: '/v1/plans/{id}',
    params: planParams,
    tag: PLAN_TAG,
    summary: 'Read a plan',
    description: 'Reads the write store, so the answer is never behind.',
    access: { ...access, operator: 'admin.charges.read' },
    responses: { 200: { description: 'The plan.', schema: planAnswer } },
    errors: [404],
    async handle({ principal, params: { id } }) {
      return { status: 200, body: presentPlan(await findVisible(deps.findPlan, principal, id, 'Plan')) };
    },
  }),
  route({
    method: 'patch',
    operationId: 'updatePlan',
    path: '/v1/plans/{id}',
    params: planParams,
    tag: PLAN_TAG,
    summary: 'Change a plan',
    description: 'Subscriptions to a plan that is not active any more go on.',
    access,
    body: planChanges,
    responses: { 200: { description: 'The changed plan.', schema: planAnswer } },
    refusals: [subscriptionOwnerOnly],
    errors: [404],
    async handle({ principal, params: { id }, body, context }) {
      const command = { principal, id, changes: body };
      return { status: 200, body: presentPlan(await deps.updatePlan(command, context)) };
    },
  }),
];
