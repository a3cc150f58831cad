/** A text, read as an amount of so many digits after the point. */
export type Reading =
  | { readonly kind: 'amount'; readonly amount: number }
  /** It can mean either, so that nobody may choose. */
  | { readonly kind: 'ambiguous'; readonly readings: readonly [number, number] }
  | { readonly kind: 'too exact' | 'none' };

const NONE: Reading = { kind: 'none' };

/** Spaces stand between thousands only. */
const SPACED = /^([+-]?)([1-9]\d{0,2}(?: \d{3})+)([.,]\d+)?$/;

/**
 * The text with a full stop before its decimals, where `separator` is the one that stands there; null where it cannot
 * be.
 */
const readWith = (text: string, separator: '.' | ','): string | null => {
  const thousands = separator === '.' ? ',' : '\\.';
  const point = separator === '.' ? '\\.' : ',';
  const whole = `\\d+|[1-9]\\d{0,2}(?:${thousands}\\d{3})+`;
  const [, digits, decimals = ''] = new RegExp(`^(${whole})(?:${point}(\\d+))?$`).exec(text) ?? [];
  return digits === undefined ? null : `${digits.replaceAll(/[.,]/g, '')}.${decimals.replace(/0+$/, '')}`;
};

/** An amount as a text that reads as it: one more digit tells thousandths of a dinar from thousands. */
export const asTyped = (amount: number, digits: number): string => {
  const text = String(amount);
  return readAmount(text, digits).kind === 'ambiguous' ? `${text}0` : text;
};

/**
 * Reads an amount by either notation, `1,234.56` and `1.234,56`, whatever the language. A text that has two meanings
 * within the digits of its currency, such as `1.000`, has no amount: the language of a browser is not that of a hand.
 */
export const readAmount = (text: string, digits: number): Reading => {
  const trimmed = text
    .trim()
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replace('−', '-');
  const plain = SPACED.test(trimmed) ? trimmed.replaceAll(' ', '') : trimmed;
  const [, sign = '', number = ''] = /^([+-]?)([\d.,]+)$/.exec(plain) ?? [];
  const read = (['.', ','] as const).flatMap((separator) => readWith(number, separator) ?? []);
  if (read.length === 0) return NONE;
  const fitting = read.filter((one) => one.length - one.indexOf('.') - 1 <= digits);
  const [first, second] = [...new Set(fitting.map((one) => Number(`${sign}${one}`)))];
  if (first === undefined) return { kind: 'too exact' };
  return second === undefined
    ? { kind: 'amount', amount: first }
    : { kind: 'ambiguous', readings: first < second ? [first, second] : [second, first] };
};
