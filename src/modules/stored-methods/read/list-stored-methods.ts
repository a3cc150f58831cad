import { defineList } from '../../../platform/http/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { customerParams, methodAnswer, TAG } from '../stored-methods.schemas.ts';
import { METHOD_STATUSES, METHOD_TYPES } from '../write/stored-method.ts';
import { STORED_METHODS_VIEW } from './stored-method.view.ts';

type Needs = { readonly findCustomer: FindById<CustomerRecord> };

export const STORED_METHOD_LIST = defineList({
  view: STORED_METHODS_VIEW,
  what: 'payment methods',
  answer: methodAnswer,
  sort: ['createdAt', 'updatedAt'],
  filter: { type: { valid: METHOD_TYPES }, status: { valid: METHOD_STATUSES }, createdAt: {} },
  routes: [
    {
      operationId: 'listCustomerPaymentMethods',
      path: '/v1/customers/{id}/payment-methods',
      params: customerParams,
      tag: TAG,
      summary: "List a customer's payment methods",
      description: 'Shows methods that have ended, too.',
      access: { merchant: 'payment_methods.manage', operator: 'admin.charges.read' },
      errors: [404],
      async within({ principal, params: { id = '' } }, { findCustomer }: Needs) {
        const customer = await findVisible(findCustomer, principal, id, 'Customer');
        return [...scopeOf(principal), { term: { customerId: customer.id } }];
      },
    },
  ],
});
