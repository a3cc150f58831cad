import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { statusColumn, TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { choiceFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { may, useMe } from '../session.tsx';
import { MERCHANT_STATUSES, optionsOf } from '../values.ts';
import { t } from '../words.ts';
import { Split } from './merchant/split.tsx';
import { CompanyDialog } from './submerchant/company-dialog.tsx';

type Submerchant = Schemas['Submerchant'];

const columns = (isOperator: boolean): readonly Column<Submerchant>[] => [
  {
    key: 'legalName',
    head: t('Name'),
    sort: 'legalName',
    cell: ({ id, legalName, email }) => (
      <TwoLines first={<Link href={`/submerchants/${id}`}>{legalName}</Link>} second={email} />
    ),
  },
  statusColumn(),
  textColumn('companyTaxId', t('Tax id'), { sort: 'companyTaxId' }),
  ...(isOperator
    ? [
        {
          key: 'masterId',
          head: t('Master'),
          cell: ({ masterId }: Submerchant) => <MerchantName id={masterId} />,
        },
      ]
    : []),
  timeColumn('createdAt', t('Created')),
];

const Submerchants = () => {
  const me = useMe();
  const isMaster = me.merchant?.role === 'MerchantMaster';
  return (
    <ListScreen
      title={t('Sub-merchants')}
      add={isMaster && { label: t('Add sub-merchant'), dialog: CompanyDialog }}
      list={
        me.merchant
          ? call('listSubmerchants')
          : // An operator would see both environments.
            call('listSubmerchantsAsOperator', { query: { livemode: String(me.livemode) } })
      }
      columns={columns(me.merchant === null)}
      filters={[
        textFilter('legalName', t('Name')),
        choiceFilter('status', t('Status'), optionsOf(MERCHANT_STATUSES)),
        textFilter('companyTaxId', t('Tax id')),
      ]}
      csv="sub-merchants"
      empty={t('The first company that a master adds is shown here.')}
    >
      {me.merchant && may(me, 'charges.read') && <Split merchantId={me.merchant.id} />}
    </ListScreen>
  );
};
export default Submerchants;
