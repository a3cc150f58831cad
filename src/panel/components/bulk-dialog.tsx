import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { ask, type Call } from '../api.ts';
import { formatNumber } from '../format.ts';
import { readAgain } from '../use-read.ts';
import { t } from '../words.ts';
import { ApiMenuOf } from './api-menu.tsx';
import { Button } from './button.tsx';
import { isProposal } from './command-dialog.tsx';
import { CancelButton, Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** Commands that are under way at a time: enough to be quick, and few enough to leave the gateway to others. */
const AT_ONCE = 3;

type Item = { readonly id: string };
type Refused<Row> = { readonly row: Row; readonly error: unknown };
type Outcome<Row> = {
  readonly done: number;
  readonly proposed: number;
  readonly refused: readonly Refused<Row>[];
};

/** Sends a command for each row, a few at a time; each answers by itself. */
const sendAll = async <Row extends Item>(
  rows: readonly Row[],
  callOf: (row: Row) => Call,
  onAnswer: () => void,
): Promise<Outcome<Row>> => {
  const left = [...rows];
  const refused: Refused<Row>[] = [];
  let proposed = 0;
  const work = async (): Promise<void> => {
    for (let row = left.shift(); row; row = left.shift()) {
      try {
        if (isProposal(await ask(callOf(row)))) proposed += 1;
      } catch (error) {
        refused.push({ row, error });
      }
      onAnswer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done: rows.length - proposed - refused.length, proposed, refused };
};

/**
 * Asks before a command is sent for each row of a selection, and tells which were refused, and why. Those can be sent
 * again; nothing is sent twice by a second click.
 */
export const BulkDialog = <Row extends Item>(props: {
  /** The question, the word on the button and the effect, for those rows that would be sent. */
  readonly about: (rows: readonly Row[]) => {
    readonly title: string;
    readonly action: string;
    readonly effect: ReactNode;
  };
  readonly isDestructive?: boolean;
  readonly rows: readonly Row[];
  readonly callOf: (row: Row) => Call;
  /** Names a row among those that were refused. */
  readonly nameOf: (row: Row) => ReactNode;
  readonly onClose: () => void;
  /** Asks for the fields. */
  readonly children?: ReactNode;
}) => {
  const { about, isDestructive = false, callOf, nameOf, onClose, children } = props;
  const client = useQueryClient();
  const [rows, setRows] = useState(props.rows);
  const [answered, setAnswered] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Outcome<Row> | null>(null);
  // State comes too late for a second click.
  const isSent = useRef(false);
  const send = async (): Promise<void> => {
    if (isSent.current) return;
    isSent.current = true;
    setAnswered(0);
    const told = await sendAll(rows, callOf, () => setAnswered((count) => (count ?? 0) + 1));
    await readAgain(client);
    isSent.current = false;
    setAnswered(null);
    if (told.refused.length === 0 && told.proposed === 0) return onClose();
    setRows(told.refused.map(({ row }) => row));
    setOutcome(told);
  };
  const [first] = rows;
  const isRunning = answered !== null;
  const { title, action, effect } = about(rows);
  return (
    <Dialog title={title} {...(isRunning ? {} : { onClose })} asksFirst={outcome === null}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {outcome && !isRunning && <Told outcome={outcome} nameOf={nameOf} />}
        {first && effect}
        {first && children}
        <p role="status">
          {isRunning
            ? t('{count} of {all} answered', {
                count: formatNumber(answered),
                all: formatNumber(rows.length),
              })
            : t('{count} to send', { count: formatNumber(rows.length) })}
        </p>
        <footer>
          {first && <ApiMenuOf calls={[callOf(first)]} />}
          <span className="space" />
          {outcome ? (
            <Button label={t('Close')} disabled={isRunning} onClick={onClose} />
          ) : (
            <CancelButton disabled={isRunning} />
          )}
          {first && (
            <button type="submit" className={isDestructive ? 'destructive' : 'primary'} disabled={isRunning}>
              {isRunning ? t('One moment …') : action}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
};

const Told = <Row extends Item>(props: {
  readonly outcome: Outcome<Row>;
  readonly nameOf: (row: Row) => ReactNode;
}) => {
  const { done, proposed, refused } = props.outcome;
  return (
    <section aria-label={t('Result')}>
      <p>{t('Done: {count}.', { count: formatNumber(done) })}</p>
      {proposed > 0 && (
        <p>
          {t('Waits for a second operator: {count}. Nothing has changed there yet.', {
            count: formatNumber(proposed),
          })}
        </p>
      )}
      {refused.length > 0 && <p>{t('Refused: {count}.', { count: formatNumber(refused.length) })}</p>}
      {refused.map(({ row, error }) => (
        <div key={row.id}>
          <small>{props.nameOf(row)}</small>
          <Problem error={error} />
        </div>
      ))}
    </section>
  );
};
