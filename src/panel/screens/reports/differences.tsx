import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { TwoLines } from '../../components/columns.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { FormRefusal } from '../../components/field.tsx';
import { choiceFilter, Filters, merchantFilter, textFilter, useAddress } from '../../components/filters.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { Money, When } from '../../components/values.tsx';
import { dayOf, daysAgo, formatNumber, shownZone } from '../../format.ts';
import { ShownCall } from '../../shown-calls.tsx';
import { useRead } from '../../use-read.ts';
import { optionsOf } from '../../values.ts';
import { t, tStatus } from '../../words.ts';
import { periodsSince } from './periods.ts';

type Report = Schemas['ReconciliationReport'];

const filters = () => [
  choiceFilter('status', t('Status'), optionsOf(['open', 'resolved'])),
  choiceFilter('groupBy', t('Grouped by'), optionsOf(['currency', 'merchantId']), { none: t('Nothing') }),
  merchantFilter(),
  textFilter('currency', t('Currency')),
];

/** Differences between the ledger and the records that it tells of. */
export const Differences = () => {
  const shown = filters();
  const { asked, change } = useAddress(shown);
  const report = call('getReconciliationReport', { query: asked });
  const read = useRead<Report>(report, { isKept: true });
  return (
    <section className="list">
      <FormRefusal value={read.error}>
        <Filters filters={shown} asked={asked} onApply={change} />
      </FormRefusal>
      <div className="toolbar">
        <p role="status">
          {read.data && t('{count} in all', { count: formatNumber(read.data.data.length) })}
        </p>
        <span className="space" />
        <CsvButton call={report} name="reconciliation" />
        <ShownCall call={report} />
      </div>
      <Loaded of={read} lines={6}>
        {(found) => (
          <div className={read.isPlaceholderData ? 'list stale' : 'list'}>
            <Facts
              rows={[
                [t('Checked up to'), <When key="checked" at={found.checkedUpTo} />],
                [t('Last check of everything'), <When key="full" at={found.fullCheckAt} />],
              ]}
            />
            <div className="charts">
              <Found rows={found.data} />
            </div>
            <DifferenceTable report={found} isGrouped={asked.groupBy !== undefined} />
          </div>
        )}
      </Loaded>
    </section>
  );
};

const DAYS = 30;

/** Numbers of differences by the day on which the check of the ledger found them. */
const Found = ({ rows }: { readonly rows: Report['data'] }) => {
  if (rows.length === 0) return null;
  const days = rows.map(({ foundAt }) => dayOf(new Date(foundAt), shownZone()));
  const [first = ''] = [daysAgo(DAYS - 1), ...days].toSorted();
  const periods = periodsSince(first, daysAgo(0));
  const found = days.map((day) => periods.findLast((period) => period <= day));
  return (
    <BarChart
      title={t('Differences by the day they were found')}
      currency={null}
      bars={periods.map((day) => ({ day, amount: found.filter((period) => period === day).length }))}
    />
  );
};

const DifferenceTable = (props: { readonly report: Report; readonly isGrouped: boolean }) => {
  const { report, isGrouped } = props;
  const money = (amount: number | null, currency: string | null) =>
    amount !== null && currency !== null ? <Money amount={amount} currency={currency} /> : '–';
  const group = (name: string | null) => (isGrouped ? [name ?? '–'] : []);
  return (
    <Table
      caption={t('Differences')}
      heads={[
        t('Found'),
        t('Record'),
        ...(isGrouped ? [t('Group')] : []),
        t('Difference'),
        { number: t('Amount') },
        t('Resolved'),
      ]}
      rows={[
        ...report.totals.map(({ currency, count, amount }) => ({
          key: `total ${currency}`,
          isTotal: true,
          cells: [
            tStatus('open'),
            currency ?? '–',
            ...group(''),
            t('{count} in all', { count: formatNumber(count) }),
            money(amount, currency),
            '',
          ],
        })),
        ...report.data.map((row) => ({
          key: `${row.kind} ${row.subject} ${row.foundAt} ${row.message}`,
          cells: [
            <When key="found" at={row.foundAt} />,
            <TwoLines key="record" first={tStatus(row.kind)} second={row.subject} />,
            ...group(row.group),
            row.message,
            money(row.amount, row.currency),
            <When key="resolved" at={row.resolvedAt} />,
          ],
        })),
      ]}
    >
      {report.data.length === 0 && <p className="empty">{t('The ledger and the records agree.')}</p>}
    </Table>
  );
};
