import { defineList } from '../../../platform/http/list.ts';
import { BY_ANY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { MANUAL_REFUNDS_TAG, manualRefundAnswer } from '../manual-refunds.schemas.ts';
import { MANUAL_REFUND_STATUSES } from '../write/manual-refund-request.ts';
import { MANUAL_REFUND_REQUESTS_VIEW, presentManualRefund } from './manual-refund-request.view.ts';

export const MANUAL_REFUND_LIST = defineList({
  view: MANUAL_REFUND_REQUESTS_VIEW,
  answer: manualRefundAnswer,
  async show(documents, { findMerchants }: { readonly findMerchants: FindMerchants }) {
    const ids = [...new Set(documents.map(({ merchantId }) => merchantId))];
    const merchants = ids.length === 0 ? [] : await findMerchants(ids);
    const byId = new Map(merchants.map((merchant) => [merchant.id, merchant]));
    return documents.map((request) => presentManualRefund(request, byId.get(request.merchantId) ?? null));
  },
  sort: ['id', 'merchantId', 'status', 'currency', 'amount', 'createdAt', 'resolved_at'],
  filter: {
    status: {
      valid: MANUAL_REFUND_STATUSES,
      otherwise: 'pending',
      description: '`all` for pending and resolved requests.',
    },
    merchantId: BY_ANY_MERCHANT,
    chargeId: { description: 'Only requests of this charge, `chg_…`.' },
    createdAt: {},
  },
  counts: {
    pendingCount: {
      of: { status: 'pending' },
      description: 'Number of all pending requests, whatever the query.',
    },
  },
  routes: [
    {
      operationId: 'listManualRefundRequests',
      path: '/v1/admin/manual-refund-requests',
      tag: MANUAL_REFUNDS_TAG,
      summary: 'List manual refund requests',
      description:
        'Shows refunds of alerts that the provider did not make, the `pending` ones unless `status` says otherwise. `pendingCount` counts all pending requests, whatever the query.',
      access: { operator: 'admin.manual_refund_requests.read' },
    },
  ],
});
