import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { accentStyle } from './accent.ts';

const shadesIn = (style: string) => {
  const of = (name: string): readonly string[] =>
    [...style.matchAll(new RegExp(`${name}:(#[0-9a-f]{6})`, 'g'))].map(([, hex = '']) => hex);
  return { fill: of('--accent'), on: of('--on-accent'), ink: of('--accent-ink'), tint: of('--accent-tint') };
};

const SCHEMES = [
  { surface: '#ffffff', ground: '#eef2f1', softInk: '#4e5e59' },
  { surface: '#172120', ground: '#0d1413', softInk: '#a8b7b2' },
];

describe('the shades of an accent', () => {
  it('can be read in light and dark, whatever the colour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const { fill, on, ink, tint } = shadesIn(accentStyle(`#${value.toString(16).padStart(6, '0')}`));
        expect([fill, on, ink, tint].map(({ length }) => length)).toEqual([2, 2, 2, 2]);
        SCHEMES.forEach(({ surface, ground, softInk }, index) => {
          const at = (shades: readonly string[]): string => shades[index] ?? '';
          expect(wcagContrast(at(fill), at(on))).toBeGreaterThanOrEqual(4.5);
          expect(wcagContrast(at(ink), surface)).toBeGreaterThanOrEqual(4.5);
          expect(wcagContrast(at(ink), ground)).toBeGreaterThanOrEqual(4.5);
          expect(wcagContrast(at(tint), softInk)).toBeGreaterThanOrEqual(4.5);
        });
      }),
    );
  });

  it('are the usual ones where the text is no colour', () => {
    expect(accentStyle('[object Object]')).toBe('');
  });

  it('keep a button in the colour itself where text can be read on it', () => {
    expect(shadesIn(accentStyle('#7c3a16')).fill[0]).toBe('#7c3a16');
    expect(shadesIn(accentStyle('#FFD23F'))).toMatchObject({
      fill: ['#ffd23f', '#ffd23f'],
      on: [expect.not.stringMatching('#ffffff'), expect.not.stringMatching('#ffffff')],
    });
  });
});
