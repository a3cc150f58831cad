import { isDeepStrictEqual } from 'node:util';
import type Joi from 'joi';

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Schemas with names of their own, which the document contains once each. They are collected while schemas are
 * converted.
 */
export type Components = Map<string, JsonSchema>;

/** The relevant part of a joi schema's `describe()`. */
type Described = {
  readonly type: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly allow?: readonly unknown[];
  readonly invalid?: readonly unknown[];
  readonly rules?: readonly { readonly name: string; readonly args?: Readonly<Record<string, unknown>> }[];
  readonly keys?: Readonly<Record<string, Described>>;
  readonly patterns?: readonly {
    readonly regex?: string;
    readonly schema?: Described;
    readonly rule: Described;
  }[];
  readonly items?: readonly Described[];
  readonly ordered?: readonly Described[];
  readonly matches?: readonly (Condition & { readonly schema?: Described })[];
  readonly whens?: readonly Condition[];
  readonly examples?: readonly unknown[];
  readonly tags?: readonly string[];
  readonly metas?: readonly Readonly<Record<string, unknown>>[];
};

/**
 * A tag for the last alternative of a condition, which no valid value reaches. It reports the fault of a value that
 * matches no other alternative, and is left out of the document.
 */
export const FAULT_ONLY = 'fault only';

type Condition = {
  readonly switch?: readonly Condition[];
  readonly then?: Described;
  readonly otherwise?: Described;
};

/**
 * The JSON Schema of a joi schema. A label in PascalCase (`Joi.object(…).label('Charge')`) makes it a component, and
 * keywords in `.meta({ … })` describe a custom rule. joi's own conversion would lose some values, labels and examples.
 * Custom rules and conditions between fields are left out, so every value that joi accepts is valid here.
 */
export const toJsonSchema = (schema: Joi.Schema, components: Components): JsonSchema =>
  convert(describe(schema), components);

/** The query parameters that an object schema describes. */
export const toParameters = (
  schema: Joi.ObjectSchema,
  components: Components,
): readonly { readonly name: string; readonly required: boolean; readonly schema: JsonSchema }[] =>
  Object.entries(describe(schema).keys ?? {}).map(([name, described]) => ({
    name,
    required: described.flags?.presence === 'required',
    schema: convert(described, components),
  }));

/** Whether a body may be left out, which holds only where the schema itself says `.optional()`. */
export const isExplicitlyOptional = (schema: Joi.Schema): boolean =>
  schema.$_getFlag('presence') === 'optional';

/** Keeps descriptions, because many routes share a schema, and describing one takes longer than converting it. */
const described = new WeakMap<Joi.Schema, Described>();

const describe = (schema: Joi.Schema): Described => {
  const known = described.get(schema) ?? (schema.describe() as Described);
  described.set(schema, known);
  return known;
};

const COMPONENT_NAME = /^[A-Z][A-Za-z0-9]*$/;

const convert = (described: Described, components: Components): JsonSchema => {
  const name = nameOf(described);
  if (name !== null) return reference(name, described, components);
  const converted = described.whens
    ? anyOf(variantsOf(described, described.whens).map((variant) => convertPlain(variant, components)))
    : convertPlain(described, components);
  return { ...converted, ...annotationsOf(described) };
};

/**
 * The name of a component. Alternatives have theirs in `.meta({ title })`, because `.label()` would name each of them
 * as well.
 */
const nameOf = ({ flags = {}, metas = [] }: Described): string | null => {
  const name = metas.find(({ title }) => title !== undefined)?.title ?? flags.label;
  return typeof name === 'string' && COMPONENT_NAME.test(name) ? name : null;
};

/** A reference to a component. Null, default and description belong to the place where the component is used. */
const reference = (name: string, described: Described, components: Components): JsonSchema => {
  const { label, description, default: _, presence, ...flags } = described.flags ?? {};
  const isNullable = described.allow?.includes(null) === true;
  const allow = (described.allow ?? []).filter((value) => !isNullable || value !== null);
  const metas = (described.metas ?? []).filter(({ title }) => title === undefined);
  const component = convert({ ...described, flags, allow, metas }, components);
  const known = components.get(name);
  if (known && !isDeepStrictEqual(known, component))
    throw new Error(`two different schemas have the label ${name}`);
  components.set(name, component);
  const target = { $ref: `#/components/schemas/${name}` };
  const place = { ...described, metas, examples: [] };
  return { ...(isNullable ? anyOf([target, { type: 'null' }]) : target), ...annotationsOf(place) };
};

const annotationsOf = ({ flags = {}, examples = [], metas = [] }: Described): JsonSchema => ({
  ...(typeof flags.description === 'string' ? { description: flags.description } : {}),
  ...(flags.default === undefined || isSpecial(flags.default) ? {} : { default: flags.default }),
  ...(examples.length > 0 ? { examples } : {}),
  ...Object.assign({}, ...metas),
});

/**
 * Whether a value is one with which `describe()` marks a special case, such as `{ special: 'deep' }` or `{ override:
 * true }`.
 */
const isSpecial = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('special' in value || 'override' in value);

const convertPlain = (described: Described, components: Components): JsonSchema => {
  const values = (described.allow ?? []).filter((value) => !isSpecial(value));
  if (described.flags?.only === true) return enumOf(values);
  const schema = converterOf(described.type)(described, components);
  const refused = (described.invalid ?? []).length > 0 ? { not: { enum: described.invalid } } : {};
  const others = values.filter((value) => value !== null && !isCovered(schema, value));
  const widened = others.length > 0 ? anyOf([schema, enumOf(others)]) : schema;
  return { ...(values.includes(null) ? nullable(widened) : widened), ...refused };
};

const enumOf = (values: readonly unknown[]): JsonSchema => {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
};

const nullable = (schema: JsonSchema): JsonSchema => {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  return anyOf([schema, { type: 'null' }]);
};

/** Whether a value that joi allows besides its rules satisfies the plain schema anyway. */
const isCovered = (schema: JsonSchema, value: unknown): boolean =>
  Object.keys(schema).length === 0 ||
  (value === '' &&
    schema.type === 'string' &&
    !('allOf' in schema || 'format' in schema) &&
    (typeof schema.pattern !== 'string' || new RegExp(schema.pattern).test('')));

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema => {
  const flat = schemas.flatMap((schema) =>
    Object.keys(schema).length === 1 && Array.isArray(schema.anyOf)
      ? (schema.anyOf as JsonSchema[])
      : [schema],
  );
  const distinct = flat.filter(
    (schema, index) => flat.findIndex((other) => isDeepStrictEqual(other, schema)) === index,
  );
  const [only] = distinct;
  return distinct.length === 1 && only ? only : { anyOf: distinct };
};

/** Variants of a schema with conditions, each condition on its own. */
const variantsOf = (described: Described, conditions: readonly Condition[]): readonly Described[] => {
  const { whens: _, ...base } = described;
  const branches = conditions.flatMap((condition) => {
    const tests = condition.switch ?? [condition];
    const isExhaustive =
      tests.at(-1)?.otherwise !== undefined && tests.every((test) => test.then !== undefined);
    const outcomes = tests
      .flatMap(({ then, otherwise }) => [then, otherwise])
      .filter((one) => one !== undefined);
    return [...outcomes.flatMap((outcome) => unfold(merge(base, outcome))), ...(isExhaustive ? [] : [base])];
  });
  const allowed = branches.filter((branch) => branch.flags?.presence !== 'forbidden');
  return allowed.length > 0 ? allowed : [base];
};

const unfold = (described: Described): readonly Described[] =>
  described.whens ? variantsOf(described, described.whens) : [described];

/** Adds the outcome of a condition to the schema that has the condition, as joi's `concat` does. */
const merge = (base: Described, outcome: Described): Described => ({
  ...base,
  ...outcome,
  type: outcome.type === 'any' ? base.type : outcome.type,
  flags: { ...base.flags, ...outcome.flags },
  rules: [...(base.rules ?? []), ...(outcome.rules ?? [])],
  allow:
    outcome.flags?.only === true ? (outcome.allow ?? []) : [...(base.allow ?? []), ...(outcome.allow ?? [])],
  ...(base.keys || outcome.keys ? { keys: { ...base.keys, ...outcome.keys } } : {}),
});

type Convert = (described: Described, components: Components) => JsonSchema;

const converterOf = (type: string): Convert => {
  const converter = CONVERTERS[type];
  if (!converter) throw new Error(`a schema of type ${type} has no form in JSON Schema here`);
  return converter;
};

const limitsOf = (described: Described, names: Readonly<Record<string, readonly string[]>>): JsonSchema =>
  Object.fromEntries(
    (described.rules ?? []).flatMap(({ name, args }) => {
      const limit = args?.limit;
      return typeof limit === 'number' ? (names[name] ?? []).map((keyword) => [keyword, limit]) : [];
    }),
  );

const has = (described: Described, rule: string): boolean =>
  described.rules?.some(({ name }) => name === rule) === true;

const convertString: Convert = (described) => {
  const patterns = (described.rules ?? []).flatMap(({ name, args }) => toPatterns(name, args));
  const [first] = patterns;
  return {
    type: 'string',
    ...(described.allow?.includes('') ? {} : { minLength: 1 }),
    ...limitsOf(described, { min: ['minLength'], max: ['maxLength'], length: ['minLength', 'maxLength'] }),
    ...charactersOf(described),
    ...(patterns.length > 1 ? { allOf: patterns } : first),
    ...(has(described, 'uri') ? { format: 'uri' } : {}),
  };
};

/** The keywords for the rule `characters` in schemas.ts. */
const charactersOf = ({ rules = [] }: Described): JsonSchema => {
  const { min, max } = rules.find(({ name }) => name === 'characters')?.args ?? {};
  return {
    ...(typeof min === 'number' && min > 0 ? { minLength: min } : {}),
    ...(typeof max === 'number' ? { maxLength: max } : {}),
  };
};

const toPatterns = (
  rule: string,
  args: Readonly<Record<string, unknown>> | undefined,
): readonly JsonSchema[] => {
  if (rule === 'pattern') return toPattern(args);
  if (rule === 'trim') return [{ pattern: '^\\S([\\s\\S]*\\S)?$' }];
  if (rule === 'alphanum') return [{ pattern: '^[a-zA-Z0-9]+$' }];
  if (rule === 'hex') return [{ pattern: '^[a-fA-F0-9]+$' }];
  return [];
};

/**
 * The pattern without flags, which JSON Schema does not have. A pattern that ignores case is left to the description.
 */
const toPattern = (args: Readonly<Record<string, unknown>> = {}): readonly JsonSchema[] => {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(String(args.regex)) ?? [];
  if (source === undefined || flags?.includes('i')) return [];
  const options = args.options as { readonly invert?: boolean } | undefined;
  return [options?.invert ? { not: { pattern: source } } : { pattern: source }];
};

const convertNumber: Convert = (described) => {
  const sign = described.rules?.find(({ name }) => name === 'sign')?.args?.sign;
  return {
    type: has(described, 'integer') ? 'integer' : 'number',
    ...limitsOf(described, {
      min: ['minimum'],
      max: ['maximum'],
      greater: ['exclusiveMinimum'],
      less: ['exclusiveMaximum'],
    }),
    ...(sign === 'positive' ? { exclusiveMinimum: 0 } : {}),
    ...(sign === 'negative' ? { exclusiveMaximum: 0 } : {}),
  };
};

const convertObject: Convert = (described, components) => {
  const { keys, patterns = [], flags = {} } = described;
  const named = Object.entries(keys ?? {}).filter(([, key]) => key.flags?.presence !== 'forbidden');
  const required = named.filter(([, key]) => key.flags?.presence === 'required').map(([name]) => name);
  const byPattern = patterns.flatMap(({ regex, rule }): [string, JsonSchema][] => {
    const [pattern] = regex === undefined ? [] : toPattern({ regex });
    return pattern ? [[String(pattern.pattern), convert(rule, components)]] : [];
  });
  const rest = patterns.filter(({ regex }) => regex === undefined || toPattern({ regex }).length === 0);
  const isClosed = flags.unknown !== true && (keys !== undefined || patterns.length > 0);
  return {
    type: 'object',
    ...(keys
      ? { properties: Object.fromEntries(named.map(([name, key]) => [name, convert(key, components)])) }
      : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(byPattern.length > 0 ? { patternProperties: Object.fromEntries(byPattern) } : {}),
    ...(isClosed
      ? {
          additionalProperties: rest.length > 0 && anyOf(rest.map(({ rule }) => convert(rule, components))),
        }
      : {}),
    ...limitsOf(described, {
      min: ['minProperties'],
      max: ['maxProperties'],
      length: ['minProperties', 'maxProperties'],
    }),
  };
};

const convertArray: Convert = (described, components) => {
  const items = (described.items ?? []).filter((item) => item.flags?.presence !== 'forbidden');
  const ordered = described.ordered ?? [];
  const unique = described.rules?.find(({ name }) => name === 'unique');
  return {
    type: 'array',
    ...(ordered.length > 0 ? { prefixItems: ordered.map((item) => convert(item, components)) } : {}),
    ...(items.length > 0 ? { items: anyOf(items.map((item) => convert(item, components))) } : {}),
    ...(ordered.length > 0 && items.length === 0 ? { items: false } : {}),
    ...limitsOf(described, { min: ['minItems'], max: ['maxItems'], length: ['minItems', 'maxItems'] }),
    ...(unique && !unique.args?.comparator ? { uniqueItems: true } : {}),
  };
};

const convertAlternatives: Convert = ({ matches = [] }, components) => {
  const schemas = matches
    .flatMap((match) =>
      match.schema
        ? [match.schema]
        : (match.switch ?? [match]).flatMap(({ then, otherwise }) => [then, otherwise]),
    )
    .filter((one) => one !== undefined && !one.tags?.includes(FAULT_ONLY)) as readonly Described[];
  if (schemas.length === 0) return {};
  const alternatives = anyOf(schemas.map((schema) => convert(schema, components)));
  return { ...alternatives, ...discriminatorOf(alternatives, components) };
};

/** The member whose single value tells the alternatives apart; none where the alternatives have no names. */
const discriminatorOf = ({ anyOf: alternatives }: JsonSchema, components: Components): JsonSchema => {
  const references = (Array.isArray(alternatives) ? alternatives : []).map(({ $ref }: JsonSchema) => $ref);
  if (!references.every((one) => typeof one === 'string')) return {};
  const [first = new Map(), ...others] = references.map((one) => constantsOf({ $ref: one }, components));
  const propertyName = [...first.keys()].find((name) => others.every((constants) => constants.has(name)));
  if (propertyName === undefined) return {};
  const mapping = new Map(
    [first, ...others].map((constants, index) => [constants.get(propertyName), references[index]]),
  );
  if (mapping.size < references.length) return {};
  return { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
};

/** Required members with a single possible value each; for alternatives, the ones that they share. */
const constantsOf = (schema: JsonSchema, components: Components): ReadonlyMap<string, string> => {
  if (typeof schema.$ref === 'string')
    return constantsOf(components.get(schema.$ref.split('/').at(-1) ?? '') ?? {}, components);
  if (Array.isArray(schema.anyOf)) {
    const [first = new Map(), ...others] = schema.anyOf.map((one) => constantsOf(one, components));
    return new Map(
      [...first].filter(([name, value]) => others.every((constants) => constants.get(name) === value)),
    );
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  return new Map(
    Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>).flatMap(
      ([name, { enum: values }]) =>
        required.includes(name) &&
        Array.isArray(values) &&
        values.length === 1 &&
        typeof values[0] === 'string'
          ? [[name, values[0]]]
          : [],
    ),
  );
};

const CONVERTERS: Readonly<Record<string, Convert>> = {
  any: () => ({}),
  binary: () => ({ type: 'string', format: 'binary' }),
  boolean: () => ({ type: 'boolean' }),
  string: convertString,
  number: convertNumber,
  object: convertObject,
  array: convertArray,
  alternatives: convertAlternatives,
};
