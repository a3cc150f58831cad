import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { call } from '../api.ts';
import { BarChart } from '../components/bar-chart.tsx';
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
import { MerchantName } from '../components/merchant.tsx';
import { Presets } from '../components/presets.tsx';
import { PrintButton } from '../components/print-button.tsx';
import { Table } from '../components/table.tsx';
import { Money } from '../components/values.tsx';
import { addMoney, dayAfter, daysAgo, formatDay, formatNumber, shownZone } from '../format.ts';
import { type Days, daysBefore } from '../presets.ts';
import { type Me, may, useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
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

/** Stands in the address for balances without periods. */
const AT_THE_END = 'end';

const filters = (name: Name): readonly Filter[] => [
  { kind: 'date', name: 'from', label: t('From'), fallback: daysAgo(29) },
  { kind: 'date', name: 'to', label: t('To'), fallback: daysAgo(0) },
  choiceFilter(
    'interval',
    t('Period'),
    [
      ...optionsOf(['day', 'week', 'month']),
      ...(name === 'balances' ? [{ value: AT_THE_END, label: t('At the end only') }] : []),
    ],
    { fallback: 'day' },
  ),
  choiceFilter('groupBy', t('Grouped by'), optionsOf(REPORTS[name].groups), { none: t('Nothing') }),
  merchantFilter(),
  textFilter('currency', t('Currency')),
];

type Asked = Days & { readonly interval?: Interval; readonly merchantId?: string };

const Figures = ({ name }: { readonly name: Name }) => {
  const shown = filters(name);
  const { asked, change } = useAddress(shown);
  const fallbacks = shown.flatMap(({ name: key, fallback }) => (fallback ? [[key, fallback]] : []));
  const all = { ...(Object.fromEntries(fallbacks) as Asked), timeZone: shownZone(), ...asked };
  const { interval: _, ...others } = all;
  const query: Asked = asked.interval === AT_THE_END ? others : all;
  const report = call(REPORTS[name].operation, { query });
  const read = useRead<Report>(report, { isKept: true });
  const before = daysBefore(query);
  const earlier = useRead<Report>(call(REPORTS[name].operation, { query: { ...query, ...before } }), {
    isWanted: before !== null,
    isKept: true,
  });
  return (
    <section>
      <FormRefusal value={read.error}>
        <Filters filters={shown} asked={asked} onApply={change}>
          <Presets names={['from', 'to']} asked={{ ...query, ...asked }} onApply={change} />
        </Filters>
      </FormRefusal>
      <div className="toolbar">
        <span className="space" />
        <PrintButton />
        <CsvButton call={report} name={name} />
        <ShownCall call={report} />
      </div>
      <Loaded of={read} lines={8}>
        {(found) => (
          <div className={read.isPlaceholderData ? 'list stale' : 'list'}>
            <MainChart name={name} report={found} earlier={earlier.data} query={query} />
            <FigureTable name={name} report={found} onCurrency={(currency) => change({ currency })} />
          </div>
        )}
      </Loaded>
    </section>
  );
};

/** The currency of most rows: the chart shows one, because amounts of two cannot be compared. */
const mainOf = ({ totals }: Report): string | undefined =>
  totals.toSorted((one, other) => Number(other.count ?? 0) - Number(one.count ?? 0))[0]?.currency;

/** The figure of the chart in a period, over all groups. */
const sumIn = (
  name: Name,
  report: Report | undefined,
  currency: string,
  period: string | undefined,
): number =>
  addMoney(
    currency,
    ...(report?.data ?? [])
      .filter((row) => row.period === period && row.currency === currency)
      .map((row) => Number(row[REPORTS[name].chart])),
  );

/** A chart of the main currency over all groups, with as many periods before it. */
const MainChart = (props: {
  readonly name: Name;
  readonly report: Report;
  readonly earlier: Report | undefined;
  readonly query: Asked;
}) => {
  const { name, report, earlier, query } = props;
  const me = useMe();
  const { from, to, interval } = query;
  const currency = mainOf(report);
  const periods = interval ? periodsBetween(from, to, interval) : [];
  const before = daysBefore(query);
  const periodsBefore = interval && before ? periodsBetween(before.from, before.to, interval) : [];
  if (periods.length < 2 || currency === undefined) return null;
  return (
    <BarChart
      title={`${tStatus(REPORTS[name].chart)}, ${currency}`}
      currency={currency}
      hasNoSum={name === 'balances'}
      bars={periods.map((period, index) => {
        const next = periods[index + 1];
        const last = next === undefined ? to : dayAfter(next, -1);
        const first = period < from ? from : period;
        const href = listOf(me, name, { first, last, currency, merchantId: query.merchantId });
        return {
          day: period,
          amount: sumIn(name, report, currency, period),
          isPart: last >= daysAgo(0),
          ...(earlier ? { before: sumIn(name, earlier, currency, periodsBefore[index]) } : {}),
          ...(href === null ? {} : { href }),
        };
      })}
    />
  );
};

/** The list of what a bar sums up: charges, or lines of the statement; null for somebody who may not read it. */
const listOf = (
  me: Me,
  name: Name,
  of: {
    readonly first: string;
    readonly last: string;
    readonly currency: string;
    readonly merchantId: string | undefined;
  },
): string | null => {
  const merchant = of.merchantId ? `&merchantId=${of.merchantId}` : '';
  const until = `createdAt[lte]=${of.last}&currency=${of.currency}${merchant}`;
  const within = `createdAt[gte]=${of.first}&${until}`;
  if (name === 'balances') return `/statement?${until}`;
  if (name === 'revenue') return `/statement?${within}`;
  if (name === 'payouts') return `/statement?${within}&movement_type=payout`;
  return may(me, 'admin.charges.read') ? `/charges?${within}` : null;
};

const KEYS = ['period', 'group', 'currency'];
const COUNTS = ['count', 'paidCount'];

/** A status or method in words, a merchant by its name. */
const groupName = (group: string | null): ReactNode => {
  if (group === null) return '–';
  return group.startsWith('mer_') ? <MerchantName id={group} /> : tStatus(group);
};

/** The sums of each currency, and below them the figures of each period. */
const FigureTable = (props: {
  readonly name: Name;
  readonly report: Report;
  readonly onCurrency: (currency: string) => void;
}) => {
  const { name, report, onCurrency } = props;
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
      heads={[
        t('Period'),
        t('Currency'),
        t('Group'),
        ...figures.map((figure) => ({ number: tStatus(figure) })),
      ]}
      rows={[
        ...report.totals.map((total) => ({
          key: total.currency,
          isTotal: true,
          cells: [
            end,
            <button
              key="currency"
              type="button"
              className="head"
              title={t('Only this currency')}
              onClick={() => onCurrency(total.currency)}
            >
              {total.currency}
            </button>,
            '',
            ...cells(total),
          ],
        })),
        ...report.data.map((row) => ({
          key: `${row.period} ${row.group} ${row.currency}`,
          cells: [formatDay(row.period), row.currency, groupName(row.group), ...cells(row)],
        })),
      ]}
    />
  );
};
