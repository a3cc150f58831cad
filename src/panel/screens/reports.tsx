import { useParams } from 'wouter';
import { call } from '../api.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CopyAsCurl } from '../components/copy-button.tsx';
import { CsvButton } from '../components/csv-button.tsx';
import { FormRefusal } from '../components/field.tsx';
import {
  choiceFilter,
  type Filter,
  Filters,
  merchantFilter,
  textFilter,
  useAddress,
} from '../components/filters.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { Loaded } from '../components/loaded.tsx';
import { PrintButton } from '../components/print-button.tsx';
import { Table } from '../components/table.tsx';
import { Money } from '../components/values.tsx';
import { addMoney, daysAgo, formatDay, formatNumber, shownZone } from '../format.ts';
import { useRead } from '../use-read.ts';
import { optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { Differences } from './reports/differences.tsx';
import { type Interval, periodsBetween } from './reports/periods.ts';

/** Operation and groupings of each report, and the figure that its chart shows. */
const REPORTS = {
  volume: {
    operation: 'getVolumeReport',
    groups: ['status', 'paymentMethod', 'currency', 'merchantId'],
    chart: 'paidAmount',
  },
  revenue: {
    operation: 'getRevenueReport',
    groups: ['currency', 'merchantId', 'status', 'paymentMethod'],
    chart: 'amount',
  },
  balances: { operation: 'getBalanceReport', groups: ['currency', 'merchantId'], chart: 'available' },
  payouts: { operation: 'getPayoutReport', groups: ['currency', 'merchantId'], chart: 'net' },
} as const;
type Name = keyof typeof REPORTS;
const isName = (text: string): text is Name => text in REPORTS;

type Total = Readonly<Record<string, string | number | null>> & { readonly currency: string };
type Row = Total & { readonly period: string; readonly group: string | null };
type Report = { readonly data: readonly Row[]; readonly totals: readonly Total[] };

const Reports = () => {
  const { name = 'volume' } = useParams();
  return (
    <>
      <ScreenHead
        title={t('Reports')}
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

const filters = (name: Name): readonly Filter[] => [
  { kind: 'date', name: 'from', label: t('From'), fallback: daysAgo(29) },
  { kind: 'date', name: 'to', label: t('To'), fallback: daysAgo(0) },
  choiceFilter(
    'interval',
    t('Period'),
    optionsOf(['day', 'week', 'month']),
    name === 'balances' ? { none: t('At the end only') } : { fallback: 'day' },
  ),
  choiceFilter('groupBy', t('Grouped by'), optionsOf(REPORTS[name].groups), { none: t('Nothing') }),
  merchantFilter(),
  textFilter('currency', t('Currency')),
];

type Asked = { readonly from: string; readonly to: string; readonly interval?: Interval };

const Figures = ({ name }: { readonly name: Name }) => {
  const shown = filters(name);
  const { asked, change } = useAddress(shown);
  const fallbacks = shown.flatMap(({ name: key, fallback }) => (fallback ? [[key, fallback]] : []));
  const query = { ...(Object.fromEntries(fallbacks) as Asked), timeZone: shownZone(), ...asked };
  const report = call(REPORTS[name].operation, { query });
  const read = useRead<Report>(report, { isKept: true });
  return (
    <section>
      <FormRefusal value={read.error}>
        <Filters filters={shown} asked={asked} onApply={change} />
      </FormRefusal>
      <div className="toolbar">
        <span className="space" />
        <PrintButton />
        <CsvButton call={report} name={name} />
        <CopyAsCurl call={report} />
      </div>
      <Loaded of={read} lines={8}>
        {(found) => (
          <div className={read.isPlaceholderData ? 'list stale' : 'list'}>
            <Charts
              report={found}
              figure={REPORTS[name].chart}
              periods={query.interval ? periodsBetween(query.from, query.to, query.interval) : []}
            />
            <FigureTable name={name} report={found} />
          </div>
        )}
      </Loaded>
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
  return (
    <div className="charts">
      {report.totals.map(({ currency }) => (
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
      ))}
    </div>
  );
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
  const cells = (row: Total) =>
    figures.map((figure) =>
      COUNTS.includes(figure) ? (
        formatNumber(Number(row[figure]))
      ) : (
        <Money key={figure} amount={Number(row[figure])} currency={row.currency} />
      ),
    );
  const end = name === 'balances' ? t('At the end') : t('Total');
  return (
    <Table
      caption={t('Figures')}
      heads={[t('Period'), t('Group'), ...figures.map((figure) => ({ number: tStatus(figure) }))]}
      rows={[
        ...report.data.map((row) => ({
          key: `${row.period} ${row.group} ${row.currency}`,
          cells: [formatDay(row.period), groupName(row.group), ...cells(row)],
        })),
        ...report.totals.map((total) => ({
          key: total.currency,
          isTotal: true,
          cells: [end, total.currency, ...cells(total)],
        })),
      ]}
    />
  );
};
