import { holdsCardNumber } from '../../../platform/http/card-numbers.ts';

/** Stands in for a value, or for the name of a member, that must not be stored. */
export const MASK = '***';

/** Members whose values are words of the API, so that a wrong one can be seen. */
const WORDS = new Set(
  'brand,collection,country,currency,event,events,interval,method,mode,payerMethod,permissions,role,status,type'.split(
    ',',
  ),
);
/** Members whose values are amounts or counts. */
const NUMBERS = new Set(
  'amount,capturedAmount,days,installments,intervalCount,maximum,minimum,page,percentage,quantity,size,unitPrice'.split(
    ',',
  ),
);
/** Members whose own members have names that the merchant chose. */
const FREE = new Set(['metadata', 'answers']);

const WORD = /^[A-Za-z][A-Za-z_.*-]{0,39}$/;
const MEMBER = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
/** Shorter than any card number. */
const BELOW = 1e11;
const DEPTH = 6;
const MEMBERS = 50;
const ITEMS = 20;
const LENGTH = 4_000;

/**
 * The body of a request with the names of its members, its amounts and the words of the API, and with a mask in place of
 * every other value: nothing in it names a payer, is a secret or belongs to a card. Null where there is no body.
 */
export const maskedBody = (body: unknown): string | null => {
  if (body === undefined || body === null) return null;
  const text = JSON.stringify(masked(body, '', DEPTH));
  return text.length <= LENGTH ? text : JSON.stringify(MASK);
};

const masked = (value: unknown, name: string, depth: number): unknown => {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return WORDS.has(name) && WORD.test(value) ? value : MASK;
  if (typeof value === 'number') return NUMBERS.has(name) && Math.abs(value) < BELOW ? value : MASK;
  if (typeof value !== 'object' || depth === 0 || FREE.has(name)) return MASK;
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => masked(item, name, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MEMBERS)
      .map(([member, of]) => [MEMBER.test(member) ? member : MASK, masked(of, member, depth - 1)]),
  );
};

/** The path with a mask in place of names that the sender chose. */
const maskedPath = (path: string): string => {
  const parts = path.split('.');
  const free = parts.findIndex((part) => FREE.has(part));
  return parts
    .map((part, index) =>
      (free === -1 || index <= free) && (MEMBER.test(part) || /^\d+$/.test(part)) ? part : MASK,
    )
    .join('.');
};

/** A fault of a request as it is stored; its message repeats the path. */
export const maskedError = (
  { path, message }: { readonly path: string; readonly message: string },
  length: number,
): { readonly path: string; readonly message: string } => {
  const shown = path === '' ? '' : maskedPath(path);
  const told = shown === path ? message : message.replaceAll(path, () => shown);
  return { path: maskedText(shown, length), message: maskedText(told, length) };
};

/** A text of an error as it is stored: without what could be a card number, and not very long. */
export const maskedText = (text: string, length: number): string =>
  holdsCardNumber(text) ? MASK : text.slice(0, length);

const IDENTIFIER = /^[a-z]{2,4}_[0-9a-f]{32}$/;

/** The path of a request with the ids of records in it. A parameter that is no id keeps its name in braces. */
export const shownPathOf = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const value = params[name] ?? '';
    return IDENTIFIER.test(value) ? value : parameter;
  });
