import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { useFields } from '../components/use-fields.tsx';
import { When } from '../components/values.tsx';
import { permissionsInWords } from '../permission-words.ts';
import { useMe, useSession } from '../session.tsx';
import { t } from '../words.ts';
import { ChangePassword } from './account/change-password.tsx';
import { SetUpSecondFactor } from './account/set-up-second-factor.tsx';

type Session = Schemas['Session'];

const Account = () => {
  const me = useMe();
  const session = useSession();
  return (
    <>
      <ScreenHead title={t('Your account')} />
      <Facts
        rows={[
          [t('E-mail'), me.email],
          [t('Name'), me.name],
          [t('Merchant'), me.merchant?.legalName],
        ]}
      />
      <details>
        <summary>{t('Permissions')}</summary>
        {permissionsInWords(me.permissions)}
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
  const [ended, setEnded] = useState<Session | 'all' | null>(null);
  const all = (
    <Button label={t('End every session')} className="destructive" onClick={() => setEnded('all')} />
  );
  return (
    <Panel title={t('Sessions')} call={call('listSessions')} lines={2} buttons={all}>
      {({ data }) => (
        <>
          <ul className="matches sessions">
            {data.map((one) => (
              <li key={one.id}>
                <span>
                  {one.current ? <strong>{t('This window')}</strong> : one.address}
                  <small>{one.userAgent}</small>
                </span>
                <span>
                  {one.livemode ? t('Live') : t('Test')} · <When at={one.lastSeenAt} />
                </span>
                {!one.current && <Button label={t('End session')} onClick={() => setEnded(one)} />}
              </li>
            ))}
          </ul>
          {ended && <EndDialog ended={ended} onClose={() => setEnded(null)} />}
        </>
      )}
    </Panel>
  );
};

const EndDialog = ({ ended, onClose }: { readonly ended: Session | 'all'; readonly onClose: () => void }) => {
  const session = useSession();
  if (ended === 'all')
    return (
      <CommandDialog
        title={t('End every session')}
        isDestructive
        call={call('endSessions')}
        onClose={onClose}
        onDone={() => session.changed()}
      >
        <p>{t('You are signed out everywhere, here too.')}</p>
      </CommandDialog>
    );
  return (
    <CommandDialog
      title={t('End session')}
      isDestructive
      call={call('endSession', { path: { id: ended.id } })}
      onClose={onClose}
    >
      <p>{t('Its window has to sign in again.')}</p>
    </CommandDialog>
  );
};

const AddSecondFactor = () => {
  const session = useSession();
  const [isStarted, setStarted] = useState(false);
  if (isStarted) return <SetUpSecondFactor onDone={() => session.changed()} />;
  return (
    <>
      <p>{t('With a second factor a stolen password is not enough.')}</p>
      <Button label={t('Set up second factor')} onClick={() => setStarted(true)} />
    </>
  );
};

const RemoveSecondFactor = () => {
  const session = useSession();
  const [isAsked, setAsked] = useState(false);
  const { values, field } = useFields({ code: '' });
  return (
    <>
      <p>{t('Every login asks for a code of the app.')}</p>
      <Button label={t('Remove second factor')} className="destructive" onClick={() => setAsked(true)} />
      {isAsked && (
        <CommandDialog
          title={t('Remove second factor')}
          isDestructive
          call={call('removeSecondFactor', { body: { code: values.code.trim() } })}
          onClose={() => setAsked(false)}
          onDone={() => session.changed()}
        >
          <p>{t('A code of the app or a recovery code removes it, and ends every session.')}</p>
          {field('code', t('Code'), { autoComplete: 'one-time-code', required: true })}
        </CommandDialog>
      )}
    </>
  );
};
