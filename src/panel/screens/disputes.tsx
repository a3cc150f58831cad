import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { merchantColumn, moneyColumn, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, choiceFilter, merchantFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Status } from '../components/status.tsx';
import { Money } from '../components/values.tsx';
import { DISPUTE_KINDS, DISPUTE_STATES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';

type Dispute = Schemas['Dispute'];

const columns = (): readonly Column<Dispute>[] => [
  timeColumn('createdAt', t('Since')),
  {
    key: 'state',
    head: t('Status'),
    sort: 'state',
    cell: ({ id, state }) => (
      <>
        <Link href={`/disputes/${id}`}>{t('Dispute')}</Link> <Status status={state} />
      </>
    ),
  },
  { key: 'kind', head: t('Kind'), sort: 'kind', cell: ({ kind }) => tStatus(kind) },
  merchantColumn({ sort: 'merchantId' }),
  moneyColumn('amount', t('Amount'), { sort: 'amount' }),
  {
    key: 'fee',
    head: t('Fee'),
    isNumber: true,
    cell: ({ fee }) => (fee ? <Money amount={fee.amount} currency={fee.currency} /> : '–'),
  },
  timeColumn('closedAt', t('Decided')),
];

const Disputes = () => (
  <ListScreen
    title={t('Disputes')}
    list={call('listDisputes')}
    columns={columns()}
    filters={[
      choiceFilter('state', t('Status'), optionsOf(DISPUTE_STATES)),
      choiceFilter('kind', t('Kind'), optionsOf(DISPUTE_KINDS)),
      textFilter('chargeId', t('Charge')),
      merchantFilter(),
      ...between('createdAt'),
    ]}
    csv="disputes"
    empty={t('Charges with a chargeback alert or a chargeback are shown here.')}
  />
);
export default Disputes;
