/** White space of Unicode, and blanks without a width. A joiner is not among them, because it shapes its neighbours. */
const BLANK = /[\s\u200b\u2060]/;

/**
 * More marks on one letter than any language writes. Normalization sorts the marks of a letter in quadratic time, so
 * the Stream-Safe Text Format allows thirty (Unicode Standard Annex 15, section 13).
 */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

const withoutOuterBlanks = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (start < end && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

/**
 * Blanks, direction marks, fillers and all other characters that leave nothing on a page. U+2800 is the Braille pattern
 * without dots.
 */
const UNSEEN = /[\s\u2800\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/**
 * A text as it is stored and looked up: without blanks around it, and in NFC (Unicode Standard Annex 15), because a Mac
 * writes `é` as two characters and Windows as one. Marks beyond the thirtieth on one letter are dropped.
 */
export const tidy = (text: string): string =>
  withoutOuterBlanks(text.replaceAll(TOO_MANY_MARKS, '$1').normalize('NFC'));

/** Whether a reader would see anything of the text. */
export const isVisible = (text: string): boolean => text.replaceAll(UNSEEN, '') !== '';

/** Letters that Unicode does not decompose, with the letters as which they are sorted and searched. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * The form in which texts are compared without regard to case and accents. Marks of scripts that write vowels with them
 * are kept.
 */
export const fold = (text: string): string =>
  text
    .replaceAll(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
