import type { Call } from '../api.ts';
import { formatNumber } from '../format.ts';
import { daysBefore, lengthOf } from '../presets.ts';
import { useRead } from '../use-read.ts';
import { t } from '../words.ts';
import { Compared } from './compared.tsx';

type Page = { readonly total: number };

/** How many rows a list had in as many days directly before those that it is asked for. */
export const TotalBefore = (props: {
  readonly list: Call<Page>;
  readonly names: readonly [from: string, to: string];
  readonly total: number;
}) => {
  const { list, names, total } = props;
  const { operation, input } = list;
  const [first, last] = names;
  const days = { from: String(input.query?.[first] ?? ''), to: String(input.query?.[last] ?? '') };
  const before = daysBefore(days);
  const span = before ? { [first]: before.from, [last]: before.to } : {};
  const earlier: Call<Page> = {
    operation,
    input: { ...input, query: { ...input.query, ...span, page: undefined, size: 1 } },
  };
  const { data } = useRead(earlier, { isWanted: before !== null });
  if (!before || !data) return null;
  const length = lengthOf(days) ?? 0;
  return (
    <p className="before-total">
      {length === 1 ? t('The day before') : t('{days} days before', { days: formatNumber(length) })}:{' '}
      {formatNumber(data.total)} <Compared now={total} before={data.total} />
    </p>
  );
};
