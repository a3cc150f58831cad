import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import accepts from 'accepts';
import { withOffset } from '../../kernel/local-time.ts';
import type { Reply, Route } from './route.ts';

export const CSV = 'text/csv';

export type CsvValue = string | number | boolean | null;

/** The columns of a table in their order, each with its title and the value that it shows of a row. */
export type CsvColumns<T> = Readonly<Record<string, (row: T) => CsvValue>>;

/** Names of members whose values a table shows unchanged. */
type Shown<T> = { [K in keyof T & string]: T[K] extends CsvValue ? K : never }[keyof T & string];

/** Columns in the given order, which either show a member of a row under its name or a computed value. */
export const columnsOf = <T>(...columns: readonly (Shown<T> | CsvColumns<T>)[]): CsvColumns<T> =>
  Object.fromEntries(
    columns.flatMap((column): readonly (readonly [string, (row: T) => CsvValue])[] =>
      typeof column === 'string' ? [[column, (row) => row[column] as CsvValue]] : Object.entries(column),
    ),
  );

/** Columns that write the named times in a time zone, with its offset. */
export const inZone = <T>(
  columns: CsvColumns<T>,
  times: readonly string[],
  timeZone: string,
): CsvColumns<T> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, cell]) => [
      name,
      times.includes(name) ? (row: T) => momentIn(cell(row), timeZone) : cell,
    ]),
  );

const momentIn = (value: CsvValue, timeZone: string): CsvValue =>
  typeof value === 'string' ? withOffset(Date.parse(value), timeZone) : value;

/** Whether a request prefers CSV over JSON by its Accept header (RFC 9110); false where it states no preference. */
export const acceptsCsv = (headers: IncomingHttpHeaders): boolean => {
  const chosen = accepts({ headers } as IncomingMessage).type(OFFERED);
  return typeof chosen === 'string' && chosen.startsWith(CSV);
};

/** Whether a route answers a query only in JSON, so that a request for only CSV is refused. */
export const lacksCsv = ({
  method,
  page,
  responses,
}: Pick<Route, 'method' | 'page' | 'responses'>): boolean =>
  method === 'get' &&
  !page &&
  Object.values(responses).every(({ otherTypes = [] }) => otherTypes.length === 0);

/** Whether a route can answer with CSV. */
export const offersCsv = ({ responses }: Pick<Route, 'responses'>): boolean =>
  Object.values(responses).some(({ otherTypes = [] }) => otherTypes.includes(CSV));

export const NO_CSV = 'There is no CSV of this answer';

/** Whether a request accepts CSV but not JSON. */
export const insistsOnCsv = (headers: IncomingHttpHeaders): boolean =>
  acceptsCsv(headers) && accepts({ headers } as IncomingMessage).type(JSON_TYPES) === false;
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'application/problem+json'];

/** A client may name the character set, which then has to match as well. */
const OFFERED = ['application/json', CSV].flatMap((type) => [type, `${type}; charset=utf-8`]);

/**
 * An answer of all rows as CSV (RFC 4180), read batch by batch as fast as the client reads. The first batch is awaited
 * here, so that a store that is down still leads to an error with a status.
 */
export const csvReply = async <T>(
  fileName: string,
  columns: CsvColumns<T>,
  batches: AsyncIterable<readonly T[]>,
): Promise<Reply> => {
  const iterator = batches[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<readonly T[]>> = Promise.resolve(await iterator.next());
  const cells = Object.values(columns);
  const lineOf = (row: T): string => `${cells.map((cell) => toField(cell(row))).join(',')}\r\n`;
  let head = `${Object.keys(columns).map(toField).join(',')}\r\n`;

  /** The lines of the next batch that has any; null after the last one. */
  const nextChunk = async (): Promise<string | null> => {
    for (;;) {
      const { done, value } = await next;
      const chunk = head + (done ? '' : value.map(lineOf).join(''));
      head = '';
      if (!done) {
        next = iterator.next();
        // The batch is awaited once there is room for it; until then a failure must not count as unhandled.
        next.catch(() => undefined);
      }
      if (chunk || done) return chunk || null;
    }
  };

  const stream = new Readable({
    read() {
      nextChunk().then(
        (chunk) => this.push(chunk),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      // The source of the rows may hold resources, which have to be released also where the client left early.
      Promise.resolve(iterator.return?.()).then(
        () => callback(error),
        (failure: Error) => callback(error ?? failure),
      );
    },
  });
  return {
    status: 200,
    headers: {
      'Content-Type': `${CSV}; charset=utf-8; header=present`,
      'Content-Disposition': `attachment; filename="${fileName}.csv"`,
      Vary: 'Accept',
    },
    stream,
  };
};

/**
 * The beginning of a text that a spreadsheet would take for a formula, also with characters of other keyboards. Blanks,
 * invisible characters and quotes may come first, so that an apostrophe at the very beginning is always the gateway's.
 * Within a text nothing is changed: JSON stays JSON, and names stay as they are.
 */
const FORMULA_START = /^(?='*[\t\r\n]|["'\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/u;

/**
 * The field for a value. An apostrophe turns a text from outside that could be a formula into plain text; numbers stay
 * numbers.
 */
const toField = (value: CsvValue): string => {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = value.replace(FORMULA_START, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
