import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { statusColumn, TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { choiceFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { givenOf, useFields } from '../components/use-fields.tsx';
import { may, useMe } from '../session.tsx';
import { MERCHANT_ROLES, MERCHANT_STATUSES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';

type Merchant = Schemas['Merchant'];

const columns = (hrefOf: (merchant: Merchant) => string): readonly Column<Merchant>[] => [
  {
    key: 'legalName',
    head: t('Name'),
    sort: 'legalName',
    cell: (merchant) => (
      <TwoLines first={<Link href={hrefOf(merchant)}>{merchant.legalName}</Link>} second={merchant.email} />
    ),
  },
  statusColumn(),
  {
    key: 'role',
    head: t('Kind'),
    sort: 'role',
    cell: ({ role, masterId }) => tStatus(masterId ? 'submerchant' : role),
  },
  textColumn('companyTaxId', t('Tax id')),
  timeColumn('createdAt', t('Created')),
  textColumn('id', t('Id'), { isExtra: true }),
];

type Heading = Pick<Parameters<typeof ListScreen>[0], 'title' | 'tabs' | 'add' | 'intro'>;

/** A list of merchants whose names lead somewhere. */
export const MerchantList = (
  props: Heading & { readonly hrefOf: (merchant: Merchant) => string; readonly children?: ReactNode },
) => {
  const { hrefOf, ...heading } = props;
  return (
    <ListScreen
      {...heading}
      list={call('listMerchants')}
      columns={columns(hrefOf)}
      filters={[
        textFilter('legalName', t('Name')),
        textFilter('email', t('E-mail')),
        textFilter('companyTaxId', t('Tax id')),
        choiceFilter('role', t('Kind'), optionsOf(MERCHANT_ROLES)),
        choiceFilter('status', t('Status'), optionsOf(MERCHANT_STATUSES)),
      ]}
      csv="merchants"
      empty={t('The first merchant that an operator creates is shown here.')}
    />
  );
};

export const merchantTabs = () => [
  { href: '/merchants', title: t('Merchants') },
  { href: '/default-settings', title: t('Default settings') },
];

const Merchants = () => {
  const me = useMe();
  const mayCreate = may(me, 'admin.merchants.update');
  return (
    <MerchantList
      title={t('Merchants')}
      tabs={merchantTabs()}
      add={mayCreate && { label: t('Create merchant'), dialog: CreateDialog }}
      hrefOf={({ id }) => `/merchants/${id}`}
    ></MerchantList>
  );
};
export default Merchants;

const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation();
  const { values, field, select } = useFields({
    legalName: '',
    email: '',
    companyTaxId: '',
    role: 'Merchant',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  return (
    <CommandDialog
      title={t('Create merchant')}
      call={call('createMerchant', { body: givenOf(values) })}
      onClose={onClose}
      onDone={({ id }) => navigate(`/merchants/${id}`)}
    >
      <p>{t('It can sell in test at once. Live charges need fees.')}</p>
      {field('legalName', t('Name'), { required: true })}
      {field('email', t('E-mail'), { required: true, type: 'email' })}
      {field('companyTaxId', t('Tax id'), { hint: t('CNPJ or CPF; payouts go to its Pix key.') })}
      {select('role', t('Kind'), optionsOf(MERCHANT_ROLES))}
      {field('timeZone', t('Time zone'), { hint: t('By IANA, such as America/Sao_Paulo.') })}
    </CommandDialog>
  );
};
