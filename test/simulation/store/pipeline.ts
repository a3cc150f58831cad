import { matches } from './filters.ts';
import { compare, type Fields, isEqual, isFields, NotSimulated, type Value, valuesAt } from './values.ts';

const without = (document: Fields, [name = '', ...rest]: readonly string[]): Fields => {
  const { [name]: value, ...others } = document;
  if (value === undefined) return document;
  if (rest.length === 0) return others;
  if (isFields(value)) return { ...document, [name]: without(value, rest) };
  if (Array.isArray(value))
    return { ...document, [name]: value.map((one) => (isFields(one) ? without(one, rest) : one)) };
  return document;
};

/** Only these paths of a document, in the document's order. */
const only = (document: Fields, paths: readonly (readonly string[])[]): Fields => {
  const kept: Record<string, Value> = {};
  for (const [name, value] of Object.entries(document)) {
    const named = paths.filter(([first]) => first === name);
    if (named.length === 0) continue;
    const inner = named.map(([, ...rest]) => rest);
    if (inner.some((rest) => rest.length === 0)) kept[name] = value;
    else if (isFields(value)) kept[name] = only(value, inner);
    else if (Array.isArray(value))
      kept[name] = value.flatMap((one) => (isFields(one) ? [only(one, inner)] : []));
  }
  return kept;
};

/** The part of a document that a projection leaves. */
export const projected = (document: Fields, projection: Fields): Fields => {
  const { _id, ...others } = projection;
  const isKept = (value: Value | undefined): boolean => value === 1 || value === true;
  for (const value of Object.values(projection))
    if (![0, 1, true, false].includes(value as never)) throw new NotSimulated('a projection that computes');
  const keeps = Object.values(others).some(isKept) || (Object.keys(others).length === 0 && isKept(_id));
  const leaves = Object.values(others).some((value) => !isKept(value));
  if (keeps && leaves) throw new NotSimulated('a projection that keeps and leaves out');
  const paths = Object.keys(others).map((path) => path.split('.'));
  if (!keeps) {
    const all = _id === undefined || isKept(_id) ? paths : [['_id'], ...paths];
    return all.reduce(without, document);
  }
  return only(document, _id === undefined || isKept(_id) ? [['_id'], ...paths] : paths);
};

/** Documents in the order of these fields; those that are equal stay as they were. */
export const sorted = <T extends Fields>(documents: readonly T[], by: Fields): readonly T[] => {
  const keys = Object.entries(by);
  const valueIn = (document: T, path: string) => {
    const values = valuesAt(document, path.split('.'));
    if (values.some((value) => Array.isArray(value))) throw new NotSimulated('sorting by a list');
    return values[0];
  };
  return [...documents].sort((a, b) => {
    for (const [path, direction] of keys) {
      const order = compare(valueIn(a, path), valueIn(b, path)) * Number(direction);
      if (order !== 0) return order;
    }
    return 0;
  });
};

type Read = (collection: string) => readonly Fields[];

const textIn = (stage: Fields, name: string): string => {
  const value = stage[name];
  if (typeof value !== 'string') throw new NotSimulated(`a stage without ${name}`);
  return value;
};

const lookup = (documents: readonly Fields[], stage: Fields, read: Read): readonly Fields[] => {
  const [from, as] = [read(textIn(stage, 'from')), textIn(stage, 'as')];
  const local = textIn(stage, 'localField').split('.');
  const foreign = textIn(stage, 'foreignField').split('.');
  return documents.map((document) => {
    const wanted = valuesAt(document, local).flatMap((value) => (Array.isArray(value) ? value : [value]));
    const found = from.filter((other) =>
      valuesAt(other, foreign).some((value) => wanted.some((one) => isEqual(one, value))),
    );
    return { ...document, [as]: found };
  });
};

const group = (documents: readonly Fields[], { _id, ...members }: Fields): readonly Fields[] => {
  if (_id !== null) throw new NotSimulated('groups of their own');
  if (documents.length === 0) return [];
  const result: Record<string, Value> = { _id: null };
  for (const [name, how] of Object.entries(members)) {
    const path = isFields(how) && Object.keys(how).length === 1 ? how.$min : undefined;
    if (typeof path !== 'string' || !path.startsWith('$')) throw new NotSimulated('this member of a group');
    const values = documents.map((document) => valuesAt(document, path.slice(1).split('.'))[0] ?? null);
    const known = values.filter((value) => value !== null);
    result[name] = known.reduce<Value>(
      (least, value) => (least === null || compare(value, least) < 0 ? value : least),
      null,
    );
  }
  return [result];
};

const unwind = (documents: readonly Fields[], path: Value): readonly Fields[] => {
  if (typeof path !== 'string' || path.includes('.')) throw new NotSimulated('this unwinding');
  const name = path.slice(1);
  return documents.flatMap((document) => {
    const value = document[name];
    if (Array.isArray(value)) return value.map((one): Fields => ({ ...document, [name]: one }));
    return value === undefined || value === null ? [] : [document];
  });
};

/** Runs the stages of an aggregation. */
export const aggregated = (
  all: readonly Fields[],
  stages: readonly Fields[],
  read: Read,
): readonly Fields[] => {
  let documents = all;
  for (const stage of stages) {
    const [[name, how] = ['', null], ...others] = Object.entries(stage);
    if (others.length > 0) throw new NotSimulated('a stage of several operators');
    if (name === '$unwind') documents = unwind(documents, how);
    else if (!isFields(how)) throw new NotSimulated(`the stage ${name}`);
    else if (name === '$match') documents = documents.filter((document) => matches(document, how));
    else if (name === '$lookup') documents = lookup(documents, how, read);
    else if (name === '$project') documents = documents.map((document) => projected(document, how));
    else if (name === '$group') documents = group(documents, how);
    else throw new NotSimulated(`the stage ${name}`);
  }
  return documents;
};
