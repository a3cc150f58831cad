/** White space of Unicode, and the blanks that have no width. A joiner is none, because it shapes its neighbours. */
const OUTER_BLANKS = /^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/g;

/** Blanks, direction marks, fillers and whatever else leaves nothing on a page. U+2800 is the Braille pattern without dots. */
const UNSEEN = /[\s\u2800\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/**
 * A text as it is stored and looked up: in NFC (Unicode Standard Annex 15), because a Mac writes `é` as two characters
 * and Windows as one, and without blanks around it.
 */
export const tidy = (text: string): string => text.normalize('NFC').replaceAll(OUTER_BLANKS, '');

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
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
