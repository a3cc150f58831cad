import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { apiError, ask, type Call } from '../api.ts';
import { isProposal } from '../send-all.ts';
import { readAgain } from '../use-read.ts';
import { t } from '../words.ts';
import { ApiMenuOf } from './api-menu.tsx';
import { Button } from './button.tsx';
import { CancelButton, Dialog } from './dialog.tsx';
import { FormRefusal } from './field.tsx';
import { Problem } from './problem.tsx';

type Props<Answer> = {
  readonly title: string;
  /** The word on the button; the title where it says the same. */
  readonly action?: string;
  readonly isDestructive?: boolean;
  readonly isWide?: boolean;
  readonly call: Call<Answer>;
  /** Whether the call is still being put together, such as from a file that is read. */
  readonly isIncomplete?: boolean;
  /** The reason why the command would be refused, with the way to what is missing. */
  readonly doomed?: ReactNode;
  /** Shown where the command waits for a second operator. */
  readonly proposed?: ReactNode;
  readonly onClose: () => void;
  readonly onDone?: (answer: Answer) => void;
  /** Whether `onDone` shows another dialog in its place, so that this one need not be closed. */
  readonly isReplaced?: boolean;
  /** Explains the effect and asks for the fields. */
  readonly children: ReactNode;
};

const REFUSED_BY_STATE = [409, 422];

/** Whether nobody knows if a command was done. */
const isUnanswered = (error: unknown): boolean => {
  const status = apiError(error)?.statusCode;
  return status !== undefined && (status === 0 || status >= 500);
};

/**
 * Asks before a command is sent, and stays open with all that was typed where it is refused. Afterwards every list is
 * read again, with the command in it.
 */
export const CommandDialog = <Answer,>(props: Props<Answer>) => {
  const { title, action = title, isDestructive, isWide = false, call, isIncomplete = false } = props;
  const { onClose, onDone, isReplaced = false, doomed, proposed, children } = props;
  const client = useQueryClient();
  const [isProposed, setProposed] = useState(false);
  const doomedId = useId();
  // State comes too late for a second click.
  const isSent = useRef(false);
  const command = useMutation({
    mutationFn: () => ask(call),
    onError(error) {
      // Somebody else was faster, or the answer was lost: behind the dialog stands what was made of it.
      if (isUnanswered(error) || REFUSED_BY_STATE.includes(apiError(error)?.statusCode ?? 0))
        void readAgain(client);
    },
    async onSuccess(answer) {
      await readAgain(client);
      if (isProposal(answer) && !call.operation.endsWith('Proposal')) return setProposed(true);
      if (!isReplaced) onClose();
      onDone?.(answer);
    },
    onSettled() {
      isSent.current = false;
    },
  });
  if (isProposed)
    return (
      <Proposed title={title} onClose={onClose}>
        {proposed}
      </Proposed>
    );
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose} asksFirst>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSent.current) return;
          isSent.current = true;
          command.mutate();
        }}
      >
        <FormRefusal value={command.error}>{children}</FormRefusal>
        {command.error && (
          <Problem
            error={command.error}
            advice={
              isUnanswered(command.error) &&
              t('It may have been done all the same. Look at the list before you send it again.')
            }
          />
        )}
        {doomed && (
          <p id={doomedId} className="doomed">
            {doomed}
          </p>
        )}
        <footer>
          <ApiMenuOf calls={[call]} />
          <span className="space" />
          <CancelButton />
          <button
            type="submit"
            className={isDestructive ? 'destructive' : 'primary'}
            disabled={command.isPending || isIncomplete || Boolean(doomed)}
            aria-describedby={doomed ? doomedId : undefined}
          >
            {command.isPending ? t('One moment …') : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
};

const Proposed = (props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => (
  <Dialog title={props.title} onClose={props.onClose}>
    <p>{t('Nothing has changed yet: a second operator has to approve it.')}</p>
    {props.children}
    <footer>
      <Link href="/proposals">{t('Proposals')}</Link>
      <span className="space" />
      <Button label={t('Close')} onClick={props.onClose} />
    </footer>
  </Dialog>
);
