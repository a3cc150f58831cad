import { useState } from 'react';
import { Link } from 'wouter';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Field } from '../components/field.tsx';
import { Status, When } from '../components/parts.tsx';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';
import { Split } from './merchant/split.tsx';

export type Submerchant = {
  readonly id: string;
  readonly version: number;
  readonly masterId: string;
  readonly legalName: string;
  readonly email: string;
  readonly companyTaxId: string | null;
  readonly phone: string | null;
  readonly status: string;
  readonly statusReason: string | null;
  readonly postbackUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const columns = (isOperator: boolean): readonly Column<Submerchant>[] => [
  {
    key: 'legalName',
    head: t('Name'),
    sort: 'legalName',
    cell: ({ id, legalName, email }) => (
      <>
        <Link href={`/submerchants/${id}`}>{legalName}</Link>
        <small>{email}</small>
      </>
    ),
  },
  { key: 'status', head: t('Status'), sort: 'status', cell: ({ status }) => <Status status={status} /> },
  {
    key: 'companyTaxId',
    head: t('Tax id'),
    sort: 'companyTaxId',
    cell: ({ companyTaxId }) => companyTaxId ?? '–',
  },
  ...(isOperator
    ? [{ key: 'master', head: t('Master'), cell: ({ masterId }: Submerchant) => masterId }]
    : []),
  {
    key: 'createdAt',
    head: t('Created'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

const Submerchants = () => {
  const me = useMe();
  const isOperator = me.merchant === null;
  const [isNew, setNew] = useState(false);
  useTitle(t('Sub-merchants'));
  return (
    <>
      <div className="heading">
        <h1>{t('Sub-merchants')}</h1>
        <span className="space" />
        {me.merchant?.role === 'MerchantMaster' && (
          <button type="button" className="primary" onClick={() => setNew(true)}>
            {t('Add sub-merchant')}
          </button>
        )}
      </div>
      <DataTable
        path={isOperator ? '/v1/admin/submerchants' : '/v1/submerchants'}
        // An operator would see both environments.
        always={isOperator ? { livemode: String(me.livemode) } : {}}
        caption={t('Sub-merchants')}
        columns={columns(isOperator)}
        filters={[
          { kind: 'text', name: 'legalName', label: t('Name') },
          {
            kind: 'select',
            name: 'status',
            label: t('Status'),
            options: ['pre_approved', 'active', 'rejected', 'blocked'].map((value) => ({
              value,
              label: tStatus(value),
            })),
          },
          { kind: 'text', name: 'companyTaxId', label: t('Tax id') },
        ]}
        empty={t('The first company that a master adds is shown here.')}
      />
      {me.merchant && may(me, 'charges.read') && <Split merchantId={me.merchant.id} />}
      {isNew && <AddDialog onClose={() => setNew(false)} />}
    </>
  );
};
export default Submerchants;

const AddDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [values, setValues] = useState({ legalName: '', email: '', companyTaxId: '', phone: '' });
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const field = (name: keyof typeof values, label: string, error: unknown, more = {}) => (
    <Field
      label={label}
      name={name}
      value={values[name]}
      onText={(value) => setValues({ ...values, [name]: value })}
      error={error}
      {...more}
    />
  );
  return (
    <CommandDialog
      title={t('Add sub-merchant')}
      action={t('Add')}
      call={{ method: 'POST', path: '/v1/submerchants', body: given }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>{t('It takes over your fees and settings. It can sell once an operator has approved it.')}</p>
          {field('legalName', t('Name'), error, { required: true })}
          {field('email', t('E-mail'), error, { required: true, type: 'email' })}
          {field('companyTaxId', t('Tax id'), error, { hint: t('CNPJ or CPF; payouts go to its Pix key.') })}
          {field('phone', t('Phone'), error)}
        </>
      )}
    </CommandDialog>
  );
};
