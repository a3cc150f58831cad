import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ApiError, type Pending, signIn } from '../api.ts';
import { Field, Select } from '../components/field.tsx';
import { Problem, Skeleton } from '../components/parts.tsx';
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

const adviceFor = ({ status, code }: ApiError): string | null => {
  if (code === 'SECOND_FACTOR_REQUIRED')
    return t('Type the code of your authenticator app, or a recovery code.');
  if (code === 'CREDENTIALS_INVALID')
    return t('The e-mail, the password or the code is wrong. An operator can reset a forgotten password.');
  if (status === 429) return t('Too many failed attempts: the login is locked for up to 30 minutes.');
  return null;
};

/** Also shown over a screen whose session has ended, for the same person and environment. */
export const SignInForm = (props: { readonly email?: string; readonly livemode?: boolean }) => {
  const session = useSession();
  const [email, setEmail] = useState(props.email ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [environment, setEnvironment] = useState<'test' | 'live'>(props.livemode === false ? 'test' : 'live');
  const [pending, setPending] = useState<Pending>(null);
  const login = useMutation({
    mutationFn: (typed: string) => signIn({ email, password: typed, environment, ...(code ? { code } : {}) }),
    onError(error) {
      setPending(null);
      setCode('');
      if (error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED') setNeedsCode(true);
    },
    async onSuccess(done) {
      setPending(done.pending);
      if (done.pending === null) await session.changed();
    },
  });
  if (pending === 'password')
    return (
      <>
        <p>{t('This was a one-time password. Choose one of your own.')}</p>
        <ChangePassword
          current={password}
          onChanged={(chosen) => {
            setPassword(chosen);
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
          <SetUpSecondFactor onDone={() => login.mutate(password)} />
        </Suspense>
      </>
    );
  const { error } = login;
  const advice = error instanceof ApiError ? adviceFor(error) : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        login.mutate(password);
      }}
    >
      <Field
        label={t('E-mail')}
        name="email"
        type="email"
        autoComplete="username"
        required
        value={email}
        onText={setEmail}
        error={error}
      />
      <Field
        label={t('Password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onText={setPassword}
        error={error}
      />
      {needsCode && (
        <Field
          label={t('Code')}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          value={code}
          onText={setCode}
          error={error}
        />
      )}
      <Select
        label={t('Environment')}
        name="environment"
        value={environment}
        onText={(value) => setEnvironment(value === 'test' ? 'test' : 'live')}
        options={[
          { value: 'test', label: t('Test') },
          { value: 'live', label: t('Live') },
        ]}
        error={error}
      />
      {advice !== null && (
        <p className="problem" role="alert">
          {advice}
        </p>
      )}
      {error && advice === null && <Problem error={error} />}
      <button type="submit" className="primary" disabled={login.isPending}>
        {login.isPending ? t('One moment …') : t('Sign in')}
      </button>
    </form>
  );
};
