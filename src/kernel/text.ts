/** White space of Unicode, and the blanks that have no width. A joiner is none, because it shapes its neighbours. */
const BLANK = /[\s\u200b\u2060]/;

/**
 * More marks on one letter than any language writes. Normalization sorts the marks of a letter, which takes time by the
 * square of their number, so the Stream-Safe Text Format (Unicode Standard Annex 15, 13) allows thirty.
 */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

const withoutOuterBlanks = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (start < end && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

/** Blanks, direction marks, fillers and whatever else leaves nothing on a page. U+2800 is the Braille pattern without dots. */
const UNSEEN = /[\s\u2800\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/**
 * A text as it is stored and looked up: in NFC (Unicode Standard Annex 15), because a Mac writes `é` as two characters
 * and Windows as one, and without blanks around it. Marks beyond the thirtieth on one letter are dropped.
 */
export const tidy = (text: string): string =>
  withoutOuterBlanks(text.replaceAll(TOO_MANY_MARKS, '$1').normalize('NFC'));

/** Whether a reader would see anything. */
export const isVisible = (text: string): boolean => text.replaceAll(UNSEEN, '') !== '';

/** Letters that Unicode does not decompose, by what they are sorted and searched as. */
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

/** Key of a text where neither case nor accents count. Marks of scripts that write vowels with them are kept. */
export const fold = (text: string): string =>
  text
    .replaceAll(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
