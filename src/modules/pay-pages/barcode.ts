/** Interleaved 2 of 5 (ISO/IEC 16390): each digit is five elements, two of them wide (1). */
const DIGITS = [
  '00110',
  '10001',
  '01001',
  '11000',
  '00101',
  '10100',
  '01100',
  '00011',
  '10010',
  '01010',
] as const;
const START = '0000';
const STOP = '100';

const WIDE = 3;
const QUIET = 10;
const HEIGHT = 60;

/**
 * Widths in modules of bars and spaces in turn. Of two digits one is in the bars, the other in the spaces.
 */
const elementsOf = (digits: string): readonly number[] => {
  const pairs = digits.match(/\d\d/g) ?? [];
  const pattern = pairs.map(([bars, spaces]) =>
    [...(DIGITS[Number(bars)] ?? '')].map((bar, index) => bar + DIGITS[Number(spaces)]?.[index]).join(''),
  );
  return [...`${START}${pattern.join('')}${STOP}`].map((element) => (element === '1' ? WIDE : 1));
};

/**
 * A barcode as an SVG image that a scanner reads, stretched to the room that it gets. An even number of digits, for
 * they come in pairs; `label` is text without markup.
 */
export const barcodeSvg = (digits: string, label: string): string => {
  if (!/^(\d\d)+$/.test(digits)) throw new RangeError('a barcode has an even number of digits');
  let x = QUIET;
  const bars = elementsOf(digits).map((width, index) => {
    const bar = index % 2 === 0 ? `M${x} 0h${width}v${HEIGHT}h-${width}z` : '';
    x += width;
    return bar;
  });
  const width = x + QUIET;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" ` +
    `shape-rendering="crispEdges" role="img" aria-label="${label}"><path d="M0 0h${width}v${HEIGHT}h-${width}z" fill="#fff"/>` +
    `<path d="${bars.join('')}" fill="#000"/></svg>`
  );
};
