import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, signIn } from '../api.ts';
import { Field, Select } from '../components/field.tsx';
import { Problem } from '../components/parts.tsx';
import { useSession } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';

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
  const [pending, setPending] = useState<string | null>(null);
  const login = useMutation({
    mutationFn: () => signIn({ email, password, environment, ...(code ? { code } : {}) }),
    onError(error) {
      if (error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED') setNeedsCode(true);
    },
    async onSuccess(done) {
      setPending(done.pending);
      if (done.pending === null) await session.changed();
    },
  });
  const { error } = login;
  const advice = error instanceof ApiError ? adviceFor(error) : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        login.mutate();
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
      {pending !== null && (
        <p className="problem" role="alert">
          {pending === 'password'
            ? t('This password is a one-time one. Change it with POST /v1/auth/password, then sign in again.')
            : t(
                'A second factor is required. Set it up with POST /v1/auth/second-factor, then sign in again.',
              )}
        </p>
      )}
      <button type="submit" className="primary" disabled={login.isPending}>
        {login.isPending ? t('One moment …') : t('Sign in')}
      </button>
    </form>
  );
};
