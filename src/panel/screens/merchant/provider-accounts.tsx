import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { TwoLines, timeColumn } from '../../components/columns.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { givenOf } from '../../components/use-fields.tsx';
import { may, useMe } from '../../session.tsx';
import { namesOf } from '../../values.ts';
import { t } from '../../words.ts';
import { isFile, PROVIDER_SETTINGS } from './provider-settings.ts';

type Account = Schemas['ProviderAccount'];

const columns = (): readonly Column<Account>[] => [
  {
    key: 'name',
    head: t('Account'),
    sort: 'provider',
    cell: ({ provider, name }) => <TwoLines first={provider} second={name} />,
  },
  { key: 'settings', head: t('Settings'), cell: ({ settings }) => settings.join(', ') },
  {
    key: 'address',
    head: t('Address for its notifications'),
    cell: ({ name }) => `/v1/providers/${name}/notifications`,
  },
  timeColumn('createdAt', t('Registered')),
  timeColumn('updatedAt', t('Changed')),
];

type Step = { readonly kind: 'replace' | 'remove'; readonly account: Account };

/** A merchant's own accounts at providers, whose payments reach it directly. */
export const ProviderAccounts = ({ merchantId }: { readonly merchantId: string }) => {
  const mayChange = may(useMe(), 'admin.merchants.update');
  const [isNew, setNew] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  return (
    <>
      <p>
        {t(
          'Payments on an own account reach the merchant directly. The setting {name} leads payments there.',
          {
            name: 'live_providers',
          },
        )}{' '}
        <Link href={`/merchants/${merchantId}/settings`}>{t('Settings')}</Link>
      </p>
      {mayChange && (
        <div className="toolbar">
          <Button label={t('Register account')} className="primary" onClick={() => setNew(true)} />
        </div>
      )}
      <DataTable
        list={call('listProviderAccounts', { path: { id: merchantId } })}
        caption={t('Provider accounts')}
        columns={columns()}
        csv="provider-accounts"
        empty={t('The first account of the merchant at a provider is shown here.')}
        actions={(account) =>
          mayChange && (
            <>
              <Button label={t('Replace settings')} onClick={() => setStep({ kind: 'replace', account })} />
              <Button
                label={t('Remove')}
                className="destructive"
                onClick={() => setStep({ kind: 'remove', account })}
              />
            </>
          )
        }
      />
      {isNew && <RegisterDialog merchantId={merchantId} onClose={() => setNew(false)} />}
      {step?.kind === 'replace' && <ReplaceDialog account={step.account} onClose={close} />}
      {step?.kind === 'remove' && <RemoveDialog account={step.account} onClose={close} />}
    </>
  );
};

/** The fields of a provider's settings, and the values that were typed. */
const useSettings = (provider: string): { readonly fields: ReactNode; readonly settings: object } => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { needed = [], further = [] } = PROVIDER_SETTINGS[provider] ?? {};
  const shown = [...needed, ...further];
  const field = (name: string): ReactNode => {
    const about = {
      label: name,
      name: `settings.${name}`,
      value: values[name] ?? '',
      onText: (value: string) => setValues({ ...values, [name]: value }),
      required: needed.includes(name),
    };
    return isFile(name) ? (
      <TextArea key={name} {...about} />
    ) : (
      <Field key={name} {...about} autoComplete="off" spellCheck={false} />
    );
  };
  const typed = Object.fromEntries(shown.map((name) => [name, values[name]?.trim() ?? '']));
  return {
    settings: givenOf(typed),
    fields: (
      <>
        {needed.map(field)}
        {further.length > 0 && (
          <details>
            <summary>{t('Further settings')}</summary>
            {further.map(field)}
          </details>
        )}
        <p className="hint">{t('No answer shows these values again. Files are given by their content.')}</p>
      </>
    ),
  };
};

const RegisterDialog = (props: { readonly merchantId: string; readonly onClose: () => void }) => {
  const { merchantId, onClose } = props;
  const [provider, setProvider] = useState('stripe');
  const { fields, settings } = useSettings(provider);
  return (
    <CommandDialog
      title={t('Register account')}
      call={call('createProviderAccount', { path: { id: merchantId }, body: { provider, settings } })}
      onClose={onClose}
    >
      <Select
        label={t('Provider')}
        name="provider"
        value={provider}
        onText={setProvider}
        options={namesOf(Object.keys(PROVIDER_SETTINGS))}
      />
      {fields}
    </CommandDialog>
  );
};

type DialogProps = { readonly account: Account; readonly onClose: () => void };

const pathOf = ({ id, merchantId }: Account) => ({ id: merchantId, accountId: id });

const ReplaceDialog = ({ account, onClose }: DialogProps) => {
  const { fields, settings } = useSettings(account.provider);
  return (
    <CommandDialog
      title={t('Replace settings')}
      call={call('replaceProviderAccountSettings', { path: pathOf(account), body: { settings } })}
      onClose={onClose}
    >
      <p>{t('All settings of {name} are replaced. Its charges continue.', { name: account.name })}</p>
      {fields}
    </CommandDialog>
  );
};

const RemoveDialog = ({ account, onClose }: DialogProps) => (
  <CommandDialog
    title={t('Remove account')}
    action={t('Remove')}
    isDestructive
    call={call('deleteProviderAccount', { path: pathOf(account) })}
    onClose={onClose}
  >
    <p>
      {t('The settings of {name} are destroyed. Payments that are led to it are refused from then on.', {
        name: account.name,
      })}
    </p>
  </CommandDialog>
);
