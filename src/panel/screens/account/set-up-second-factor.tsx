import { useMutation, useQuery } from '@tanstack/react-query';
import { ask, call } from '../../api.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { t } from '../../words.ts';

/** Sets a second factor up: secret, first code, recovery codes. Every session of the user ends with it. */
export const SetUpSecondFactor = ({ onDone }: { readonly onDone: () => void }) => {
  const { values, field } = useFields({ code: '' });
  const started = useQuery({
    queryKey: ['session', 'second factor'],
    queryFn: () => ask(call('startSecondFactor', { body: {} })),
    // Another start would make another secret.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });
  const confirm = useMutation({
    mutationFn: () => ask(call('confirmSecondFactor', { body: { code: values.code.trim() } })),
  });
  return (
    <Loaded of={started}>
      {({ secret, otpauthUrl }) => (
        <Form
          label={t('Set up second factor')}
          action={t('Confirm')}
          of={confirm}
          onSend={() => confirm.mutate()}
        >
          <p>
            {t('Scan this with an authenticator app, or type the secret there. Then type the code it shows.')}
          </p>
          <QrCode text={otpauthUrl} label={t('QR code for the app')} />
          <p>
            <code>{secret}</code> <CopyButton text={secret} label={t('Copy')} />
          </p>
          {field('code', t('Code'), {
            autoComplete: 'one-time-code',
            inputMode: 'numeric',
            required: true,
          })}
          {confirm.data && (
            <SecretDialog
              title={t('Recovery codes')}
              advice={t('Each is good for one login when the app is lost. Sign in again now.')}
              secrets={[[t('Recovery codes'), confirm.data.recoveryCodes.join(' ')]]}
              onClose={onDone}
            />
          )}
        </Form>
      )}
    </Loaded>
  );
};
