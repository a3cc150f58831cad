import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { type Column, DataTable, type Filter } from '../components/data-table.tsx';
import { Method, Money, Status, When } from '../components/parts.tsx';
import { useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { CHARGE_STATUSES, optionsOf, PAYMENT_METHODS } from '../values.ts';
import { t } from '../words.ts';

export type Charge = Schemas['Charge'];

const columns = (): readonly Column<Charge>[] => [
  {
    key: 'createdAt',
    head: t('Created'),
    sort: 'createdAt',
    cell: ({ id, createdAt }) => (
      <Link href={`/charges/${id}`}>
        <When at={createdAt} />
      </Link>
    ),
  },
  { key: 'status', head: t('Status'), sort: 'status', cell: ({ status }) => <Status status={status} /> },
  {
    key: 'amount',
    head: t('Amount'),
    sort: 'amount',
    isNumber: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
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
    cell: ({ customer }) => (
      <>
        {customer.name}
        <small>{customer.email}</small>
      </>
    ),
  },
  { key: 'reference', head: t('Reference'), sort: 'reference', cell: ({ reference }) => reference ?? '–' },
  {
    key: 'spread',
    head: t('Fee'),
    sort: 'spread',
    isNumber: true,
    isExtra: true,
    cell: ({ spread, currency }) => <Money amount={spread} currency={currency} />,
  },
  {
    key: 'net',
    head: t('Net'),
    sort: 'net',
    isNumber: true,
    isExtra: true,
    cell: ({ net, currency }) => <Money amount={net} currency={currency} />,
  },
  {
    key: 'paidAt',
    head: t('Paid'),
    sort: 'paidAt',
    isExtra: true,
    cell: ({ paidAt }) => <When at={paidAt} />,
  },
  {
    key: 'merchantId',
    head: t('Merchant'),
    sort: 'merchantId',
    isExtra: true,
    cell: ({ merchantId }) => merchantId,
  },
  { key: 'id', head: t('Id'), isExtra: true, cell: ({ id }) => id },
];

const filters = (): readonly Filter[] => [
  { kind: 'text', name: 'q', label: t('Words') },
  { kind: 'select', name: 'status', label: t('Status'), options: optionsOf(CHARGE_STATUSES) },
  { kind: 'select', name: 'paymentMethod', label: t('Method'), options: optionsOf(PAYMENT_METHODS) },
  { kind: 'date', name: 'createdAt[gte]', label: t('From') },
  { kind: 'date', name: 'createdAt[lte]', label: t('To') },
  { kind: 'number', name: 'amount[gte]', label: t('Amount from') },
  { kind: 'number', name: 'amount[lte]', label: t('Amount to') },
  { kind: 'text', name: 'merchantId', label: t('Merchant') },
];

const Charges = () => {
  const me = useMe();
  useTitle(t('Charges'));
  return (
    <>
      <h1>{t('Charges')}</h1>
      <DataTable
        path={me.merchant ? '/v1/charges' : '/v1/admin/charges'}
        caption={t('Charges')}
        columns={columns()}
        filters={filters()}
        empty={t('The first charge that a key creates with POST /v1/charges is shown here.')}
        csv="charges"
      />
    </>
  );
};
export default Charges;
