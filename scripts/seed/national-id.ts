/** A number with these digits first that is valid, by its last `checkDigits`; null where no such number is given out. */
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
