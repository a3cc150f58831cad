import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import {
  merchantColumns,
  moneyColumn,
  statusColumn,
  TwoLines,
  textColumn,
  timeColumn,
} from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, choiceFilter, type Filter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Method, When } from '../components/values.tsx';
import { type Me, may, useMe } from '../session.tsx';
import { CHARGE_STATUSES, optionsOf, PAYMENT_METHODS } from '../values.ts';
import { t } from '../words.ts';
import { CreateChargeDialog } from './charges/create-dialog.tsx';

type Charge = Schemas['ListedCharge'];

const EXTRA = { isExtra: true } as const;

export const chargeColumns = (me: Me): readonly Column<Charge>[] => [
  {
    key: 'createdAt',
    head: t('Created'),
    sort: 'createdAt',
    onPhone: true,
    cell: ({ id, createdAt }) => (
      <Link href={`/charges/${id}`}>
        <When at={createdAt} />
      </Link>
    ),
  },
  statusColumn(),
  moneyColumn('amount', t('Amount'), { sort: 'amount' }),
  {
    key: 'method',
    head: t('Method'),
    sort: 'paymentMethod.type',
    cell: ({ paymentMethod }) => <Method of={paymentMethod} />,
  },
  {
    key: 'customer',
    head: t('Customer'),
    sort: 'customer.name',
    onPhone: true,
    cell: ({ customer }) => <TwoLines first={customer.name} second={customer.email} />,
  },
  textColumn('reference', t('Reference'), { sort: 'reference' }),
  moneyColumn('spread', t('Fee'), { sort: 'spread', ...EXTRA }),
  moneyColumn('net', t('Net when paid'), { sort: 'net', ...EXTRA }),
  timeColumn('paidAt', t('Paid'), EXTRA),
  ...merchantColumns(me, { sort: 'merchantId' }),
  textColumn('id', t('Id'), EXTRA),
];

const filters = (me: Me): readonly Filter[] => [
  textFilter('q', t('Words')),
  choiceFilter('status', t('Status'), optionsOf(CHARGE_STATUSES)),
  choiceFilter('paymentMethod', t('Method'), optionsOf(PAYMENT_METHODS)),
  ...between('createdAt'),
  textFilter('customerId', t('Customer')),
  textFilter('checkoutSessionId', t('Checkout session')),
  textFilter('currency', t('Currency')),
  { kind: 'amount', name: 'amount[gte]', label: t('Amount from') },
  { kind: 'amount', name: 'amount[lte]', label: t('Amount to') },
  ...merchantFilters(me),
];

const Charges = () => {
  const me = useMe();
  const mayCreate = me.merchant !== null && may(me, 'charges.create');
  return (
    <ListScreen
      title={t('Charges')}
      add={mayCreate && { label: t('Create charge'), dialog: CreateChargeDialog }}
      list={me.merchant ? call('listCharges') : call('listChargesAsOperator')}
      columns={chargeColumns(me)}
      filters={filters(me)}
      empty={t('The first charge that a key creates with POST /v1/charges is shown here.')}
      csv="charges"
    />
  );
};
export default Charges;
