import Joi from 'joi';

/**
 * Joi schemas whose values the compiler knows. At run time they are plain Joi schemas with all of their methods. The
 * members below exist only as types, so that a handler's body and query get their types from the schemas that validated
 * them.
 */

declare const value: unique symbol;
declare const also: unique symbol;
declare const only: unique symbol;
declare const present: unique symbol;

type Present = { readonly [present]: true };
type Also<T> = { readonly [also]: T };
type Only<T> = { readonly [only]: T };

/** A member that is always present, and may be null. */
export type Nullable = Present & Also<null>;

/**
 * Added to the type of a Joi schema: its own methods, with types that remember the arguments. All allowed values go
 * into one call of `allow`, and all valid ones into one call of `valid`.
 */
export interface Carries<T> {
  readonly [value]: T;
  required(): this & Present;
  allow<const V extends string | number | null>(...values: readonly V[]): this & Also<V>;
  valid<const V extends string | number | boolean>(...values: readonly V[]): this & Only<V>;
  default(given: null): this & Present & Also<null>;
  default(given: T | (() => T)): this & Present;
}

/** A Joi schema with the type of the values that it accepts. */
export type Typed<T, S extends Joi.Schema = Joi.AnySchema> = Carries<T> & S;

/** The type of the values that a schema accepts; `unknown` for a schema without one. */
export type ValueOf<S> =
  | (S extends Only<infer V> ? V : S extends { readonly [value]: infer T } ? T : unknown)
  | (S extends Also<infer V> ? V : never);

type Members = Readonly<Record<string, Joi.Schema>>;
type PresentIn<M> = { [Name in keyof M]: M[Name] extends Present ? Name : never }[keyof M];
type Shape<M> = { readonly [Name in PresentIn<M>]: ValueOf<M[Name]> } & {
  readonly [Name in Exclude<keyof M, PresentIn<M>>]?: ValueOf<M[Name]>;
};
/** The members of an object, which are optional where the schema neither requires them nor has a default. */
type Value<M> = { readonly [Name in keyof Shape<M>]: Shape<M>[Name] };

interface CarriesMembers<M> extends Carries<Value<M>> {
  keys<N extends Members>(members: N): ObjectOf<Omit<M, keyof N> & N>;
}

/** The schema of an object with members of these schemas. */
type ObjectOf<M> = CarriesMembers<M> & Joi.ObjectSchema;

/** States which values a schema accepts, where that does not follow from its parts: for conditions and conversions. */
export const typed = <T, S extends Joi.Schema = Joi.AnySchema>(schema: S): Typed<T, S> =>
  schema as Typed<T, S>;

export const string = <T extends string = string>(): Typed<T, Joi.StringSchema> => typed(Joi.string());
export const number = (): Typed<number, Joi.NumberSchema> => typed(Joi.number());
export const boolean = (): Typed<boolean, Joi.BooleanSchema> => typed(Joi.boolean());

export const object = <M extends Members>(members: M): ObjectOf<M> => Joi.object(members) as ObjectOf<M>;

/** An object with any members, unless the schema is narrowed further. */
export const anyObject = (): Typed<Readonly<Record<string, unknown>>, Joi.ObjectSchema> =>
  typed(Joi.object());

export const arrayOf = <S extends Joi.Schema>(item: S): Typed<readonly ValueOf<S>[], Joi.ArraySchema> =>
  typed(Joi.array().items(item));
