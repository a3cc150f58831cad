import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Call, call } from '../api.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CopyAsCurl } from '../components/copy-button.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { Problem } from '../components/problem.tsx';
import { Money } from '../components/values.tsx';
import { daysAgo, formatNumber, shownZone } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { type Counted, numberIn, useCounts, type Waiting, waitingFor } from '../waiting.ts';
import { t } from '../words.ts';
import { FirstSale } from './home/first-sale.tsx';

const Home = () => {
  const me = useMe();
  const waiting = waitingFor(me);
  return (
    <>
      <ScreenHead title={t('Home')} />
      {me.merchant && may(me, 'checkout.manage') && (
        <p>
          <Link href="/payment-links">{t('Share a payment link')}</Link>
        </p>
      )}
      <FirstSale me={me} />
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
  const reads = useCounts(of);
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
  return formatNumber(numberIn(read.data));
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

/** Charts of 30 days in the zone that is shown. */
const reportsFor = (me: Me): readonly Chart[] => {
  const timeZone = shownZone();
  const days = Array.from({ length: DAYS }, (_, index) => daysAgo(DAYS - 1 - index));
  const query = {
    from: daysAgo(DAYS - 1),
    to: daysAgo(0),
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
