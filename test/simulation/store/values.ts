import { isDate } from 'node:util/types';
import { Binary, ObjectId } from 'mongodb';

/** A document, or a part of one, as the store keeps it. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Date
  | ObjectId
  | Binary
  | readonly Value[]
  | { readonly [name: string]: Value };
export type Fields = { readonly [name: string]: Value };

/** Something that no statement of the gateway does, so that this store has no answer to it. */
export class NotSimulated extends Error {
  constructor(what: string) {
    super(`the store in memory does not know ${what}: teach it, and extend the differential test`);
  }
}

/** Objects without a class of their own; those of other realms and without a prototype count. */
export const isFields = (value: unknown): value is Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** A copy as the driver would send it: nothing is shared, and what is undefined becomes null. */
export const copyOf = (value: unknown): Value => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (isDate(value)) return new Date(value.getTime());
  if (value instanceof ObjectId) return value;
  if (value instanceof Binary) return new Binary(Buffer.from(value.buffer), value.sub_type);
  if (value instanceof Uint8Array) return new Binary(Buffer.from(value));
  if (isFields(value)) return copyOfFields(value);
  throw new NotSimulated(`a value of ${Object.prototype.toString.call(value)}`);
};

export const copyOfFields = (fields: object): Fields => {
  const copy: Record<string, Value> = {};
  for (const name of Object.keys(fields)) copy[name] = copyOf(Reflect.get(fields, name));
  return copy;
};

/** Places of kinds of values in the order of BSON. */
const kindOf = (value: Value | undefined): number => {
  if (value === undefined || value === null) return 1;
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  if (Array.isArray(value)) return 5;
  if (value instanceof Binary) return 6;
  if (value instanceof ObjectId) return 7;
  if (typeof value === 'boolean') return 8;
  if (isDate(value)) return 9;
  return 4;
};

/** A text that is the same for equal values only. */
export const textOf = (value: Value | undefined): string => {
  if (value === undefined || value === null) return 'null';
  if (isDate(value)) return `date ${value.getTime()}`;
  if (value instanceof ObjectId) return `id ${value.toHexString()}`;
  if (value instanceof Binary) return `bytes ${value.toString('hex')}`;
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`)
      .join()}}`;
  return JSON.stringify(Object.is(value, -0) ? 0 : value);
};

export const isEqual = (a: Value | undefined, b: Value | undefined): boolean =>
  a === b ||
  (!(typeof a === 'string' && typeof b === 'string') && kindOf(a) === kindOf(b) && textOf(a) === textOf(b));

export const isSameKind = (a: Value | undefined, b: Value | undefined): boolean => kindOf(a) === kindOf(b);

const inOrder = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
const rankOf = (value: Value | undefined): string | number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (isDate(value)) return value.getTime();
  return typeof value === 'string' ? value : textOf(value);
};

/**
 * Below, equal or above 0, in the order of BSON. Texts are compared as UTF-16, which differs beyond the basic plane
 * only.
 */
export const compare = (a: Value | undefined, b: Value | undefined): number => {
  const [first, second] = [kindOf(a), kindOf(b)];
  if (first !== second) return first - second;
  const [x, y] = [rankOf(a), rankOf(b)];
  return typeof x === 'number' && typeof y === 'number' ? inOrder(x, y) : inOrder(String(x), String(y));
};

/** The values at a path, through arrays, as a filter sees them; empty where there are none. */
export const valuesAt = (
  value: Value | undefined,
  path: readonly string[],
): readonly (Value | undefined)[] => {
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (Array.isArray(value)) return value.flatMap((one) => (isFields(one) ? valuesAt(one, path) : []));
  if (!isFields(value)) return [undefined];
  return valuesAt(value[name], rest);
};
