import fc from 'fast-check';
import {
  checkNationalId,
  compactId,
  documentType,
  idProblem,
  isCnpj,
  isCpf,
  isCuit,
  isDocumentType,
  keptId,
  missingShape,
} from './national-id.ts';

const digits = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length });

/**
 * Computes check digits in another way than the code: weights rise, and the remainder itself is the digit (10 counts as
 * 0).
 */
const withCheckDigits = (body: readonly number[], weights: readonly number[]): string => {
  const digit = (values: readonly number[], from: readonly number[]): number =>
    (values.reduce((total, value, index) => total + value * (from[index] ?? 0), 0) % 11) % 10;
  const first = digit(body, weights.slice(1));
  const second = digit([...body, first], weights);
  return [...body, first, second].join('');
};
const cpfOf = (body: readonly number[]): string => withCheckDigits(body, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
const cnpjOf = (body: readonly number[]): string =>
  withCheckDigits(body, [5, 6, 7, 8, 9, 2, 3, 4, 5, 6, 7, 8, 9]);

const isRepeated = (id: string): boolean => new Set(id).size === 1;

const allPairs = (body: string): string[] =>
  Array.from({ length: 100 }, (_, pair) => `${body}${String(pair).padStart(2, '0')}`);

describe.each([
  {
    kind: 'a CPF',
    isRight: isCpf,
    length: 9,
    of: cpfOf,
    right: ['52998224725', '11144477735', '00000000191', '12345678909'],
    wrong: [
      '00000000000',
      '11111111111',
      '99999999999',
      '5299822472',
      '529982247250',
      '5299822472a',
      '',
      '٥٢٩٩٨٢٢٤٧٢٥',
    ],
  },
  {
    kind: 'a CNPJ',
    isRight: isCnpj,
    length: 12,
    of: cnpjOf,
    right: ['11222333000181', '11444777000161', '00000000000191', '33000167000101'],
    wrong: [
      '00000000000000',
      '11222333000182',
      '1122233300018',
      '112223330001811',
      '12ABC34501DE36',
      '12ABC34501D035',
      '12abc34501de35',
      '12.ABC.345/01DE-35',
      '12ABC34501DEF5',
      'ABCDEFGHIJKLMN',
      '12ÀBC34501DE35',
    ],
  },
])('$kind', ({ isRight, length, of, right, wrong }) => {
  it.each(right)('%s is right', (id) => {
    expect(isRight(id)).toBe(true);
  });

  it.each(wrong)('%j is none', (id) => {
    expect(isRight(id)).toBe(false);
  });

  it('has exactly one pair of check digits for all other digits', () => {
    fc.assert(
      fc.property(digits(length), (body) => {
        fc.pre(!isRepeated(body.join('')));
        expect(allPairs(body.join('')).filter(isRight)).toEqual([of(body)]);
      }),
    );
  });
});

describe('a CNPJ', () => {
  it.each(['12ABC34501DE35'])('%s, of which letters are a part since July 2026, is right', (id) => {
    expect([id, isCnpj(id)]).toEqual([id, true]);
  });

  it('has one pair of check digits for each twelve letters and digits, by the ASCII code of each less 48', () => {
    const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    fc.assert(
      fc.property(fc.array(character, { minLength: 12, maxLength: 12 }), (body) => {
        fc.pre(!isRepeated(body.join('')));
        const values = body.map((one) => one.charCodeAt(0) - 48);
        const digitsOf = cnpjOf(values).slice(values.join('').length);
        expect(allPairs(body.join('')).filter(isCnpj)).toEqual([`${body.join('')}${digitsOf}`]);
      }),
    );
  });
});

describe('a CUIT or CUIL', () => {
  it.each(['30500010912', '20123456786', '33693450239'])('%s is right', (id) => {
    expect(isCuit(id)).toBe(true);
  });

  it('has at most one check digit for each ten digits', () => {
    fc.assert(
      fc.property(digits(10), (body) => {
        const right = Array.from({ length: 10 }, (_, digit) => `${body.join('')}${digit}`).filter(isCuit);
        expect(right.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each(['30500010913', '3050001091', '305000109120', '3050001091A'])('%j is none', (id) => {
    expect(isCuit(id)).toBe(false);
  });
});

describe('the shape of an identifier', () => {
  it.each([
    ['12.abc.345/01de-35', '12ABC34501DE35'],
    ['529.982.247-25', '52998224725'],
    ['12\u017Fbc', '12\u017FBC'],
  ])('%s is kept as %s', (given, kept) => {
    expect(compactId(given)).toBe(kept);
  });

  it.each([
    ['cpf', '529.982.247-25', true],
    ['CPF', '5299822472', false],
    ['cpf', '5299822472A', false],
    ['cnpj', '12.abc.345/01de-35', true],
    ['CNPJ', '11.222.333/0001-81', true],
    ['cnpj', '12ABC34501DEF5', false],
    ['cnpj', '12\u017FBC34501DE35', false],
    ['dni', '4.123.456', true],
    ['DNI', '41234567', true],
    ['dni', '412345678', false],
    ['dni', '412345', false],
    ['passport', 'anything goes', true],
  ])('of a %s %j: %s', (type, id, isRight) => {
    expect(missingShape(type, id) === null).toBe(isRight);
  });
});

describe('the check of a document', () => {
  it.each([
    ['cpf', '529.982.247-25', true],
    ['CPF', '52998224725', true],
    ['cpf', '529.982.247-26', false],
    ['cpf', '11222333000181', false],
    ['cnpj', '11.222.333/0001-81', true],
    ['CNPJ', '11.222.333/0001-82', false],
    ['cnpj', '12.abc.345/01de-35', true],
    ['cnpj', '12.ABC.345/01DE-36', false],
    ['cpf', '', false],
    ['passport', 'anything goes', true],
    ['dni', '12345678', true],
    ['cuit', '30-50001091-2', true],
    ['cuil', '20123456785', false],
    ['cdi', '20123456785', true],
  ])('of a %s %j says %s', (type, id, expected) => {
    expect(checkNationalId(type, id)).toBe(expected);
  });
});

describe('the kind of a document', () => {
  it.each([
    ['CPF', 'cpf', true],
    [' cpf ', 'cpf', true],
    ['Passport', 'passport', true],
    ['cpf.', 'cpf.', false],
    ['', '', false],
    ['constructor', 'constructor', false],
  ])('%j is %j, which is known: %s', (given, type, isKnown) => {
    expect([documentType(given), isDocumentType(documentType(given))]).toEqual([type, isKnown]);
  });
});

describe('an identifier as it is kept', () => {
  it.each([
    ['cpf', '529.982.247-25', '52998224725', null],
    ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35', null],
    ['dni', '4.123.456', '4.123.456', null],
    ['cpf', '529.982.247-26', '52998224726', 'has wrong check digits'],
    ['cpf', '529', '529', 'must be a CPF (11 digits)'],
    ['passport', 'x 1', 'x 1', null],
  ])('of a %s %j is %j, with the problem %j', (type, id, kept, problem) => {
    expect([keptId(type, id), idProblem(type, id)]).toEqual([kept, problem]);
  });
});
