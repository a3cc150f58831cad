import type { ReactNode } from 'react';
import { t } from '../words.ts';
import { FormRefusal } from './field.tsx';
import { Problem } from './problem.tsx';

/**
 * A form within a screen. Its button sends what was typed, and a refusal is shown beside the field that it names.
 */
export const Form = (props: {
  readonly label: string;
  readonly action?: string;
  /** The last attempt. */
  readonly of: { readonly error: unknown; readonly isPending: boolean };
  readonly onSend: () => void;
  /** Said instead of the refusal. */
  readonly advice?: string | null;
  readonly children: ReactNode;
}) => {
  const { label, action = label, of, onSend, advice = null, children } = props;
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <FormRefusal value={of.error}>{children}</FormRefusal>
      {advice !== null && (
        <p className="problem" role="alert">
          {advice}
        </p>
      )}
      {of.error !== null && advice === null && <Problem error={of.error} />}
      <button type="submit" className="primary" disabled={of.isPending}>
        {of.isPending ? t('One moment …') : action}
      </button>
    </form>
  );
};
