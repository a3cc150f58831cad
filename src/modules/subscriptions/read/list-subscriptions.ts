import { defineList } from '../../../platform/http/list.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { subscriptionAnswer, TAG } from '../subscriptions.schemas.ts';
import { SUBSCRIPTION_STATUSES } from '../write/subscription.ts';
import { SUBSCRIPTIONS_VIEW } from './subscription.view.ts';

export const SUBSCRIPTION_LIST = defineList({
  view: SUBSCRIPTIONS_VIEW,
  answer: subscriptionAnswer,
  sort: ['nextChargeAt', 'createdAt', 'updatedAt'],
  filter: {
    status: { valid: SUBSCRIPTION_STATUSES },
    merchantId: BY_MERCHANT,
    customerId: { description: 'Id of the customer, `cus_…`.' },
    planId: { description: 'Id of the plan, `plan_…`.' },
    paymentMethodId: { description: 'Id of the payment method, `pm_…`.' },
    reference: { description: "The merchant's own name for the subscription, whole." },
    nextChargeAt: {},
    createdAt: {},
  },
  csv: { without: ['metadata', 'nextPrice', 'split', 'latePayments', 'retryDays'] },
  routes: [
    {
      operationId: 'listSubscriptions',
      path: '/v1/subscriptions',
      tag: TAG,
      summary: 'List subscriptions',
      description: 'Shows a master those of its sub-merchants, too.',
      access: { merchant: 'subscriptions.manage', operator: 'admin.charges.read' },
    },
  ],
});
