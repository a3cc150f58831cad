import { compactId } from '../../../kernel/national-id.ts';
import { defineList } from '../../../platform/http/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { customerAnswer, TAG } from '../customers.schemas.ts';
import { CUSTOMERS_VIEW } from './customer.view.ts';

/** Documents of customers that were deleted stay, so that a late one cannot bring them back. */
const NOT_DELETED = { bool: { must_not: [{ exists: { field: 'deletedAt' } }] } };

export const CUSTOMER_LIST = defineList({
  view: CUSTOMERS_VIEW,
  answer: customerAnswer,
  sort: ['name', 'email', 'createdAt', 'updatedAt'],
  filter: {
    merchantId: BY_MERCHANT,
    email: { description: 'In upper or lower case.' },
    document: {
      field: 'document.id',
      notations: (value) => [value, compactId(value)],
      description: 'Number of the document, with or without punctuation.',
    },
    reference: { description: "The merchant's own name for the customer, whole." },
    createdAt: {},
    q: { field: 'words', description: 'All of these words in name, e-mail and reference together.' },
  },
  within: ({ principal }) => [...scopeOf(principal), NOT_DELETED],
  routes: [
    {
      operationId: 'listCustomers',
      path: '/v1/customers',
      tag: TAG,
      summary: 'List customers',
      description:
        'Shows a master those of its sub-merchants, too. Customers that were deleted are left out.',
      access: { merchant: 'customers.manage', operator: 'admin.charges.read' },
    },
  ],
});
