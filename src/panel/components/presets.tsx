import type { Query } from '../api.ts';
import { presets } from '../presets.ts';
import { t } from '../words.ts';
import type { Filter } from './filters.tsx';

/** Names of the filters by the first and the last day, where a list or report has both. */
export const daysIn = (filters: readonly Filter[]): readonly [from: string, to: string] | null => {
  const [from, to] = filters.filter(({ kind }) => kind === 'date').map(({ name }) => name);
  return from !== undefined && to !== undefined ? [from, to] : null;
};

/** Spans of days at one click. */
export const Presets = (props: {
  readonly names: readonly [from: string, to: string];
  /** The days that are asked for, or none. */
  readonly asked: Readonly<Record<string, string>>;
  readonly onApply: (query: Query) => void;
}) => {
  const { names, asked, onApply } = props;
  const [first, last] = names;
  return (
    <fieldset className="segments">
      <legend className="unseen">{t('Days')}</legend>
      {presets().map(({ label, from, to }) => {
        const isChosen = asked[first] === from && asked[last] === to;
        return (
          <button
            key={label}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onApply(isChosen ? { [first]: '', [last]: '' } : { [first]: from, [last]: to })}
          >
            {label}
          </button>
        );
      })}
    </fieldset>
  );
};
