/** Where a narrow window shows a cell: first line, its end, second line, or only in a row that is unfolded. */
export type Place = 'first' | 'state-of-row' | 'below' | 'folded';

/** The part of a column that decides on its place. */
type Placed = { readonly key: string; readonly isNumber?: true; readonly onPhone?: true };

const STATES = ['status', 'state', 'outcome', 'enabled'];

/** Cells that the second line has room for. */
const SECOND_LINE = 2;

/**
 * The place of each column in a row of two lines: the figure and the state above, and who and when below. The columns
 * that are `onPhone` stand below; where there is none, the first ones do.
 */
export const placesOf = (columns: readonly Placed[]) => {
  const lead = columns.find(({ isNumber }) => isNumber) ?? columns[0];
  const state = columns.find(({ key }) => STATES.includes(key));
  const others = columns.filter((column) => column !== lead && column !== state);
  const named = others.filter(({ onPhone }) => onPhone);
  const below = named.length > 0 ? named : others.slice(0, SECOND_LINE);
  return new Map<string, Place>(
    columns.map((column) => {
      if (column === lead) return [column.key, 'first'];
      if (column === state) return [column.key, 'state-of-row'];
      return [column.key, below.includes(column) ? 'below' : 'folded'];
    }),
  );
};
