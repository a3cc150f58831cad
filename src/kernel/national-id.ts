/** Check digits of tax identifiers: modulo 11 over weighted digits, in Brazil (Receita Federal) and Argentina (ARCA). */

const checkDigit = (digits: readonly number[], weights: readonly number[]): number => {
  const total = weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
  const rest = total % 11;
  return rest < 2 ? 0 : 11 - rest;
};

const hasCheckDigits = (id: string, first: readonly number[], second: readonly number[]): boolean => {
  const digits = [...id].map(Number);
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

export const isCnpj = (id: string): boolean =>
  /^\d{14}$/.test(id) && !/^(\d)\1+$/.test(id) && hasCheckDigits(id, ...CNPJ);

const CUIT = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** An Argentine CUIT or CUIL: eleven digits, of which the last one checks the others. */
export const isCuit = (id: string): boolean => {
  if (!/^\d{11}$/.test(id)) return false;
  const total = CUIT.reduce((sum, weight, index) => sum + weight * Number(id[index]), 0);
  // A remainder of 1 would need the digit 10: such numbers are not given out.
  return (11 - (total % 11)) % 11 === Number(id[10]);
};

/** Whether an identifier's check digits are right; of a type that is not known here nothing is said against it. */
export const checkNationalId = (type: string, id: string): boolean => {
  const digits = id.replaceAll(/[./-]/g, '');
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
