import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { TwoLines, textColumn } from '../../components/columns.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { When } from '../../components/values.tsx';
import { may, useMe } from '../../session.tsx';
import { t } from '../../words.ts';

type Certificate = Schemas['WalletCertificate'];

const columns = (): readonly Column<Certificate>[] => [
  {
    key: 'name',
    head: t('Name'),
    cell: ({ displayName, walletMerchantId }) => <TwoLines first={displayName} second={walletMerchantId} />,
  },
  textColumn('publicKeyHash', t('Hash of the public key')),
  { key: 'from', head: t('Valid from'), cell: ({ notBefore }) => <When at={notBefore} /> },
  { key: 'to', head: t('Valid to'), cell: ({ notAfter }) => <When at={notAfter} /> },
];

/** Certificates by which a merchant takes payments of device wallets. */
export const Certificates = ({ merchantId }: { readonly merchantId: string }) => {
  const mayChange = may(useMe(), 'admin.merchants.update');
  const [isNew, setNew] = useState(false);
  const [removed, setRemoved] = useState<Certificate | null>(null);
  return (
    <>
      {mayChange && (
        <div className="toolbar">
          <Button label={t('Register certificate')} onClick={() => setNew(true)} />
        </div>
      )}
      <DataTable
        list={call('listMerchantWalletCertificates', { path: { id: merchantId } })}
        caption={t('Wallet certificates')}
        columns={columns()}
        csv="wallet-certificates"
        empty={t('Certificates for device wallets are shown here.')}
        actions={(certificate) =>
          mayChange && <Button label={t('Remove')} onClick={() => setRemoved(certificate)} />
        }
      />
      {isNew && <RegisterDialog merchantId={merchantId} onClose={() => setNew(false)} />}
      {removed && (
        <CommandDialog
          title={t('Remove certificate')}
          action={t('Remove')}
          isDestructive
          call={call('deleteWalletCertificate', {
            path: { id: merchantId, certificateId: removed.id },
          })}
          onClose={() => setRemoved(null)}
        >
          <p>{t('Wallet payments to {name} are refused from now on.', { name: removed.displayName })}</p>
        </CommandDialog>
      )}
    </>
  );
};

const RegisterDialog = (props: { readonly merchantId: string; readonly onClose: () => void }) => {
  const { values, field, area } = useFields({
    walletMerchantId: '',
    displayName: '',
    certificate: '',
    privateKey: '',
  });
  return (
    <CommandDialog
      title={t('Register certificate')}
      call={call('registerWalletCertificate', { path: { id: props.merchantId }, body: values })}
      onClose={props.onClose}
    >
      {field('walletMerchantId', t("Merchant's id at the wallet"), { required: true })}
      {field('displayName', t('Name'), { required: true })}
      {area('certificate', t('Certificate (PEM)'), { required: true })}
      {area('privateKey', t('Private key (PEM)'), { required: true })}
    </CommandDialog>
  );
};
