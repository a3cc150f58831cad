import type Joi from 'joi';
import type { InputFault } from '../../kernel/errors.ts';
import { shownPath } from './shown-path.ts';

/** The relevant part of a schema's `describe()`. */
type Described = {
  readonly rules?: readonly { readonly name: string; readonly args?: { readonly limit?: unknown } }[];
  readonly items?: readonly Described[];
  readonly keys?: Readonly<Record<string, Described>>;
  readonly patterns?: readonly { readonly rule: Described }[];
};

/** The maximum lengths of the lists that a schema describes. */
type ListLengths = {
  readonly max: number | null;
  readonly items: ListLengths | null;
  readonly members: Readonly<Record<string, ListLengths>>;
  /** The maximum lengths within members whose names the schema does not give. */
  readonly others: ListLengths | null;
};

export const listLengthsOf = (schema: Joi.Schema): ListLengths | null =>
  lengthsIn(schema.describe() as Described);

const lengthsIn = ({ rules = [], items = [], keys = {}, patterns = [] }: Described): ListLengths | null => {
  const limit = items.length > 0 ? rules.find(({ name }) => name === 'max')?.args?.limit : null;
  const max = typeof limit === 'number' ? limit : null;
  const [item, ...alternatives] = items;
  const found: ListLengths = {
    max,
    items: item && alternatives.length === 0 ? lengthsIn(item) : null,
    members: Object.fromEntries(
      Object.entries(keys).flatMap(([name, member]) => {
        const within = lengthsIn(member);
        return within ? [[name, within]] : [];
      }),
    ),
    others: patterns[0] ? lengthsIn(patterns[0].rule) : null,
  };
  const isEmpty = max === null && !found.items && !found.others && Object.keys(found.members).length === 0;
  return isEmpty ? null : found;
};

/**
 * The first list in a value that is too long. This is checked before anything else, because the validator would first
 * look at every item and create an error for each invalid one.
 */
export const longListIn = (
  lengths: ListLengths | null,
  value: unknown,
  path: readonly (string | number)[] = [],
): InputFault | null => {
  if (lengths === null || typeof value !== 'object' || value === null) return null;
  const { max, items, members, others } = lengths;
  if (Array.isArray(value)) {
    if (max !== null && value.length > max) return tooLong(path, max);
    for (const [index, item] of value.entries()) {
      const fault = longListIn(items, item, [...path, index]);
      if (fault) return fault;
    }
    return null;
  }
  for (const [name, member] of Object.entries(value)) {
    const fault = longListIn(Object.hasOwn(members, name) ? (members[name] ?? null) : others, member, [
      ...path,
      name,
    ]);
    if (fault) return fault;
  }
  return null;
};

const tooLong = (path: readonly (string | number)[], max: number): InputFault => {
  const name = shownPath(path);
  return { path: name, message: `${name || 'body'} must contain less than or equal to ${max} items` };
};
