import fc from 'fast-check';
import { MAX_AMOUNT } from '../../../kernel/money.ts';
import { type BrCode, buildBrCode, crc16 } from './br-code.ts';

const aCode = (changes: Partial<BrCode> = {}): BrCode => ({
  location: 'pix.portico.test/qr/v2/0123456789abcdef0123456789abcdef',
  amount: 123_45,
  merchantName: 'Loja da Ana',
  merchantCity: 'Sao Paulo',
  ...changes,
});

/** The fields of a payload as a payer's bank reads them; throws where the lengths do not add up. */
const parseFields = (payload: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  for (let at = 0; at < payload.length; ) {
    const [head, id, size] = /^(\d\d)(\d\d)/.exec(payload.slice(at)) ?? [];
    const value = payload.slice(at + 4, at + 4 + Number(size));
    if (!head || !id || value.length !== Number(size) || fields.has(id)) throw new Error('no BR Code');
    fields.set(id, value);
    at += 4 + value.length;
  }
  return fields;
};

const parseBrCode = (payload: string) => {
  const fields = parseFields(payload);
  const at = (id: string): string => fields.get(id) ?? '';
  return {
    ids: [...fields.keys()],
    account: Object.fromEntries(parseFields(at('26'))),
    additional: Object.fromEntries(parseFields(at('62'))),
    at,
    crcIsRight: crc16(payload.slice(0, -4)) === at('63'),
  };
};

describe('the CRC of a BR Code', () => {
  it('is that of the central bank manual for its example', () => {
    expect(
      crc16(
        '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000' +
          '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304',
      ),
    ).toBe('1D3D');
  });

  it('is that of a known dynamic code', () => {
    expect(
      crc16(
        '00020101021226770014BR.GOV.BCB.PIX2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a99' +
          '5204000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304',
      ),
    ).toBe('EEAB');
  });

  it('is the check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16('123456789')).toBe('29B1');
  });
});

describe('a BR Code', () => {
  it('has the fields of a dynamic charge in the order of the manual', () => {
    const code = parseBrCode(buildBrCode(aCode()));
    expect(code.ids).toEqual(['00', '01', '26', '52', '53', '54', '58', '59', '60', '62', '63']);
    expect(code.account).toEqual({
      '00': 'br.gov.bcb.pix',
      '25': 'pix.portico.test/qr/v2/0123456789abcdef0123456789abcdef',
    });
    expect(code.additional).toEqual({ '05': '***' });
    expect(['00', '01', '52', '53', '54', '58', '59', '60'].map(code.at)).toEqual([
      '01',
      '12',
      '0000',
      '986',
      '123.45',
      'BR',
      'Loja da Ana',
      'Sao Paulo',
    ]);
    expect(code.crcIsRight).toBe(true);
  });

  it('parses back with a right CRC whatever the names and the amount', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    const amount = fc.integer({ min: 1, max: MAX_AMOUNT });
    fc.assert(
      fc.property(text, text, amount, (merchantName, merchantCity, cents) => {
        const payload = buildBrCode(aCode({ merchantName, merchantCity, amount: cents }));
        const code = parseBrCode(payload);
        expect(payload).toMatch(/^[ -~]+$/);
        expect(code.crcIsRight).toBe(true);
        expect(code.at('59').length).toBeLessThanOrEqual(25);
        expect(code.at('60').length).toBeLessThanOrEqual(15);
        expect(code.at('54').length).toBeLessThanOrEqual(13);
        expect(Math.round(Number(code.at('54')) * 100)).toBe(cents);
      }),
    );
  });

  it.each([
    ['Açaí & Cia Ltda', 'Acai & Cia Ltda'],
    ['  Padaria   São  José ', 'Padaria Sao Jose'],
    ['Café ☕ do Zé 🚀', 'Cafe do Ze'],
    ['Søren Groß', 'Soren Gross'],
    ['Łódź Æter Þór', 'Lodz Aeter Thor'],
    ['Đorđe Œuvre', 'Dorde Oeuvre'],
    ['Sant’Ana “Doces” – preço', `Sant'Ana "Doces" - preco`],
    ['Ωμέγα Москва', 'Omega Moskva'],
    ['Um nome comprido demais para caber no campo', 'Um nome comprido demais p'],
    ['Vinte e cinco letras com um fim', 'Vinte e cinco letras com'],
    ['株式会社', 'RECEBEDOR'],
    ['🚀🚀🚀', 'RECEBEDOR'],
    ['', 'RECEBEDOR'],
  ])('shows the merchant %j as %j', (merchantName, shown) => {
    expect(parseBrCode(buildBrCode(aCode({ merchantName }))).at('59')).toBe(shown);
  });

  it.each([
    [1, '0.01'],
    [10, '0.10'],
    [100, '1.00'],
    [999_999_999_999, '9999999999.99'],
    [MAX_AMOUNT, '10000000000'],
  ])('writes %d cents as %s', (amount, shown) => {
    expect(parseBrCode(buildBrCode(aCode({ amount }))).at('54')).toBe(shown);
  });

  it.each([0, -1, 1.5, Number.NaN, MAX_AMOUNT + 1])('is not made for %d cents', (amount) => {
    expect(() => buildBrCode(aCode({ amount }))).toThrow(RangeError);
  });

  it.each(['', 'pix.portico.test/ç', 'pix.portico.test/ x', `pix.portico.test/${'x'.repeat(61)}`])(
    'is not made for the location %j',
    (location) => {
      expect(() => buildBrCode(aCode({ location }))).toThrow(RangeError);
    },
  );

  it('takes a location as long as its field allows', () => {
    const location = `pix.portico.test/${'x'.repeat(60)}`;
    expect(parseBrCode(buildBrCode(aCode({ location }))).account['25']).toBe(location);
  });
});
