import type Joi from 'joi';
import type { CsvColumns, CsvValue } from './csv.ts';

type Described = { readonly type?: string; readonly keys?: Readonly<Record<string, Described>> };

/** One column for each member of an answer, `customer.name` for one within it; lists and free forms are JSON. */
export const columnsOfAnswer = (answer: Joi.Schema): CsvColumns<object> =>
  Object.fromEntries(
    pathsOf(answer.describe() as Described).map((path) => [path.join('.'), (row) => cellAt(row, path)]),
  );

const pathsOf = ({ keys = {} }: Described): readonly (readonly string[])[] =>
  Object.entries(keys).flatMap(([name, member]) =>
    member.keys ? pathsOf(member).map((path) => [name, ...path]) : [[name]],
  );

const cellAt = (row: object, path: readonly string[]): CsvValue => {
  const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], row);
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as CsvValue);
};
