import fc from 'fast-check';
import { DISGUISES } from '../../../test/support/disguises.ts';
import { volume } from '../../../test/support/volume.ts';
import { holdsCardNumber } from './card-numbers.ts';

/** A number of this length that begins so, with its check digit. */
const withCheckDigit = (start: string, length: number, filler: string): string => {
  const body = `${start}${filler}`.slice(0, length - 1);
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
};

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

const CARDS: readonly (readonly [string, string])[] = [
  ['Visa', '4242424242424242'],
  ['Visa of 13 digits', '4222222222222'],
  ['Visa of 19 digits', withCheckDigit('4', 19, '102030405060708090')],
  ['Mastercard', '5555555555554444'],
  ['Mastercard of the newer range', '2223003122003222'],
  ['American Express', '378282246310005'],
  ['Diners Club', '30569309025904'],
  ['Discover', '6011111111111117'],
  ['JCB', '3530111333300000'],
  ['UnionPay', '6200000000000005'],
  ['Maestro', '6759649826438453'],
  ['Elo', '6362970000457013'],
  ['Hipercard', '6062825624254001'],
];

describe('a card number in a text', () => {
  it.each(CARDS)('of %s is found', (_, number) => {
    expect(holdsCardNumber(number)).toBe(true);
  });

  it.each(Object.keys(DISGUISES))('is found in the disguise: %s', (name) => {
    for (const [, number] of CARDS) {
      const text = DISGUISES[name]?.(number) ?? '';
      expect([text, holdsCardNumber(text)]).toEqual([text, true]);
    }
  });

  it('is found whatever signs stand around it and between its digits', () => {
    // Tags of digits are format characters, and read as digits.
    const sign = fc
      .string({ unit: 'binary', maxLength: 5 })
      .filter((text) => !/[\p{L}\p{N}%\p{So}\u{e0030}-\u{e0039}]/u.test(text));
    const number = digits(14).map((filler) => withCheckDigit('4', 16, filler));
    fc.assert(
      fc.property(number, fc.array(sign, { minLength: 17, maxLength: 17 }), (card, signs) => {
        expect(holdsCardNumber(signs.map((text, index) => `${text}${card[index] ?? ''}`).join(''))).toBe(
          true,
        );
      }),
      { numRuns: volume({ usual: 500, proof: 50_000 }) },
    );
  });

  it.each([
    ['nothing', ''],
    ['four digits of it', 'the card ending in 4242'],
    ['a wrong check digit', '4242424242424241'],
    ['no brand', withCheckDigit('9', 16, '12345678901234')],
    ['a length that its brand has not', withCheckDigit('37', 16, '82822463100051')],
    ['twelve digits', withCheckDigit('6', 12, '7596498264')],
    ['more digits in a row', '74242424242424242'],
    ['twenty digits in a row', '00004242424242424242'],
    ['digits in different words', '4242 apples, 4242 pears and 4242 plums for 4242'],
    ['groups in a list', 'pedido 4242, pedido 4242, pedido 4242, pedido 4242'],
    ['a reference to no character', `${'&#9999999;'.repeat(4)}4242424242`],
    ['a telephone number', '+55 (11) 98765-4321, from 9 to 18'],
    ['a time', '2026-11-21T23:05:00.000Z'],
    ['milliseconds', String(Date.UTC(2026, 10, 22))],
    ['an id', 'chg_01a4242424242424242e9cad9175e796'],
    ['a UUID', '42424242-4242-4242-8242-42424242424a'],
    ['a digest', `${'4'.repeat(62)}2a`],
    ['a bar code of an article', '5012345678900'],
    ['a CNPJ', '60.701.190/0001-04'],
    ['a bank slip', '34191.79001 01043.510047 91020.150008 5 91020000012345'],
    ['a bank slip without signs', '34191790010104351004791020150008591020000012345'],
    ['the bar code of a bank slip', '34195910200000123451790001043510049102015000'],
    ['the slip of a utility', '83640000001-1 33120138000-2 81288462711-6 08013618155-1'],
  ])('is not %s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it.each([
    ['words that differ between its groups', '4242 one 4242 two 4242 three 4242'],
    ['a longer row of digits around it', '994242424242424242'],
    ['base64', Buffer.from('4242424242424242').toString('base64')],
    ['words for digits', 'four two '.repeat(8)],
  ])('is let through with %s, as docs/security.md says', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it('is seen beside what is none', () => {
    for (const other of ['chg_01a4242424242424242e9cad9175e796', '60.701.190/0001-04', '5012345678900'])
      expect(holdsCardNumber(`${other} (4242 4242 4242 4242)`)).toBe(true);
  });
});

describe('a false alarm', () => {
  const RUNS = volume({ usual: 5_000, proof: 1_000_000 });
  const share = (arbitrary: fc.Arbitrary<string>): number =>
    fc.sample(arbitrary, { numRuns: RUNS, seed: 17 }).filter(holdsCardNumber).length / RUNS;

  const mod11 = (body: string, weights: readonly number[]): string => {
    const rest = weights.reduce((sum, weight, index) => sum + weight * Number(body[index]), 0) % 11;
    return `${body}${rest < 2 ? 0 : 11 - rest}`;
  };
  const cnpj = fc.nat({ max: 65_000_000 }).map((root) => {
    const body = `${String(root).padStart(8, '0')}0001`;
    const first = mod11(body, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
    return mod11(first, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
  });
  const ean = digits(12).map((body) => {
    const sum = [...body].reduce(
      (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
      0,
    );
    return `${body}${(10 - (sum % 10)) % 10}`;
  });
  const slip = fc
    .tuple(digits(10), digits(11), digits(11), digits(15))
    .map(
      ([a, b, c, d]) =>
        `${a.slice(0, 5)}.${a.slice(5)} ${b.slice(0, 5)}.${b.slice(5)} ${c.slice(0, 5)}.${c.slice(5)} ${d[0]} ${d.slice(1)}`,
    );

  const offset = fc
    .tuple(fc.constantFrom('+', '-'), fc.nat({ max: 14 }), fc.constantFrom('00', '30', '45'))
    .map(([sign, hours, minutes]) => `${sign}${String(hours).padStart(2, '0')}:${minutes}`);

  it.each<[string, fc.Arbitrary<string>]>([
    ['CPFs', digits(11).map((id) => `${id.slice(0, 3)}.${id.slice(3, 6)}.${id.slice(6, 9)}-${id.slice(9)}`)],
    ['CNPJs', cnpj],
    ['CNPJs with their signs', cnpj.map((id) => id.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5'))],
    [
      'Brazilian telephone numbers',
      digits(10).map((id) => `+55 ${id.slice(0, 2)} 9${id.slice(2, 6)}-${id.slice(6)}`),
    ],
    ['UUIDs', fc.uuid()],
    ['ids of this gateway', fc.uuid({ version: 7 }).map((id) => `chg_${id.replaceAll('-', '')}`)],
    ['bar codes of articles', ean],
    ['bar codes of bank slips', digits(44)],
    ['lines of bank slips', slip],
    ['lines of bank slips without signs', digits(47)],
    ['bar codes of utilities', digits(48)],
    ['order numbers of up to 12 digits', fc.nat({ max: 12 }).chain((length) => digits(length))],
    [
      'instants',
      fc
        .tuple(
          fc.date({ min: new Date(0), max: new Date(2 ** 42), noInvalidDate: true }),
          fc.nat({ max: 9 }),
          offset,
        )
        .chain(([date, length, zone]) =>
          digits(length).map(
            (fraction) => `${date.toISOString().slice(0, 19)}${fraction && `.${fraction}`}${zone}`,
          ),
        ),
    ],
    ['dates with an order number', digits(6).map((id) => `2026-11-22/${id}`)],
  ])('never comes from %s', (_, arbitrary) => {
    expect(share(arbitrary)).toBe(0);
  });

  it.each<[string, fc.Arbitrary<string>, number]>([
    ['numbers of 13 digits', digits(13), 0.04],
    ['numbers of 14 digits', digits(14), 0.04],
    ['numbers of 16 digits', digits(16), 0.05],
    ['numbers of 19 digits', digits(19), 0.05],
  ])('comes from some %s, which are card numbers for all that can be told', (_, arbitrary, most) => {
    const found = share(arbitrary);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(most);
  });
});
