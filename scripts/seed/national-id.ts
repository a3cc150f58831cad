/**
 * A valid number that begins with these digits and ends with `checkDigits` check digits; null where no such number is
 * issued.
 */
export const withCheckDigits = (
  digits: string,
  checkDigits: 1 | 2,
  isValid: (id: string) => boolean,
): string | null => {
  for (let check = 0; check < 10 ** checkDigits; check += 1) {
    const id = `${digits}${String(check).padStart(checkDigits, '0')}`;
    if (isValid(id)) return id;
  }
  return null;
};
