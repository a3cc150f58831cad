import fc from 'fast-check';
import { diffLines, pretty } from './line-diff.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 }).map((lines) => lines.join('\n'));

describe('the difference of two texts', () => {
  it('names the lines that are gone and those that are new, in their order', () => {
    const before = pretty('{"error":"busy","tries":1}');
    const after = pretty('{"ok":true,"tries":1}');
    expect(diffLines(before, after)).toEqual([
      { kind: 'same', text: '{' },
      { kind: 'gone', text: '  "error": "busy",' },
      { kind: 'new', text: '  "ok": true,' },
      { kind: 'same', text: '  "tries": 1' },
      { kind: 'same', text: '}' },
    ]);
  });

  it('has either text whole', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const without = (kind: string) =>
          lines
            .filter((line) => line.kind !== kind)
            .map((line) => line.text)
            .join('\n');
        expect([without('new'), without('gone')]).toEqual([before, after]);
      }),
    );
  });

  it('is of the text itself where it is no JSON', () => {
    expect(pretty('<html>')).toBe('<html>');
  });
});
