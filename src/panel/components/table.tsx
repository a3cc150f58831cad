import type { ReactNode } from 'react';
import { Text } from './values.tsx';

type Head = string | { readonly number: string };
type Row = {
  readonly key: string;
  readonly cells: readonly ReactNode[];
  /** Whether its first cell is the head of the row, and the row a sum. */
  readonly isTotal?: boolean;
};

/** A table of few rows, without pages; `number` says that a column holds figures. */
export const Table = (props: {
  readonly caption: string;
  readonly heads: readonly Head[];
  readonly rows: readonly Row[];
  readonly className?: string;
  readonly children?: ReactNode;
}) => {
  const { caption, heads, rows, className, children } = props;
  const isNumber = (column: number): boolean => typeof heads[column] === 'object';
  const nameOf = (head: Head | undefined): string => (typeof head === 'object' ? head.number : (head ?? ''));
  return (
    <section className="scroll" tabIndex={0} aria-label={caption}>
      <table className={className}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={nameOf(head)} scope="col" className={isNumber(column) ? 'number' : undefined}>
                {nameOf(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, isTotal }) => (
            <tr key={key} className={isTotal ? 'total' : undefined}>
              {cells.map((cell, column) => {
                const about = {
                  key: nameOf(heads[column]),
                  'data-head': nameOf(heads[column]),
                  ...(isNumber(column) ? { className: 'number' } : {}),
                };
                return isTotal && column === 0 ? (
                  <th {...about} key={about.key} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td {...about} key={about.key}>
                    <div>
                      <Text of={cell} />
                    </div>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </section>
  );
};
