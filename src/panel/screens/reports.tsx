import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'wouter';
import { ask, type Call } from '../api.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CsvButton } from '../components/csv-button.tsx';
import { Field, Select } from '../components/field.tsx';
import { CopyAsCurl, Money, Problem, Skeleton } from '../components/parts.tsx';
import { Tabs } from '../components/tabs.tsx';
import { addMoney, daysAgo, formatDay, formatNumber } from '../format.ts';
import { useTitle } from '../use-title.ts';
import { optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { Differences } from './reports/differences.tsx';
import { type Interval, periodsBetween } from './reports/periods.ts';

type Name = 'volume' | 'revenue' | 'balances' | 'payouts';

/** Groupings of each report, and the figure that its chart shows. */
const REPORTS: Readonly<Record<Name, { readonly groups: readonly string[]; readonly chart: string }>> = {
  volume: { groups: ['status', 'paymentMethod', 'currency', 'merchantId'], chart: 'paidAmount' },
  revenue: { groups: ['currency', 'merchantId', 'status', 'paymentMethod'], chart: 'amount' },
  balances: { groups: ['currency', 'merchantId'], chart: 'available' },
  payouts: { groups: ['currency', 'merchantId'], chart: 'net' },
};
const isName = (text: string): text is Name => text in REPORTS;

type Total = Readonly<Record<string, string | number | null>> & { readonly currency: string };
type Row = Total & { readonly period: string; readonly group: string | null };
type Report = { readonly data: readonly Row[]; readonly totals: readonly Total[] };

const Reports = () => {
  const { name = 'volume' } = useParams();
  useTitle(t('Reports'));
  return (
    <>
      <h1>{t('Reports')}</h1>
      <Tabs
        tabs={[
          { href: '/reports', title: t('Volume') },
          { href: '/reports/revenue', title: t('Revenue') },
          { href: '/reports/balances', title: t('Balances') },
          { href: '/reports/payouts', title: t('Payouts') },
          { href: '/reports/reconciliation', title: t('Differences') },
        ]}
      />
      {isName(name) ? <Figures key={name} name={name} /> : <Differences />}
    </>
  );
};
export default Reports;

const ASKED = ['from', 'to', 'interval', 'groupBy', 'merchantId', 'currency'];

const Figures = ({ name }: { readonly name: Name }) => {
  const [params, setParams] = useSearchParams();
  const asked = Object.fromEntries([...params].filter(([key]) => ASKED.includes(key)));
  const query = {
    from: daysAgo(29),
    to: daysAgo(0),
    ...(name === 'balances' ? {} : { interval: 'day' }),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...asked,
  };
  const call: Call = { path: `/v1/admin/reports/${name}`, query };
  const report = useQuery({ queryKey: [call.path, query], queryFn: () => ask<Report>(call) });
  const set = (key: string, value: string): void =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(key);
      else next.set(key, value);
      return next;
    });
  const about = (key: string, label: string) => ({
    label,
    name: key,
    value: (query as Readonly<Record<string, string | undefined>>)[key] ?? '',
    onText: (value: string) => set(key, value),
    error: report.error,
  });
  return (
    <section>
      <form className="filters" aria-label={t('Filters')} onSubmit={(event) => event.preventDefault()}>
        <Field {...about('from', t('From'))} type="date" />
        <Field {...about('to', t('To'))} type="date" />
        <Select
          {...about('interval', t('Period'))}
          options={optionsOf(['day', 'week', 'month'])}
          {...(name === 'balances' ? { none: t('At the end only') } : {})}
        />
        <Select
          {...about('groupBy', t('Grouped by'))}
          options={optionsOf(REPORTS[name].groups)}
          none={t('Nothing')}
        />
        <Field {...about('merchantId', t('Merchant'))} />
      </form>
      <div className="toolbar">
        <span className="space" />
        <CsvButton call={call} name={name} />
        <CopyAsCurl call={call} />
      </div>
      {report.error && <Problem error={report.error} onRetry={() => report.refetch()} />}
      {report.isPending && <Skeleton lines={8} />}
      {report.data && (
        <>
          <Charts
            report={report.data}
            figure={REPORTS[name].chart}
            periods={query.interval ? periodsBetween(query.from, query.to, query.interval as Interval) : []}
          />
          <FigureTable name={name} report={report.data} />
        </>
      )}
    </section>
  );
};

/** A chart for each currency, over all groups. */
const Charts = (props: {
  readonly report: Report;
  readonly figure: string;
  readonly periods: readonly string[];
}) => {
  const { report, figure, periods } = props;
  if (periods.length < 2) return null;
  return report.totals.map(({ currency }) => (
    <BarChart
      key={currency}
      title={`${tStatus(figure)}, ${currency}`}
      currency={currency}
      bars={periods.map((day) => ({
        day,
        amount: addMoney(
          currency,
          ...report.data
            .filter((row) => row.period === day && row.currency === currency)
            .map((row) => Number(row[figure])),
        ),
      }))}
    />
  ));
};

const KEYS = ['period', 'group', 'currency'];
const COUNTS = ['count', 'paidCount'];

/** A status or method in words, an id as it is. */
const groupName = (group: string | null): string => {
  if (group === null) return '–';
  return group.startsWith('mer_') ? group : tStatus(group);
};

const FigureTable = ({ name, report }: { readonly name: Name; readonly report: Report }) => {
  const [first] = report.data;
  if (!first) return <p className="empty">{t('Nothing was booked in these days.')}</p>;
  const figures = Object.keys(first).filter((key) => !KEYS.includes(key));
  const cell = (row: Total, figure: string) =>
    COUNTS.includes(figure) ? (
      formatNumber(Number(row[figure]))
    ) : (
      <Money amount={Number(row[figure])} currency={row.currency} />
    );
  return (
    <section className="scroll" tabIndex={0} aria-label={t('Figures')}>
      <table>
        <caption>{t('Figures')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Period')}</th>
            <th scope="col">{t('Group')}</th>
            {figures.map((figure) => (
              <th key={figure} scope="col" className="number">
                {tStatus(figure)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.data.map((row) => (
            <tr key={`${row.period} ${row.group} ${row.currency}`}>
              <td>{formatDay(row.period)}</td>
              <td>{groupName(row.group)}</td>
              {figures.map((figure) => (
                <td key={figure} className="number">
                  {cell(row, figure)}
                </td>
              ))}
            </tr>
          ))}
          {report.totals.map((total) => (
            <tr key={total.currency} className="total">
              <th scope="row" colSpan={2}>
                {name === 'balances' ? t('At the end') : t('Total')}, {total.currency}
              </th>
              {figures.map((figure) => (
                <td key={figure} className="number">
                  {cell(total, figure)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
