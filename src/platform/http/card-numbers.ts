import cardValidator from 'card-validator';
import { isCnpj } from '../../kernel/national-id.ts';

const SHORTEST = 13;
const LONGEST = 19;

/**
 * Whether a text holds a card number: 13 to 19 decimal digits of any script with the check digit (Luhn) and the leading
 * digits of a brand. Groups of digits may have anything without letters between them, or the same few letters each
 * time. Twenty digits in a row hold none. Time is in proportion to the length of the text.
 */
export const holdsCardNumber = (text: string): boolean => {
  let read = text;
  for (let decoded = 0; decoded <= MOST_ENCODINGS; decoded += 1) {
    if (holdsPlain(read)) return true;
    const plainer = read.replace(ENCODED, decode);
    if (plainer === read) return false;
    read = plainer;
  }
  return false;
};

/** Encodings within each other. */
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

const holdsPlain = (text: string): boolean => {
  const plain = text.replace(NOT_ASCII, (character) => foreignDigits().get(character) ?? character);
  const places = placesOfDigits(plain);
  return places.length >= SHORTEST && search(plain, places);
};

const ZERO = 0x30;

/** A number at an index that there is. */
const at = (numbers: ArrayLike<number>, index: number): number => numbers[index] ?? 0;

const placesOfDigits = (text: string): number[] => {
  const places: number[] = [];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code >= ZERO && code < ZERO + 10) places.push(place);
  }
  return places;
};

/** Letters that show: Unicode counts a few blanks among its letters. */
const LETTER = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u;
/** Longer ones are words, as in a list of order numbers. */
const LONGEST_SEPARATOR_WITH_LETTERS = 8;
const FEWEST_GROUPS_BY_LETTERS = 4;

/** `places` has the place of each digit of the text; a window is a range of these. */
const search = (text: string, places: readonly number[]): boolean => {
  const digits = places.map((place) => text[place]).join('');
  const passesLuhn = luhnOf(digits);
  const startsGroup = (start: number): boolean =>
    start === 0 || at(places, start) > at(places, start - 1) + 1;
  const isAlarm = (start: number, end: number): boolean =>
    passesLuhn(start, end) &&
    isOfBrand(digits.slice(start, end)) &&
    !isKnownOtherwise(text, digits.slice(start, end), at(places, start), at(places, end - 1) + 1);

  /** First digits of the present group, of the groups without letters between, of those with the same letters. */
  let [group, run, stretch] = [0, 0, 0];
  let groupsInStretch = 1;
  let separator: string | null = null;
  for (let end = 1; end <= digits.length; end += 1) {
    const gap = text.slice(at(places, end - 1) + 1, places[end]);
    if (end < digits.length && gap === '') continue;
    const first = Math.min(run, groupsInStretch >= FEWEST_GROUPS_BY_LETTERS ? stretch : run);
    for (let start = end - SHORTEST; start >= Math.max(first, end - LONGEST); start -= 1)
      if (startsGroup(start) && isAlarm(start, end)) return true;
    if (!LETTER.test(gap)) [stretch, groupsInStretch, separator] = [end, 1, null];
    else {
      run = end;
      if (gap === separator) groupsInStretch += 1;
      else if (gap.length <= LONGEST_SEPARATOR_WITH_LETTERS)
        [stretch, groupsInStretch, separator] = [group, 2, gap];
      else [stretch, groupsInStretch, separator] = [end, 1, null];
    }
    group = end;
  }
  return false;
};

/** Luhn's check of any range of digits, from sums that are computed once (ISO/IEC 7812-1, annex B). */
const luhnOf = (digits: string): ((start: number, end: number) => boolean) => {
  // In the one every second digit from the first on is doubled, in the other from the second on.
  const sums = [new Uint32Array(digits.length + 1), new Uint32Array(digits.length + 1)] as const;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(index) - ZERO;
    const doubled = digit < 5 ? digit * 2 : digit * 2 - 9;
    sums[0][index + 1] = at(sums[0], index) + (index % 2 === 0 ? doubled : digit);
    sums[1][index + 1] = at(sums[1], index) + (index % 2 === 0 ? digit : doubled);
  }
  return (start, end) => {
    const from = end % 2 === 0 ? sums[0] : sums[1];
    return (at(from, end) - at(from, start)) % 10 === 0;
  };
};

/** Leading digits of a brand, from and to, and the lengths of its numbers. */
type Range = { readonly from: string; readonly to: string; readonly lengths: readonly number[] };

const { creditCardType } = cardValidator;
const RANGES: readonly Range[] = Object.values(creditCardType.types).flatMap((brand) => {
  const { patterns, lengths } = creditCardType.getTypeInfo(brand);
  return patterns.map((pattern) => {
    const [from, to] = [pattern].flat();
    // Visa once had numbers of 13 digits.
    return {
      from: String(from),
      to: String(to ?? from),
      lengths: brand === 'visa' ? [13, ...lengths] : lengths,
    };
  });
});

/** The ranges by the first two digits of a number. */
const BY_FIRST_TWO: readonly (readonly Range[])[] = Array.from({ length: 100 }, (_, two) => {
  const start = String(two).padStart(2, '0');
  return RANGES.filter(
    ({ from, to }) =>
      from.slice(0, 2) <= start.slice(0, from.length) && start.slice(0, to.length) <= to.slice(0, 2),
  );
});

const isOfBrand = (number: string): boolean =>
  (BY_FIRST_TWO[Number(number.slice(0, 2))] ?? []).some(({ from, to, lengths }) => {
    const start = number.slice(0, from.length);
    return from <= start && start <= to && lengths.includes(number.length);
  });

/** As far around a number as what it may be a part of reaches. */
const AROUND = 128;

/** Whether digits that could be those of a card are plainly of something else, which is common. */
const isKnownOtherwise = (text: string, number: string, from: number, to: number): boolean => {
  if (number.length === 13 && isEan13(number)) return true;
  if (number.length === 14 && isCnpj(number)) return true;
  const offset = Math.max(0, from - AROUND);
  const around = text.slice(offset, to + AROUND);
  return [...around.matchAll(LONGER_CODES)].some(
    ({ index, 0: code }) => offset + index <= from && to <= offset + index + code.length,
  );
};

/** An article's number: threefold every second digit, the sum is a multiple of ten (GS1). */
const isEan13 = (number: string): boolean =>
  [...number].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;

const alone = (pattern: string): string => `(?<![0-9a-z])(?:${pattern})(?![0-9a-z])`;

/** Codes within which digits mean nothing by themselves, as they are usually written. */
const LONGER_CODES = new RegExp(
  [
    // A UUID, or an id, object id or digest in hexadecimal; with a letter, or it would be nothing but digits.
    alone('(?=[0-9-]*[a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
    alone('(?=[0-9]*[a-f])(?:[0-9a-f]{24}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})'),
    // The line to type of a Brazilian boleto, of a bank or of a utility.
    alone('\\d{5}\\.?\\d{5} \\d{5}\\.?\\d{6} \\d{5}\\.?\\d{6} \\d \\d{14}'),
    alone('8\\d{10}[ -]\\d(?: \\d{11}[ -]\\d){3}'),
    // An instant by RFC 3339, whose fraction and offset many programs write.
    alone(
      '(?:19|2[01])\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[T ](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d' +
        '(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?',
    ),
  ].join('|'),
  'gi',
);

const PLANES_WITH_DIGITS = 2;

/** Signs for digits that Unicode does not decompose: the first one's code, its digit, and how many follow it. */
const ROWS_OF_SIGNS = [
  [0x24f5, 1, 9], // double circled
  [0x24ff, 0, 1], // negative circled, of which the others are dingbats
  [0x2776, 1, 9],
  [0x2780, 1, 9],
  [0x278a, 1, 9],
  [0x1d360, 1, 9], // counting rods
  [0xe0030, 0, 10], // tags
] as const;
const CHINESE = '〇一二三四五六七八九';

/**
 * The digits that a character beyond ASCII stands for, of another script or by compatibility decomposition. A text is
 * not normalised as a whole: that takes quadratic time for a long row of combining marks.
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
