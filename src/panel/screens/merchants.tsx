import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Select } from '../components/field.tsx';
import { Status, When } from '../components/parts.tsx';
import { Tabs } from '../components/tabs.tsx';
import { givenOf, useFields } from '../components/use-fields.tsx';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { MERCHANT_ROLES, MERCHANT_STATUSES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';

type Merchant = Schemas['Merchant'];

const columns = (hrefOf: (merchant: Merchant) => string): readonly Column<Merchant>[] => [
  {
    key: 'legalName',
    head: t('Name'),
    sort: 'legalName',
    cell: (merchant) => (
      <>
        <Link href={hrefOf(merchant)}>{merchant.legalName}</Link>
        <small>{merchant.email}</small>
      </>
    ),
  },
  { key: 'status', head: t('Status'), sort: 'status', cell: ({ status }) => <Status status={status} /> },
  {
    key: 'role',
    head: t('Kind'),
    sort: 'role',
    cell: ({ role, masterId }) => tStatus(masterId ? 'submerchant' : role),
  },
  { key: 'companyTaxId', head: t('Tax id'), cell: ({ companyTaxId }) => companyTaxId ?? '–' },
  {
    key: 'createdAt',
    head: t('Created'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  { key: 'id', head: t('Id'), isExtra: true, cell: ({ id }) => id },
];

/** A list of merchants whose names lead somewhere. */
export const MerchantTable = ({ hrefOf }: { readonly hrefOf: (merchant: Merchant) => string }) => (
  <DataTable
    path="/v1/admin/merchants"
    caption={t('Merchants')}
    columns={columns(hrefOf)}
    filters={[
      { kind: 'text', name: 'email', label: t('E-mail') },
      { kind: 'text', name: 'companyTaxId', label: t('Tax id') },
      { kind: 'select', name: 'role', label: t('Kind'), options: optionsOf(MERCHANT_ROLES) },
      { kind: 'select', name: 'status', label: t('Status'), options: optionsOf(MERCHANT_STATUSES) },
    ]}
    empty={t('The first merchant that an operator creates is shown here.')}
  />
);

export const merchantTabs = () => [
  { href: '/merchants', title: t('Merchants') },
  { href: '/default-settings', title: t('Default settings') },
];

const Merchants = () => {
  const me = useMe();
  const [isNew, setNew] = useState(false);
  const [, navigate] = useLocation();
  useTitle(t('Merchants'));
  return (
    <>
      <div className="heading">
        <h1>{t('Merchants')}</h1>
        <span className="space" />
        {may(me, 'admin.merchants.update') && (
          <button type="button" className="primary" onClick={() => setNew(true)}>
            {t('Create merchant')}
          </button>
        )}
      </div>
      <Tabs tabs={merchantTabs()} />
      <MerchantTable hrefOf={({ id }) => `/merchants/${id}`} />
      {isNew && (
        <CreateDialog onClose={() => setNew(false)} onDone={({ id }) => navigate(`/merchants/${id}`)} />
      )}
    </>
  );
};
export default Merchants;

const CreateDialog = (props: {
  readonly onClose: () => void;
  readonly onDone: (merchant: Merchant) => void;
}) => {
  const { values, set, field } = useFields({
    legalName: '',
    email: '',
    companyTaxId: '',
    role: 'Merchant',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  return (
    <CommandDialog<Merchant>
      title={t('Create merchant')}
      action={t('Create merchant')}
      call={{ method: 'POST', path: '/v1/admin/merchants', body: givenOf(values) }}
      {...props}
    >
      {(error) => (
        <>
          <p>{t('It can sell in test at once. Live charges need fees.')}</p>
          {field('legalName', t('Name'), error, { required: true })}
          {field('email', t('E-mail'), error, { required: true, type: 'email' })}
          {field('companyTaxId', t('Tax id'), error, { hint: t('CNPJ or CPF; payouts go to its Pix key.') })}
          <Select
            label={t('Kind')}
            name="role"
            value={values.role}
            onText={(role) => set('role', role)}
            options={optionsOf(MERCHANT_ROLES)}
            error={error}
          />
          {field('timeZone', t('Time zone'), error, { hint: t('By IANA, such as America/Sao_Paulo.') })}
        </>
      )}
    </CommandDialog>
  );
};
