import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask, type Call } from '../api.ts';
import { formatNumber } from '../format.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

/** A page of a list. */
export type Page<Row> = {
  readonly data: readonly Row[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
};

const ROWS_OF_A_PAGE = 100;
/** Beyond some fifty sheets of paper a file serves better. */
const MOST_ROWS = 2_000;

const rowsOf = async <Row,>({ operation, input }: Call<Page<Row>>): Promise<readonly Row[] | null> => {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...input.query, page, size: ROWS_OF_A_PAGE };
    const found = await ask<Page<Row>>({ operation, input: { ...input, query } });
    if (found.total > MOST_ROWS) return null;
    rows.push(...found.data);
    if (page >= found.pages) return rows;
  }
};

/** Prints a screen that shows everything already. */
export const PrintButton = () => (
  <Button label={t('Print')} className="quiet" onClick={() => window.print()} />
);

/** Prints every row of a list: `onRows` shows them, and the page again once the printer has them. */
export const PrintAllButton = <Row,>(props: {
  readonly list: Call<Page<Row>>;
  readonly onRows: (rows: readonly Row[] | null) => void;
}) => {
  const { list, onRows } = props;
  const [isReady, setReady] = useState(false);
  const reading = useMutation({
    mutationFn: () => rowsOf(list),
    onSuccess(rows) {
      onRows(rows);
      setReady(rows !== null);
    },
  });
  useEffect(() => {
    if (!isReady) return;
    const end = (): void => {
      setReady(false);
      onRows(null);
    };
    window.addEventListener('afterprint', end, { once: true });
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [isReady, onRows]);
  return (
    <>
      <Button
        label={t('Print')}
        className="quiet"
        disabled={reading.isPending}
        onClick={() => reading.mutate()}
      />
      {reading.data === null && (
        <p className="problem" role="alert">
          {t('More than {count} rows are too many to print. Choose fewer days, or export a CSV.', {
            count: formatNumber(MOST_ROWS),
          })}
        </p>
      )}
      {reading.error && <Problem error={reading.error} />}
    </>
  );
};
