import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { ask } from '../api.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Checks, Field, Select } from '../components/field.tsx';
import { NetworksField } from '../components/networks-field.tsx';
import { Problem, Skeleton, Status, When } from '../components/parts.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { useFields } from '../components/use-fields.tsx';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { namesOf } from '../values.ts';
import { t } from '../words.ts';
import { MerchantTable } from './merchants.tsx';

type Key = Schemas['ApiKey'];
type Issued = Schemas['IssuedApiKey'];
type Merchant = Schemas['Merchant'];

const Keys = () => {
  const merchantId = new URLSearchParams(useSearch()).get('merchantId');
  useTitle(t('API keys'));
  return (
    <>
      <h1>{t('API keys')}</h1>
      {merchantId === null ? (
        <>
          <p>{t('Choose the merchant whose keys you want to see.')}</p>
          <MerchantTable hrefOf={({ id }) => `/keys?merchantId=${id}`} />
        </>
      ) : (
        <KeysById merchantId={merchantId} />
      )}
    </>
  );
};
export default Keys;

const KeysById = ({ merchantId }: { readonly merchantId: string }) => {
  const call = { path: `/v1/admin/merchants/${encodeURIComponent(merchantId)}` };
  const found = useQuery({ queryKey: [call.path], queryFn: () => ask<Merchant>(call) });
  if (found.isPending) return <Skeleton lines={6} />;
  if (found.error) return <Problem error={found.error} onRetry={() => found.refetch()} />;
  return (
    <>
      <p className="trail">
        <Link href="/keys">{t('Every merchant')}</Link>
      </p>
      <h2>{found.data.legalName}</h2>
      <KeysOf merchant={found.data} />
    </>
  );
};

const statusOf = ({ revokedAt, expiresAt, rolledTo }: Key): string => {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'expired';
  return rolledTo === null ? 'active' : 'rolled';
};

const columns = (): readonly Column<Key>[] => [
  {
    key: 'publicKey',
    head: t('Public key'),
    cell: ({ publicKey, description }) => (
      <>
        {publicKey}
        <small>{description}</small>
      </>
    ),
  },
  { key: 'secret', head: t('Secret key'), cell: ({ secretKeyEnding }) => `… ${secretKeyEnding}` },
  {
    key: 'livemode',
    head: t('Environment'),
    sort: 'livemode',
    cell: ({ livemode }) => (livemode ? t('Live') : t('Test')),
  },
  {
    key: 'status',
    head: t('Status'),
    cell: (key) => (
      <>
        <Status status={statusOf(key)} />
        {(key.revokedAt ?? key.expiresAt) && (
          <small>
            <When at={key.revokedAt ?? key.expiresAt} />
          </small>
        )}
      </>
    ),
  },
  {
    key: 'limits',
    head: t('Restricted to'),
    cell: ({ permissions, allowedNetworks }) =>
      [...(permissions ?? []), ...allowedNetworks].join(', ') || '–',
  },
  { key: 'lastUsedAt', head: t('Last use'), cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  {
    key: 'createdAt',
    head: t('Created'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

type Step = { readonly kind: 'create' } | { readonly kind: 'roll' | 'revoke'; readonly key: Key };

/** Pairs of keys of a merchant. */
export const KeysOf = ({ merchant }: { readonly merchant: Merchant }) => {
  const mayChange = may(useMe(), 'admin.merchants.update');
  const [step, setStep] = useState<Step | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const path = `/v1/admin/merchants/${merchant.id}/api-keys`;
  const close = (): void => setStep(null);
  return (
    <>
      {mayChange && (
        <div className="toolbar">
          <button type="button" className="primary" onClick={() => setStep({ kind: 'create' })}>
            {t('Create key')}
          </button>
        </div>
      )}
      <DataTable
        path={path}
        caption={t('API keys')}
        columns={columns()}
        empty={t('The first pair of keys that an operator creates is shown here.')}
        actions={(key) =>
          mayChange &&
          ['active', 'rolled'].includes(statusOf(key)) && (
            <>
              {statusOf(key) === 'active' && (
                <button type="button" onClick={() => setStep({ kind: 'roll', key })}>
                  {t('Roll')}
                </button>
              )}
              <button type="button" className="destructive" onClick={() => setStep({ kind: 'revoke', key })}>
                {t('Revoke')}
              </button>
            </>
          )
        }
      />
      {step?.kind === 'create' && (
        <CreateDialog merchant={merchant} path={path} onClose={close} onDone={setIssued} />
      )}
      {step?.kind === 'roll' && (
        <RollDialog path={`${path}/${step.key.id}/roll`} onClose={close} onDone={setIssued} />
      )}
      {step?.kind === 'revoke' && (
        <CommandDialog
          title={t('Revoke key')}
          action={t('Revoke key')}
          isDestructive
          call={{ method: 'DELETE', path: `${path}/${step.key.id}` }}
          onClose={close}
        >
          {() => (
            <p>
              {t('Programs with the key that ends in {ending} are refused at once. This cannot be undone.', {
                ending: step.key.secretKeyEnding,
              })}
            </p>
          )}
        </CommandDialog>
      )}
      {issued && (
        <SecretDialog
          title={t('New key')}
          advice={t('The gateway keeps no copy of the secret key.')}
          secrets={[
            [t('Secret key'), issued.secretKey],
            [t('Public key'), issued.publicKey],
          ]}
          onClose={() => setIssued(null)}
        />
      )}
    </>
  );
};

type IssueProps = {
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: (issued: Issued) => void;
};

const CreateDialog = ({ merchant, path, ...closing }: IssueProps & { readonly merchant: Merchant }) => {
  const me = useMe();
  const { values, set, field } = useFields({
    livemode: String(merchant.livemode ?? me.livemode),
    description: '',
    networks: '',
    expires: '',
  });
  const [permissions, setPermissions] = useState<readonly string[]>([]);
  const networks = values.networks.split(/[\s,]+/).filter(Boolean);
  const body = {
    livemode: values.livemode === 'true',
    ...(values.description ? { description: values.description } : {}),
    ...(permissions.length > 0 ? { permissions } : {}),
    ...(networks.length > 0 ? { allowedNetworks: networks } : {}),
    ...(values.expires ? { expiresAt: `${values.expires}T00:00:00Z` } : {}),
  };
  return (
    <CommandDialog<Issued>
      title={t('Create key')}
      action={t('Create key')}
      call={{ method: 'POST', path, body }}
      {...closing}
    >
      {(error) => (
        <>
          <Select
            label={t('Environment')}
            name="livemode"
            value={values.livemode}
            onText={(text) => set('livemode', text)}
            options={[
              { value: 'false', label: t('Test') },
              { value: 'true', label: t('Live') },
            ]}
            error={error}
          />
          {field('description', t('Description'), error)}
          <Checks
            label={t('Permissions; none chosen means all of the merchant')}
            name="permissions"
            options={namesOf(merchant.permissions)}
            chosen={permissions}
            onChange={setPermissions}
            error={error}
          />
          <NetworksField value={values.networks} onText={(text) => set('networks', text)} error={error} />
          <Field
            label={t('Ends on')}
            name="expiresAt"
            type="date"
            value={values.expires}
            onText={(text) => set('expires', text)}
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};

const OVERLAPS = ['0', '3600', '86400', '604800'];

const RollDialog = ({ path, ...closing }: IssueProps) => {
  const [seconds, setSeconds] = useState('86400');
  const names: Readonly<Record<string, string>> = {
    0: t('Not at all'),
    3600: t('One hour'),
    86400: t('One day'),
    604800: t('One week'),
  };
  return (
    <CommandDialog<Issued>
      title={t('Roll key')}
      action={t('Roll key')}
      isDestructive={seconds === '0'}
      call={{ method: 'POST', path, body: { validForSeconds: Number(seconds) } }}
      {...closing}
    >
      {(error) => (
        <>
          <p>{t('A new pair with the same permissions takes over. The old one works on for a while.')}</p>
          <Select
            label={t('The old pair works on')}
            name="validForSeconds"
            value={seconds}
            onText={setSeconds}
            options={OVERLAPS.map((value) => ({ value, label: names[value] ?? value }))}
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};
