import { compactId } from '../../../kernel/national-id.ts';
import { defineList } from '../../../platform/http/list.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { listedSession, TAG } from '../checkout.schemas.ts';
import { SESSION_STATUSES } from '../write/checkout-session.ts';
import { CHECKOUT_SESSIONS_VIEW } from './checkout-session.view.ts';

export const CHECKOUT_SESSION_LIST = defineList({
  view: CHECKOUT_SESSIONS_VIEW,
  answer: listedSession,
  sort: ['createdAt', 'updatedAt', 'expiresAt', 'amount'],
  filter: {
    status: { valid: SESSION_STATUSES },
    merchantId: BY_MERCHANT,
    reference: { description: "The merchant's own name for the session, whole." },
    paymentLinkId: { description: 'Id of the payment link that it was opened by, `plk_…`.' },
    customerId: { description: 'Id of the customer, `cus_…`.' },
    email: { description: 'E-mail address of the `customer` of the session, in upper or lower case.' },
    document: {
      notations: (value) => [value, compactId(value)],
      description: 'Document of the `customer` of the session, with or without punctuation.',
    },
    createdAt: {},
  },
  csv: { without: ['metadata', 'split', 'customer', 'methods', 'chargeIds'] },
  routes: [
    {
      operationId: 'listCheckoutSessions',
      path: '/v1/checkout-sessions',
      holdsSecret: true,
      tag: TAG,
      summary: 'List checkout sessions',
      description: 'Shows a master those of its sub-merchants, too. `items` are left out.',
      access: { merchant: 'checkout.manage', operator: 'admin.charges.read' },
    },
  ],
});
