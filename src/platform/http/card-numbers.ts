import { isIssuedNumber, LONGEST_ISSUED, SHORTEST_ISSUED } from '../../kernel/card-brands.ts';
import { isIban } from '../../kernel/iban.ts';
import { isCnpj } from '../../kernel/national-id.ts';

/**
 * Whether a text contains a card number that somebody may have typed: one that a brand issues today, with its check
 * digit (Luhn). Its digits, of any script, may stand together, in the groups in which cards are printed, or each alone,
 * always with the same separator. The time is proportional to the length of the text.
 */
export const holdsCardNumber = (text: string): boolean => {
  if (hasFewDigits(text)) return false;
  let read = text;
  for (let decoded = 0; decoded <= MOST_ENCODINGS; decoded += 1) {
    if (holdsPlain(read)) return true;
    const plainer = read.replace(ENCODED, decode);
    if (plainer === read) return false;
    read = plainer;
  }
  return false;
};

const ZERO = 0x30;
const FIRST_BEYOND_ASCII = 0x80;

/**
 * Most texts in a request have too few digits for a card number, which this finds out quickly. A character beyond ASCII
 * may stand for two digits, such as a circled number, and each encoded digit contains a digit itself.
 */
const hasFewDigits = (text: string): boolean => {
  let found = 0;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code >= FIRST_BEYOND_ASCII) found += 2;
    else if (code >= ZERO && code < ZERO + 10) found += 1;
    if (found >= SHORTEST_ISSUED) return false;
  }
  return true;
};

/** How often encodings may be nested. */
const MOST_ENCODINGS = 3;
/** Percent-encoding (RFC 3986), character references (HTML) and escapes of JSON and program text. */
const ENCODED =
  /(?:%[0-9a-f]{2})+|&#(?:x[0-9a-f]{1,6}|\d{1,7});?|\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\})/gi;
const LAST_CODE_POINT = 0x10_ffff;

const decode = (encoded: string): string => {
  if (encoded.startsWith('%')) return decodePercent(encoded);
  const [digits = ''] = /[0-9a-f]+(?=\W?$)/i.exec(encoded) ?? [];
  const code = Number.parseInt(digits, /^&#\d/.test(encoded) ? 10 : 16);
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : encoded;
};

const decodePercent = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

const NOT_ASCII = /[^\0-\x7f]/gu;
/** Characters that are invisible between digits. Tag digits are among them, so digits are looked up first. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;

/** A run of digits without a separator, and the place of the first digit. */
type Run = { readonly digits: string; readonly at: number };

const holdsPlain = (text: string): boolean => {
  const plain = text.replace(
    NOT_ASCII,
    (character) => foreignDigits().get(character) ?? (INVISIBLE.test(character) ? '' : character),
  );
  const runs: Run[] = [...plain.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, at: index }));
  const isAlarm = (from: number, count: number): boolean => {
    const number = runs
      .slice(from, from + count)
      .map(({ digits }) => digits)
      .join('');
    return isIssuedNumber(number) && !isKnownOtherwise(plain, number, runs, from, count);
  };
  return (
    runs.some(({ digits }, index) => isOfLength(digits.length) && isAlarm(index, 1)) ||
    rowsOf(plain, runs).some((row) => holdsGroups(runs, row, isAlarm) || holdsSingles(runs, row, isAlarm))
  );
};

const isOfLength = (length: number): boolean => SHORTEST_ISSUED <= length && length <= LONGEST_ISSUED;

/** Runs from `from` up to but not including `to`, with the same separator between them. */
type Row = { readonly from: number; readonly to: number };
type IsAlarm = (from: number, count: number) => boolean;

/** Up to three characters other than letters; more would be text between two numbers. */
const SEPARATOR = /^[^\p{L}]{1,3}$/u;
/** Three characters have at most this many code units. */
const LONGEST_SEPARATOR = 6;

/** The longest rows of at least three runs. A run may end one row and begin the next. */
const rowsOf = (text: string, runs: readonly Run[]): readonly Row[] => {
  const rows: Row[] = [];
  let from = 0;
  let separator = '';
  for (let index = 1; index <= runs.length; index += 1) {
    const gap = gapBefore(text, runs, index);
    if (gap !== '' && gap === separator) continue;
    if (index - from > 2) rows.push({ from, to: index });
    [from, separator] = [gap === '' ? index : index - 1, gap];
  }
  return rows;
};

/** The text between a run and the one before it; empty where it is no separator. */
const gapBefore = (text: string, runs: readonly Run[], index: number): string => {
  const [before, run] = [runs[index - 1], runs[index]];
  if (before === undefined || run === undefined) return '';
  const from = before.at + before.digits.length;
  if (run.at - from > LONGEST_SEPARATOR) return '';
  const gap = text.slice(from, run.at);
  return SEPARATOR.test(gap) ? gap : '';
};

/**
 * Whether the runs are the groups in which cards are printed. A longer row of groups of four is something else, such as
 * the key of an invoice.
 */
const holdsGroups = (runs: readonly Run[], { from, to }: Row, isAlarm: IsAlarm): boolean => {
  const sizeAt = (index: number): number =>
    index < from || index >= to ? 0 : (runs[index]?.digits.length ?? 0);
  for (let index = from; index < to; index += 1) {
    if (sizeAt(index) !== 4) continue;
    if (sizeAt(index + 1) === 6 && [4, 5].includes(sizeAt(index + 2)) && isAlarm(index, 3)) return true;
    const isRowOfFour =
      [1, 2, 3].every((more) => sizeAt(index + more) === 4) &&
      sizeAt(index - 1) !== 4 &&
      sizeAt(index + 4) !== 4;
    if (isRowOfFour && (isAlarm(index, 4) || (sizeAt(index + 4) === 3 && isAlarm(index, 5)))) return true;
  }
  return false;
};

/** Whether there are as many single digits in a row as a card number has. */
const holdsSingles = (runs: readonly Run[], { from, to }: Row, isAlarm: IsAlarm): boolean => {
  let first = from;
  for (let index = from; index <= to; index += 1) {
    if (index < to && runs[index]?.digits.length === 1) continue;
    if (isOfLength(index - first) && isAlarm(first, index - first)) return true;
    first = index + 1;
  }
  return false;
};

/** How far around a number to look for a longer code that it may be part of. */
const AROUND = 128;

/** Whether digits that could be a card number clearly belong to another, common kind of number. */
const isKnownOtherwise = (
  text: string,
  number: string,
  runs: readonly Run[],
  first: number,
  count: number,
): boolean => {
  if (isCnpj(number)) return true;
  const last = runs[first + count - 1];
  const [from, to] = [runs[first]?.at ?? 0, last === undefined ? 0 : last.at + last.digits.length];
  const offset = Math.max(0, from - AROUND);
  const around = text.slice(offset, to + AROUND);
  const isAround = ({ index, 0: code }: RegExpExecArray): boolean =>
    offset + index <= from && to <= offset + index + code.length;
  return (
    [...around.matchAll(LONGER_CODES)].some(isAround) ||
    [...around.matchAll(POSSIBLE_IBAN)].some((found) => isAround(found) && isIban(found[0]))
  );
};

const alone = (pattern: string): string => `(?<![0-9a-z])(?:${pattern})(?![0-9a-z])`;

/** An IBAN (ISO 13616) without blanks, which its check digits confirm, because a card number may follow two letters. */
const POSSIBLE_IBAN = new RegExp(alone('[a-z]{2}\\d{2}[0-9a-z]{11,30}'), 'gi');

/** Longer codes, as they are usually written, whose digits mean nothing on their own. */
const LONGER_CODES = new RegExp(
  [
    // A UUID, or an id, object id or digest in hexadecimal. It must have a letter, as otherwise it would be only
    // digits.
    alone('(?=[0-9-]*[a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
    alone('(?=[0-9]*[a-f])(?:[0-9a-f]{24}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})'),
    // The digits that are typed to pay a Brazilian bank slip.
    alone('\\d{5}\\.?\\d{5} \\d{5}\\.?\\d{6} \\d{5}\\.?\\d{6} \\d \\d{14}'),
    // An IBAN as it is printed: country and check digits, then groups of four.
    alone(
      '[a-z]{2}\\d{2}(?<gap>[^0-9a-z]{1,3})[0-9a-z]{4}(?:\\k<gap>[0-9a-z]{4}){1,6}(?:\\k<gap>[0-9a-z]{1,3})?',
    ),
    // A position as latitude and longitude.
    alone('-?\\d{1,2}\\.\\d+, ?-?\\d{1,3}\\.\\d+'),
  ].join('|'),
  'gi',
);

const PLANES_WITH_DIGITS = 2;

/**
 * Characters for digits that Unicode does not decompose: the code of the first one, its digit, and how many there are.
 */
const ROWS_OF_SIGNS = [
  [0x24f5, 1, 9], // double circled
  [0x24ff, 0, 1], // negative circled; the others of them are dingbats
  [0x2776, 1, 9],
  [0x2780, 1, 9],
  [0x278a, 1, 9],
  [0x1d360, 1, 9], // counting rods
  [0xe0030, 0, 10], // tags
] as const;
const CHINESE = '〇一二三四五六七八九';

/**
 * The digits that a character beyond ASCII stands for, by its script or by compatibility decomposition. The text as a
 * whole is not normalized, because that takes quadratic time for a long row of combining marks.
 */
const foreignDigits = (() => {
  let table: ReadonlyMap<string, string> | null = null;
  const fill = (): ReadonlyMap<string, string> => {
    const filled = new Map<string, string>();
    for (let code = 0x80; code < PLANES_WITH_DIGITS * 0x1_0000; code += 1) {
      const character = String.fromCodePoint(code);
      const plain = character.normalize('NFKD').replaceAll(/\p{Nd}/gu, toAsciiDigit);
      if (/\d/.test(plain)) filled.set(character, plain);
    }
    for (const [code, digit, count] of ROWS_OF_SIGNS)
      for (let each = 0; each < count; each += 1)
        filled.set(String.fromCodePoint(code + each), String(digit + each));
    [...CHINESE].forEach((character, digit) => {
      filled.set(character, String(digit));
    });
    return filled.set('零', '0');
  };
  return () => {
    table ??= fill();
    return table;
  };
})();

/** In Unicode the digits of each script follow each other from zero to nine. */
const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
};
