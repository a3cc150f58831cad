import fc from 'fast-check';

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));
const join = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));
const number = (min: number, max: number): fc.Arbitrary<string> => fc.integer({ min, max }).map(String);
const twoDigits = (max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max }).map((one) => String(one).padStart(2, '0'));
const hexadecimal = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((all) => all.join(''));
const letters = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), { minLength: length, maxLength: length })
    .map((all) => all.join(''));
const inFours = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, '$1 ');

const mod11 = (body: string, weights: readonly number[]): string => {
  const rest = weights.reduce((sum, weight, index) => sum + weight * Number(body[index]), 0) % 11;
  return `${body}${rest < 2 ? 0 : 11 - rest}`;
};
const cnpj = fc.nat({ max: 65_000_000 }).map((root) => {
  const body = `${String(root).padStart(8, '0')}0001`;
  const first = mod11(body, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
  return mod11(first, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
});
const gtin = (length: number): fc.Arbitrary<string> =>
  digits(length - 1).map((body) => {
    const sum = [...body]
      .reverse()
      .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
    return `${body}${(10 - (sum % 10)) % 10}`;
  });
const luhn = (body: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  body.map((text) => {
    const sum = [...text].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return `${text}${(10 - (sum % 10)) % 10}`;
  });

const uuid = fc.uuid();
const slip = join(
  ...[digits(5), '.', digits(5), ' ', digits(5), '.', digits(6), ' ', digits(5), '.', digits(6), ' '],
  ...[digits(1), ' ', number(1000, 9999), digits(10)],
);
const utilitySlip = join(
  '8',
  digits(10),
  '-',
  digits(1),
  ...[1, 2, 3].flatMap(() => [' ', digits(11), '-', digits(1)]),
);
const brazilianPhone = join('+55 ', twoDigits(99), ' 9', digits(4), '-', digits(4));
const invoiceKey = join(number(11, 53), '26', twoDigits(12), digits(38));
const day = join('2026-', twoDigits(12), '-', twoDigits(28));
const instant = join(
  ...[day, 'T', twoDigits(23), ':', twoDigits(59), ':', twoDigits(59), '.'],
  fc.nat({ max: 9 }).chain((length) => digits(length + 1)),
  fc.constantFrom('Z', '+00:00', '-03:00', '+05:30'),
);

/** Countries, and the characters after their check digits; N is a digit, A a letter. */
const IBANS = [
  ...[
    'ATNNNNNNNNNNNNNNNN',
    'BENNNNNNNNNNNN',
    'CHNNNNNNNNNNNNNNNNN',
    'DENNNNNNNNNNNNNNNNNN',
    'DKNNNNNNNNNNNNNN',
  ],
  ...['ESNNNNNNNNNNNNNNNNNNNN', 'FINNNNNNNNNNNNNN', 'FRNNNNNNNNNNNNNNNNNNNNNNN', 'GBAAAANNNNNNNNNNNNNN'],
  ...['ITANNNNNNNNNNNNNNNNNNNNNN', 'NLAAAANNNNNNNNNN', 'NONNNNNNNNNNN', 'PTNNNNNNNNNNNNNNNNNNNNN'],
  ...['PLNNNNNNNNNNNNNNNNNNNNNNNN', 'BRNNNNNNNNNNNNNNNNNNNNNNNAN', 'SENNNNNNNNNNNNNNNNNNNN'],
];
const iban = fc.constantFrom(...IBANS).chain((form) =>
  join(...[...form.slice(2)].map((sign) => (sign === 'N' ? digits(1) : letters(1)))).map((account) => {
    const country = form.slice(0, 2);
    const value = [...`${account}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('');
    return `${country}${String(98n - (BigInt(value) % 97n)).padStart(2, '0')}${account}`;
  }),
);

const degrees = (from: number, to: number): fc.Arbitrary<number> =>
  fc.double({ min: from, max: to, noNaN: true });
const place = fc.tuple(degrees(-24, -23.3), degrees(-47, -46.3));
const amount = fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));
const tlv = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;
const pixCode = fc
  .tuple(uuid, amount, hexadecimal(4), fc.boolean(), cnpj)
  .map(([key, price, crc, isDynamic, taxId]) => {
    const account = isDynamic
      ? tlv('25', `pix.example.com/qr/v2/${key.replaceAll('-', '')}`)
      : tlv('01', price.endsWith('5') ? taxId : key);
    return [
      ...['000201', tlv('26', tlv('00', 'br.gov.bcb.pix') + account), '52040000', '5303986'],
      ...[tlv('54', price), '5802BR', tlv('59', 'Loja da Ana'), tlv('60', 'SAO PAULO')],
      ...[tlv('62', tlv('05', '***')), `6304${crc.toUpperCase()}`],
    ].join('');
  });
const endToEndId = join(
  'E',
  digits(8),
  '2026',
  twoDigits(12),
  twoDigits(28),
  digits(4),
  letters(4),
  digits(3),
  letters(4),
);
const tikTok = join(fc.constantFrom('576', '577', '578', '579', '580'), digits(15));
const snowflake = join(number(100, 199), digits(16));
const milliseconds = number(1_700_000_000_000, 1_950_000_000_000);
const microseconds = join(number(1_800_000_000, 1_950_000_000), digits(6));
const nanoseconds = join(number(1_700_000_000, 1_950_000_000), digits(9));
const reference = join('p-', number(1, 9_999), '-', number(1_700_000_000, 1_950_000_000));

const order = fc
  .tuple(reference, uuid, brazilianPhone, place, instant, tikTok, gtin(13), cnpj, invoiceKey, milliseconds)
  .map(([id, cart, phone, [latitude, longitude], at, shop, article, taxId, key, clicked]) =>
    [
      ...[id, cart, phone, `${latitude.toFixed(7)},${longitude.toFixed(7)}`, at, shop, article, taxId, key],
      ...[
        inFours(key),
        clicked,
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.7444.176 Safari/537.36',
      ],
    ].join('\n'),
  );

/**
 * Texts that merchants send with a charge and that are no card numbers, by their names in the table of
 * docs/security.md.
 */
export const LOOKALIKES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'reference with a Unix time: `p-406-1764120182`': reference,
  'order number by date: `ORD-2026-123456`': join('ORD-2026-', digits(6)),
  'order number of up to 13 digits': fc.nat({ max: 12 }).chain((length) => digits(length + 1)),
  'order number of Amazon: `113-1234567-1234567`': join(digits(3), '-', digits(7), '-', digits(7)),
  'order id of TikTok (18 digits)': tikTok,
  'post id of X (19 digits)': snowflake,
  'date with an order number: `2026-11-22/123456`': join(day, '/', digits(6)),
  'instant with fraction and offset (RFC 3339)': instant,
  'time in milliseconds': milliseconds,
  'time in microseconds from 15 January 2027 on': microseconds,
  'time in nanoseconds': nanoseconds,
  'place: `-23.5505199,-46.6333094`': place.map((pair) => pair.map((one) => one.toFixed(7)).join(',')),
  'place with the digits of a double': place.map((pair) => pair.join(', ')),
  UUID: uuid,
  'id of this gateway': fc.uuid({ version: 7 }).map((id) => `chg_${id.replaceAll('-', '')}`),
  'object id of MongoDB': hexadecimal(24),
  'SHA-256 in hexadecimal': hexadecimal(64),
  'CPF with its signs': join(digits(3), '.', digits(3), '.', digits(3), '-', digits(2)),
  CNPJ: cnpj,
  'CNPJ with its signs': cnpj.map((id) => id.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5')),
  'key of an invoice (NF-e, 44 digits)': invoiceKey,
  'key of an invoice, printed by four': invoiceKey.map(inFours),
  'code of a Pix, copied': pixCode,
  '`endToEndId` of a Pix': endToEndId,
  'bar code of a bank slip': digits(44),
  'typed line of a bank slip': slip,
  'typed line of a bank slip without signs': digits(47),
  'slip of a utility': utilitySlip,
  IBAN: iban,
  'IBAN, printed by four': iban.map(inFours),
  'Brazilian telephone number': brazilianPhone,
  'two Brazilian telephone numbers': join(brazilianPhone, ' / ', brazilianPhone),
  'Indonesian mobile number of 13 digits': join('+62', '8', digits(10)),
  'EAN-13 of an article': gtin(13),
  'IMEI of a telephone': luhn(join(fc.constantFrom('35', '86', '01'), digits(12))),
  'tracking number of a parcel, printed by four': join(
    '9400 1',
    digits(3),
    ...[1, 2, 3].flatMap(() => [' ', digits(4)]),
    ' ',
    digits(2),
  ),
  'an order with eleven of these as its metadata': order,
  'number of 17, 18 or 19 random digits': fc.constantFrom(17, 18, 19).chain(digits),
  'GTIN-14': gtin(14),
  'number of 14 random digits': digits(14),
  'number of 15 random digits': digits(15),
  'number of 16 random digits': digits(16),
};
