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
    status: { valid: SUSPENSE_STATUSES, description: '`held` finds items that wait for a clearing.' },
    clearingStatus: {
      field: 'clearing.status',
      valid: CLEARING_STATUSES,
      description: '`pending` finds items whose clearing waits for a second operator.',
    },
    reason: { valid: SUSPENSE_REASONS, description: 'Why the money is in suspense.' },
    direction: {
      valid: ['in', 'out'],
      description: '`in`: the money came to the provider; `out`: the money left the provider.',
    },
    provider: { description: 'Name of the provider.' },
    currency: BY_CURRENCY,
    merchantId: { description: 'Only items of charges of this merchant, `mer_…`.' },
    accountOwnerId: { description: "Only items on this merchant's own account, `mer_…`." },
    chargeId: { description: 'Only items of this charge, `chg_…`.' },
    createdAt: {},
    updatedAt: {},
  },
  routes: [
    {
      operationId: 'listSuspenseItems',
      path: '/v1/admin/suspense-items',
      tag: TAG,
      summary: 'List money in suspense',
      access: { operator: READERS },
    },
  ],
});
