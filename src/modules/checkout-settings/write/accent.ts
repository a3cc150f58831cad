import { clampChroma, formatHex, interpolate, type Oklch, oklch, wcagContrast } from 'culori';

/** One scheme of the pages for payers: the colours that a shade lies on, and the soft text on a tint. */
type Scheme = {
  readonly surface: string;
  readonly ground: string;
  readonly softInk: string;
  /** The least lightness of the fill of a button: a dark one is lost on a dark page. */
  readonly lightest: number;
  /** In which direction lightness is moved until text can be read. */
  readonly step: number;
  /** Share of the colour in a tint. */
  readonly tint: number;
};

const LIGHT: Scheme = {
  surface: '#ffffff',
  ground: '#eef2f1',
  softInk: '#4e5e59',
  lightest: 0,
  step: -0.01,
  tint: 0.08,
};
const DARK: Scheme = {
  surface: '#172120',
  ground: '#0d1413',
  softInk: '#a8b7b2',
  lightest: 0.78,
  step: 0.01,
  tint: 0.12,
};

/** Contrast of text with what is behind it (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

const hexOf = (colour: Oklch): string => formatHex(clampChroma(colour, 'oklch'));

/** The first lightness at which a colour can be read, or be read on; the hue stays. */
const moved = (colour: Oklch, step: number, isReadable: (hex: string) => boolean): string => {
  for (let l = colour.l; l > 0 && l < 1; l += step) {
    const hex = hexOf({ ...colour, l });
    if (isReadable(hex)) return hex;
  }
  return step < 0 ? '#000000' : '#ffffff';
};

/** The fill of a button and the text on it, which is white or a near-black of its hue. */
const fillOf = (colour: Oklch, { lightest }: Scheme): { readonly fill: string; readonly on: string } => {
  const start = { ...colour, l: Math.max(colour.l, lightest) };
  const dark = hexOf({ ...colour, l: 0.2, c: Math.min(colour.c, 0.05) });
  const isLight = wcagContrast(hexOf(start), dark) >= wcagContrast(hexOf(start), '#ffffff');
  const on = isLight ? dark : '#ffffff';
  return { on, fill: moved(start, isLight ? 0.01 : -0.01, (hex) => wcagContrast(hex, on) >= READABLE) };
};

const tintOf = (fill: string, { surface, softInk, tint }: Scheme): string => {
  const mix = interpolate([surface, fill], 'oklab');
  for (let share = tint; share > 0; share -= 0.01) {
    const hex = formatHex(mix(share));
    if (wcagContrast(hex, softInk) >= READABLE) return hex;
  }
  return surface;
};

const shadesOf = (colour: Oklch, scheme: Scheme): string => {
  const { fill, on } = fillOf(colour, scheme);
  const ink = moved(oklch(fill) ?? colour, scheme.step, (hex) =>
    [scheme.surface, scheme.ground].every((behind) => wcagContrast(hex, behind) >= READABLE),
  );
  const tint = tintOf(fill, scheme);
  return `:root{--accent:${fill};--on-accent:${on};--accent-ink:${ink};--accent-tint:${tint}}`;
};

/**
 * The style of pages for payers in a shop's colour (`#rrggbb`), for light and dark: buttons with text that can be read
 * on them, links and borders that can be seen, and a tint. Shades that cannot be read are moved, so no colour is
 * refused. Empty for a text that is none: a setting of that name may be older than its meaning.
 */
export const accentStyle = (accent: string): string => {
  const colour = oklch(accent);
  if (!colour) return '';
  return `${shadesOf(colour, LIGHT)}@media (prefers-color-scheme:dark){${shadesOf(colour, DARK)}}`;
};
