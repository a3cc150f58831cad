import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call } from '../api.ts';
import { formatNumber } from '../format.ts';
import { type Page, rowsOf } from '../rows.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

/** Rows that can be chosen at once. Each gets a command of its own, and a thousand of them take about a minute. */
const MOST_CHOSEN = 1_000;

type Item = { readonly id: string };

/** Commands for the chosen rows of a list. */
export type Bulk<Row> = {
  /** The sum of some rows in words, where they have one. */
  readonly sumOf?: (rows: readonly Row[]) => string;
  readonly commands: readonly {
    readonly label: string;
    /** Whether it can be done with a row; with any where it is left out. */
    readonly isFor?: (row: Row) => boolean;
    readonly onRun: (rows: readonly Row[]) => void;
  }[];
};

type Selection<Row> = {
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  /** Chooses some rows besides the others, or lets go of them. */
  readonly set: (some: readonly Row[], isChosen: boolean) => void;
  readonly replace: (rows: readonly Row[]) => void;
};

/** The chosen rows of a list, on whatever page they stand. Other filters let go of them. */
export const useSelection = <Row extends Item>(shown: readonly Row[], filters: string): Selection<Row> => {
  const [kept, setKept] = useState<{ readonly filters: string; readonly rows: readonly Row[] }>({
    filters,
    rows: [],
  });
  const before = kept.filters === filters ? kept.rows : [];
  // A row may have changed since it was chosen: the one on the screen is the newer one.
  const rows = before.map((row) => shown.find(({ id }) => id === row.id) ?? row);
  const replace = (next: readonly Row[]): void => setKept({ filters, rows: next });
  return {
    rows,
    has: ({ id }) => rows.some((row) => row.id === id),
    set(some, isChosen) {
      const others = rows.filter(({ id }) => !some.some((one) => one.id === id));
      replace(isChosen ? [...others, ...some] : others);
    },
    replace,
  };
};

/** Stands below a list while rows are chosen: how many, their sum, and what can be done with them. */
export const BulkBar = <Row extends Item>(props: {
  readonly bulk: Bulk<Row>;
  readonly selection: Selection<Row>;
  readonly list: Call<Page<Row>>;
  readonly total: number;
}) => {
  const { bulk, selection, list, total } = props;
  const { rows, replace } = selection;
  const reading = useMutation({ mutationFn: () => rowsOf(list, MOST_CHOSEN) });
  const clear = (): void => {
    // Rows that are still being read are not chosen any more.
    reading.reset();
    replace([]);
  };
  if (rows.length === 0) return null;
  const most = formatNumber(Math.min(total, MOST_CHOSEN));
  return (
    <section className="bulk" aria-label={t('Selection')}>
      <p role="status">
        <strong>{t('{count} selected', { count: formatNumber(rows.length) })}</strong>
        {bulk.sumOf && <> · {bulk.sumOf(rows)}</>}
      </p>
      {rows.length < Math.min(total, MOST_CHOSEN) && (
        <Button
          label={
            total > MOST_CHOSEN
              ? t('Select the first {count} of {all}', { count: most, all: formatNumber(total) })
              : t('Select all {count} that match', { count: most })
          }
          className="quiet"
          disabled={reading.isPending}
          onClick={() => reading.mutate(undefined, { onSuccess: replace })}
        />
      )}
      <Button label={t('Choose none')} className="quiet" onClick={clear} />
      {bulk.commands.map(({ label, isFor = () => true, onRun }) => {
        const suited = rows.filter(isFor);
        return (
          suited.length > 0 && (
            <button
              key={label}
              type="button"
              onClick={() => {
                clear();
                onRun(suited);
              }}
            >
              {label} ({formatNumber(suited.length)})
            </button>
          )
        );
      })}
      {reading.error && <Problem error={reading.error} />}
    </section>
  );
};
