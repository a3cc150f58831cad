import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Call } from '../api.ts';
import { formatNumber } from '../format.ts';
import { type Page, rowsOf } from '../rows.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

/** Beyond some fifty sheets of paper a file serves better. */
const MOST_ROWS = 2_000;

/** All rows; null where they are too many. */
const printedRows = async <Row,>(list: Call<Page<Row>>): Promise<readonly Row[] | null> => {
  const rows = await rowsOf(list, MOST_ROWS + 1);
  return rows.length > MOST_ROWS ? null : rows;
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
    mutationFn: () => printedRows(list),
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
