const MAX_LENGTH = 128;

/** The place of a fault as `errors[].path` of an answer shows it: names joined by dots, cut where they are long. */
export const shownPath = (names: readonly (string | number)[]): string =>
  names.join('.').slice(0, MAX_LENGTH);
