/**
 * The decimal number in an amount as people of any of the languages write it: `1.234,50`, `1,234.50`, `60`; null where
 * it is none. `digits` is the number of the currency's decimals. Pages contain the source of this function, comments
 * included, so it uses nothing from outside.
 */
export const writtenAmount = (typed: string, digits: number): number | null => {
  // Nothing but a sign of the currency may stand beside the digits.
  if (!/^[^\d.,-]*[\d.,\s]+[^\d.,-]*$/.test(typed)) return null;
  const bare = typed.replace(/[^\d.,]/g, '');
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const decimals = last < 0 ? 0 : bare.length - last - 1;
  // A sign with as many digits behind it as the currency has divides the parts; any other one groups thousands.
  const divides = decimals > 0 && decimals <= digits;
  const whole = (divides ? bare.slice(0, last) : bare).replace(/[.,]/g, '');
  const plain = divides ? `${whole || '0'}.${bare.slice(last + 1)}` : whole;
  return plain === '' ? null : Number(plain);
};
