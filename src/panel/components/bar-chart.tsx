import { formatDay, formatNumber } from '../format.ts';
import { t } from '../words.ts';
import { Table } from './table.tsx';
import { Money } from './values.tsx';

type Bar = { readonly day: string; readonly amount: number };

const WIDTH = 600;
const HEIGHT = 120;

/** Amounts of a currency, or counts without one, by day as bars. A table behind them says the same. */
export const BarChart = (props: {
  readonly title: string;
  readonly currency: string | null;
  readonly bars: readonly Bar[];
}) => {
  const { title, currency, bars } = props;
  const shown = (amount: number) =>
    currency === null ? formatNumber(amount) : <Money amount={amount} currency={currency} />;
  const highest = Math.max(...bars.map(({ amount }) => amount), 0);
  const step = WIDTH / bars.length;
  const height = (amount: number): number => (highest === 0 ? 0 : Math.max(0, (amount / highest) * HEIGHT));
  return (
    <figure className="chart">
      <figcaption>
        <span>{title}</span>
        <span>
          {t('Highest')}: {shown(highest)}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {bars.map(({ day, amount }, index) => (
          <rect
            key={day}
            x={index * step + 1}
            width={step - 2}
            y={HEIGHT - height(amount)}
            height={height(amount)}
            rx="1"
          />
        ))}
      </svg>
      <p className="axis" aria-hidden="true">
        <span>{formatDay(bars[0]?.day ?? '')}</span>
        <span>{formatDay(bars.at(-1)?.day ?? '')}</span>
      </p>
      <details>
        <summary>{t('As a table')}</summary>
        <Table
          caption={title}
          heads={[t('Period'), { number: currency === null ? t('Number') : t('Amount') }]}
          rows={bars.map(({ day, amount }) => ({ key: day, cells: [formatDay(day), shown(amount)] }))}
        />
      </details>
    </figure>
  );
};
