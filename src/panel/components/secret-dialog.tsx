import { t } from '../words.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** Shows secrets that the API tells only once. */
export const SecretDialog = (props: {
  readonly title: string;
  readonly advice: string;
  readonly secrets: readonly (readonly [name: string, value: string])[];
  readonly onClose: () => void;
}) => {
  const { title, advice, secrets, onClose } = props;
  return (
    <Dialog title={title}>
      <p>
        <strong>{t('Shown this once.')}</strong> {advice}
      </p>
      <dl className="facts-list">
        {secrets.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code> <CopyButton text={value} label={t('Copy')} />
            </dd>
          </div>
        ))}
      </dl>
      <footer>
        <span className="space" />
        <Button label={t('I have kept it')} className="primary" onClick={onClose} />
      </footer>
    </Dialog>
  );
};

/** Shows a password that is good for one login. */
export const OneTimePassword = (props: { readonly password: string; readonly onClose: () => void }) => (
  <SecretDialog
    title={t('One-time password')}
    advice={t('Good for one login, which then asks for a password of its own.')}
    secrets={[[t('One-time password'), props.password]]}
    onClose={props.onClose}
  />
);
