import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ScanFor } from '../../../platform/read-store/read-view.ts';
import { BY_MERCHANT, type ListVisible } from '../../merchants/read/list-visible.ts';
import { ANTICIPATIONS_VIEW, type ListedAnticipation, presentListed } from './anticipation.view.ts';

const keyword = (field: string) => ({ field, kind: 'keyword' as const });
const number = (field: string) => ({ field, kind: 'number' as const });
const date = (field: string) => ({ field, kind: 'date' as const });

export const ANTICIPATION_LIST = defineList({
  sortable: {
    id: keyword('id'),
    merchantId: keyword('merchantId'),
    amount: number('comparable.amount'),
    fee: number('comparable.fee'),
    netAmount: number('comparable.netAmount'),
    currency: keyword('currency'),
    createdAt: date('createdAt'),
  },
  filters: {
    merchantId: BY_MERCHANT,
    chargeId: { ...keyword('chargeIds'), description: 'Only those that took parts of this charge, `chg_…`.' },
    currency: { ...keyword('currency'), description: 'ISO 4217 code.' },
    createdAt: date('createdAt'),
  },
});

const LISTING = { list: ANTICIPATION_LIST, view: ANTICIPATIONS_VIEW, present: presentListed };

export type ListAnticipations = ListFor<ListedAnticipation>;
export type ScanAnticipations = ScanFor<ListedAnticipation>;

export const createListAnticipations =
  (visible: ListVisible): ListAnticipations =>
  (principal, query, consistencyToken) =>
    visible.page(LISTING, principal, query, consistencyToken);

export const createScanAnticipations =
  (visible: ListVisible): ScanAnticipations =>
  (principal, query, consistencyToken) =>
    visible.all(LISTING, principal, query, consistencyToken);
