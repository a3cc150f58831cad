/**
 * Writes a CPF as it is printed, `000.000.000-00`, also while only its beginning has been typed. With more than eleven
 * characters or with a letter it is a CNPJ, `00.000.000/0000-00`. Pages contain the source of this function, so it uses
 * nothing from outside.
 */
export const groupedTaxNumber = (typed: string): string => {
  const id = typed
    .replace(/[^0-9a-z]/gi, '')
    .toUpperCase()
    .slice(0, 14);
  const isCpf = /^\d{0,11}$/.test(id);
  const marks: Readonly<Record<number, string>> = isCpf
    ? { 3: '.', 6: '.', 9: '-' }
    : { 2: '.', 5: '.', 8: '/', 12: '-' };
  return [...id].map((sign, place) => (marks[place] ?? '') + sign).join('');
};
