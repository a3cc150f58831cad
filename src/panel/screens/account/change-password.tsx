import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call } from '../../api.ts';
import { Form } from '../../components/form.tsx';
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
  const { currentPassword, newPassword, again } = values;
  const isDifferent = newPassword !== again;
  const [isRefused, setRefused] = useState(false);
  const change = useMutation({
    async mutationFn() {
      setRefused(isDifferent);
      if (isDifferent) return;
      await ask(call('changePassword', { body: { currentPassword, newPassword } }));
      props.onChanged(newPassword);
    },
  });
  const asNew = { type: 'password', autoComplete: 'new-password', required: true };
  return (
    <Form
      label={t('Change password')}
      of={change}
      onSend={() => change.mutate()}
      advice={isRefused ? t('The passwords are not the same.') : null}
    >
      {props.current === undefined &&
        field('currentPassword', t('Current password'), {
          type: 'password',
          autoComplete: 'current-password',
          required: true,
        })}
      {field('newPassword', t('New password'), {
        ...asNew,
        hint: t('12 to 128 characters, and none of the common ones.'),
      })}
      {field('again', t('Repeat new password'), asNew)}
    </Form>
  );
};
