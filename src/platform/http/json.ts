import { type GatewayError, type InputFault, invalidInput } from '../../kernel/errors.ts';
import { shownPath } from './shown-path.ts';

/** Far fewer levels than the stores accept (100), and far more than any field needs. */
const MAX_DEPTH = 32;
/** More values than any route accepts; validating one takes some microseconds. */
const MAX_VALUES = 10_000;

/**
 * The value of a JSON text (RFC 8259); 400 for a text that is not JSON, or that other readers would understand
 * differently, such as one with a repeated name or a number that a double cannot hold exactly.
 */
export const parseJson = (bytes: Buffer): unknown => {
  const text = decode(bytes);
  if (hasTooManyValues(text)) throw refused(`The body has more than ${MAX_VALUES} values`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes a piece of the body, which may contain a card number.
    throw refused('The body is not valid JSON');
  }
  const fault = faultOfText(text);
  if (fault) throw invalidInput([fault]);
  assertStorable(value);
  return value;
};

/** 400 for a value that no store or validator can take unchanged. */
const assertStorable = (value: unknown): void => {
  const fault = faultOfValue(value);
  if (fault) throw invalidInput([fault]);
};

const refused = (message: string): GatewayError => invalidInput([ofBody(message)]);

const ofBody = (message: string): InputFault => ({ path: '', message });

const BROKEN_UNICODE = 'The body is not well-formed Unicode';

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(BROKEN_UNICODE);
  }
};

/** Counts the separators of values outside of strings, which also works in a text that is not JSON. */
const hasTooManyValues = (text: string): boolean => {
  let separators = 0;
  let isString = false;
  for (let place = 0; place < text.length && separators <= MAX_VALUES; place += 1) {
    const character = text[place];
    if (isString && character === '\\') place += 1;
    else if (character === '"') isString = !isString;
    else if (!isString && (character === ',' || character === '[' || character === '{')) separators += 1;
  }
  return separators > MAX_VALUES;
};

/** An object or array that is open; `at` is the place in it that is being read. */
type Level = { readonly names: Set<string> | null; at: string | number };

/**
 * The tokens of a text that is valid JSON: brackets, commas, strings (with the colon that makes one a name), numbers.
 */
const TOKENS = /[{}[\],]|"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|-?\d[\d.eE+-]*/g;

/**
 * Faults that parsing would hide, which are repeated names and rounded numbers; and too many levels, before any code
 * recurses.
 */
const faultOfText = (text: string): InputFault | null => {
  const levels: Level[] = [];
  const faultHere = (message: (path: string) => string): InputFault => {
    const path = shownPath(levels.map(({ at }) => at));
    return { path, message: message(path || 'The body') };
  };
  for (const [token] of text.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      if (levels.length === MAX_DEPTH) return ofBody(`The body is nested more than ${MAX_DEPTH} levels deep`);
      levels.push(token === '{' ? { names: new Set(), at: '' } : { names: null, at: 0 });
    } else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') {
      if (typeof level?.at === 'number') level.at += 1;
    } else if (token.endsWith(':') && level?.names) {
      level.at = nameOf(token);
      if (level.names.has(level.at)) return faultHere((path) => `${path} is given more than once`);
      level.names.add(level.at);
    } else if (!token.startsWith('"') && !isExact(token))
      return faultHere((path) => `${path} is a number that cannot be kept exactly`);
  }
  return null;
};

const nameOf = (token: string): string => JSON.parse(token.slice(0, token.lastIndexOf('"') + 1));

/** A double holds every decimal with this many digits exactly. */
const ALWAYS_EXACT = /^-?[\d.]{1,15}$/;
/** The longest number without redundant zeros that a double holds exactly has 326 characters. */
const MAX_NUMBER_LENGTH = 400;

/** JavaScript reads this as a number of its own, and would write it without its sign. */
const NEGATIVE_ZERO = /^-0*(\.0*)?([eE]|$)/;

/**
 * Whether the number that was read is the one in the text, when it is written again; zeros at its ends do not count.
 */
export const isExact = (text: string): boolean => {
  if (NEGATIVE_ZERO.test(text)) return false;
  if (ALWAYS_EXACT.test(text)) return true;
  if (text.length > MAX_NUMBER_LENGTH) return false;
  const value = Number(text);
  return Number.isFinite(value) && decimalOf(text) === decimalOf(String(value));
};

/** The digits of a number without zeros at their ends, and the power of ten of the last digit. */
const decimalOf = (text: string): string => {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const kept = digits.slice(0, end).replace(/^0+/, '');
  return kept === '' ? '0' : `${kept}e${Number(exponent) - fraction.length + digits.length - end}`;
};

/** With the flag `u` this matches only a surrogate without its other half. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The fault of a value that no store or validator can take; null where there is none. */
const faultOfValue = (value: unknown): InputFault | null => {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? ofBody(BROKEN_UNICODE) : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const fault = faultOfName(name) ?? faultOfValue(member);
    if (fault) return fault;
  }
  return null;
};

const faultOfName = (name: string): InputFault | null => {
  // The validator copies by assignment, which would turn this member into the prototype of the copy.
  if (name === '__proto__') return ofBody('__proto__ is not allowed');
  if (name.includes('\u0000')) return ofBody('The body has a field name with a NUL character');
  return LONE_SURROGATE.test(name) ? ofBody(BROKEN_UNICODE) : null;
};
