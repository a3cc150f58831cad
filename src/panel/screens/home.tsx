import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask, type Call, call } from '../api.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { CopyAsCurl, Money, Problem } from '../components/parts.tsx';
import { daysAgo, formatNumber } from '../format.ts';
import { type Me, may, type Permission, useMe } from '../session.tsx';
import { t } from '../words.ts';

/** A list with pages, or a whole one. */
type Counted = { readonly total: number } | { readonly data: readonly unknown[] };

/** Work that waits for somebody: a list of it, and the way there. */
type Waiting = {
  readonly label: string;
  /** One of these is enough. */
  readonly permissions: readonly Permission[];
  readonly list: Call<Counted>;
  readonly href: string;
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
  waits(
    t('Differences'),
    'admin.reports.read',
    call('getReconciliationReport', { query: { status: 'open' } }),
    '/reports/reconciliation?status=open',
  ),
];

const Home = () => {
  const me = useMe();
  const all = me.merchant ? waitingForMerchants() : waitingForOperators(me.livemode);
  const waiting = all.filter(({ permissions }) => permissions.some((one) => may(me, one)));
  return (
    <>
      <ScreenHead title={t('Home')} />
      {me.merchant && may(me, 'checkout.manage') && (
        <p>
          <Link href="/payment-links">{t('Share a payment link')}</Link>
        </p>
      )}
      <h2>{t('Waiting for you')}</h2>
      {waiting.length === 0 && <p className="empty">{t('Your permissions bring you no work here.')}</p>}
      <Tiles of={waiting} />
      {me.merchant && may(me, 'statement.read') && <Balance />}
      <div className="charts">
        {reportsFor(me).map((report) => (
          <Report key={report.title} {...report} />
        ))}
      </div>
    </>
  );
};
export default Home;

/** Counts of what waits, each with the way to it. One message stands for all that cannot be read. */
const Tiles = ({ of }: { readonly of: readonly Waiting[] }) => {
  const reads = useQueries({
    queries: of.map(({ list }) => ({ queryKey: [list.operation, list.input], queryFn: () => ask(list) })),
  });
  const failed = reads.find(({ error }) => error);
  return (
    <>
      <ul className="tiles">
        {of.map(({ label, list, href }, index) => (
          <li key={href}>
            <Link href={href}>
              <strong>{countOf(reads[index])}</strong>
              {label}
            </Link>
            <CopyAsCurl call={list} />
          </li>
        ))}
      </ul>
      {failed && <Problem error={failed.error} />}
    </>
  );
};

const countOf = (read: UseQueryResult<Counted> | undefined): string => {
  if (!read?.data) return read?.isError ? '?' : '…';
  return formatNumber('total' in read.data ? read.data.total : read.data.data.length);
};

const Balance = () => (
  <Panel title={t('Balance')} call={call('getBalance')} lines={2}>
    {({ data }) => (
      <ul className="tiles">
        {data.map(({ currency, available, reserved }) => (
          <li key={currency}>
            <div>
              <strong>
                <Money amount={available} currency={currency} />
              </strong>
              {t('available')}
            </div>
            <div>
              <Money amount={reserved} currency={currency} /> {t('reserved until settlement')}
            </div>
          </li>
        ))}
        {data.length === 0 && <li>{t('The first paid charge brings money here.')}</li>}
      </ul>
    )}
  </Panel>
);

type Row = {
  readonly period: string;
  readonly currency: string;
  readonly amount: number;
  readonly paidAmount?: number;
  readonly net?: number;
};
type Chart = {
  readonly title: string;
  readonly report: Call<{ readonly data: readonly Row[] }>;
  readonly figure: 'amount' | 'paidAmount' | 'net';
  readonly days: readonly string[];
};

const DAYS = 30;

/** Charts of 30 days, in the merchant's time zone or, for all merchants, in UTC. */
const reportsFor = (me: Me): readonly Chart[] => {
  const timeZone = me.merchant?.timeZone ?? 'UTC';
  const days = Array.from({ length: DAYS }, (_, index) => daysAgo(DAYS - 1 - index, timeZone));
  const query = {
    from: daysAgo(DAYS - 1, timeZone),
    to: daysAgo(0, timeZone),
    interval: 'day',
    timeZone,
  } as const;
  if (me.merchant) {
    if (!may(me, 'charges.read')) return [];
    const report = call('getVolume', { query });
    return [
      { title: t('Paid charges of 30 days'), report, figure: 'paidAmount', days },
      { title: t('Net of 30 days'), report, figure: 'net', days },
    ];
  }
  if (!may(me, 'admin.reports.read')) return [];
  return [
    {
      title: t('Volume of 30 days'),
      report: call('getVolumeReport', { query }),
      figure: 'amount',
      days,
    },
    {
      title: t('Revenue of 30 days'),
      report: call('getRevenueReport', { query }),
      figure: 'amount',
      days,
    },
  ];
};

const Report = ({ title, report, figure, days }: Chart) => (
  <Panel title={title} call={report}>
    {({ data }) => (
      <>
        {data.length === 0 && <p className="empty">{t('No charge was paid in these days.')}</p>}
        <div className="charts">
          {[...new Set(data.map(({ currency }) => currency))].map((currency) => (
            <BarChart
              key={currency}
              title={`${title}, ${currency}`}
              currency={currency}
              bars={days.map((day) => {
                const row = data.find((one) => one.period === day && one.currency === currency);
                return { day, amount: row?.[figure] ?? 0 };
              })}
            />
          ))}
        </div>
      </>
    )}
  </Panel>
);
