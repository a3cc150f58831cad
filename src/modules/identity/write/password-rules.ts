import { randomInt } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordNamesUser, passwordTooCommon } from './refusals.ts';

/** The 49,000 passwords that leaks show most often. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'].map((word) => word.toLowerCase()));
/** So many digits and signs around a common word do not make it a password of its own. */
const ORNAMENTS = 6;

/**
 * The form of a password that is hashed, because a Mac types `é` as two characters and Windows as one. It is NFKC with
 * every blank as an ASCII space. RFC 8265, section 4.2, asks for NFC; the compatibility forms make a password the same
 * on full-width keyboards, too.
 */
export const preparedPassword = (password: string): string =>
  password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFKC');

type Person = { readonly email: string; readonly name: string | null };

/** 422 for a password that is easily guessed: PASSWORD_TOO_COMMON, or PASSWORD_NAMES_USER. */
export const assertNotGuessable = (given: string, { email, name }: Person): void => {
  const password = preparedPassword(given);
  const own = [email, email.split('@')[0], name]
    .flatMap((word) => (word ? [word, word.replaceAll(/\s/g, '')] : []))
    .map((word) => word.toLowerCase());
  const words = wordsOf(password.toLowerCase());
  if (words.some((word) => own.includes(word))) throw passwordNamesUser();
  if (words.some((word) => COMMON.has(word) || isMonotonous(word))) throw passwordTooCommon();
};

/**
 * The words to look up: the password itself, the password without the ornaments around it, and the part that it
 * repeats.
 */
const wordsOf = (password: string): readonly string[] => {
  const core = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isOrnate = core !== '' && password.length - core.length <= ORNAMENTS;
  return [password, ...(isOrnate ? [core] : [])].flatMap((word) => [word, repeatedIn(word)]);
};

/**
 * The shortest part that a word consists of, such as `abc` for `abcabcabc`; the word itself where it repeats nothing.
 */
const repeatedIn = (word: string): string => word.slice(0, `${word}${word}`.indexOf(word, 1));

/**
 * Whether there are fewer than four different characters, or fewer than four rows of characters that are the same or
 * count up or down.
 */
const isMonotonous = (word: string): boolean => new Set(word).size < 4 || rowsIn(word) < 4;

const rowsIn = (word: string): number => {
  const places = [...word].map((character) => character.codePointAt(0) ?? 0);
  return places.filter((place, index) => index === 0 || !isStep(places[index - 1] ?? 0, place)).length;
};

const NINE_TO_ZERO = 9;

/** Whether the step is from a character to itself or to a neighbour in the alphabet; 0 follows 9. */
const isStep = (from: number, to: number): boolean => {
  const distance = Math.abs(to - from);
  return distance <= 1 || (distance === NINE_TO_ZERO && isDigit(from) && isDigit(to));
};

const isDigit = (place: number): boolean => /\d/.test(String.fromCodePoint(place));

/** Letters and digits without those that look like others. */
const LEGIBLE = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A one-time password of more than 100 random bits, such as `hTq7-Xw3P-…`. */
export const newOneTimePassword = (): string =>
  Array.from({ length: 5 }, () =>
    Array.from({ length: 4 }, () => LEGIBLE[randomInt(LEGIBLE.length)]).join(''),
  ).join('-');
