/** Wraps a function so that it is called when its result is first needed, and never again. */
export const memoized = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
