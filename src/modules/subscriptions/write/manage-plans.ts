import type { Command } from '../../../kernel/event.ts';
import { asMerchant, type Principal, visible } from '../../../kernel/principal.ts';
import type { Changing, Creating } from '../../../platform/write-store/transaction.ts';
import { changePlan, openPlan, PLANS, type Plan, type PlanChanges, type PlanRequest } from './plan.ts';
import { subscriptionOwnerOnly } from './refusals.ts';

export type CreatePlan = Command<{ readonly principal: Principal; readonly request: PlanRequest }, Plan>;

export const createPlanHandler =
  (deps: Creating): CreatePlan =>
  async ({ principal, request }, context) => {
    const { merchantId, masterId, livemode } = asMerchant(principal);
    const owner = { id: deps.newId('plan'), merchantId, masterId, livemode };
    const opened = openPlan(request, owner, deps.clock());
    return deps.transact(context, (tx) => tx.record(PLANS, null, opened));
  };

/** 404 for a plan that the caller cannot see, 403 for one of a sub-merchant. */
export type UpdatePlan = Command<
  { readonly principal: Principal; readonly id: string; readonly changes: PlanChanges },
  Plan
>;

export const createUpdatePlan =
  (deps: Changing): UpdatePlan =>
  async ({ principal, id, changes }, context) => {
    const { merchantId } = asMerchant(principal);
    return deps.transact(context, async (tx) => {
      const plan = visible(principal, await tx.get(PLANS, id), 'Plan');
      if (plan.merchantId !== merchantId) throw subscriptionOwnerOnly();
      return tx.record(PLANS, plan, changePlan(plan, changes, deps.clock()));
    });
  };
