import { useMutation, useQuery } from '@tanstack/react-query';
import { create } from 'qrcode';
import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { ask } from '../../api.ts';
import { Field } from '../../components/field.tsx';
import { CopyButton, Problem, Skeleton } from '../../components/parts.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { t } from '../../words.ts';

/** Modules around a QR code that stay empty (ISO/IEC 18004). */
const QUIET = 4;

/** Draws a text as a QR code. */
const QrCode = ({ text }: { readonly text: string }) => {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const path = Array.from(data, (isDark, index) =>
    isDark ? `M${(index % size) + QUIET} ${Math.floor(index / size) + QUIET}h1v1h-1z` : '',
  ).join('');
  const side = size + 2 * QUIET;
  return (
    <svg className="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={t('QR code for the app')}>
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};

/** Sets a second factor up: secret, first code, recovery codes. Every session of the user ends with it. */
export const SetUpSecondFactor = ({ onDone }: { readonly onDone: () => void }) => {
  const [code, setCode] = useState('');
  const started = useQuery({
    queryKey: ['session', 'second factor'],
    queryFn: () =>
      ask<Schemas['SecondFactorSecret']>({ method: 'POST', path: '/v1/auth/second-factor', body: {} }),
    // Another start would make another secret.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const confirm = useMutation({
    mutationFn: () =>
      ask<Schemas['RecoveryCodes']>({
        method: 'POST',
        path: '/v1/auth/second-factor/confirm',
        body: { code: code.trim() },
      }),
  });
  if (started.isPending) return <Skeleton lines={4} />;
  if (started.error) return <Problem error={started.error} onRetry={() => started.refetch()} />;
  const { secret, otpauthUrl } = started.data;
  return (
    <form
      aria-label={t('Set up second factor')}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <p>
        {t('Scan this with an authenticator app, or type the secret there. Then type the code it shows.')}
      </p>
      <QrCode text={otpauthUrl} />
      <p>
        <code>{secret}</code> <CopyButton text={secret} label={t('Copy')} />
      </p>
      <Field
        label={t('Code')}
        name="code"
        value={code}
        onText={setCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        error={confirm.error}
      />
      {confirm.error && <Problem error={confirm.error} />}
      <button type="submit" className="primary" disabled={confirm.isPending}>
        {t('Confirm')}
      </button>
      {confirm.data && (
        <SecretDialog
          title={t('Recovery codes')}
          advice={t('Each is good for one login when the app is lost. Sign in again now.')}
          secrets={[[t('Recovery codes'), confirm.data.recoveryCodes.join(' ')]]}
          onClose={onDone}
        />
      )}
    </form>
  );
};
