import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ask, type Call } from '../api.ts';
import { formatNumber } from '../format.ts';
import { groupsOf, type Outcome, sendAll } from '../send-all.ts';
import { readAgain } from '../use-read.ts';
import { t } from '../words.ts';
import { ApiMenuOf } from './api-menu.tsx';
import { Button } from './button.tsx';
import { CancelButton, Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** Commands that are under way at a time: enough to be quick, and few enough to leave the gateway to others. */
const AT_ONCE = 3;

type Item = { readonly id: string };

/**
 * Asks before a command is sent for each row of a selection, tells how far it is, and afterwards which were refused,
 * and why. Those and the ones that were not sent can be sent again; nothing is sent twice by a second click.
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
  const run = useRef<AbortController | null>(null);
  // Nothing more is sent for somebody who has left the screen.
  useEffect(() => () => run.current?.abort(), []);
  const send = async (): Promise<void> => {
    if (run.current) return;
    run.current = new AbortController();
    setAnswered(0);
    const told = await sendAll(rows, (row) => ask(callOf(row)), {
      atOnce: AT_ONCE,
      signal: run.current.signal,
      onAnswer: () => setAnswered((count) => (count ?? 0) + 1),
    });
    await readAgain(client);
    run.current = null;
    setAnswered(null);
    if (told.refused.length + told.proposed + told.left.length === 0) return onClose();
    setRows([...told.refused.map(({ row }) => row), ...told.left]);
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
        {isRunning && <progress value={answered} max={rows.length} aria-label={t('Answered')} />}
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
          {isRunning && <StopButton onStop={() => run.current?.abort()} />}
          {!isRunning && (outcome ? <Button label={t('Close')} onClick={onClose} /> : <CancelButton />)}
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

/** Ends a run after the commands that are under way. */
const StopButton = ({ onStop }: { readonly onStop: () => void }) => {
  const [isStopped, setStopped] = useState(false);
  return (
    <Button
      label={t('Stop')}
      disabled={isStopped}
      onClick={() => {
        setStopped(true);
        onStop();
      }}
    />
  );
};

const Told = <Row extends Item>(props: {
  readonly outcome: Outcome<Row>;
  readonly nameOf: (row: Row) => ReactNode;
}) => {
  const { done, proposed, refused, left } = props.outcome;
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
      {left.length > 0 && <p>{t('Not sent: {count}.', { count: formatNumber(left.length) })}</p>}
      {refused.length > 0 && <p>{t('Refused: {count}.', { count: formatNumber(refused.length) })}</p>}
      {groupsOf(refused).map(([first, ...others]) => (
        <div key={first.row.id}>
          <Problem error={first.error} />
          <details className="named" open={others.length < MOST_SHOWN}>
            <summary>
              {t('Refused for this reason: {count}', { count: formatNumber(others.length + 1) })}
            </summary>
            <ul>
              {[first, ...others].map(({ row }) => (
                <li key={row.id}>{props.nameOf(row)}</li>
              ))}
            </ul>
          </details>
        </div>
      ))}
    </section>
  );
};

/** Rows that are named without a click. */
const MOST_SHOWN = 10;
