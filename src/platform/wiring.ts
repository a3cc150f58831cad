import { ContainerModule, type ServiceIdentifier } from 'inversify';

declare const made: unique symbol;

/** Stands for a value that the container makes once a process. */
export type Token<T> = ServiceIdentifier<T> & symbol & { readonly [made]: T };

/** Stands for every value that was contributed to a token. */
type All<T> = { readonly all: Token<T> };

/** A value itself, or its token. */
type Value<T> = T | Token<T> | (T extends readonly (infer Element)[] ? All<Element> : never);

/** An argument of a factory: a value, or an object of values. */
export type Dependency<T> = Value<T> | { readonly [Name in keyof T]: Value<T[Name]> };

type Recipe = { readonly make: (values: unknown[]) => unknown; readonly needs: readonly Needed[] };
type Needed = Token<unknown> | All<unknown>;

const recipes = new Map<Token<unknown>, Recipe>();

/** A token whose value is bound, contributed or implemented elsewhere. */
export const token = <T>(description: string): Token<T> => Symbol(description) as Token<T>;

/** Every value that modules contribute to a token. */
export const all = <T>(of: Token<T>): All<T> => ({ all: of });

type Dependencies<Args extends readonly unknown[]> = {
  readonly [Index in keyof Args]: Dependency<Args[Index]>;
};

/**
 * Declares a value: what the factory returns, called once with the values of its dependencies. The compiler checks the
 * names and types of the dependencies.
 */
export const provide = <Args extends readonly unknown[], T>(
  factory: (...args: Args) => T,
  ...dependencies: Dependencies<Args>
): Token<T> => implement(token<T>(factory.name), factory, ...dependencies);

/** Values by their names, out of which each factory takes what it needs; or the only value that all of them need. */
export type Scope = Token<unknown> | { readonly [name: string]: unknown };
type ValueOf<V> = V extends { readonly [made]: infer T }
  ? T
  : V extends All<infer Element>
    ? readonly Element[]
    : V;
export type ValuesOf<S extends Scope> =
  S extends Token<unknown> ? ValueOf<S> : { readonly [Name in keyof S]: ValueOf<S[Name]> };
type Factories<S extends Scope> = {
  readonly [name: `create${string}`]: (values: ValuesOf<S>) => unknown;
};
type Made<F> = {
  readonly [Name in keyof F as Name extends `create${infer Rest}` ? Uncapitalize<Rest> : never]: Token<
    F[Name] extends (values: never) => infer T ? T : never
  >;
};

/**
 * Declares what each factory makes of a scope, by its name: `createFindCharge` makes `findCharge`. Returns it along with
 * the names of the scope, as the scope of others.
 */
export const provideEach = <S extends Scope, F extends Factories<S>>(
  scope: S,
  factories: F,
): (S extends Token<unknown> ? unknown : S) & Made<F> => {
  const made = Object.entries(factories).map(([name, factory]) => {
    const value = name.slice('create'.length);
    return [
      value.charAt(0).toLowerCase() + value.slice(1),
      implement(token(value), factory as (values: unknown) => unknown, scope),
    ];
  });
  return { ...(isToken(scope) ? {} : (scope as object)), ...Object.fromEntries(made) };
};

/** Declares the value of a token that a lower module needs. */
export const implement = <Args extends readonly unknown[], T>(
  of: Token<T>,
  factory: (...args: Args) => T,
  ...dependencies: Dependencies<Args>
): Token<T> => {
  recipes.set(of, {
    make: (values) => factory(...(dependencies.map((one) => fill(one, values)) as unknown as Args)),
    needs: dependencies.flatMap(neededBy),
  });
  return of;
};

/** A member of a value. */
export const member = <T, Name extends keyof T>(of: Token<T>, name: Name): Token<T[Name]> =>
  provide((whole: T) => whole[name], of);

/** Values that a module contributes to a token. */
export type Contribution = { readonly to: Token<unknown>; readonly values: readonly unknown[] };

export const contribute = <T>(to: Token<T>, ...values: readonly (T | Token<T>)[]): Contribution => ({
  to,
  values,
});

export const bindContributions = (contributions: readonly Contribution[]): ContainerModule =>
  new ContainerModule(({ bind }) => {
    for (const { to, values } of contributions)
      for (const one of values)
        if (isToken(one)) bind(to).toResolvedValue((value) => value, [one]);
        else bind(to).toConstantValue(one);
  });

/** Binds all declared values. */
export const bindProvided = (): ContainerModule =>
  new ContainerModule(({ bind }) => {
    for (const [of, { make, needs }] of recipes)
      bind(of).toResolvedValue(
        (...values: unknown[]) => make(values),
        needs.map((one) => (isToken(one) ? one : { serviceIdentifier: one.all, isMultiple: true as const })),
      );
  });

const isToken = (given: unknown): given is Token<unknown> => typeof given === 'symbol';
const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;
const isNeeded = (given: unknown): given is Needed =>
  isToken(given) || (isObject(given) && 'all' in given && isToken(given.all));

/** The tokens of an argument, in the order in which `fill` takes their values. */
const neededBy = (dependency: unknown): readonly Needed[] => {
  if (isNeeded(dependency)) return [dependency];
  return isObject(dependency) ? Object.values(dependency).filter(isNeeded) : [];
};

/** The argument with the next values in place of its tokens. */
const fill = (dependency: unknown, values: unknown[]): unknown => {
  if (isNeeded(dependency)) return values.shift();
  if (!isObject(dependency) || neededBy(dependency).length === 0) return dependency;
  return Object.fromEntries(
    Object.entries(dependency).map(([name, one]) => [name, isNeeded(one) ? values.shift() : one]),
  );
};
