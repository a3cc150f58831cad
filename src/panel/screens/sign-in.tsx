import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiError, call, type Pending, signIn } from '../api.ts';
import { ApiMenuOf } from '../components/api-menu.tsx';
import { Form } from '../components/form.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useFields } from '../components/use-fields.tsx';
import { lastEnvironment } from '../last-environment.ts';
import { useSession } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';
import { ChangePassword } from './account/change-password.tsx';

const SetUpSecondFactor = lazy(async () => ({
  default: (await import('./account/set-up-second-factor.tsx')).SetUpSecondFactor,
}));

export const SignIn = () => {
  useTitle(t('Sign in'));
  return (
    <main className="sign-in">
      <p className="brand">
        <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="32" height="32" />
        Portico
      </p>
      <h1>{t('Sign in')}</h1>
      <SignInForm />
    </main>
  );
};

const adviceFor = (error: unknown): string | null => {
  const told = apiError(error);
  if (told?.code === 'SECOND_FACTOR_REQUIRED')
    return t('Type the code of your authenticator app, or a recovery code.');
  if (told?.code === 'CREDENTIALS_INVALID')
    return t('The e-mail, the password or the code is wrong. An operator can reset a forgotten password.');
  if (told?.statusCode === 429) return t('Too many failed attempts. Wait up to 30 minutes, then try again.');
  return null;
};

/** Also shown over a screen whose session has ended, for the same person and environment. */
export const SignInForm = (props: { readonly email?: string; readonly livemode?: boolean }) => {
  const session = useSession();
  const { values, set, field, select } = useFields({
    email: props.email ?? '',
    password: '',
    code: '',
    environment: props.livemode === undefined ? lastEnvironment() : props.livemode ? 'live' : 'test',
  });
  const [needsCode, setNeedsCode] = useState(false);
  const [pending, setPending] = useState<Pending>(null);
  const { code, ...needed } = values;
  const login = useMutation({
    mutationFn: (password: string) =>
      signIn({
        ...needed,
        password,
        environment: needed.environment === 'test' ? 'test' : 'live',
        ...(code ? { code } : {}),
      }),
    onError(error) {
      setPending(null);
      set('code', '');
      if (apiError(error)?.code === 'SECOND_FACTOR_REQUIRED') setNeedsCode(true);
    },
    async onSuccess(step) {
      setPending(step);
      if (step === null) await session.changed();
    },
  });
  if (pending === 'password')
    return (
      <>
        <p>{t('This was a one-time password. Choose one of your own.')}</p>
        <ChangePassword
          current={values.password}
          onChanged={(chosen) => {
            set('password', chosen);
            login.mutate(chosen);
          }}
        />
      </>
    );
  if (pending === 'second factor')
    return (
      <>
        <p>{t('Operators need a second factor here.')}</p>
        <Suspense fallback={<Skeleton lines={4} />}>
          <SetUpSecondFactor onDone={() => login.mutate(values.password)} />
        </Suspense>
      </>
    );
  return (
    <>
      <Form
        label={t('Sign in')}
        of={login}
        onSend={() => login.mutate(values.password)}
        advice={adviceFor(login.error)}
      >
        {field('email', t('E-mail'), { type: 'email', autoComplete: 'username', required: true })}
        {field('password', t('Password'), {
          type: 'password',
          autoComplete: 'current-password',
          required: true,
        })}
        {needsCode &&
          field('code', t('Code'), { autoComplete: 'one-time-code', inputMode: 'numeric', required: true })}
        {select('environment', t('Environment'), [
          { value: 'test', label: t('Test') },
          { value: 'live', label: t('Live') },
        ])}
      </Form>
      <div>
        <ApiMenuOf
          calls={[call('login', { body: { ...needed, password: '…', ...(code ? { code: '…' } : {}) } })]}
        />
      </div>
    </>
  );
};
