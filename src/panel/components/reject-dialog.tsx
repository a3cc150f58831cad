import type { ReactNode } from 'react';
import type { Call } from '../api.ts';
import { t } from '../words.ts';
import { CommandDialog } from './command-dialog.tsx';
import { useFields } from './use-fields.tsx';

/** Rejects what somebody asked for, with a reason, whose name in the body differs. */
export const RejectDialog = (props: {
  readonly title: string;
  readonly name: 'reason' | 'rejectionReason';
  readonly isReasonNeeded?: boolean;
  readonly callOf: (body: Readonly<Record<string, string>>) => Call;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => {
  const { title, name, isReasonNeeded = false, callOf, onClose, children } = props;
  const { values, area } = useFields({ [name]: '' });
  return (
    <CommandDialog
      title={title}
      action={t('Reject')}
      isDestructive
      call={callOf(values[name] ? values : isReasonNeeded ? values : {})}
      onClose={onClose}
    >
      {children}
      {area(name, t('Reason'), { required: isReasonNeeded })}
    </CommandDialog>
  );
};
