import fc from 'fast-check';
import { aCard } from '../../../test/builders.ts';
import { checkCard, maskedCard } from './card.ts';
import type { Card } from './provider.ts';
import { CARD_TABLE } from './simulator/card-table.ts';

const now = new Date('2026-06-15T12:00:00.000Z');

const faultyPaths = (changes: Partial<Card>, at = now): readonly string[] =>
  checkCard(aCard(changes), at).map((fault) => fault.path);

const luhnSum = (number: string): number =>
  [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((values) => values.join(''));

describe('the check of a card', () => {
  it.each([...CARD_TABLE.keys()])('accepts the simulator card %s', (number) => {
    const cvv = number.startsWith('37') ? '1234' : '123';
    expect(checkCard(aCard({ number, cvv }), now)).toEqual([]);
  });

  it('refuses every number whose check digit is wrong', () => {
    fc.assert(
      fc.property(digits(12, 19), (number) => {
        fc.pre(luhnSum(number) % 10 !== 0);
        expect(faultyPaths({ number })).toContain('paymentMethod.number');
      }),
    );
  });

  it('refuses a Visa number with any one digit changed', () => {
    const position = fc.integer({ min: 1, max: 15 });
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 9 }), (index, shift) => {
        const valid = [...'4242424242424242'];
        valid[index] = String((Number(valid[index]) + shift) % 10);
        expect(faultyPaths({ number: valid.join('') })).toEqual(['paymentMethod.number']);
      }),
    );
  });

  it('accepts every Visa number of sixteen digits with its check digit', () => {
    fc.assert(
      fc.property(digits(14, 14), (body) => {
        const number = `4${body}${(10 - (luhnSum(`4${body}0`) % 10)) % 10}`;
        expect(faultyPaths({ number })).toEqual([]);
      }),
    );
  });

  it.each([
    '',
    '4242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '424242424242424242424',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
  ])('refuses %j as a number', (number) => {
    expect(faultyPaths({ number })).toEqual(['paymentMethod.number']);
  });

  it('refuses a number of no known brand', () => {
    expect(checkCard(aCard({ number: '9999999999999995' }), now)).toEqual([
      { path: 'paymentMethod.number', message: 'paymentMethod.number is of no brand that is known' },
    ]);
  });

  it('refuses a UnionPay number with a wrong check digit', () => {
    expect(faultyPaths({ number: '6200000000000005' })).toEqual([]);
    expect(faultyPaths({ number: '6200000000000006' })).toEqual(['paymentMethod.number']);
  });

  it('wants as many cvv digits as the brand has', () => {
    const amex = '378282246310005';
    expect(faultyPaths({ cvv: '1234' })).toEqual(['paymentMethod.cvv']);
    expect(faultyPaths({ number: amex, cvv: '123' })).toEqual(['paymentMethod.cvv']);
    expect(faultyPaths({ number: amex, cvv: '1234' })).toEqual([]);
    expect(faultyPaths({ cvv: '12a' })).toEqual(['paymentMethod.cvv']);
    expect(faultyPaths({ cvv: '' })).toEqual(['paymentMethod.cvv']);
  });

  it('accepts a card until its last month has ended everywhere on earth', () => {
    const card = { expirationMonth: '06', expirationYear: '2026' };
    expect(faultyPaths(card, new Date('2026-07-01T11:59:59.999Z'))).toEqual([]);
    expect(faultyPaths(card, new Date('2026-07-01T12:00:00.000Z'))).toEqual(['paymentMethod.expirationYear']);
  });

  it('accepts a card that expires in December until the new year', () => {
    const card = { expirationMonth: '12', expirationYear: '2026' };
    expect(faultyPaths(card, new Date('2027-01-01T11:59:59.999Z'))).toEqual([]);
    expect(faultyPaths(card, new Date('2027-01-01T12:00:00.000Z'))).toEqual(['paymentMethod.expirationYear']);
  });

  it('refuses a year more than twenty years ahead', () => {
    expect(faultyPaths({ expirationYear: '2046' })).toEqual([]);
    expect(faultyPaths({ expirationYear: '2047' })).toEqual(['paymentMethod.expirationYear']);
  });

  it.each(['0', '00', '13', '1', '1.', 'ab', ''])('refuses %j as a month', (expirationMonth) => {
    expect(faultyPaths({ expirationMonth })).toEqual(['paymentMethod.expirationMonth']);
  });

  it.each(['30', '02030', '203O', ''])('refuses %j as a year', (expirationYear) => {
    expect(faultyPaths({ expirationYear })).toEqual(['paymentMethod.expirationYear']);
  });

  it.each(['4242424242424242', 'Ana 4242 4242 4242 4242', '4242-4242-4242-4242', '4242.4242.4242.4242'])(
    'refuses %j as a name, because names are stored',
    (holderName) => {
      expect(faultyPaths({ holderName })).toEqual(['paymentMethod.holderName']);
    },
  );

  it('names every fault at once', () => {
    expect(
      faultyPaths({ number: '4242424242424241', cvv: '1', expirationMonth: '13', expirationYear: 'x' }),
    ).toEqual([
      'paymentMethod.number',
      'paymentMethod.expirationMonth',
      'paymentMethod.expirationYear',
      'paymentMethod.cvv',
    ]);
  });

  it('never repeats the number or the cvv in a message', () => {
    fc.assert(
      fc.property(digits(12, 19), digits(5, 8), (number, cvv) => {
        const messages = JSON.stringify(checkCard(aCard({ number, cvv, holderName: number }), now));
        expect(messages).not.toContain(number);
        expect(messages).not.toContain(cvv);
      }),
    );
  });
});

describe('a masked card', () => {
  it('keeps the first six and last four digits, the expiry, the holder and the brand only', () => {
    expect(maskedCard(aCard())).toEqual({
      firstSix: '424242',
      lastFour: '4242',
      expirationMonth: '12',
      expirationYear: '2035',
      holderName: 'Ana Souza',
      brand: 'visa',
    });
  });

  it.each([
    ['4111111111111111', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['378282246310005', 'american-express'],
    ['6362970000457013', 'elo'],
    ['6062825624254001', 'hipercard'],
  ])('of number %s has the brand %s', (number, brand) => {
    expect(maskedCard(aCard({ number })).brand).toBe(brand);
  });

  it('is not made of a card that was never checked', () => {
    expect(() => maskedCard(aCard({ number: '9' }))).toThrow('only a checked card');
  });
});
