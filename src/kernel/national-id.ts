/**
 * Tax identifiers of Brazil (Receita Federal) and Argentina (ARCA), with check digits modulo 11 of weighted values. The
 * npm package stdnum 1.12 does not replace this: it accepts a CPF of eleven equal digits and a CUIT whose check digit
 * would be 10, and refuses the CUIL prefixes 25 and 26.
 */

const SHAPES: Readonly<Partial<Record<string, { readonly pattern: RegExp; readonly words: string }>>> = {
  // People who were born before about 1960 have numbers of seven digits.
  dni: { pattern: /^\d{7,8}$/, words: 'a DNI (7 or 8 digits)' },
  cpf: { pattern: /^\d{11}$/, words: 'a CPF (11 digits)' },
  // A CNPJ may have letters since July 2026.
  cnpj: {
    pattern: /^[0-9A-Z]{12}\d{2}$/,
    words: 'a CNPJ (12 letters or digits and two check digits)',
  },
};

/** Kinds of identifiers that a payer may have: national ones of Brazil and Argentina, passports, and `other` ones. */
export const DOCUMENT_TYPES = [
  'cpf',
  'cnpj',
  'rg',
  'cnh',
  'rne',
  'dni',
  'cuit',
  'cuil',
  'cdi',
  'passport',
  'other',
] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const isDocumentType = (type: string): type is DocumentType =>
  DOCUMENT_TYPES.some((known) => known === type);

/** A kind of identifier as it is stored: blanks around it and upper case do not matter. */
export const documentType = (type: string): string => type.trim().toLowerCase();

/** An identifier as it is stored and compared: without punctuation, and with letters in upper case. */
export const compactId = (id: string): string =>
  // Only ASCII letters: the upper case of others may be several letters, or an ASCII one.
  id.replaceAll(/[./ -]/g, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

/** Whether identifiers of this type are stored in compact form. */
export const isKeptCompact = (type: string): boolean => ['cpf', 'cnpj'].includes(type.toLowerCase());

/** An identifier as it is stored: a CPF or CNPJ in compact form, any other as it was given. */
export const keptId = (type: string, id: string): string => (isKeptCompact(type) ? compactId(id) : id);

/**
 * A description of the shape that an identifier of this type should have; null where it has it, or the type has none.
 */
export const missingShape = (type: string, id: string): string | null => {
  const shape = SHAPES[type.toLowerCase()];
  return shape === undefined || shape.pattern.test(compactId(id)) ? null : shape.words;
};

/** The value of a letter or digit by the Receita Federal's rule: its ASCII code less 48. */
const weighedAs = (character: string): number => character.charCodeAt(0) - 48;

const checkDigit = (digits: readonly number[], weights: readonly number[]): number => {
  const total = weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
  const rest = total % 11;
  return rest < 2 ? 0 : 11 - rest;
};

const hasCheckDigits = (id: string, first: readonly number[], second: readonly number[]): boolean => {
  const digits = [...id].map(weighedAs);
  const body = first.length;
  return checkDigit(digits, first) === digits[body] && checkDigit(digits, second) === digits[body + 1];
};

const CPF = [
  [10, 9, 8, 7, 6, 5, 4, 3, 2],
  [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
] as const;
const CNPJ = [
  [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
] as const;

export const isCpf = (id: string): boolean =>
  /^\d{11}$/.test(id) && !/^(\d)\1+$/.test(id) && hasCheckDigits(id, ...CPF);

/** Whether this is a CNPJ in compact form: twelve letters or digits and two correct check digits. */
export const isCnpj = (id: string): boolean =>
  missingShape('cnpj', id) === null &&
  id === compactId(id) &&
  !/^(\d)\1+$/.test(id) &&
  hasCheckDigits(id, ...CNPJ);

const CUIT = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Whether this is an Argentine CUIT or CUIL: eleven digits, of which the last one checks the others. */
export const isCuit = (id: string): boolean => {
  if (!/^\d{11}$/.test(id)) return false;
  const total = CUIT.reduce((sum, weight, index) => sum + weight * Number(id[index]), 0);
  // A remainder of 1 would need the digit 10, and such numbers are not issued.
  return (11 - (total % 11)) % 11 === Number(id[10]);
};

/** Whether the check digits of an identifier are right; true for a type whose check digits are not known here. */
export const checkNationalId = (type: string, id: string): boolean => {
  const digits = compactId(id);
  switch (type.toLowerCase()) {
    case 'cpf':
      return isCpf(digits);
    case 'cnpj':
      return isCnpj(digits);
    case 'cuit':
    case 'cuil':
      return isCuit(digits);
    default:
      return true;
  }
};

/** The fault of an identifier: its shape first, then its check digits. Null where it has none. */
export const idProblem = (type: string, id: string): string | null => {
  const missing = missingShape(type, id);
  if (missing !== null) return `must be ${missing}`;
  return checkNationalId(type, id) ? null : 'has wrong check digits';
};
