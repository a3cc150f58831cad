import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Changes } from '../components/changes.tsx';
import { TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import type { Column } from '../components/data-table.tsx';
import { Checks } from '../components/field.tsx';
import { choiceFilter, merchantFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { NetworksField } from '../components/networks-field.tsx';
import { OneTimePassword } from '../components/secret-dialog.tsx';
import { Status } from '../components/status.tsx';
import { useFields } from '../components/use-fields.tsx';
import { useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { namesOf } from '../values.ts';
import { t } from '../words.ts';

type User = Schemas['User'];

export const userTabs = () => [
  { href: '/users', title: t('Users') },
  { href: '/groups', title: t('Groups') },
];

/** Calls on the users of the caller's own merchant, or as an operator on those of all. */
const callsOf = (isOwn: boolean) =>
  isOwn
    ? {
        list: call('listMerchantUsers'),
        groups: call('listPeopleGroups', { query: { size: 100, orderBy: 'name' } }),
        create: (body: object) => call('createMerchantUser', { body }),
        update: (id: string, body: object) => call('updateMerchantUser', { path: { id }, body }),
        resetPassword: (id: string) => call('resetMerchantUserPassword', { path: { id } }),
        resetSecondFactor: (id: string) => call('resetMerchantUserSecondFactor', { path: { id } }),
      }
    : {
        list: call('listUsers'),
        groups: call('listGroups', { query: { size: 100, orderBy: 'name' } }),
        create: (body: object) => call('createUser', { body }),
        update: (id: string, body: object) => call('updateUser', { path: { id }, body }),
        resetPassword: (id: string) => call('resetPassword', { path: { id } }),
        resetSecondFactor: (id: string) => call('resetSecondFactor', { path: { id } }),
      };

const useCalls = () => callsOf(useMe().merchant !== null);

const columns = (): readonly Column<User>[] => [
  {
    key: 'email',
    head: t('E-mail'),
    sort: 'email',
    cell: ({ email, name }) => <TwoLines first={email} second={name} />,
  },
  {
    key: 'belongs',
    head: t('Groups or merchant'),
    cell: ({ groups, merchantId }) => [merchantId ?? [], groups].flat().join(', ') || '–',
  },
  {
    key: 'status',
    head: t('Status'),
    sort: 'disabled',
    cell: ({ disabled, oneTimePasswordExpiresAt }) => (
      <TwoLines
        first={<Status status={disabled ? 'disabled' : 'active'} />}
        second={oneTimePasswordExpiresAt && t('one-time password')}
      />
    ),
  },
  {
    key: 'secondFactor',
    head: t('Second factor'),
    cell: ({ secondFactor }) => (secondFactor ? t('yes') : t('no')),
  },
  timeColumn('lastLoginAt', t('Last login')),
  textColumn('id', t('Id'), { isExtra: true }),
];

type Step = { readonly kind: 'edit' | 'password' | 'second factor'; readonly user: User };

const Users = () => {
  const me = useMe();
  const calls = useCalls();
  const [step, setStep] = useState<Step | null>(null);
  const [issued, setIssued] = useState<Schemas['OneTimePassword'] | null>(null);
  const close = (): void => setStep(null);
  const yesOrNo = [
    { value: 'true', label: t('yes') },
    { value: 'false', label: t('no') },
  ];
  const actions = (user: User) => (
    <>
      <Button label={t('Edit')} onClick={() => setStep({ kind: 'edit', user })} />
      {user.id !== me.id && (
        <Button label={t('Reset password')} onClick={() => setStep({ kind: 'password', user })} />
      )}
      {user.secondFactor && user.id !== me.id && (
        <Button label={t('Reset second factor')} onClick={() => setStep({ kind: 'second factor', user })} />
      )}
    </>
  );
  return (
    <ListScreen
      title={t('Users')}
      {...(me.merchant ? {} : { tabs: userTabs() })}
      add={{ label: t('Create user'), dialog: CreateDialog }}
      list={calls.list}
      columns={columns()}
      filters={[
        textFilter('email', t('E-mail')),
        textFilter('id', t('Id')),
        textFilter('group', t('Group')),
        ...(me.merchant ? [] : [merchantFilter()]),
        choiceFilter('disabled', t('Disabled'), yesOrNo),
        choiceFilter('secondFactor', t('Second factor'), yesOrNo),
      ]}
      csv="users"
      empty={t('The people who can log in are shown here.')}
      actions={actions}
    >
      {step?.kind === 'edit' && <EditDialog user={step.user} onClose={close} />}
      {step?.kind === 'password' && (
        <CommandDialog
          title={t('Reset password')}
          isDestructive
          call={calls.resetPassword(step.user.id)}
          onClose={close}
          onDone={(answer) => setIssued(answer as Schemas['OneTimePassword'])}
        >
          <p>
            {t('The password of {email} ends, and every session with it. You get a one-time password.', {
              email: step.user.email,
            })}
          </p>
        </CommandDialog>
      )}
      {step?.kind === 'second factor' && (
        <CommandDialog
          title={t('Reset second factor')}
          isDestructive
          call={calls.resetSecondFactor(step.user.id)}
          onClose={close}
        >
          <p>
            {t('{email} logs in by the password alone until a new second factor is set up.', {
              email: step.user.email,
            })}
          </p>
        </CommandDialog>
      )}
      {issued && <OneTimePassword password={issued.oneTimePassword} onClose={() => setIssued(null)} />}
    </ListScreen>
  );
};
export default Users;

type Chosen = {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** The groups of a user. */
const GroupChecks = ({ chosen, onChange }: Chosen) => {
  const { data } = useRead(useCalls().groups);
  const names = [...new Set([...chosen, ...(data?.data ?? []).map(({ name }) => name)])];
  return (
    <Checks label={t('Groups')} name="groups" options={namesOf(names)} chosen={chosen} onChange={onChange} />
  );
};

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const oneTimePassword = (): string =>
  [...crypto.getRandomValues(new Uint32Array(20))].map((value) => LETTERS[value % LETTERS.length]).join('');

const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, field, merchant, select } = useFields({
    email: '',
    name: '',
    merchantId: '',
    kind: 'operator',
  });
  const [password] = useState(oneTimePassword);
  const [isSaved, setSaved] = useState(false);
  const [groups, setGroups] = useState<readonly string[]>([]);
  const isOwn = useMe().merchant !== null;
  const isOperator = values.kind === 'operator';
  const body = {
    email: values.email,
    name: values.name || null,
    password,
    groups,
    ...(isOwn ? {} : { merchantId: isOperator ? null : values.merchantId.trim() }),
  };
  if (isSaved) return <OneTimePassword password={password} onClose={onClose} />;
  return (
    <CommandDialog
      title={t('Create user')}
      call={callsOf(isOwn).create(body)}
      onClose={onClose}
      isReplaced
      onDone={() => setSaved(true)}
      proposed={<FirstPassword password={password} />}
    >
      {field('email', t('E-mail'), { required: true, type: 'email' })}
      {field('name', t('Name'))}
      {!isOwn &&
        select('kind', t('Kind'), [
          { value: 'operator', label: t('Operator') },
          { value: 'merchant', label: t("Merchant's user") },
        ])}
      {!isOwn && !isOperator && merchant('merchantId', t('Merchant'), { required: true })}
      <GroupChecks chosen={groups} onChange={setGroups} />
      <p>{t('The first login is by a one-time password, which is shown once the user is saved.')}</p>
    </CommandDialog>
  );
};

/** The password of a user whom a second operator has yet to approve: nobody is shown it later. */
const FirstPassword = ({ password }: { readonly password: string }) => (
  <>
    <p>{t('Hand it over once the user is approved: it is not shown again. It ends after seven days.')}</p>
    <p>
      {t('One-time password')}: <code>{password}</code> <CopyButton text={password} label={t('Copy')} />
    </p>
  </>
);

const EditDialog = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const former = {
    email: user.email,
    name: user.name ?? '',
    disabled: String(user.disabled),
    networks: user.allowedNetworks.join(' '),
  };
  const { values, set, field, select } = useFields(former);
  const [groups, setGroups] = useState<readonly string[]>(user.groups);
  const networks = values.networks.split(/[\s,]+/).filter(Boolean);
  const before = user.groups.toSorted().join(', ');
  const after = groups.toSorted().join(', ');
  const login = (disabled: string): string => (disabled === 'true' ? t('disabled') : t('enabled'));
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
      call={useCalls().update(user.id, body)}
      onClose={onClose}
    >
      <p>{t('Another e-mail address, other groups and disabling end every session of the user.')}</p>
      {field('email', t('E-mail'), { required: true, type: 'email' })}
      {field('name', t('Name'))}
      <GroupChecks chosen={groups} onChange={setGroups} />
      {select('disabled', t('Login'), [
        { value: 'false', label: t('enabled') },
        { value: 'true', label: t('disabled') },
      ])}
      <NetworksField value={values.networks} onText={(text) => set('networks', text)} />
      <Changes
        of={[
          [t('E-mail'), former.email, values.email],
          [t('Name'), former.name, values.name],
          [t('Groups'), before, after],
          [t('Login'), login(former.disabled), login(values.disabled)],
          [t('Networks'), former.networks, networks.join(' ')],
        ]}
      />
    </CommandDialog>
  );
};
