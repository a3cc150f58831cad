import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { merchantColumns, moneyColumn, TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, choiceFilter, type Filter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Status } from '../components/status.tsx';
import { When } from '../components/values.tsx';
import { type Me, useMe } from '../session.tsx';
import { optionsOf, REFUND_STATUSES } from '../values.ts';
import { t } from '../words.ts';

type Refund = Schemas['Refund'];

const columns = (me: Me): readonly Column<Refund>[] => [
  {
    key: 'createdAt',
    head: t('Asked for'),
    sort: 'createdAt',
    cell: ({ chargeId, createdAt }) => (
      <Link href={`/charges/${chargeId}`}>
        <When at={createdAt} />
      </Link>
    ),
  },
  {
    key: 'status',
    head: t('Status'),
    sort: 'status',
    cell: ({ status, reason }) => <TwoLines first={<Status status={status} />} second={reason} />,
  },
  moneyColumn('amount', t('Amount'), { sort: 'amount' }),
  textColumn('merchantReason', t('Reason')),
  ...merchantColumns(me, { sort: 'merchantId' }),
  timeColumn('updatedAt', t('Last change'), { isExtra: true }),
  textColumn('pspRefundRefId', t("Provider's reference"), { isExtra: true }),
  textColumn('id', t('Id'), { isExtra: true }),
];

const filters = (me: Me): readonly Filter[] => [
  choiceFilter('status', t('Status'), optionsOf(REFUND_STATUSES)),
  ...between('createdAt'),
  textFilter('chargeId', t('Charge')),
  textFilter('currency', t('Currency')),
  ...merchantFilters(me),
];

const Refunds = () => {
  const me = useMe();
  return (
    <ListScreen
      title={t('Refunds')}
      list={call('listRefunds')}
      columns={columns(me)}
      filters={filters(me)}
      empty={t('Money that goes back to payers is shown here. A refund begins on the screen of its charge.')}
      csv="refunds"
    />
  );
};
export default Refunds;
