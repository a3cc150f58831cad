import {
  compare,
  type Fields,
  isEqual,
  isFields,
  isSameKind,
  NotSimulated,
  type Value,
  valuesAt,
} from './values.ts';

export type Filter = Fields;

/** Values of a path with the members of arrays, any of which may fit. */
const withMembers = (values: readonly (Value | undefined)[]): readonly (Value | undefined)[] =>
  values.some(Array.isArray)
    ? values.flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]))
    : values;

type Test = (values: readonly (Value | undefined)[], operand: Value) => boolean;

const isOrdered =
  (fits: (order: number) => boolean): Test =>
  (values, operand) =>
    withMembers(values).some(
      (value) => value !== undefined && isSameKind(value, operand) && fits(compare(value, operand)),
    );

const equals: Test = (values, operand) => {
  if (operand === null && values.length === 0) return true;
  return withMembers(values).some((value) => isEqual(value, operand));
};

const listIn = (operand: Value): readonly Value[] => {
  if (!Array.isArray(operand)) throw new NotSimulated('a list that is none');
  return operand;
};

const OPERATORS: Readonly<Record<string, Test>> = {
  $lt: isOrdered((order) => order < 0),
  $gt: isOrdered((order) => order > 0),
  $gte: isOrdered((order) => order >= 0),
  $in: (values, operand) => listIn(operand).some((one) => equals(values, one)),
  $all: (values, operand) => listIn(operand).every((one) => equals(values, one)),
  $ne: (values, operand) => !equals(values, operand),
  $exists: (values, operand) => values.some((value) => value !== undefined) === operand,
};

const isOperators = (condition: Value): condition is Fields =>
  isFields(condition) && Object.keys(condition).some((name) => name.startsWith('$'));

const fits = (values: readonly (Value | undefined)[], condition: Value): boolean => {
  if (!isOperators(condition)) return equals(values, condition);
  return Object.entries(condition).every(([name, operand]) => {
    const test = OPERATORS[name];
    if (!test) throw new NotSimulated(`the operator ${name}`);
    return test(values, operand);
  });
};

/** Whether a document is one of those that the filter selects. */
export const matches = (document: Fields, filter: Filter): boolean =>
  Object.entries(filter).every(([path, condition]) => {
    if (path.startsWith('$')) throw new NotSimulated(`the operator ${path}`);
    const values = path.includes('.') ? valuesAt(document, path.split('.')) : [document[path]];
    return fits(values, condition);
  });

/** The values that a field must have, where the filter says so; null where it leaves that open. */
export const wantedValues = (filter: Filter, path: string): readonly Value[] | null => {
  const condition = filter[path];
  if (condition === undefined) return null;
  if (!isOperators(condition)) return [condition];
  return condition.$in === undefined ? null : listIn(condition.$in);
};
