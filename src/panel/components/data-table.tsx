import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Call } from '../api.ts';
import { formatNumber, shownZone } from '../format.ts';
import { noteList } from '../recent.ts';
import type { Page } from '../rows.ts';
import { useColumns } from '../saved-views.ts';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { CsvButton } from './csv-button.tsx';
import { FormRefusal } from './field.tsx';
import { type Filter, Filters, useAddress } from './filters.tsx';
import { placesOf } from './phone-row.ts';
import { daysIn, Presets } from './presets.tsx';
import { PrintAllButton } from './print-button.tsx';
import { Problem } from './problem.tsx';
import { SavedViews } from './saved-views.tsx';
import { type Bulk, BulkBar, useSelection } from './selection.tsx';
import { Skeleton } from './skeleton.tsx';
import { TotalBefore } from './total-before.tsx';
import { Text } from './values.tsx';

export type Column<Row> = {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Field of `orderBy`, where the list can be ordered by it. */
  readonly sort?: string;
  readonly isNumber?: true;
  /** Whether it is hidden until somebody chooses it. */
  readonly isExtra?: true;
  /** Whether it stands in the second line of a row in a narrow window. */
  readonly onPhone?: true;
};

/** A list of the API and how it is shown. */
export type Listed<Row> = {
  readonly list: Call<Page<Row>>;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly filters?: readonly Filter[];
  /** Would fill the list. */
  readonly empty: string;
  readonly actions?: (row: Row) => ReactNode;
  /** Commands for several rows. */
  readonly bulk?: Bulk<Row>;
  /** Name of the file with the list as CSV. */
  readonly csv: string;
  /** Whether people print it, with every row and not only a page. */
  readonly isPrinted?: boolean;
};

const SIZE = 25;

/** A list of the API: filters, order, columns and page are in the address. */
export const DataTable = <Row extends { readonly id: string }>(props: Listed<Row>) => {
  const { caption, columns, filters = [], empty, actions, bulk, csv, isPrinted } = props;
  const [printed, setPrinted] = useState<readonly Row[] | null>(null);
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const { params, asked, change } = useAddress(filters);
  const { operation, input } = props.list;
  const orderBy = params.get('orderBy') ?? undefined;
  const isByDay = filters.some(({ kind, name }) => kind === 'date' && asked[name] !== undefined);
  const inZone = isByDay ? { timeZone: shownZone() } : {};
  const query = {
    ...input.query,
    ...asked,
    ...inZone,
    ...(orderBy === undefined ? {} : { orderBy }),
    page: params.get('page') ?? undefined,
    size: SIZE,
  };
  const call: Call<Page<Row>> = { operation, input: { ...input, query } };
  // Its times are written in the zone in which the table shows them.
  const exported: Call = { operation, input: { ...input, query: { ...query, timeZone: shownZone() } } };
  const list = useRead(call, { isKept: true });
  const rows = printed ?? list.data?.data ?? [];
  const selection = useSelection(rows, JSON.stringify(asked));
  const nothing = Object.keys(asked).length > 0 ? t('Nothing matches these filters.') : empty;
  const { chosen, remember } = useColumns(params);
  const days = daysIn(filters);
  const shown = columns.filter(({ key, isExtra }) => !isExtra || chosen.includes(key));
  const places = placesOf(shown);
  useListNote(params);
  return (
    <section className="list">
      {filters.length > 0 && (
        <FormRefusal value={list.error}>
          <Filters filters={filters} asked={asked} onApply={change}>
            <SavedViews />
            {days && <Presets names={days} asked={asked} onApply={change} />}
          </Filters>
        </FormRefusal>
      )}
      <div className="toolbar">
        <p role="status">{list.data && t('{count} in all', { count: formatNumber(list.data.total) })}</p>
        {days && list.data && <TotalBefore list={call} names={days} total={list.data.total} />}
        <span className="space" />
        <ColumnChoice
          columns={columns}
          chosen={chosen}
          onChange={(keys) => {
            change({ columns: keys });
            remember(keys);
          }}
        />
        {isPrinted && <PrintAllButton list={call} onRows={setPrinted} />}
        <CsvButton call={exported} name={csv} />
        <ShownCall call={call} />
      </div>
      {list.error && <Problem error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <Skeleton lines={10} />}
      {list.data && (
        <section
          className={list.isPlaceholderData ? 'scroll stale' : 'scroll'}
          tabIndex={0}
          aria-label={caption}
        >
          <table className="rows">
            <caption>{caption}</caption>
            <thead>
              <tr>
                {bulk && (
                  <th scope="col">
                    <input
                      type="checkbox"
                      aria-label={t('Select all of this page')}
                      disabled={rows.length === 0}
                      checked={rows.length > 0 && rows.every(selection.has)}
                      onChange={({ target }) => selection.set(rows, target.checked)}
                    />
                  </th>
                )}
                {shown.map((column) => (
                  <Head
                    key={column.key}
                    column={column}
                    orderBy={orderBy ?? input.query?.orderBy}
                    onSort={(next) => change({ orderBy: next })}
                  />
                ))}
                {actions && (
                  <th scope="col">
                    <span className="unseen">{t('Actions')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} className={unfolded === row.id ? 'unfolded' : undefined}>
                  {bulk && (
                    <td className="choose" data-head={t('Select')}>
                      <input
                        type="checkbox"
                        aria-label={t('Select')}
                        checked={selection.has(row)}
                        onChange={({ target }) => selection.set([row], target.checked)}
                      />
                    </td>
                  )}
                  {shown.map(({ key, cell, isNumber, head }) => (
                    <td
                      key={key}
                      className={isNumber ? `number ${places.get(key)}` : places.get(key)}
                      data-head={head}
                    >
                      <div>
                        <Text of={cell(row)} />
                      </div>
                    </td>
                  ))}
                  {actions && <td className="actions">{actions(row)}</td>}
                  <Unfold
                    isOpen={unfolded === row.id}
                    onToggle={() => setUnfolded(unfolded === row.id ? null : row.id)}
                  />
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length === 0 && (
            <p className="empty">{list.data.total > 0 ? t('The list ends before this page.') : nothing}</p>
          )}
        </section>
      )}
      {list.data && (
        <Pages page={list.data.page} pages={list.data.pages} onPage={(page) => change({ page })} />
      )}
      {bulk && list.data && <BulkBar bulk={bulk} selection={selection} list={call} total={list.data.total} />}
    </section>
  );
};

/** Notes how the list is shown, for the way back from one of its records. */
const useListNote = (params: URLSearchParams): void => {
  const [path] = useLocation();
  const search = params.toString();
  useEffect(() => noteList(path, search), [path, search]);
};

/** Shows all of a row in a narrow window, which has two lines of it otherwise. */
const Unfold = (props: { readonly isOpen: boolean; readonly onToggle: () => void }) => (
  <td className="unfold">
    <button
      type="button"
      className="quiet"
      aria-expanded={props.isOpen}
      aria-label={t('All of this row')}
      onClick={props.onToggle}
    >
      <span aria-hidden="true">{props.isOpen ? '▴' : '▾'}</span>
    </button>
  </td>
);

const Head = <Row,>(props: {
  readonly column: Column<Row>;
  readonly orderBy: string | number | undefined;
  readonly onSort: (orderBy: string) => void;
}) => {
  const { column, orderBy, onSort } = props;
  const { head, sort, isNumber } = column;
  if (sort === undefined)
    return (
      <th scope="col" className={isNumber && 'number'}>
        {head}
      </th>
    );
  const direction = orderBy === sort ? 'ascending' : orderBy === `-${sort}` ? 'descending' : 'none';
  return (
    <th scope="col" className={isNumber && 'number'} aria-sort={direction}>
      <button
        type="button"
        className="head"
        onClick={() => onSort(direction === 'descending' ? sort : `-${sort}`)}
      >
        {head}
        <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
      </button>
    </th>
  );
};

const ColumnChoice = <Row,>(props: {
  readonly columns: readonly Column<Row>[];
  readonly chosen: readonly string[];
  readonly onChange: (keys: string) => void;
}) => {
  const extras = props.columns.filter(({ isExtra }) => isExtra);
  if (extras.length === 0) return null;
  return (
    <details className="choice">
      <summary>{t('Columns')}</summary>
      <fieldset>
        <legend className="unseen">{t('Columns')}</legend>
        {extras.map(({ key, head }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={props.chosen.includes(key)}
              onChange={({ target }) =>
                props.onChange(
                  [...props.chosen.filter((one) => one !== key), ...(target.checked ? [key] : [])].join(','),
                )
              }
            />
            {head}
          </label>
        ))}
      </fieldset>
    </details>
  );
};

/** The way through numbered pages, where there are several. */
export const Pages = (props: {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}) => {
  const { page, pages, onPage } = props;
  if (pages === 0 || (pages === 1 && page === 1)) return null;
  return (
    <nav className="pages" aria-label={t('Pages')}>
      <Button label={t('Previous')} disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, pages))} />
      <span>{t('Page {page} of {pages}', { page: formatNumber(page), pages: formatNumber(pages) })}</span>
      <Button label={t('Next')} disabled={page >= pages} onClick={() => onPage(page + 1)} />
    </nav>
  );
};
