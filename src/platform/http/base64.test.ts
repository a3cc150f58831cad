import fc from 'fast-check';
import { createBase64Decoder, decodeBase64 } from './base64.ts';

describe('Base64', () => {
  it('gives the bytes that it was made of, with and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
        const bytes = Buffer.from(content);
        const text = bytes.toString('base64');
        expect(decodeBase64(text)).toEqual(bytes);
        expect(decodeBase64(text.replaceAll('=', ''))).toEqual(bytes);
      }),
    );
  });

  it.each([
    'a b=',
    'JVBE\nRi0=',
    'data:application/pdf;base64,JVBERi0',
    'JVBERi0_',
    'ção',
    'A',
    'QQ=',
    'QQ===',
    '=JVBERi0',
  ])('is not %j', (text) => {
    expect(decodeBase64(text)).toBeNull();
  });

  it('comes out the same however it was cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (content, cuts, isPadded) => {
          const whole = Buffer.from(content).toString('base64');
          const decoder = createBase64Decoder();
          const decoded: (Buffer | null)[] = [];
          let rest = isPadded ? whole : whole.replaceAll('=', '');
          for (const cut of [...cuts, rest.length]) {
            decoded.push(decoder.push(rest.slice(0, cut)));
            rest = rest.slice(cut);
          }
          decoded.push(decoder.end());
          expect(Buffer.concat(decoded.map((piece) => piece ?? Buffer.from('none')))).toEqual(
            Buffer.from(content),
          );
        },
      ),
    );
  });

  it.each([['QQ==', 'QUJD'], ['QQ', '==', 'QQ'], ['QUJ', ' D'], ['A']])(
    'in pieces is not %j, %j',
    (...pieces) => {
      const decoder = createBase64Decoder();
      expect([...pieces.map((piece) => decoder.push(piece)), decoder.end()]).toContain(null);
    },
  );
});
