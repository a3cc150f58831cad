import { randomInt } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordNamesUser, passwordTooCommon } from './refusals.ts';

/** The 49,000 passwords that leaks show most often. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'].map((word) => word.toLowerCase()));
/** Digits and signs around a word that do not make it another one. */
const ORNAMENTS = 6;

/**
 * A password in the form that is hashed: a Mac types `é` as two characters and Windows as one. The form is NFKC, and
 * with it every blank is the one of ASCII (RFC 8265, section 4.2, which asks for NFC; the compatibility forms make a
 * password the same on keyboards of full width, too).
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

/** The password itself, without what is set around it, and what it repeats. */
const wordsOf = (password: string): readonly string[] => {
  const core = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isOrnate = core !== '' && password.length - core.length <= ORNAMENTS;
  return [password, ...(isOrnate ? [core] : [])].flatMap((word) => [word, repeatedIn(word)]);
};

/** The shortest part that the word repeats, such as `abc` of `abcabcabc`; the word where it repeats none. */
const repeatedIn = (word: string): string => word.slice(0, `${word}${word}`.indexOf(word, 1));

/** Fewer than four different characters, or fewer than four rows of characters that are repeated or counted up or down. */
const isMonotonous = (word: string): boolean => new Set(word).size < 4 || rowsIn(word) < 4;

const rowsIn = (word: string): number => {
  const places = [...word].map((character) => character.codePointAt(0) ?? 0);
  return places.filter((place, index) => index === 0 || !isStep(places[index - 1] ?? 0, place)).length;
};

const NINE_TO_ZERO = 9;

/** From a character to itself or a neighbour in the alphabet; after 9 comes 0. */
const isStep = (from: number, to: number): boolean => {
  const distance = Math.abs(to - from);
  return distance <= 1 || (distance === NINE_TO_ZERO && isDigit(from) && isDigit(to));
};

const isDigit = (place: number): boolean => /\d/.test(String.fromCodePoint(place));

/** Without characters that look like others. */
const LEGIBLE = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A one-time password of more than 100 random bits, such as `hTq7-Xw3P-…`. */
export const newOneTimePassword = (): string =>
  Array.from({ length: 5 }, () =>
    Array.from({ length: 4 }, () => LEGIBLE[randomInt(LEGIBLE.length)]).join(''),
  ).join('-');
