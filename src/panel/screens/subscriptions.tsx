import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { merchantColumns, TwoLines, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, choiceFilter, type Filter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { Status } from '../components/status.tsx';
import { Money } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { optionsOf, SUBSCRIPTION_STATUSES } from '../values.ts';
import { t } from '../words.ts';
import { Price } from './subscription/price.tsx';
import { SUBSCRIPTION_TABS } from './subscription/tabs.ts';

type Subscription = Schemas['Subscription'];

/** Columns of a list of subscriptions. */
export const subscriptionColumns = (): readonly Column<Subscription>[] => [
  {
    key: 'id',
    head: t('Subscription'),
    cell: ({ id, description, reference }) => (
      <TwoLines
        first={<Link href={`/subscriptions/${id}`}>{description ?? reference ?? t('Subscription')}</Link>}
        second={description === null ? id : (reference ?? id)}
      />
    ),
  },
  {
    key: 'status',
    head: t('Status'),
    cell: ({ status, cancelAt }) => (
      <TwoLines first={<Status status={status} />} second={cancelAt && t('is going to be cancelled')} />
    ),
  },
  { key: 'price', head: t('Price'), cell: ({ price }) => <Price of={price} /> },
  timeColumn('nextChargeAt', t('Next charge')),
];

const columns = (me: Me): readonly Column<Subscription>[] => [
  ...subscriptionColumns(),
  {
    key: 'customerId',
    head: t('Customer'),
    cell: ({ customerId }) => <Link href={`/customers/${customerId}`}>{t('Customer')}</Link>,
  },
  ...merchantColumns(me),
  timeColumn('createdAt', t('Created')),
];

const filters = (me: Me): readonly Filter[] => [
  choiceFilter('status', t('Status'), optionsOf(SUBSCRIPTION_STATUSES)),
  textFilter('customerId', t('Customer')),
  textFilter('planId', t('Plan')),
  textFilter('reference', t('Reference')),
  ...between('createdAt'),
  ...merchantFilters(me),
];

const Subscriptions = () => {
  const me = useMe();
  const seesFigures = me.merchant !== null || may(me, 'admin.reports.read');
  return (
    <ListScreen
      title={t('Subscriptions')}
      tabs={SUBSCRIPTION_TABS()}
      above={seesFigures && <Figures me={me} />}
      list={call('listSubscriptions')}
      columns={columns(me)}
      filters={filters(me)}
      empty={t('Customers who pay again and again are shown here. Begin one at a customer.')}
      csv="subscriptions"
    />
  );
};
export default Subscriptions;

type Row = Schemas['SubscriptionReport']['data'][number];

const sumOf = (rows: readonly Row[], figure: 'active' | 'new' | 'lost' | 'pastDue' | 'monthlyRevenue') =>
  rows.reduce((sum, row) => sum + (row[figure] ?? 0), 0);

/** Figures of the present month, all plans of a currency together. */
const Figures = ({ me }: { readonly me: Me }) => {
  const timeZone = me.merchant?.timeZone ?? 'UTC';
  return (
    <Panel
      title={t('This month')}
      call={call('getSubscriptionReport', { query: { months: 1, timeZone } })}
      lines={2}
    >
      {({ data, mandates, plannedCharges }) => [
        ...[...new Set(data.map(({ currency }) => currency))].map((currency) => {
          const rows = data.filter((row) => row.currency === currency);
          return (
            <ul key={currency} className="tiles">
              <li>
                <div>
                  <strong>
                    <Money amount={sumOf(rows, 'monthlyRevenue')} currency={currency} />
                  </strong>
                  {t('recurring revenue a month')}
                </div>
              </li>
              {(
                [
                  ['active', t('running')],
                  ['pastDue', t('past due')],
                  ['new', t('new')],
                  ['lost', t('lost')],
                ] as const
              ).map(([figure, label]) => (
                <li key={figure}>
                  <div>
                    <strong>{formatNumber(sumOf(rows, figure))}</strong>
                    {label}
                  </div>
                </li>
              ))}
            </ul>
          );
        }),
        <MandateFigures key="mandates" mandates={mandates} plannedCharges={plannedCharges} />,
      ]}
    </Panel>
  );
};

type Report = Schemas['SubscriptionReport'];

/** Mandates of Pix Automático as they stand; nothing where there has never been one. */
const MandateFigures = ({ mandates, plannedCharges }: Pick<Report, 'mandates' | 'plannedCharges'>) =>
  Object.values(mandates).some((count) => count > 0) && (
    <ul className="tiles">
      {(
        [
          [mandates.active, t('mandates that can be charged')],
          [mandates.pending, t('mandates that wait for their payer')],
          [mandates.revoked, t('mandates that were cancelled')],
          [plannedCharges.waiting, t('charges that a bank is to pay')],
        ] as const
      ).map(([figure, label]) => (
        <li key={label}>
          <div>
            <strong>{formatNumber(figure)}</strong>
            {label}
          </div>
        </li>
      ))}
    </ul>
  );
