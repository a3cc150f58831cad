import { compare, type Fields, isEqual, isFields, NotSimulated, type Value, valuesAt } from './values.ts';

const at = (document: Fields, path: string): Value | undefined => valuesAt(document, path.split('.'))[0];

/** The document with a value at a path; `undefined` takes it away. */
const put = (document: Fields, [name = '', ...rest]: readonly string[], value: Value | undefined): Fields => {
  if (rest.length === 0) {
    if (value !== undefined) return { ...document, [name]: value };
    const { [name]: _, ...others } = document;
    return others;
  }
  const inner = document[name];
  if (inner !== undefined && !isFields(inner))
    throw new NotSimulated(`a path through ${name}, which has no fields`);
  if (inner === undefined && value === undefined) return document;
  return { ...document, [name]: put(inner ?? {}, rest, value) };
};

/** The value that an operator makes of the one that is there. */
type Change = (before: Value | undefined, operand: Value) => Value | undefined;

const listIn = (value: Value | undefined): readonly Value[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new NotSimulated('a change of a list that is none');
  return value;
};
const numberIn = (value: Value | undefined): number => {
  if (value !== undefined && typeof value !== 'number') throw new NotSimulated('a sum of what is no number');
  return value ?? 0;
};

const OPERATORS: Readonly<Record<string, Change>> = {
  $set: (_, operand) => operand,
  $unset: () => undefined,
  $inc: (before, operand) => numberIn(before) + numberIn(operand),
  $max: (before, operand) => (before === undefined || compare(operand, before) > 0 ? operand : before),
  $addToSet(before, operand) {
    const added = isFields(operand) && '$each' in operand ? listIn(operand.$each) : [operand];
    const list = [...listIn(before)];
    for (const one of added) if (!list.some((member) => isEqual(member, one))) list.push(one);
    return list;
  },
  $pull: (before, operand) =>
    before === undefined ? undefined : listIn(before).filter((member) => !isEqual(member, operand)),
};

/** Applies an update with operators; `$setOnInsert` counts for a new document only. */
export const updated = (document: Fields, update: Fields, isNew: boolean): Fields => {
  let result = document;
  for (const [operator, paths] of Object.entries(update)) {
    if (operator === '$setOnInsert' && !isNew) continue;
    const change = OPERATORS[operator === '$setOnInsert' ? '$set' : operator];
    if (!change || !isFields(paths)) throw new NotSimulated(`the update ${operator}`);
    for (const [path, operand] of Object.entries(paths))
      result = put(result, path.split('.'), change(at(result, path), operand));
  }
  return result;
};
