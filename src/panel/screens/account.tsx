import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { ask } from '../api.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { Field } from '../components/field.tsx';
import { CopyAsCurl, Facts, Problem, Skeleton, When } from '../components/parts.tsx';
import { useMe, useSession } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';
import { ChangePassword } from './account/change-password.tsx';
import { SetUpSecondFactor } from './account/set-up-second-factor.tsx';

type Session = Schemas['Session'];

const Account = () => {
  const me = useMe();
  const session = useSession();
  useTitle(t('Your account'));
  return (
    <>
      <h1>{t('Your account')}</h1>
      <Facts
        rows={[
          [t('E-mail'), me.email],
          [t('Name'), me.name],
          [t('Merchant'), me.merchant?.legalName],
        ]}
      />
      <details>
        <summary>{t('Permissions')}</summary>
        {me.permissions.join(', ')}
      </details>
      <SessionList />
      <section className="narrow">
        <h2>{t('Second factor')}</h2>
        {me.secondFactor ? <RemoveSecondFactor /> : <AddSecondFactor />}
      </section>
      <section className="narrow">
        <h2>{t('Change password')}</h2>
        <p>{t('Ends every session, this one included. Sign in with the new password then.')}</p>
        <ChangePassword onChanged={() => session.changed()} />
      </section>
    </>
  );
};
export default Account;

const SessionList = () => {
  const session = useSession();
  const [ended, setEnded] = useState<Session | 'all' | null>(null);
  const call = { path: '/v1/auth/sessions' };
  const found = useQuery({ queryKey: [call.path], queryFn: () => ask<Schemas['Sessions']>(call) });
  return (
    <section>
      <div className="toolbar">
        <h2>{t('Sessions')}</h2>
        <span className="space" />
        <CopyAsCurl call={call} />
        <button type="button" className="destructive" onClick={() => setEnded('all')}>
          {t('End every session')}
        </button>
      </div>
      {found.isPending && <Skeleton lines={2} />}
      {found.error && <Problem error={found.error} onRetry={() => found.refetch()} />}
      <ul className="matches sessions">
        {found.data?.data.map((one) => (
          <li key={one.id}>
            <span>
              {one.current ? <strong>{t('This window')}</strong> : one.address}
              <small>{one.userAgent}</small>
            </span>
            <span>
              {one.livemode ? t('Live') : t('Test')} · <When at={one.lastSeenAt} />
            </span>
            {!one.current && (
              <button type="button" onClick={() => setEnded(one)}>
                {t('End session')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {ended && (
        <CommandDialog
          title={ended === 'all' ? t('End every session') : t('End session')}
          action={ended === 'all' ? t('End every session') : t('End session')}
          isDestructive
          call={{
            method: 'DELETE',
            path: ended === 'all' ? '/v1/auth/sessions' : `/v1/auth/sessions/${ended.id}`,
          }}
          onClose={() => setEnded(null)}
          onDone={() => {
            if (ended === 'all') session.changed();
          }}
        >
          {() => (
            <p>
              {ended === 'all'
                ? t('You are signed out everywhere, here too.')
                : t('Its window has to sign in again.')}
            </p>
          )}
        </CommandDialog>
      )}
    </section>
  );
};

const AddSecondFactor = () => {
  const session = useSession();
  const [isStarted, setStarted] = useState(false);
  if (isStarted) return <SetUpSecondFactor onDone={() => session.changed()} />;
  return (
    <>
      <p>{t('With a second factor a stolen password is not enough.')}</p>
      <button type="button" onClick={() => setStarted(true)}>
        {t('Set up second factor')}
      </button>
    </>
  );
};

const RemoveSecondFactor = () => {
  const session = useSession();
  const [code, setCode] = useState('');
  const remove = useMutation({
    mutationFn: () => ask({ method: 'DELETE', path: '/v1/auth/second-factor', body: { code: code.trim() } }),
    onSuccess: () => session.changed(),
  });
  return (
    <form
      aria-label={t('Remove second factor')}
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate();
      }}
    >
      <p>{t('It is set up. A code of the app or a recovery code removes it, and ends every session.')}</p>
      <Field
        label={t('Code')}
        name="code"
        value={code}
        onText={setCode}
        autoComplete="one-time-code"
        required
        error={remove.error}
      />
      {remove.error && <Problem error={remove.error} />}
      <button type="submit" className="destructive" disabled={remove.isPending}>
        {t('Remove second factor')}
      </button>
    </form>
  );
};
