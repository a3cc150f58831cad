/** Whether a text without blanks is an account number whose check digits are right (IBAN, ISO 13616 by ISO 7064). */
export const isIban = (text: string): boolean => {
  if (!/^[a-z]{2}\d{2}[0-9a-z]{11,30}$/i.test(text)) return false;
  let rest = 0;
  // Letters count from 10 on, and so have two digits.
  for (const character of `${text.slice(4)}${text.slice(0, 4)}`)
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
};
