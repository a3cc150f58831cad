import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { merchantColumns, TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, type Filter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { type Me, useMe } from '../session.tsx';
import { t } from '../words.ts';
import { CustomerDialog } from './customer/customer-dialog.tsx';

type Customer = Schemas['Customer'];

const columns = (me: Me): readonly Column<Customer>[] => [
  {
    key: 'name',
    head: t('Name'),
    sort: 'name',
    cell: ({ id, name, email }) => (
      <TwoLines first={<Link href={`/customers/${id}`}>{name}</Link>} second={email} />
    ),
  },
  { key: 'document', head: t('Document'), cell: ({ document }) => document?.id ?? '–' },
  textColumn('reference', t('Reference')),
  ...merchantColumns(me),
  timeColumn('createdAt', t('Created')),
];

const filters = (me: Me): readonly Filter[] => [
  textFilter('q', t('Words')),
  textFilter('email', t('E-mail')),
  textFilter('document', t('Document')),
  textFilter('reference', t('Reference')),
  ...between('createdAt'),
  ...merchantFilters(me),
];

const Customers = () => {
  const me = useMe();
  return (
    <ListScreen
      title={t('Customers')}
      add={me.merchant !== null && { label: t('Add customer'), dialog: CustomerDialog }}
      list={call('listCustomers')}
      columns={columns(me)}
      filters={filters(me)}
      empty={t('Payers that are kept, so that charges name them, are shown here.')}
      csv="customers"
    />
  );
};
export default Customers;
