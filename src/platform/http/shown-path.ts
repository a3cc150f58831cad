import { holdsCardNumber } from './card-numbers.ts';

const MAX_LENGTH = 128;

/**
 * The place of a fault as `errors[].path` of an answer shows it. Names are joined by dots, cut where they are long, and
 * without digits that could be a card's.
 */
export const shownPath = (names: readonly (string | number)[]): string => {
  const path = names.join('.').slice(0, MAX_LENGTH);
  return holdsCardNumber(path) ? path.replaceAll(/[^\p{L}.]/gu, '*') : path;
};
