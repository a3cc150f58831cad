import Joi from 'joi';
import { compactId } from '../../../kernel/national-id.ts';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ScanFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT, type ListVisible } from '../../merchants/read/list-visible.ts';
import { PAYMENT_TYPES } from '../../providers/provider.ts';
import { CHARGE_STATUSES } from '../write/charge.ts';
import { CHARGES_VIEW, type PublicCharge, presentCharge } from './charge.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });
const number = (field: string) => ({ field, kind: 'number' as const });
const date = (field: string) => ({ field, kind: 'date' as const });

/** Specification 4.1 with the filters and sort fields of decisions 3. */
export const CHARGE_LIST = defineList({
  sortable: {
    id: keyword('id'),
    status: keyword('status'),
    amount: number('comparable.amount'),
    currency: keyword('currency'),
    spread: number('comparable.spread'),
    net: number('comparable.net'),
    merchantId: keyword('merchantId'),
    pspRefId: keyword('pspRefId'),
    reference: keyword('reference'),
    'customer.name': keyword('customer.name'),
    'customer.email': keyword('customer.email'),
    'paymentMethod.type': keyword('paymentMethod.type'),
    paidAt: date('paidAt'),
    createdAt: date('createdAt'),
    updatedAt: date('updatedAt'),
  },
  filters: {
    status: { ...keyword('status'), schema: Joi.string().valid(...CHARGE_STATUSES) },
    merchantId: BY_MERCHANT,
    reference: { ...keyword('reference'), description: "The merchant's own reference, whole." },
    currency: { ...keyword('currency'), description: 'ISO 4217 code.' },
    paymentMethod: {
      ...keyword('paymentMethod.type'),
      schema: Joi.string().valid(...PAYMENT_TYPES),
      description: 'The `type` of the payment method.',
    },
    customerEmail: {
      ...keyword('customer.email'),
      description: 'E-mail address of the customer, in upper or lower case.',
    },
    customerDocument: {
      ...keyword('customer.document'),
      // Charges of former versions have the punctuation that was sent.
      notations: (value) => [value, compactId(value)],
      description: 'Document number of the customer, with or without punctuation.',
    },
    pspRefId: {
      ...keyword('pspRefId'),
      description: 'Reference in the system of the payment service provider.',
    },
    amount: {
      ...number('comparable.amount'),
      description: "Decimal, compared with the amount of each charge in that charge's own currency.",
    },
    createdAt: date('createdAt'),
    paidAt: date('paidAt'),
    updatedAt: date('updatedAt'),
    q: {
      field: 'words',
      kind: 'words',
      description: 'All of these words in customer name, e-mail, reference and metadata values together.',
    },
  },
});

const LISTING = { list: CHARGE_LIST, view: CHARGES_VIEW, present: presentCharge };

export type ListCharges = ListFor<PublicCharge>;
export type ScanCharges = ScanFor<PublicCharge>;

export const createListCharges =
  (visible: ListVisible): ListCharges =>
  (principal, query, consistencyToken) =>
    visible.page(LISTING, principal, query, consistencyToken);

export const createScanCharges =
  (visible: ListVisible): ScanCharges =>
  (principal, query, consistencyToken) =>
    visible.all(LISTING, principal, query, consistencyToken);
