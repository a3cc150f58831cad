import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { DISGUISES } from '../../../test/support/disguises.ts';
import { LOOKALIKES } from '../../../test/support/lookalikes.ts';
import { volume } from '../../../test/support/volume.ts';
import { projectFolder } from '../project-folder.ts';
import { holdsCardNumber } from './card-numbers.ts';

/** A number of this length that begins like this, with its check digit. */
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
  ['Mastercard', '5555555555554444'],
  ['Mastercard of the newer range', '2223003122003222'],
  ['American Express', '378282246310005'],
  ['Diners Club', '30569309025904'],
  ['Discover', '6011111111111117'],
  ['JCB', '3530111333300000'],
  ['UnionPay', '6200000000000005'],
  ['UnionPay of 19 digits', withCheckDigit('6217', 19, '00102030405060')],
  ['Maestro', '6759649826438453'],
  ['Elo', '6362970000457013'],
  ['Hipercard', '6062825624254001'],
  ['RuPay', withCheckDigit('6076', 16, '12345678901')],
  ['Cabal', withCheckDigit('604201', 16, '123456789')],
  ['Naranja, which has no check digit', '5895621234567890'],
];

/** The least processor time of three searches in so many signs, in microseconds: what the machine does besides adds to it. */
const leastTime = (piece: string, length: number): number => {
  const text = piece.repeat(length / piece.length);
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    holdsCardNumber(text);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
};

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

  it('is found in at least forty disguises that people type', () => {
    expect(Object.keys(DISGUISES).length).toBeGreaterThanOrEqual(40);
  });

  it('is found with any separator of up to three signs between its groups or digits', () => {
    // Tag digits are format characters that are read as digits.
    const separator = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 3 })
      .filter((text) => !/[\p{L}\p{N}%&\\\p{So}\u{e0030}-\u{e0039}]/u.test(text));
    const number = digits(14).map((filler) => withCheckDigit('4', 16, filler));
    fc.assert(
      fc.property(number, separator, fc.constantFrom(1, 4), (card, sign, size) => {
        const groups = card.match(new RegExp(`.{${size}}`, 'g')) ?? [];
        expect(holdsCardNumber(groups.join(sign))).toBe(true);
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
    ['a length that its brand no longer has', '4222222222222'],
    ['nineteen digits that begin like Visa', withCheckDigit('4', 19, '102030405060708090')],
    ['digits that begin like Maestro’s of any length', withCheckDigit('6', 18, '9596498264384531')],
    ['more digits in a row', '74242424242424242'],
    ['twenty digits in a row', '00004242424242424242'],
    ['digits in different words', '4242 apples, 4242 pears and 4242 plums for 4242'],
    ['groups in a list', 'pedido 4242, pedido 4242, pedido 4242, pedido 4242'],
    ['different separators', '4242-4242 4242-4242'],
    ['other groups', '424-24242-4242424-2'],
    ['a longer row by four', '4242 4242 4242 4242 4242'],
    ['four signs between groups', '4242 --- 4242 --- 4242 --- 4242'.replaceAll(' --- ', '----')],
    ['a longer row of digits alone', [...'42424242424242424242'].join(' ')],
    ['a reference to no character', `${'&#9999999;'.repeat(4)}4242424242`],
    ['a telephone number', '+55 (11) 98765-4321, from 9 to 18'],
    ['a CNPJ that looks like Diners Club', '36000000000015'.replace(/.*/, '39000000000133')],
    ['an IBAN, printed', 'DE42 4242 4242 4242 4242 42'],
    ['a bank slip', '34191.79001 01043.510047 91020.150008 5 36020000012345'],
  ])('is not %s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it.each([
    ['words between its groups', '4242 and 4242 and 4242 and 4242'],
    ['letters between its digits', [...'4242424242424242'].join('x')],
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

  it('takes time in proportion to the length of a text', () => {
    for (const piece of [
      '1',
      '4242 ',
      '1 ',
      '%34',
      '1-1 ',
      'é',
      '1\u200b',
      '39000000000133 ',
      '-23.5,-46.6 ',
    ]) {
      // A text that is 32 times as long takes 32 times as long, up to 150 with the garbage that it leaves, and 1,024
      // times as long where each sign is compared with all.
      const growth = leastTime(piece, 640_000) / leastTime(piece, 20_000);
      expect([piece, growth < 400]).toEqual([piece, true]);
    }
  });
});

describe('a false alarm', () => {
  const RUNS = volume({ usual: 5_000, proof: 1_000_000 });
  /**
   * Rows of the table in the documentation: the kind of text, and the share of it, in per cent, that is refused at
   * most.
   */
  const promised = new Map(
    [...readFileSync(projectFolder('docs/security.md'), 'utf8').matchAll(/^\| (.+) \| ([\d.]+) % \|$/gm)].map(
      ([, name = '', most]) => [name, Number(most)],
    ),
  );

  it('is promised for each kind of text that is tried here', () => {
    expect([...promised.keys()]).toEqual(Object.keys(LOOKALIKES));
    expect(promised.size).toBeGreaterThanOrEqual(30);
    const dear = [...promised].filter(([, most]) => most > 0.5).map(([name]) => name);
    expect(dear).toEqual(['GTIN-14', ...[14, 15, 16].map((length) => `number of ${length} random digits`)]);
  });

  it.each(Object.entries(LOOKALIKES))(
    'comes no oftener than docs/security.md says from: %s',
    (name, texts) => {
      const sample = fc.sample(texts, { numRuns: RUNS, seed: 17 });
      const alarms = sample.filter(holdsCardNumber);
      expect([alarms.slice(0, 3), alarms.length / RUNS <= (promised.get(name) ?? 0) / 100]).toEqual([
        expect.anything(),
        true,
      ]);
    },
  );
});
