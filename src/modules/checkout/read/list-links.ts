import { defineList } from '../../../platform/http/list.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { LINK_TAG, listedLink } from '../links.schemas.ts';
import { LINK_STATUSES } from '../write/payment-link.ts';
import { PAYMENT_LINKS_VIEW } from './payment-link.view.ts';

export const PAYMENT_LINK_LIST = defineList({
  view: PAYMENT_LINKS_VIEW,
  answer: listedLink,
  sort: ['createdAt', 'updatedAt', 'expiresAt', 'payments'],
  filter: {
    status: { valid: LINK_STATUSES },
    merchantId: BY_MERCHANT,
    reference: { description: "The merchant's own name for the link, whole." },
    createdAt: {},
  },
  csv: { without: ['metadata', 'split', 'methods', 'fields', 'ownFields', 'amountRange'] },
  routes: [
    {
      operationId: 'listPaymentLinks',
      path: '/v1/payment-links',
      holdsSecret: true,
      tag: LINK_TAG,
      summary: 'List payment links',
      description: 'Shows a master those of its sub-merchants, too. `items` are left out.',
      access: { merchant: 'checkout.manage', operator: 'admin.charges.read' },
    },
  ],
});
