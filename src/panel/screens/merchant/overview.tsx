import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { useChecks, useFields } from '../../components/use-fields.tsx';
import { When } from '../../components/values.tsx';
import { permissionOptions, permissionsInWords } from '../../permission-words.ts';
import { may, useMe } from '../../session.tsx';
import { MERCHANT_PERMISSIONS, MERCHANT_ROLES, optionsOf } from '../../values.ts';
import { t, tStatus } from '../../words.ts';

type Merchant = Schemas['Merchant'];
type Step = 'edit' | 'block';

/** Master data and permissions of a merchant. */
export const Overview = ({ merchant }: { readonly merchant: Merchant }) => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const { id, email, companyTaxId, role, masterId, timeZone, permissions, statusReason } = merchant;
  const close = (): void => setStep(null);
  return (
    <>
      {may(me, 'admin.merchants.update') && (
        <div className="toolbar">
          <Button label={t('Edit')} onClick={() => setStep('edit')} />
          {masterId === null && (
            <Button
              label={merchant.status === 'blocked' ? t('Unblock') : t('Block')}
              onClick={() => setStep('block')}
            />
          )}
          {masterId !== null && <Link href={`/submerchants/${id}`}>{t('Review')}</Link>}
        </div>
      )}
      <Facts
        rows={[
          [t('Id'), id],
          [t('E-mail'), email],
          [t('Tax id'), companyTaxId],
          [t('Kind'), tStatus(masterId ? 'submerchant' : role)],
          [t('Master'), masterId],
          [t('Time zone'), timeZone],
          [t('Reason'), statusReason],
          [t('Permissions'), permissionsInWords(permissions)],
          [t('Created'), <When key="created" at={merchant.createdAt} />],
          [t('Changed'), <When key="changed" at={merchant.updatedAt} />],
        ]}
      />
      {step === 'edit' && <EditDialog merchant={merchant} onClose={close} />}
      {step === 'block' && <BlockDialog merchant={merchant} onClose={close} />}
    </>
  );
};

type DialogProps = { readonly merchant: Merchant; readonly onClose: () => void };

const EditDialog = ({ merchant, onClose }: DialogProps) => {
  const former = {
    legalName: merchant.legalName,
    email: merchant.email,
    companyTaxId: merchant.companyTaxId ?? '',
    role: merchant.role as string,
    timeZone: merchant.timeZone,
  };
  const { values, field, select } = useFields(former);
  const [permissions, permissionChecks] = useChecks(
    'permissions',
    t('Permissions'),
    permissionOptions(MERCHANT_PERMISSIONS),
    merchant.permissions,
  );
  const changed = Object.entries({ ...values, companyTaxId: values.companyTaxId || null }).filter(
    ([name, value]) => value !== merchant[name as keyof Merchant],
  );
  const before = permissionsInWords(merchant.permissions);
  const after = permissionsInWords(permissions);
  return (
    <CommandDialog
      title={t('Edit merchant')}
      action={t('Save')}
      call={call('updateMerchant', {
        path: { id: merchant.id },
        body: { ...Object.fromEntries(changed), ...(before === after ? {} : { permissions }) },
      })}
      onClose={onClose}
    >
      {field('legalName', t('Name'), { required: true })}
      {field('email', t('E-mail'), { required: true, type: 'email' })}
      {field('companyTaxId', t('Tax id'))}
      {merchant.masterId === null && select('role', t('Kind'), optionsOf(MERCHANT_ROLES))}
      {field('timeZone', t('Time zone'), { required: true })}
      {permissionChecks}
      <Changes
        of={[
          [t('Name'), former.legalName, values.legalName],
          [t('E-mail'), former.email, values.email],
          [t('Tax id'), former.companyTaxId, values.companyTaxId],
          [t('Kind'), tStatus(former.role), tStatus(values.role)],
          [t('Time zone'), former.timeZone, values.timeZone],
          [t('Permissions'), before, after],
        ]}
      />
    </CommandDialog>
  );
};

const BlockDialog = ({ merchant, onClose }: DialogProps) => {
  const { values, area } = useFields({ reason: '' });
  const isBlocked = merchant.status === 'blocked';
  return (
    <CommandDialog
      title={isBlocked ? t('Unblock') : t('Block')}
      isDestructive={!isBlocked}
      call={call('updateMerchant', {
        path: { id: merchant.id },
        body: { status: isBlocked ? 'active' : 'blocked', ...values },
      })}
      onClose={onClose}
    >
      <p>
        {isBlocked
          ? t('From now on it can sell and ask for payouts.')
          : t('{name} can neither sell nor be paid out. It still reads, and refunds what it sold.', {
              name: merchant.legalName,
            })}
      </p>
      {area('reason', t('Reason'), { required: true })}
    </CommandDialog>
  );
};
