import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { ask, type Query } from '../api.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CopyAsCurl, Money, Problem, Skeleton } from '../components/parts.tsx';
import { daysAgo, formatNumber } from '../format.ts';
import { type Me, may, type Permission, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';

/** Counts work that waits for somebody: the total of a list, and the way to it. */
type Waiting = {
  readonly label: string;
  readonly path: string;
  readonly query: Query;
  readonly href: string;
};

const waitingFor = (me: Me): readonly Waiting[] => {
  const admin = me.merchant ? '/v1' : '/v1/admin';
  const all: readonly (Waiting & { readonly permission: Permission })[] = [
    {
      label: t('Manual refunds'),
      permission: 'admin.manual_refund_requests.read',
      path: '/v1/admin/manual-refund-requests',
      query: { status: 'pending' },
      href: '/manual-refunds?status=pending',
    },
    {
      label: me.merchant ? t('Pending payouts') : t('Payouts to decide on'),
      permission: me.merchant ? 'payouts.read' : 'admin.payout_requests.read',
      path: '/v1/payout-requests',
      query: { status: 'pending' },
      href: '/payouts?status=pending',
    },
    {
      label: t('Sub-merchants to review'),
      permission: 'admin.merchants.read',
      path: '/v1/admin/submerchants',
      query: { status: 'pre_approved', livemode: String(me.livemode) },
      href: '/submerchants?status=pre_approved',
    },
    {
      label: t('Proposals to decide on'),
      permission: 'admin.users.update',
      path: '/v1/admin/proposals',
      query: { status: 'pending' },
      href: '/proposals?status=pending',
    },
    {
      label: t('Adjustments to decide on'),
      permission: 'admin.adjustments.approve',
      path: '/v1/admin/adjustments',
      query: { status: 'pending' },
      href: '/adjustments?status=pending',
    },
    {
      label: t('Failed deliveries'),
      permission: me.merchant ? 'webhooks.manage' : 'admin.webhooks.read',
      path: `${admin}/webhook-deliveries`,
      query: { status: 'failed' },
      href: '/webhooks?status=failed',
    },
  ];
  return all.filter(({ permission }) => may(me, permission));
};

const Home = () => {
  const me = useMe();
  const waiting = waitingFor(me);
  useTitle(t('Home'));
  return (
    <>
      <h1>{t('Home')}</h1>
      <h2>{t('Waiting for you')}</h2>
      {waiting.length === 0 && <p className="empty">{t('Your permissions bring you no work here.')}</p>}
      <ul className="tiles">
        {waiting.map((one) => (
          <Tile key={one.href} {...one} />
        ))}
        {may(me, 'admin.reports.read') && <DifferenceTile />}
      </ul>
      {me.merchant && may(me, 'statement.read') && <Balance />}
      {reportsFor(me).map((report) => (
        <Report key={report.title} {...report} />
      ))}
    </>
  );
};
export default Home;

const Tile = ({ label, path, query, href }: Waiting) => {
  const asked = { ...query, size: 1 };
  const list = useQuery({
    queryKey: [path, asked],
    queryFn: () => ask<{ readonly total: number }>({ path, query: asked }),
  });
  return (
    <li>
      <Link href={href}>
        <strong>{list.data ? formatNumber(list.data.total) : list.isError ? '?' : '…'}</strong>
        {label}
      </Link>
    </li>
  );
};

const DifferenceTile = () => {
  const call = { path: '/v1/admin/reports/reconciliation', query: { status: 'open' } };
  const report = useQuery({
    queryKey: [call.path, call.query],
    queryFn: () => ask<Schemas['ReconciliationReport']>(call),
  });
  return (
    <li>
      <Link href="/reports/reconciliation?status=open">
        <strong>{report.data ? formatNumber(report.data.data.length) : report.isError ? '?' : '…'}</strong>
        {t('Differences')}
      </Link>
    </li>
  );
};

type Balances = {
  readonly data: readonly {
    readonly currency: string;
    readonly available: number;
    readonly reserved: number;
  }[];
};

const Balance = () => {
  const call = { path: '/v1/balance' };
  const balance = useQuery({ queryKey: [call.path], queryFn: () => ask<Balances>(call) });
  return (
    <section>
      <div className="toolbar">
        <h2>{t('Balance')}</h2>
        <span className="space" />
        <CopyAsCurl call={call} />
      </div>
      {balance.error && <Problem error={balance.error} onRetry={() => balance.refetch()} />}
      {balance.isPending && <Skeleton lines={2} />}
      <ul className="tiles">
        {balance.data?.data.map(({ currency, available, reserved }) => (
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
        {balance.data?.data.length === 0 && <li>{t('The first paid charge brings money here.')}</li>}
      </ul>
    </section>
  );
};

type Figure = 'amount' | 'paidAmount' | 'net';
type Asked = {
  readonly path: string;
  readonly title: string;
  readonly figure: Figure;
  readonly timeZone: string;
};
type ReportAnswer = {
  readonly data: readonly ({ readonly period: string; readonly currency: string } & Readonly<
    Record<Figure, number>
  >)[];
};

const reportsFor = (me: Me): readonly Asked[] => {
  if (me.merchant) {
    if (!may(me, 'charges.read')) return [];
    const own = { path: '/v1/reports/volume', timeZone: me.merchant.timeZone };
    return [
      { ...own, title: t('Paid charges of 30 days'), figure: 'paidAmount' },
      { ...own, title: t('Net of 30 days'), figure: 'net' },
    ];
  }
  if (!may(me, 'admin.reports.read')) return [];
  const all = { figure: 'amount', timeZone: 'UTC' } as const;
  return [
    { ...all, path: '/v1/admin/reports/volume', title: t('Volume of 30 days') },
    { ...all, path: '/v1/admin/reports/revenue', title: t('Revenue of 30 days') },
  ];
};

const DAYS = 30;

const Report = ({ path, title, figure, timeZone }: Asked) => {
  const days = Array.from({ length: DAYS }, (_, index) => daysAgo(DAYS - 1 - index, timeZone));
  const call = {
    path,
    query: { from: days[0], to: days.at(-1), interval: 'day', timeZone },
  };
  const report = useQuery({
    queryKey: [call.path, call.query],
    queryFn: () => ask<ReportAnswer>(call),
  });
  const currencies = [...new Set(report.data?.data.map(({ currency }) => currency))];
  return (
    <section>
      <div className="toolbar">
        <h2>{title}</h2>
        <span className="space" />
        <CopyAsCurl call={call} />
      </div>
      {report.error && <Problem error={report.error} onRetry={() => report.refetch()} />}
      {report.isPending && <Skeleton lines={4} />}
      {report.data && currencies.length === 0 && (
        <p className="empty">{t('No charge was paid in these days.')}</p>
      )}
      {currencies.map((currency) => (
        <BarChart
          key={currency}
          title={`${title}, ${currency}`}
          currency={currency}
          bars={days.map((day) => {
            const row = report.data?.data.find((one) => one.period === day && one.currency === currency);
            return { day, amount: row?.[figure] ?? 0 };
          })}
        />
      ))}
    </section>
  );
};
