import { useQueries } from '@tanstack/react-query';
import { ask, type Call, call } from './api.ts';
import { type Me, may, type Permission } from './session.tsx';
import { t } from './words.ts';

/** A list with pages, or a whole one. */
export type Counted = { readonly total: number } | { readonly data: readonly unknown[] };

/** Work that waits for somebody: a list of it, and the way there. */
export type Waiting = {
  readonly label: string;
  /** One of these is enough. */
  readonly permissions: readonly Permission[];
  readonly list: Call<Counted>;
  readonly href: string;
  /** Set where the list comes whole: the home screen counts it, and not every screen. */
  readonly isWhole?: true;
};

const waits = (
  label: string,
  permission: Permission | readonly Permission[],
  list: Waiting['list'],
  href: string,
): Waiting => ({ label, permissions: [permission].flat(), list, href });

const PENDING = { status: 'pending', size: 1 };
const FAILED = { status: 'failed', size: 1 };

const waitingForMerchants = (): readonly Waiting[] => [
  waits(
    t('Pending payouts'),
    'payouts.read',
    call('listPayoutRequests', { query: PENDING }),
    '/payouts?status=pending',
  ),
  waits(
    t('Past due subscriptions'),
    'subscriptions.manage',
    call('listSubscriptions', { query: { status: 'past_due', size: 1 } }),
    '/subscriptions?status=past_due',
  ),
  waits(
    t('Failed deliveries'),
    'webhooks.manage',
    call('listWebhookDeliveries', { query: FAILED }),
    '/webhooks?status=failed',
  ),
];

const waitingForOperators = (livemode: boolean): readonly Waiting[] => [
  waits(
    t('Manual refunds'),
    'admin.manual_refund_requests.read',
    call('listManualRefundRequests', { query: PENDING }),
    '/manual-refunds?status=pending',
  ),
  waits(
    t('Payouts to decide on'),
    'admin.payout_requests.read',
    call('listPayoutRequests', { query: PENDING }),
    '/payouts?status=pending',
  ),
  waits(
    t('Sub-merchants to review'),
    'admin.merchants.read',
    call('listSubmerchantsAsOperator', {
      query: { status: 'pre_approved', livemode: String(livemode), size: 1 },
    }),
    '/submerchants?status=pre_approved',
  ),
  waits(
    t('Proposals to decide on'),
    ['admin.users.update', 'admin.payout_requests.update', 'admin.merchants.update'],
    call('listProposals', { query: PENDING }),
    '/proposals?status=pending',
  ),
  waits(
    t('Clearings to decide on'),
    'admin.adjustments.approve',
    call('listSuspenseItems', { query: { clearingStatus: 'pending', size: 1 } }),
    '/suspense?clearingStatus=pending',
  ),
  waits(
    t('Adjustments to decide on'),
    'admin.adjustments.approve',
    call('listAdjustments', { query: PENDING }),
    '/adjustments?status=pending',
  ),
  waits(
    t('Failed deliveries'),
    'admin.webhooks.read',
    call('listWebhookDeliveriesAsOperator', { query: FAILED }),
    '/webhooks?status=failed',
  ),
  {
    ...waits(
      t('Differences'),
      'admin.reports.read',
      call('getReconciliationReport', { query: { status: 'open' } }),
      '/reports/reconciliation?status=open',
    ),
    isWhole: true,
  },
];

/** Lists of the work that waits for a user. */
export const waitingFor = (me: Me): readonly Waiting[] => {
  const all = me.merchant ? waitingForMerchants() : waitingForOperators(me.livemode);
  return all.filter(({ permissions }) => permissions.some((one) => may(me, one)));
};

export const numberIn = (counted: Counted): number =>
  'total' in counted ? counted.total : counted.data.length;

/** Reads the counts of lists. The menu and the home screen share the answers. */
export const useCounts = (of: readonly Waiting[]) =>
  useQueries({
    queries: of.map(({ list }) => ({ queryKey: [list.operation, list.input], queryFn: () => ask(list) })),
  });
