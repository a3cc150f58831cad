import type Joi from 'joi';
import type { CsvColumns, CsvValue } from './csv.ts';

type Described = {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly metas?: readonly { readonly format?: string }[];
};

/** One column for each member of an answer, such as `customer.name` for a nested one; lists and free forms are JSON. */
export const columnsOfAnswer = (answer: Joi.Schema): CsvColumns<object> =>
  Object.fromEntries(
    pathsOf(answer.describe() as Described).map((path) => [path.join('.'), (row) => cellAt(row, path)]),
  );

/** Names of the columns with times. */
export const timesOfAnswer = (answer: Joi.Schema): readonly string[] =>
  timesIn(answer.describe() as Described);

const timesIn = ({ keys = {} }: Described, before = ''): readonly string[] =>
  Object.entries(keys).flatMap(([name, member]) => {
    if (member.keys) return timesIn(member, `${before}${name}.`);
    return member.metas?.some(({ format }) => format === 'date-time') ? [`${before}${name}`] : [];
  });

const pathsOf = ({ keys = {} }: Described): readonly (readonly string[])[] =>
  Object.entries(keys).flatMap(([name, member]) =>
    member.keys ? pathsOf(member).map((path) => [name, ...path]) : [[name]],
  );

const cellAt = (row: object, path: readonly string[]): CsvValue => {
  const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], row);
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as CsvValue);
};
