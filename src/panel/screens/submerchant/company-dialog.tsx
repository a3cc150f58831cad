import { useLocation } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { inOneLine, useAddress } from '../../components/use-address.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { t } from '../../words.ts';

type Submerchant = Schemas['Submerchant'];

/** The master data of a sub-merchant: of a new one, whose documents come next, or those that its master changes. */
export const CompanyDialog = (props: { readonly company?: Submerchant; readonly onClose: () => void }) => {
  const { company = null, onClose } = props;
  const [, navigate] = useLocation();
  const former = {
    legalName: company?.legalName ?? '',
    email: company?.email ?? '',
    companyTaxId: company?.companyTaxId ?? '',
    phone: company?.phone ?? '',
  };
  const { values, field } = useFields(former);
  const address = useAddress(company?.address ?? null);
  const changed = Object.entries(values).filter(
    ([name, value]) => value !== former[name as keyof typeof former],
  );
  const body = {
    ...Object.fromEntries(changed.map(([name, value]) => [name, value || null])),
    ...address.change,
  };
  return (
    <CommandDialog
      title={company ? t('Edit sub-merchant') : t('Add sub-merchant')}
      action={company ? t('Save') : t('Add')}
      isWide
      call={
        company
          ? call('updateSubmerchant', { path: { id: company.id }, body })
          : call('createSubmerchant', { body })
      }
      onClose={onClose}
      onDone={({ id }) => {
        if (!company) navigate(`/submerchants/${id}?upload=1`);
      }}
    >
      <p>
        {company
          ? t('A review that is under way is told that it has changed.')
          : t('It takes over your fees and settings. It can sell once an operator has approved it.')}
      </p>
      {field('legalName', t('Name'), { required: true })}
      {field('email', t('E-mail'), { required: true, type: 'email' })}
      {field('companyTaxId', t('Tax id'), { hint: t('CNPJ or CPF; payouts go to its Pix key.') })}
      {field('phone', t('Phone'))}
      {address.fields}
      {company && (
        <Changes
          of={[
            [t('Name'), former.legalName, values.legalName],
            [t('E-mail'), former.email, values.email],
            [t('Tax id'), former.companyTaxId, values.companyTaxId],
            [t('Phone'), former.phone, values.phone],
            [t('Address'), inOneLine(company.address), inOneLine(address.typed)],
          ]}
        />
      )}
    </CommandDialog>
  );
};
