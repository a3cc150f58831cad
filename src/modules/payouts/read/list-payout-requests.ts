import Joi from 'joi';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ScanFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT, type ListVisible } from '../../merchants/read/list-visible.ts';
import { PAYOUT_STATUSES, TRANSFER_STATUSES } from '../write/payout-request.ts';
import {
  PAYOUT_REQUESTS_VIEW,
  type PublicPayoutRequest,
  presentPayoutRequest,
} from './payout-request.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });
const number = (field: string) => ({ field, kind: 'number' as const });
const date = (field: string) => ({ field, kind: 'date' as const });

/** Specification 4.12; `transferStatus` finds what a bank run has still to transfer. */
export const PAYOUT_REQUEST_LIST = defineList({
  sortable: {
    id: keyword('id'),
    merchantId: keyword('merchantId'),
    // All are cents of one currency, so they compare as they are.
    amount: number('amount'),
    payoutFee: number('payoutFee'),
    netAmount: number('netAmount'),
    currency: keyword('currency'),
    status: keyword('status'),
    transferStatus: keyword('transferStatus'),
    processedAt: date('processedAt'),
    createdAt: date('createdAt'),
    updatedAt: date('updatedAt'),
  },
  filters: {
    merchantId: BY_MERCHANT,
    status: { ...keyword('status'), schema: Joi.string().valid(...PAYOUT_STATUSES) },
    transferStatus: {
      ...keyword('transferStatus'),
      schema: Joi.string().valid(...TRANSFER_STATUSES),
      description: 'State of the bank transfer; `pending` finds what a bank run has still to transfer.',
    },
    currency: { ...keyword('currency'), description: 'Always BRL, so any other code finds nothing.' },
    createdAt: date('createdAt'),
    processedAt: date('processedAt'),
  },
});

const LISTING = { list: PAYOUT_REQUEST_LIST, view: PAYOUT_REQUESTS_VIEW, present: presentPayoutRequest };

export type ListPayoutRequests = ListFor<PublicPayoutRequest>;
export type ScanPayoutRequests = ScanFor<PublicPayoutRequest>;

export const createListPayoutRequests =
  (visible: ListVisible): ListPayoutRequests =>
  (principal, query, consistencyToken) =>
    visible.page(LISTING, principal, query, consistencyToken);

export const createScanPayoutRequests =
  (visible: ListVisible): ScanPayoutRequests =>
  (principal, query, consistencyToken) =>
    visible.all(LISTING, principal, query, consistencyToken);
