import { compactId } from '../../../kernel/national-id.ts';
import { defineList } from '../../../platform/http/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { customerAnswer, TAG } from '../customers.schemas.ts';
import { CUSTOMERS_VIEW } from './customer.view.ts';

/** Documents of deleted customers stay in the view, so that a late update cannot bring them back. */
const NOT_DELETED = { bool: { must_not: [{ exists: { field: 'deletedAt' } }] } };

export const CUSTOMER_LIST = defineList({
  view: CUSTOMERS_VIEW,
  answer: customerAnswer,
  sort: ['name', 'email', 'createdAt', 'updatedAt'],
  filter: {
    merchantId: BY_MERCHANT,
    email: { description: 'The whole e-mail address, in upper or lower case.' },
    document: {
      field: 'document.id',
      notations: (value) => [value, compactId(value)],
      description: 'Number of the document, with or without punctuation.',
    },
    reference: { description: "The merchant's whole name for the customer." },
    createdAt: {},
    q: { field: 'words', description: 'Words that all have to be in name, e-mail address or reference.' },
  },
  within: ({ principal }) => [...scopeOf(principal), NOT_DELETED],
  routes: [
    {
      operationId: 'listCustomers',
      path: '/v1/customers',
      tag: TAG,
      summary: 'List customers',
      description: 'Shows a master the customers of its sub-merchants, too. Deleted customers are left out.',
      access: { merchant: 'customers.manage', operator: 'admin.charges.read' },
    },
  ],
});
