import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { ask, type Call } from '../api.ts';
import { t } from '../words.ts';
import { Dialog } from './dialog.tsx';
import { CopyAsCurl, Problem } from './parts.tsx';

/**
 * Asks before a command is sent, and stays open with all that was typed where it is refused. Afterwards every list is
 * read again, with the command in it.
 */
export const CommandDialog = (props: {
  readonly title: string;
  /** The word on the button. */
  readonly action: string;
  readonly isDestructive?: boolean;
  readonly call: Call;
  readonly onClose: () => void;
  readonly onDone?: () => void;
  /** Explains the effect and asks for the fields; gets the last refusal. */
  readonly children: (error: unknown) => ReactNode;
}) => {
  const { title, action, isDestructive = false, call, onClose, onDone, children } = props;
  const client = useQueryClient();
  // State comes too late for a second click.
  const isSent = useRef(false);
  const command = useMutation({
    mutationFn: () => ask(call),
    async onSuccess() {
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      onClose();
      onDone?.();
    },
    onSettled() {
      isSent.current = false;
    },
  });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSent.current) return;
          isSent.current = true;
          command.mutate();
        }}
      >
        {children(command.error)}
        {command.error && <Problem error={command.error} />}
        <footer>
          <CopyAsCurl call={call} />
          <span className="space" />
          <button type="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button
            type="submit"
            className={isDestructive ? 'destructive' : 'primary'}
            disabled={command.isPending}
          >
            {command.isPending ? t('One moment …') : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
};
