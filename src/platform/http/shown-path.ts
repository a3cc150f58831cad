import { holdsCardNumber } from './card-numbers.ts';

const MAX_LENGTH = 128;

/**
 * The place of a fault as `errors[].path` shows it. Names are joined by dots and cut where they are long, and digits
 * that could be a card number are left out.
 */
export const shownPath = (names: readonly (string | number)[]): string => {
  const path = names.join('.').slice(0, MAX_LENGTH);
  return holdsCardNumber(path) ? path.replaceAll(/[^\p{L}.]/gu, '*') : path;
};
