import type { Request } from 'express';
import Joi from 'joi';
import { type InputFault, invalidInput } from '../../kernel/errors.ts';
import { memoized } from '../../kernel/memoized.ts';
import { MESSAGES_WITHOUT_VALUES } from '../messages-without-values.ts';
import { refuseCardData } from './card-data.ts';
import { isExact } from './json.ts';
import { isExplicitlyOptional } from './json-schema.ts';
import { listLengthsOf, longListIn } from './list-lengths.ts';
import type { Route } from './route.ts';
import { shownPath } from './shown-path.ts';

/** A body that consists of unknown fields must not get an answer that is longer than itself. */
const MAX_FAULTS = 20;

const OPTIONS: Joi.ValidationOptions = {
  convert: false,
  errors: { wrap: { label: false } },
  messages: MESSAGES_WITHOUT_VALUES,
};

/**
 * Validates the query and body of a route's requests, and searches them for card data: 400 with one entry for each
 * fault.
 */
export const validatorOf = (
  route: Route,
): ((request: Request, body: unknown) => { readonly query: unknown; readonly body: unknown }) => {
  const query = route.query ?? Joi.object({});
  const kinds = memoized(() => kindsOf(query));
  const checkQuery = createCheck(query);
  const checkBody = bodyCheck(route);
  return (request, given) => {
    const parameters = parseQuery(request.originalUrl, kinds());
    refuseCardData(request.params);
    refuseCardData(
      parameters,
      route.notSearched?.filter((path) => path !== ''),
    );
    refuseCardData(given, route.notSearched);
    return { query: checkQuery(parameters), body: checkBody(given) };
  };
};

/**
 * A body is required where the route describes one, unless its schema says `.optional()`; then a missing body counts as
 * `{}`.
 */
const bodyCheck = ({ body, otherBodyTypes }: Route): ((given: unknown) => unknown) => {
  const schema = (body ?? Joi.object({}).optional()).label('body');
  if (!body) return createCheck(schema);
  const checkGiven = createCheck(isExplicitlyOptional(body) ? schema : schema.required());
  if (isExplicitlyOptional(body)) return (given) => checkGiven(given === undefined ? {} : given);
  return (given) => (given === undefined && otherBodyTypes ? undefined : checkGiven(given));
};

/**
 * Up to this many values in a body, every fault is reported. Creating the error of a fault takes the validator some 50
 * µs.
 */
const FEW_VALUES = 1_000;

/**
 * The value after validation and conversion; 400 with one entry for each fault. For a large value only the first fault
 * is reported, and the items of a list that is too long are not looked at.
 */
export const createCheck = (schema: Joi.Schema): ((value: unknown) => unknown) => {
  const lengths = memoized(() => listLengthsOf(schema));
  const described = memoized(() => schema.describe() as Described);
  return (value) => {
    const tooLong = longListIn(lengths(), value);
    if (tooLong) throw invalidInput([tooLong]);
    const abortEarly = valuesIn(value, FEW_VALUES) >= FEW_VALUES;
    const { error, value: checked } = schema.validate(value, { ...OPTIONS, abortEarly });
    if (!error) return checked;
    throw invalidInput(error.details.slice(0, MAX_FAULTS).map((detail) => toFault(detail, described)));
  };
};

/** The number of values within a value, counted up to a limit. */
const valuesIn = (value: unknown, limit: number): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) {
    if (count >= limit) return count;
    count += valuesIn(member, limit - count);
  }
  return count;
};

const toFault = (
  { path, type, message, context }: Joi.ValidationErrorItem,
  described: () => Described,
): InputFault => {
  const name = shownPath(path);
  if (type === 'object.unknown')
    return { path: name, message: `${name} is not allowed${insteadOf(path, described())}` };
  // The validator's message says `items[0].title` where the path is `items.0.title`.
  const told = path.length > 0 && context?.label ? message.replace(context.label, () => name) : message;
  return { path: name, message: told };
};

/** The relevant part of a schema's `describe()`. */
type Described = {
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly whens?: readonly unknown[];
};

/** A longer list of names would not help anybody. */
const MAX_NAMES = 12;

/** The members of a list's element, as a hint at the one that was meant; empty where a condition decides on them. */
const insteadOf = (path: readonly (string | number)[], schema: Described): string => {
  if (!path.some((step) => typeof step === 'number')) return '';
  const parent = path
    .slice(0, -1)
    .reduce<Described | undefined>(
      (within, step) => (typeof step === 'number' ? within?.items?.[0] : within?.keys?.[step]),
      schema,
    );
  const names = parent?.whens ? [] : Object.keys(parent?.keys ?? {});
  return names.length === 0 || names.length > MAX_NAMES ? '' : `; allowed are ${names.join(', ')}`;
};

type Kinds = ReadonlyMap<string, string>;

const kindsOf = (schema: Joi.ObjectSchema): Kinds => {
  const { keys = {} } = schema.describe() as { keys?: Record<string, { type: string }> };
  return new Map(Object.entries(keys).map(([name, { type }]) => [name, type]));
};

/** Flat parameters by name; a repeated one is refused. */
const parseQuery = (url: string, kinds: Kinds): Readonly<Record<string, unknown>> => {
  const start = url.indexOf('?');
  const query = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    const shown = shownPath([name]);
    if (query.has(name)) throw invalidInput([{ path: shown, message: `${shown} is given more than once` }]);
    // The validator copies by assignment, which would lose this name instead of refusing it.
    if (name === '__proto__') throw invalidInput([{ path: name, message: `${name} is not allowed` }]);
    query.set(name, toKind(kinds.get(name), value));
  }
  return Object.fromEntries(query);
};

/** Converts numbers in plain notation only, and only where nothing is lost. */
const toKind = (kind: string | undefined, value: string): unknown => {
  if (kind === 'number' && /^-?\d{1,20}(\.\d{1,20})?$/.test(value) && isExact(value)) return Number(value);
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
};
