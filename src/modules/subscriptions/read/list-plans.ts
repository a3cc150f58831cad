import { defineList } from '../../../platform/http/list.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { PLAN_TAG, planAnswer } from '../subscriptions.schemas.ts';
import { PLANS_VIEW } from './plan.view.ts';

export const PLAN_LIST = defineList({
  view: PLANS_VIEW,
  answer: planAnswer,
  sort: ['name', 'createdAt', 'updatedAt'],
  filter: {
    merchantId: BY_MERCHANT,
    active: { description: 'Whether new subscriptions can be made to it.' },
    createdAt: {},
    q: { field: 'words', description: 'All of these words in name and description together.' },
  },
  routes: [
    {
      operationId: 'listPlans',
      path: '/v1/plans',
      tag: PLAN_TAG,
      summary: 'List plans',
      access: { merchant: 'subscriptions.manage', operator: 'admin.charges.read' },
    },
  ],
});
