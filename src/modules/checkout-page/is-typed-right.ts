/**
 * Whether a text that a payer has left in a field can be right: the number and the end of a card, a CPF or CNPJ, an
 * e-mail address. The gateway checks each again. Pages contain the source of this function, comments included, so it
 * uses nothing from outside.
 */
export const isTypedRight = (field: string, typed: string, now: Date): boolean => {
  const isCardNumber = (): boolean => {
    const digits = typed.replace(/[\s-]/g, '');
    const sum = [...digits].reverse().reduce((total, digit, place) => {
      const value = place % 2 === 0 ? Number(digit) : 2 * Number(digit);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return /^\d{12,19}$/.test(digits) && sum % 10 === 0;
  };
  const isAhead = (): boolean => {
    const [, month = '', year = ''] = /^(\d{1,2}?)\s*[/-]?\s*(\d{2}|\d{4})$/.exec(typed) ?? [];
    const end = 12 * (Number(year) + (year.length === 2 ? 2000 : 0)) + Number(month) - 1;
    const isMonth = Number(month) >= 1 && Number(month) <= 12;
    return isMonth && end >= 12 * now.getFullYear() + now.getMonth();
  };
  const isTaxNumber = (): boolean => {
    const id = typed.replace(/[./ -]/g, '').toUpperCase();
    const isCpf = /^\d{11}$/.test(id);
    if (!isCpf && !/^[0-9A-Z]{12}\d{2}$/.test(id)) return false;
    // A digit checks those before it, whose weights grow to the left: to 11 in a CPF, and up to 9 again and again in a
    // CNPJ. A letter counts as its ASCII code less 48.
    const turns = isCpf ? 10 : 8;
    const checks = (place: number): boolean => {
      const total = [...id.slice(0, place)].reduce(
        (sum, sign, index) => sum + (sign.charCodeAt(0) - 48) * (2 + ((place - 1 - index) % turns)),
        0,
      );
      return (total % 11 < 2 ? 0 : 11 - (total % 11)) === Number(id[place]);
    };
    return !/^(\d)\1+$/.test(id) && checks(id.length - 2) && checks(id.length - 1);
  };
  switch (field) {
    case 'number':
      return isCardNumber();
    case 'expiry':
      return isAhead();
    case 'document':
      return isTaxNumber();
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(typed);
    default:
      return true;
  }
};
