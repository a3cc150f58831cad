/** Whether a text without blanks is an IBAN with correct check digits (ISO 13616, ISO 7064). */
export const isIban = (text: string): boolean => {
  if (!/^[a-z]{2}\d{2}[0-9a-z]{11,30}$/i.test(text)) return false;
  let rest = 0;
  // A letter stands for a number from 10 on, and so for two digits.
  for (const character of `${text.slice(4)}${text.slice(0, 4)}`)
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
};
