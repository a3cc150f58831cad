import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { givenOf, useFields } from '../../components/use-fields.tsx';
import { t } from '../../words.ts';

type Submerchant = Schemas['Submerchant'];
type Address = NonNullable<Submerchant['address']>;

const ADDRESS = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const;

/** An address in one line. */
export const inOneLine = (address: Partial<Address> | null): string =>
  ADDRESS.map((part) => address?.[part])
    .filter(Boolean)
    .join(', ');

/** The master data of a sub-merchant: of a new one, or those that its master changes. */
export const CompanyDialog = (props: { readonly company?: Submerchant; readonly onClose: () => void }) => {
  const { company = null, onClose } = props;
  const former = {
    legalName: company?.legalName ?? '',
    email: company?.email ?? '',
    companyTaxId: company?.companyTaxId ?? '',
    phone: company?.phone ?? '',
  };
  const { values, field } = useFields(former);
  const address = useFields({
    'address.line1': company?.address?.line1 ?? '',
    'address.line2': company?.address?.line2 ?? '',
    'address.city': company?.address?.city ?? '',
    'address.state': company?.address?.state ?? '',
    'address.postalCode': company?.address?.postalCode ?? '',
    'address.country': company?.address?.country ?? '',
  });
  const typed = givenOf(
    Object.fromEntries(ADDRESS.map((part) => [part, address.values[`address.${part}`].trim()])),
  );
  const isAddress = Object.keys(typed).length > 0;
  const isMoved = ADDRESS.some((part) => (company?.address?.[part] ?? '') !== (typed[part] ?? ''));
  const changed = Object.entries(values).filter(
    ([name, value]) => value !== former[name as keyof typeof former],
  );
  const body = {
    ...Object.fromEntries(changed.map(([name, value]) => [name, value || null])),
    ...(isMoved ? { address: isAddress ? typed : null } : {}),
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
      <fieldset className="row">
        <legend>{t('Address')}</legend>
        {address.field('address.line1', t('Street and number'))}
        {address.field('address.line2', t('Further line'))}
        {address.field('address.city', t('City'))}
        {address.field('address.state', t('State'))}
        {address.field('address.postalCode', t('Postal code'))}
        {address.field('address.country', t('Country'), { required: isAddress })}
      </fieldset>
      {company && (
        <Changes
          of={[
            [t('Name'), former.legalName, values.legalName],
            [t('E-mail'), former.email, values.email],
            [t('Tax id'), former.companyTaxId, values.companyTaxId],
            [t('Phone'), former.phone, values.phone],
            [t('Address'), inOneLine(company.address), inOneLine(typed)],
          ]}
        />
      )}
    </CommandDialog>
  );
};
