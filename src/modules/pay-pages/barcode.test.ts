import fc from 'fast-check';
import { barcodeSvg } from './barcode.ts';

/** Positions of the two wide elements of each digit. Their weights are 1, 2, 4, 7 and parity; 0 counts as 11. */
const digitOf = (wide: readonly boolean[]): number => {
  const weights = [1, 2, 4, 7, 0];
  const total = wide.reduce((sum, isWide, index) => sum + (isWide ? (weights[index] ?? 0) : 0), 0);
  return total === 11 ? 0 : total;
};

/** Reads a barcode as a scanner does: edges from left to right, wide or narrow, digits from bars and spaces. */
const scan = (svg: string): string => {
  const bars = [...svg.matchAll(/M(\d+) 0h(\d+)v60h-\d+z/g)]
    .slice(1)
    .map(([, x, width]) => ({ x: Number(x), width: Number(width) }));
  const elements = bars.flatMap(({ x, width }, index) => {
    const next = bars[index + 1];
    return [width > 1, ...(next ? [next.x - x - width > 1] : [])];
  });
  expect(elements.slice(0, 4)).toEqual([false, false, false, false]);
  expect(elements.slice(-3)).toEqual([true, false, false]);
  const digits: number[] = [];
  for (let at = 4; at < elements.length - 3; at += 10) {
    const pair = elements.slice(at, at + 10);
    digits.push(digitOf(pair.filter((_, index) => index % 2 === 0)));
    digits.push(digitOf(pair.filter((_, index) => index % 2 === 1)));
  }
  return digits.join('');
};

describe('the barcode of a voucher', () => {
  it('reads as its digits', () => {
    const even = fc
      .array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 25 })
      .map((pairs) => pairs.map((pair) => String(pair).padStart(2, '0')).join(''));
    fc.assert(fc.property(even, (digits) => expect(scan(barcodeSvg(digits, 'Barcode'))).toBe(digits)));
  });

  it('has a quiet zone of ten modules on both sides', () => {
    const svg = barcodeSvg('0123456789', 'Barcode');
    const [, width] = /viewBox="0 0 (\d+) 60"/.exec(svg) ?? [];
    const bars = [...svg.matchAll(/M(\d+) 0h(\d+)v/g)].slice(1).map(([, x, of]) => [Number(x), Number(of)]);
    const [first] = bars;
    const last = bars.at(-1) ?? [];
    expect(first?.[0]).toBe(10);
    expect(Number(width) - (last[0] ?? 0) - (last[1] ?? 0)).toBe(10);
  });

  it.each(['', '1', '123', '12a4'])('is not made of %j', (digits) => {
    expect(() => barcodeSvg(digits, 'Barcode')).toThrow(RangeError);
  });
});
