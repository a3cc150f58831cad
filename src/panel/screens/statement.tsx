import { Link, useSearch } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { merchantColumn, moneyColumn, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, choiceFilter, type Filter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { Table } from '../components/table.tsx';
import { Money, Text } from '../components/values.tsx';
import { shownZone } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { BUCKETS, MOVEMENTS, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { Explanation } from './explanation.tsx';
import { Agenda } from './statement/agenda.tsx';
import { VerifyButton } from './statement/verify-button.tsx';

type Line = Schemas['StatementEntry'];

const columns = (isOperator: boolean): readonly Column<Line>[] => [
  timeColumn('createdAt', t('Booked')),
  ...(isOperator ? [merchantColumn()] : []),
  {
    key: 'movement',
    head: t('Movement'),
    sort: 'movement_type',
    cell: ({ movement_type, chargeId }) =>
      chargeId ? <Link href={`/charges/${chargeId}`}>{tStatus(movement_type)}</Link> : tStatus(movement_type),
  },
  { key: 'bucket', head: t('Bucket'), cell: ({ bucket }) => tStatus(bucket) },
  moneyColumn('amount', t('Amount'), { sort: 'amount' }),
  moneyColumn('balanceAfter', t('Balance after')),
  {
    key: 'description',
    head: t('Description'),
    isExtra: true,
    // It is written by the API, in English.
    cell: ({ description }) => (
      <span lang="en">
        <Text of={description} />
      </span>
    ),
  },
];

const filters = (me: Me): readonly Filter[] => [
  ...between('createdAt'),
  choiceFilter('movement_type', t('Movement'), optionsOf(MOVEMENTS)),
  choiceFilter('bucket', t('Bucket'), optionsOf(BUCKETS)),
  textFilter('currency', t('Currency')),
  ...merchantFilters(me),
];

const Statement = () => {
  const me = useMe();
  const isOperator = me.merchant === null;
  const asked = new URLSearchParams(useSearch());
  const isOfOne = !isOperator || asked.has('merchantId');
  return (
    <ListScreen
      title={t('Statement')}
      above={
        isOfOne ? (
          <>
            <Summary />
            {!isOperator && <Agenda />}
          </>
        ) : (
          <p className="empty">{t('Filter by a merchant to see its balances and to verify its lines.')}</p>
        )
      }
      list={isOperator ? call('listStatementAsOperator') : call('listStatement')}
      columns={columns(isOperator)}
      filters={filters(me)}
      empty={t('The first paid charge writes the first line.')}
      actions={({ id }) => <Explanation ids={[id]} />}
      csv="statement"
      isPrinted
    />
  );
};
export default Statement;

type Currency = Schemas['StatementSummary']['data'][number];
type Sums = Currency['openingBalance'];

/** Opening balance, movements and closing balance of the days that the lines are filtered by. */
const Summary = () => {
  const me = useMe();
  const asked = new URLSearchParams(useSearch());
  const members = {
    from: 'createdAt[gte]',
    to: 'createdAt[lte]',
    currency: 'currency',
    merchantId: 'merchantId',
  };
  const query = Object.fromEntries(
    Object.entries(members).flatMap(([name, filter]) => {
      const value = asked.get(filter);
      return value ? [[name, value]] : [];
    }),
  );
  // Days are those of the zone in which the lines show their times.
  const days = query.from || query.to ? { timeZone: shownZone() } : {};
  const summary = call('getStatementSummary', { query: { ...query, ...days } });
  return (
    <Panel title={t('Balances')} call={summary} lines={5}>
      {({ merchantId, data }) => (
        <>
          {me.merchant === null && may(me, 'admin.reports.read') && (
            <p>
              <Link href={`/reports/balances?merchantId=${merchantId}&interval=day`}>
                {t('Balances by day')}
              </Link>
            </p>
          )}
          {data.length === 0 && <p className="empty">{t('The first paid charge brings money here.')}</p>}
          {data.map((one) => (
            <OfCurrency key={one.currency} merchantId={merchantId} {...one} />
          ))}
        </>
      )}
    </Panel>
  );
};

const OfCurrency = (props: Currency & { readonly merchantId: string }) => {
  const { merchantId, currency, openingBalance, movements, closingBalance } = props;
  const cells = (name: string, { available, reserved, total }: Sums) => [
    name,
    <Money key="available" amount={available} currency={currency} />,
    <Money key="reserved" amount={reserved} currency={currency} />,
    <Money key="total" amount={total} currency={currency} />,
  ];
  return (
    <div className="list">
      <div className="toolbar">
        <h3>{currency}</h3>
        <VerifyButton merchantId={merchantId} currency={currency} />
      </div>
      <Table
        className="sums"
        caption={`${t('Balances')}, ${currency}`}
        heads={[
          t('Movement'),
          { number: tStatus('available') },
          { number: tStatus('reserved') },
          { number: t('Total') },
        ]}
        rows={[
          { key: 'opening', isTotal: true, cells: cells(t('Opening balance'), openingBalance) },
          ...movements.map((movement) => ({
            key: movement.movement_type,
            cells: cells(`${tStatus(movement.movement_type)} (${movement.count})`, movement),
          })),
          { key: 'closing', isTotal: true, cells: cells(t('Closing balance'), closingBalance) },
        ]}
      />
    </div>
  );
};
