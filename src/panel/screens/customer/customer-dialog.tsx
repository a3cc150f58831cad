import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { inOneLine, useAddress } from '../../components/use-address.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { t } from '../../words.ts';

type Customer = Schemas['Customer'];

const NO_DOCUMENT = { type: '', id: '' };

/** The facts about a new customer, or about one whom its merchant changes. */
export const CustomerDialog = (props: { readonly customer?: Customer; readonly onClose: () => void }) => {
  const { customer = null, onClose } = props;
  const former = {
    name: customer?.name ?? '',
    email: customer?.email ?? '',
    phone: customer?.phone ?? '',
    reference: customer?.reference ?? '',
  };
  const formerDocument = customer?.document ?? NO_DOCUMENT;
  const { values, field } = useFields(former);
  const { values: typed, field: documentField } = useFields({
    'document.type': formerDocument.type,
    'document.id': formerDocument.id,
  });
  const address = useAddress(customer?.address ?? null);
  const document = { type: typed['document.type'].trim(), id: typed['document.id'].trim() };
  const isDocument = document.type !== '' || document.id !== '';
  const isOtherDocument = document.type !== formerDocument.type || document.id !== formerDocument.id;
  const changed = Object.entries(values).filter(
    ([name, value]) => value !== former[name as keyof typeof former],
  );
  const body = {
    ...Object.fromEntries(changed.map(([name, value]) => [name, value || null])),
    ...(isOtherDocument ? { document: isDocument ? document : null } : {}),
    ...address.change,
  };
  return (
    <CommandDialog
      title={customer ? t('Edit customer') : t('Add customer')}
      action={customer ? t('Save') : t('Add')}
      isWide
      call={
        customer
          ? call('updateCustomer', { path: { id: customer.id }, body })
          : call('createCustomer', { body })
      }
      onClose={onClose}
    >
      {customer && <p>{t('Charges keep the facts that they were made with.')}</p>}
      {field('name', t('Name'), { required: true })}
      {field('email', t('E-mail'), { required: true, type: 'email' })}
      <fieldset className="row">
        <legend>{t('Document')}</legend>
        {documentField('document.type', t('Kind'), { required: isDocument, placeholder: 'cpf' })}
        {documentField('document.id', t('Number'), { required: isDocument })}
      </fieldset>
      {field('phone', t('Phone'))}
      {field('reference', t('Reference'))}
      {address.fields}
      {customer && (
        <Changes
          of={[
            [t('Name'), former.name, values.name],
            [t('E-mail'), former.email, values.email],
            [t('Document'), formerDocument.id, document.id],
            [t('Phone'), former.phone, values.phone],
            [t('Reference'), former.reference, values.reference],
            [t('Address'), inOneLine(customer.address), inOneLine(address.typed)],
          ]}
        />
      )}
    </CommandDialog>
  );
};
