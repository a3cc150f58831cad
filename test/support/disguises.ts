/** The groups in which a card number is printed. */
const grouped = (number: string): string[] => {
  if (number.length === 14 || number.length === 15)
    return [number.slice(0, 4), number.slice(4, 10), number.slice(10)];
  return number.match(/.{1,4}/g) ?? [];
};
const joined = (separator: string) => (number: string) => grouped(number).join(separator);
const spaced = (separator: string) => (number: string) => [...number].join(separator);
const digitsFrom = (zero: number) => (number: string) =>
  [...number].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
const coded = (number: string, write: (code: number) => string) =>
  [...number].map((digit) => write(digit.charCodeAt(0))).join('');

/** The ways in which people, forms, programs and attackers write a card number into a text, by name. */
export const DISGUISES: Readonly<Record<string, (number: string) => string>> = {
  plain: (number) => number,
  'within words': (number) => `paid with ${number}, sent back`,
  'right after letters': (number) => `card${number}x`,
  'after another number': (number) => `order 17 ${number}`,
  'before another number': (number) => `${number} 2026`,
  blanks: joined(' '),
  'three blanks': joined('   '),
  dashes: joined('-'),
  dots: joined('.'),
  slashes: joined('/'),
  backslashes: joined('\\'),
  underscores: joined('_'),
  commas: joined(', '),
  colons: joined(':'),
  stars: joined('*'),
  pluses: joined('+'),
  pipes: joined(' | '),
  brackets: (number) => `(${joined(')(')(number)})`,
  quotes: joined('" "'),
  'en dashes': joined('–'),
  'em dashes': joined(' — '),
  'a minus': joined('\u2212'),
  'middle dots': spaced('\u00b7'),
  'no-break spaces': joined('\u00a0'),
  'thin spaces': spaced('\u2009'),
  'ideographic spaces': joined('\u3000'),
  'a blank that Unicode counts as a letter': joined('\u3164'),
  'zero-width spaces': spaced('\u200b'),
  'word joiners': spaced('\u2060'),
  'soft hyphens': joined('\u00ad'),
  'bidirectional marks': joined('\u202e'),
  'line breaks': joined('\r\n'),
  tabs: joined('\t'),
  'combining marks': spaced('\u0301\u0323'),
  'each digit apart': spaced(' '),
  'full-width digits': digitsFrom(0xff10),
  'Arabic-Indic digits': digitsFrom(0x660),
  'Devanagari digits with dashes': (number) => joined('-')(digitsFrom(0x966)(number)),
  'bold mathematical digits': digitsFrom(0x1d7ce),
  'superscript digits': (number) => [...number].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join(''),
  'circled digits': (number) => [...number].map((digit) => '⓪①②③④⑤⑥⑦⑧⑨'[Number(digit)]).join(''),
  'double circled digits': (number) => [...number].map((digit) => '⓪⓵⓶⓷⓸⓹⓺⓻⓼⓽'[Number(digit)]).join(''),
  'negative circled digits': (number) => [...number].map((digit) => '⓿❶❷❸❹❺❻❼❽❾'[Number(digit)]).join(''),
  'tag digits': digitsFrom(0xe0030),
  'Chinese numerals': (number) => [...number].map((digit) => '零一二三四五六七八九'[Number(digit)]).join(''),
  'key caps': spaced('\ufe0f\u20e3'),
  'percent-encoded digits': (number) => [...number].map((digit) => `%3${digit}`).join(''),
  'digits percent-encoded twice': (number) => [...number].map((digit) => `%253${digit}`).join(''),
  'HTML character references': (number) => coded(number, (code) => `&#${code};`),
  'hexadecimal HTML references': (number) => coded(number, (code) => `&#x${code.toString(16)}`),
  'HTML references within each other': (number) => coded(number, (code) => `&#38;#${code};`),
  'blanks as HTML references': joined('&#160;'),
  'escapes of JSON': (number) => coded(number, (code) => `\\u00${code.toString(16)}`),
  'escapes of program text': (number) => coded(number, (code) => `\\x${code.toString(16)}\\u{20}`),
  'percent-encoded blanks': joined('%20'),
  'percent-encoded no-break spaces': joined('%C2%A0'),
};
