import { compactId } from '../../../kernel/national-id.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { PAYMENT_TYPES } from '../../providers/provider.ts';
import { listedCharge, TAG } from '../charges.schemas.ts';
import { CHARGE_STATUSES } from '../write/charge.ts';
import { CHARGES_VIEW } from './charge.view.ts';
import { CHARGE_COLUMNS } from './charge-columns.ts';
import type { FindItems } from './find-items.store.ts';

export const CHARGE_LIST = defineList({
  view: CHARGES_VIEW,
  answer: listedCharge,
  label: 'ChargePage',
  expand: {
    items: (documents, { findItems }: { readonly findItems: FindItems }) =>
      findItems(documents.map((document) => ({ value: document.id, tenantId: tenantOf(document) }))),
  },
  csv: { columns: CHARGE_COLUMNS },
  sort: [
    'id',
    'status',
    'amount',
    'currency',
    'spread',
    'net',
    'merchantId',
    'pspRefId',
    'reference',
    'customer.name',
    'customer.email',
    'paymentMethod.type',
    'paidAt',
    'createdAt',
    'updatedAt',
  ],
  filter: {
    status: { valid: CHARGE_STATUSES },
    merchantId: BY_MERCHANT,
    reference: { description: "The merchant's own reference, whole." },
    currency: BY_CURRENCY,
    paymentMethod: {
      field: 'paymentMethod.type',
      valid: PAYMENT_TYPES,
      description: 'The `type` of the payment method.',
    },
    customerId: { field: 'customer.id', description: 'Id of the customer, `cus_…`.' },
    checkoutSessionId: { description: 'Id of the checkout session that made the charge, `chk_…`.' },
    subscriptionId: { description: 'Id of the subscription that made the charge, `sub_…`.' },
    customerEmail: {
      field: 'customer.email',
      description: 'E-mail address of the customer, in upper or lower case.',
    },
    customerDocument: {
      field: 'customer.document',
      // Charges of former versions have the punctuation that was sent.
      notations: (value) => [value, compactId(value)],
      description: 'Document number of the customer, with or without punctuation.',
    },
    pspRefId: { description: 'Reference in the system of the payment service provider.' },
    endToEndId: { description: 'Identifier of a Pix payment between banks, `E…`, whole.' },
    amount: {
      description: "Decimal, compared with the amount of each charge in that charge's own currency.",
    },
    createdAt: {},
    paidAt: {},
    updatedAt: {},
    q: {
      field: 'words',
      description: 'All of these words in customer name, e-mail, reference and metadata values together.',
    },
  },
  routes: [
    {
      operationId: 'listCharges',
      path: '/v1/charges',
      tag: TAG,
      summary: 'List charges',
      access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    },
    {
      operationId: 'listChargesAsOperator',
      path: '/v1/admin/charges',
      tag: 'Charges (administration)',
      summary: 'List the charges of all merchants',
      description: 'The list of `GET /v1/charges` over all merchants of the environment.',
      access: { operator: 'admin.charges.read' },
    },
  ],
});
