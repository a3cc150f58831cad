import { columnsOf } from '../../../platform/http/csv.ts';
import { defineList } from '../../../platform/http/list.ts';
import { BY_CURRENCY } from '../../../platform/read-store/list-query.ts';
import { READERS, suspenseItem, TAG } from '../suspense.schemas.ts';
import { CLEARING_STATUSES, SUSPENSE_REASONS, SUSPENSE_STATUSES } from '../write/suspense.ts';
import { SUSPENSE_VIEW, type SuspenseItemAnswer } from './suspense-item.view.ts';

const COLUMNS = columnsOf<SuspenseItemAnswer>(
  'id',
  'status',
  'reason',
  'direction',
  'amount',
  'currency',
  'provider',
  'reference',
  'pspRefId',
  'chargeId',
  'merchantId',
  'accountOwnerId',
  {
    clearingStatus: ({ clearing }) => clearing?.status ?? null,
    clearingMethod: ({ clearing }) => clearing?.method ?? null,
    clearingMerchantId: ({ clearing }) => clearing?.merchantId ?? null,
    clearingReason: ({ clearing }) => clearing?.reason ?? null,
  },
  'returnFailure',
  'createdAt',
  'updatedAt',
);

export const SUSPENSE_LIST = defineList({
  view: SUSPENSE_VIEW,
  answer: suspenseItem,
  csv: { columns: COLUMNS },
  sort: ['id', 'status', 'reason', 'amount', 'currency', 'merchantId', 'createdAt', 'updatedAt'],
  filter: {
    status: { valid: SUSPENSE_STATUSES, description: '`held` finds what waits for somebody to place it.' },
    clearingStatus: {
      field: 'clearing.status',
      valid: CLEARING_STATUSES,
      description: '`pending` finds what waits for a second operator.',
    },
    reason: { valid: SUSPENSE_REASONS, description: 'Why the money is here.' },
    direction: {
      valid: ['in', 'out'],
      description: '`in`: it came to the provider; `out`: it left it.',
    },
    provider: { description: 'Name of the provider.' },
    currency: BY_CURRENCY,
    merchantId: { description: 'Only those of charges of this merchant, `mer_…`.' },
    accountOwnerId: { description: 'Only those on the own account of this merchant, `mer_…`.' },
    chargeId: { description: 'Only those about this charge, `chg_…`.' },
    createdAt: {},
    updatedAt: {},
  },
  routes: [
    {
      operationId: 'listSuspenseItems',
      path: '/v1/admin/suspense-items',
      tag: TAG,
      summary: 'List money that belongs to nobody yet',
      access: { operator: READERS },
    },
  ],
});
