import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { TwoLines, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { textFilter } from '../components/filters.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { Loaded } from '../components/loaded.tsx';
import { NetworksField } from '../components/networks-field.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { Status } from '../components/status.tsx';
import { useChecks, useFields } from '../components/use-fields.tsx';
import { When } from '../components/values.tsx';
import { endOfDay, shownZone } from '../format.ts';
import { permissionOptions, tPermission } from '../permission-words.ts';
import { may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { KEY_PERMISSIONS, MERCHANT_PERMISSIONS } from '../values.ts';
import { t } from '../words.ts';
import { MerchantList } from './merchants.tsx';

type Key = Schemas['ApiKey'];
type Issued = Schemas['IssuedApiKey'];
type Merchant = Schemas['Merchant'];

const Keys = () => {
  const { merchant } = useMe();
  return merchant ? <OwnKeys /> : <KeysOfAny />;
};
export default Keys;

const KeysOfAny = () => {
  const merchantId = new URLSearchParams(useSearch()).get('merchantId');
  if (merchantId !== null) return <KeysById merchantId={merchantId} />;
  return (
    <MerchantList
      title={t('API keys')}
      intro={t('Choose the merchant whose keys you want to see.')}
      hrefOf={({ id }) => `/keys?merchantId=${id}`}
    />
  );
};

const KeysById = ({ merchantId }: { readonly merchantId: string }) => {
  const merchant = useRead(call('getMerchant', { path: { id: merchantId } }));
  return (
    <>
      <p className="trail">
        <Link href="/keys">{t('Every merchant')}</Link>
      </p>
      <ScreenHead title={t('API keys')} />
      <Loaded of={merchant} lines={6}>
        {(found) => (
          <>
            <h2>{found.legalName}</h2>
            <KeysOf merchant={found} />
          </>
        )}
      </Loaded>
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
    cell: ({ publicKey, description }) => <TwoLines first={publicKey} second={description} />,
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
    cell: (key) => {
      const ends = key.revokedAt ?? key.expiresAt;
      return <TwoLines first={<Status status={statusOf(key)} />} second={ends && <When at={ends} />} />;
    },
  },
  {
    key: 'limits',
    head: t('Restricted to'),
    cell: ({ permissions, allowedNetworks }) =>
      [...(permissions ?? []).map(tPermission), ...allowedNetworks].join(', ') || '–',
  },
  { key: 'lastUsedAt', head: t('Last use'), cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  timeColumn('createdAt', t('Created')),
];

type Step = { readonly kind: 'create' } | { readonly kind: 'roll' | 'revoke'; readonly key: Key };

/** The merchant whose pairs are shown: by its id as an operator sees it, without one the user's own. */
type Owner = Pick<Merchant, 'livemode' | 'permissions'> & { readonly id: string | null };

const callsOf = (id: string | null) =>
  id === null
    ? {
        list: call('listOwnApiKeys'),
        create: (_livemode: boolean, body: object) => call('createOwnApiKey', { body }),
        roll: (keyId: string, body: object) => call('rollOwnApiKey', { path: { keyId }, body }),
        revoke: (keyId: string) => call('revokeOwnApiKey', { path: { keyId } }),
      }
    : {
        list: call('listApiKeys', { path: { id } }),
        create: (livemode: boolean, body: object) =>
          call('createApiKey', { path: { id }, body: { livemode, ...body } }),
        roll: (keyId: string, body: object) => call('rollApiKey', { path: { id, keyId }, body }),
        revoke: (keyId: string) => call('revokeApiKey', { path: { id, keyId } }),
      };

const OwnKeys = () => {
  const { livemode, permissions } = useMe();
  const own = MERCHANT_PERMISSIONS.filter((permission) => permissions.includes(permission));
  return (
    <>
      <ScreenHead title={t('API keys')} />
      <KeysOf merchant={{ id: null, livemode, permissions: own }} />
    </>
  );
};

/** Pairs of keys of a merchant. */
export const KeysOf = ({ merchant }: { readonly merchant: Owner }) => {
  const isAllowed = may(useMe(), 'admin.merchants.update');
  const mayChange = merchant.id === null || isAllowed;
  const calls = callsOf(merchant.id);
  const [step, setStep] = useState<Step | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const close = (): void => setStep(null);
  const actions = (key: Key) =>
    mayChange &&
    ['active', 'rolled'].includes(statusOf(key)) && (
      <>
        {statusOf(key) === 'active' && (
          <Button label={t('Roll')} onClick={() => setStep({ kind: 'roll', key })} />
        )}
        <Button
          label={t('Revoke')}
          className="destructive"
          onClick={() => setStep({ kind: 'revoke', key })}
        />
      </>
    );
  return (
    <>
      {mayChange && (
        <div className="toolbar">
          <Button label={t('Create key')} className="primary" onClick={() => setStep({ kind: 'create' })} />
        </div>
      )}
      <DataTable
        list={calls.list}
        caption={t('API keys')}
        columns={columns()}
        filters={[textFilter('description', t('Name'))]}
        csv="api-keys"
        empty={t('The first pair of keys is shown here.')}
        actions={actions}
      />
      {step?.kind === 'create' && <CreateDialog merchant={merchant} onClose={close} onDone={setIssued} />}
      {step?.kind === 'roll' && (
        <RollDialog merchant={merchant} keyId={step.key.id} onClose={close} onDone={setIssued} />
      )}
      {step?.kind === 'revoke' && (
        <CommandDialog title={t('Revoke key')} isDestructive call={calls.revoke(step.key.id)} onClose={close}>
          <p>
            {t('Programs with the key that ends in {ending} are refused at once. This cannot be undone.', {
              ending: step.key.secretKeyEnding,
            })}
          </p>
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
  readonly merchant: Owner;
  readonly onClose: () => void;
  readonly onDone: (issued: Issued) => void;
};

const CreateDialog = ({ merchant, ...closing }: IssueProps) => {
  const me = useMe();
  const { values, set, field, select } = useFields({
    livemode: String(merchant.livemode ?? me.livemode),
    description: '',
    networks: '',
    expiresAt: '',
  });
  const [permissions, permissionChecks] = useChecks(
    'permissions',
    t('Permissions; none chosen means all of the merchant'),
    permissionOptions(KEY_PERMISSIONS.filter((permission) => merchant.permissions.includes(permission))),
  );
  const networks = values.networks.split(/[\s,]+/).filter(Boolean);
  const body = {
    ...(values.description ? { description: values.description } : {}),
    ...(permissions.length > 0 ? { permissions } : {}),
    ...(networks.length > 0 ? { allowedNetworks: networks } : {}),
    ...(values.expiresAt ? { expiresAt: endOfDay(values.expiresAt) } : {}),
  };
  return (
    <CommandDialog
      title={t('Create key')}
      call={callsOf(merchant.id).create(values.livemode === 'true', body)}
      {...closing}
    >
      {merchant.id !== null &&
        select('livemode', t('Environment'), [
          { value: 'false', label: t('Test') },
          { value: 'true', label: t('Live') },
        ])}
      {field('description', t('Description'))}
      {permissionChecks}
      <NetworksField value={values.networks} onText={(text) => set('networks', text)} />
      {field('expiresAt', t('Expires on'), {
        type: 'date',
        hint: t('It works until the end of that day in {zone}.', { zone: shownZone() }),
      })}
    </CommandDialog>
  );
};

const RollDialog = ({ merchant, keyId, ...closing }: IssueProps & { readonly keyId: string }) => {
  const { values, select } = useFields({ validForSeconds: '86400' });
  return (
    <CommandDialog
      title={t('Roll key')}
      isDestructive={values.validForSeconds === '0'}
      call={callsOf(merchant.id).roll(keyId, { validForSeconds: Number(values.validForSeconds) })}
      {...closing}
    >
      <p>{t('A new pair with the same permissions takes over. The old one works on for a while.')}</p>
      {select('validForSeconds', t('The old pair works on'), [
        { value: '0', label: t('Not at all') },
        { value: '3600', label: t('One hour') },
        { value: '86400', label: t('One day') },
        { value: '604800', label: t('One week') },
      ])}
    </CommandDialog>
  );
};
