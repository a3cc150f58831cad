import { formatNumber } from '../format.ts';
import { t } from '../words.ts';

const ARROWS = { up: '↑', down: '↓', same: '→' } as const;

/** How much a figure differs from the one before, by a word, a sign and a percentage; nothing where that was zero. */
export const Compared = ({ now, before }: { readonly now: number; readonly before: number }) => {
  if (before <= 0) return null;
  const change = Math.round((now / before - 1) * 1_000) / 10;
  const way = change > 0 ? 'up' : change < 0 ? 'down' : 'same';
  const words = { up: t('up'), down: t('down'), same: t('the same') };
  return (
    <span className={`compared ${way}`}>
      <span aria-hidden="true">{ARROWS[way]}</span>
      <span className="unseen">{words[way]}</span> {formatNumber(Math.abs(change))}&nbsp;%
    </span>
  );
};
