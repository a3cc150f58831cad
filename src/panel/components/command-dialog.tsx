import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { ask, type Call } from '../api.ts';
import { t } from '../words.ts';
import { Dialog } from './dialog.tsx';
import { CopyAsCurl, Problem } from './parts.tsx';

type Props<Answer> = {
  readonly title: string;
  /** The word on the button. */
  readonly action: string;
  readonly isDestructive?: boolean;
  readonly isWide?: boolean;
  readonly call: Call;
  readonly onClose: () => void;
  readonly onDone?: (answer: Answer) => void;
  /** Explains the effect and asks for the fields; gets the last refusal. */
  readonly children: (error: unknown) => ReactNode;
};

/** Whether a command waits for a second operator instead of having been done. */
const isProposal = (answer: unknown): answer is Schemas['Proposal'] =>
  typeof answer === 'object' && answer !== null && 'id' in answer && String(answer.id).startsWith('prp_');

/**
 * Asks before a command is sent, and stays open with all that was typed where it is refused. Afterwards every list is
 * read again, with the command in it.
 */
export const CommandDialog = <Answer,>(props: Props<Answer>) => {
  const { title, action, isDestructive = false, isWide = false, call, onClose, onDone, children } = props;
  const client = useQueryClient();
  const [isProposed, setProposed] = useState(false);
  // State comes too late for a second click.
  const isSent = useRef(false);
  const command = useMutation({
    mutationFn: () => ask<Answer>(call),
    async onSuccess(answer) {
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      if (isProposal(answer) && !call.path.includes('/proposals/')) return setProposed(true);
      onClose();
      onDone?.(answer);
    },
    onSettled() {
      isSent.current = false;
    },
  });
  if (isProposed)
    return (
      <Dialog title={title} isOpen onClose={onClose}>
        <p>{t('Nothing has changed yet: a second operator has to approve it.')}</p>
        <footer>
          <Link href="/proposals">{t('Proposals')}</Link>
          <span className="space" />
          <button type="button" onClick={onClose}>
            {t('Close')}
          </button>
        </footer>
      </Dialog>
    );
  return (
    <Dialog title={title} isOpen isWide={isWide} onClose={onClose}>
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
