const SPRITE = new URL('../icons.svg', import.meta.url).href;

/** The symbols of `icons.svg`. */
export type IconName =
  | 'home'
  | 'card'
  | 'refund'
  | 'bolt'
  | 'users'
  | 'loop'
  | 'flag'
  | 'alert'
  | 'clock'
  | 'payout'
  | 'lines'
  | 'calendar'
  | 'ask'
  | 'chart'
  | 'shop'
  | 'branch'
  | 'plug'
  | 'sliders'
  | 'key'
  | 'hook'
  | 'code'
  | 'check'
  | 'twice'
  | 'log';

/** A drawing beside a word, which says the same. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" aria-hidden="true">
    <use href={`${SPRITE}#${name}`} />
  </svg>
);
