import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { ask } from '../api.ts';
import { Changes } from '../components/changes.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Checks, Field, Select } from '../components/field.tsx';
import { NetworksField } from '../components/networks-field.tsx';
import { CopyButton, Status, When } from '../components/parts.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useFields } from '../components/use-fields.tsx';
import { useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { namesOf } from '../values.ts';
import { t } from '../words.ts';

type User = Schemas['User'];

export const userTabs = () => [
  { href: '/users', title: t('Users') },
  { href: '/groups', title: t('Groups') },
];

const columns = (): readonly Column<User>[] => [
  {
    key: 'email',
    head: t('E-mail'),
    sort: 'email',
    cell: ({ email, name }) => (
      <>
        {email}
        <small>{name}</small>
      </>
    ),
  },
  {
    key: 'belongs',
    head: t('Groups or merchant'),
    cell: ({ groups, merchantId }) => merchantId ?? (groups.join(', ') || '–'),
  },
  {
    key: 'status',
    head: t('Status'),
    sort: 'disabled',
    cell: ({ disabled, oneTimePasswordExpiresAt }) => (
      <>
        <Status status={disabled ? 'disabled' : 'active'} />
        {oneTimePasswordExpiresAt && <small>{t('one-time password')}</small>}
      </>
    ),
  },
  {
    key: 'secondFactor',
    head: t('Second factor'),
    cell: ({ secondFactor }) => (secondFactor ? t('yes') : t('no')),
  },
  {
    key: 'lastLoginAt',
    head: t('Last login'),
    sort: 'lastLoginAt',
    cell: ({ lastLoginAt }) => <When at={lastLoginAt} />,
  },
  { key: 'id', head: t('Id'), isExtra: true, cell: ({ id }) => id },
];

type Step = { readonly kind: 'edit' | 'password' | 'second factor'; readonly user: User };

const Users = () => {
  const me = useMe();
  const [isNew, setNew] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  const [issued, setIssued] = useState<Schemas['OneTimePassword'] | null>(null);
  useTitle(t('Users'));
  const close = (): void => setStep(null);
  const yesOrNo = [
    { value: 'true', label: t('yes') },
    { value: 'false', label: t('no') },
  ];
  return (
    <>
      <div className="heading">
        <h1>{t('Users')}</h1>
        <span className="space" />
        <button type="button" className="primary" onClick={() => setNew(true)}>
          {t('Create user')}
        </button>
      </div>
      <Tabs tabs={userTabs()} />
      <DataTable
        path="/v1/admin/users"
        caption={t('Users')}
        columns={columns()}
        filters={[
          { kind: 'text', name: 'email', label: t('E-mail') },
          { kind: 'text', name: 'group', label: t('Group') },
          { kind: 'text', name: 'merchantId', label: t('Merchant') },
          { kind: 'select', name: 'disabled', label: t('Disabled'), options: yesOrNo },
          { kind: 'select', name: 'secondFactor', label: t('Second factor'), options: yesOrNo },
        ]}
        empty={t('Operators and users of merchants are shown here.')}
        actions={(user) => (
          <>
            <button type="button" onClick={() => setStep({ kind: 'edit', user })}>
              {t('Edit')}
            </button>
            {user.id !== me.id && (
              <button type="button" onClick={() => setStep({ kind: 'password', user })}>
                {t('Reset password')}
              </button>
            )}
            {user.secondFactor && user.id !== me.id && (
              <button type="button" onClick={() => setStep({ kind: 'second factor', user })}>
                {t('Reset second factor')}
              </button>
            )}
          </>
        )}
      />
      {isNew && <CreateDialog onClose={() => setNew(false)} />}
      {step?.kind === 'edit' && <EditDialog user={step.user} onClose={close} />}
      {step?.kind === 'password' && (
        <CommandDialog<Schemas['OneTimePassword']>
          title={t('Reset password')}
          action={t('Reset password')}
          isDestructive
          call={{ method: 'POST', path: `/v1/admin/users/${step.user.id}/password-reset` }}
          onClose={close}
          onDone={setIssued}
        >
          {() => (
            <p>
              {t('The password of {email} ends, and every session with it. You get a one-time password.', {
                email: step.user.email,
              })}
            </p>
          )}
        </CommandDialog>
      )}
      {step?.kind === 'second factor' && (
        <CommandDialog
          title={t('Reset second factor')}
          action={t('Reset second factor')}
          isDestructive
          call={{ method: 'POST', path: `/v1/admin/users/${step.user.id}/second-factor-reset` }}
          onClose={close}
        >
          {() => (
            <p>
              {t('{email} logs in by the password alone until a new second factor is set up.', {
                email: step.user.email,
              })}
            </p>
          )}
        </CommandDialog>
      )}
      {issued && (
        <SecretDialog
          title={t('One-time password')}
          advice={t('Good for one login, which then asks for a password of its own.')}
          secrets={[[t('One-time password'), issued.oneTimePassword]]}
          onClose={() => setIssued(null)}
        />
      )}
    </>
  );
};
export default Users;

type Groups = { readonly data: readonly Schemas['Group'][] };

/** The groups of an operator. */
const GroupChecks = (props: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly error: unknown;
}) => {
  const call = { path: '/v1/admin/groups', query: { size: 100, orderBy: 'name' } };
  const { data } = useQuery({ queryKey: [call.path, call.query], queryFn: () => ask<Groups>(call) });
  const names = [...new Set([...props.chosen, ...(data?.data ?? []).map(({ name }) => name)])];
  return <Checks label={t('Groups')} name="groups" options={namesOf(names)} {...props} />;
};

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const oneTimePassword = (): string =>
  [...crypto.getRandomValues(new Uint32Array(20))].map((value) => LETTERS[value % LETTERS.length]).join('');

const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, set, field } = useFields({ email: '', name: '', merchantId: '', kind: 'operator' });
  const [password] = useState(oneTimePassword);
  const [groups, setGroups] = useState<readonly string[]>([]);
  const isOperator = values.kind === 'operator';
  const body = {
    email: values.email,
    name: values.name || null,
    password,
    merchantId: isOperator ? null : values.merchantId.trim(),
    groups: isOperator ? groups : [],
  };
  return (
    <CommandDialog
      title={t('Create user')}
      action={t('Create user')}
      call={{ method: 'POST', path: '/v1/admin/users', body }}
      onClose={onClose}
    >
      {(error) => (
        <>
          {field('email', t('E-mail'), error, { required: true, type: 'email' })}
          {field('name', t('Name'), error)}
          <Select
            label={t('Kind')}
            name="kind"
            value={values.kind}
            onText={(kind) => set('kind', kind)}
            options={[
              { value: 'operator', label: t('Operator') },
              { value: 'merchant', label: t("Merchant's user") },
            ]}
          />
          {isOperator ? (
            <GroupChecks chosen={groups} onChange={setGroups} error={error} />
          ) : (
            field('merchantId', t('Merchant'), error, { required: true, placeholder: 'mer_…' })
          )}
          <Field
            label={t('One-time password')}
            name="password"
            value={password}
            onText={() => undefined}
            readOnly
            hint={t('Hand it over now: it is not shown again. It ends after seven days.')}
            error={error}
          />
          <CopyButton text={password} label={t('Copy')} />
        </>
      )}
    </CommandDialog>
  );
};

const EditDialog = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const former = {
    email: user.email,
    name: user.name ?? '',
    disabled: String(user.disabled),
    networks: user.allowedNetworks.join(' '),
  };
  const { values, set, field } = useFields(former);
  const [groups, setGroups] = useState<readonly string[]>(user.groups);
  const networks = values.networks.split(/[\s,]+/).filter(Boolean);
  const before = user.groups.toSorted().join(', ');
  const after = groups.toSorted().join(', ');
  const body = {
    ...(values.email === former.email ? {} : { email: values.email }),
    ...(values.name === former.name ? {} : { name: values.name || null }),
    ...(before === after ? {} : { groups }),
    ...(values.disabled === former.disabled ? {} : { disabled: values.disabled === 'true' }),
    ...(networks.join(' ') === former.networks ? {} : { allowedNetworks: networks }),
  };
  return (
    <CommandDialog
      title={t('Edit user')}
      action={t('Save')}
      call={{ method: 'PATCH', path: `/v1/admin/users/${user.id}`, body }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>{t('Another e-mail address, other groups and disabling end every session of the user.')}</p>
          {field('email', t('E-mail'), error, { required: true, type: 'email' })}
          {field('name', t('Name'), error)}
          {user.merchantId === null && <GroupChecks chosen={groups} onChange={setGroups} error={error} />}
          <Select
            label={t('Login')}
            name="disabled"
            value={values.disabled}
            onText={(disabled) => set('disabled', disabled)}
            options={[
              { value: 'false', label: t('enabled') },
              { value: 'true', label: t('disabled') },
            ]}
            error={error}
          />
          <NetworksField value={values.networks} onText={(text) => set('networks', text)} error={error} />
          <Changes
            of={[
              [t('E-mail'), former.email, values.email],
              [t('Name'), former.name, values.name],
              [t('Groups'), before, after],
              [
                t('Login'),
                user.disabled ? t('disabled') : t('enabled'),
                values.disabled === 'true' ? t('disabled') : t('enabled'),
              ],
              [t('Networks'), former.networks, networks.join(' ')],
            ]}
          />
        </>
      )}
    </CommandDialog>
  );
};
