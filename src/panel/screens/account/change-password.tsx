import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api.ts';
import { Problem } from '../../components/parts.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { t } from '../../words.ts';

/**
 * Changes one's own password, which ends every session. `current` is the one of a login that asks for another, and is
 * not asked for again.
 */
export const ChangePassword = (props: {
  readonly current?: string;
  readonly onChanged: (password: string) => void;
}) => {
  const { values, field } = useFields({ currentPassword: props.current ?? '', newPassword: '', again: '' });
  const [isDifferent, setDifferent] = useState(false);
  const { currentPassword, newPassword, again } = values;
  const change = useMutation({
    mutationFn: () =>
      ask({ method: 'POST', path: '/v1/auth/password', body: { currentPassword, newPassword } }),
    onSuccess: () => props.onChanged(newPassword),
  });
  const asNew = { type: 'password', autoComplete: 'new-password', required: true };
  return (
    <form
      aria-label={t('Change password')}
      onSubmit={(event) => {
        event.preventDefault();
        setDifferent(newPassword !== again);
        if (newPassword === again) change.mutate();
      }}
    >
      {props.current === undefined &&
        field('currentPassword', t('Password until now'), change.error, {
          type: 'password',
          autoComplete: 'current-password',
          required: true,
        })}
      {field('newPassword', t('New password'), change.error, {
        ...asNew,
        hint: t('12 to 128 characters, and none of the common ones.'),
      })}
      {field('again', t('New password again'), null, asNew)}
      {isDifferent && (
        <p className="problem" role="alert">
          {t('The two are not the same.')}
        </p>
      )}
      {change.error && <Problem error={change.error} />}
      <button type="submit" className="primary" disabled={change.isPending}>
        {t('Change password')}
      </button>
    </form>
  );
};
