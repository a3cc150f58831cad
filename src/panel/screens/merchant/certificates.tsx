import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { TextArea } from '../../components/field.tsx';
import { When } from '../../components/parts.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { may, useMe } from '../../session.tsx';
import { t } from '../../words.ts';

type Certificate = Schemas['WalletCertificate'];

const columns = (): readonly Column<Certificate>[] => [
  {
    key: 'name',
    head: t('Name'),
    cell: ({ displayName, walletMerchantId }) => (
      <>
        {displayName}
        <small>{walletMerchantId}</small>
      </>
    ),
  },
  { key: 'hash', head: t('Hash of the public key'), cell: ({ publicKeyHash }) => publicKeyHash },
  { key: 'from', head: t('Valid from'), cell: ({ notBefore }) => <When at={notBefore} /> },
  { key: 'to', head: t('Valid to'), cell: ({ notAfter }) => <When at={notAfter} /> },
];

/** Certificates by which a merchant takes payments of device wallets. */
export const Certificates = ({ merchantId }: { readonly merchantId: string }) => {
  const mayChange = may(useMe(), 'admin.merchants.update');
  const [isNew, setNew] = useState(false);
  const [removed, setRemoved] = useState<Certificate | null>(null);
  const path = `/v1/admin/merchants/${merchantId}/wallet-certificates`;
  return (
    <>
      {mayChange && (
        <div className="toolbar">
          <button type="button" onClick={() => setNew(true)}>
            {t('Register certificate')}
          </button>
        </div>
      )}
      <DataTable
        path={path}
        caption={t('Wallet certificates')}
        columns={columns()}
        empty={t('Certificates for device wallets are shown here.')}
        actions={(certificate) =>
          mayChange && (
            <button type="button" onClick={() => setRemoved(certificate)}>
              {t('Remove')}
            </button>
          )
        }
      />
      {isNew && <RegisterDialog path={path} onClose={() => setNew(false)} />}
      {removed && (
        <CommandDialog
          title={t('Remove certificate')}
          action={t('Remove')}
          isDestructive
          call={{ method: 'DELETE', path: `${path}/${removed.id}` }}
          onClose={() => setRemoved(null)}
        >
          {() => (
            <p>{t('Wallet payments to {name} are refused from now on.', { name: removed.displayName })}</p>
          )}
        </CommandDialog>
      )}
    </>
  );
};

const RegisterDialog = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const { values, set, field } = useFields({
    walletMerchantId: '',
    displayName: '',
    certificate: '',
    privateKey: '',
  });
  return (
    <CommandDialog
      title={t('Register certificate')}
      action={t('Register certificate')}
      call={{ method: 'POST', path, body: values }}
      onClose={onClose}
    >
      {(error) => (
        <>
          {field('walletMerchantId', t("Merchant's id at the wallet"), error, { required: true })}
          {field('displayName', t('Name'), error, { required: true })}
          {(['certificate', 'privateKey'] as const).map((name) => (
            <TextArea
              key={name}
              label={name === 'certificate' ? t('Certificate (PEM)') : t('Private key (PEM)')}
              name={name}
              value={values[name]}
              onText={(text) => set(name, text)}
              required
              error={error}
            />
          ))}
        </>
      )}
    </CommandDialog>
  );
};
