import { useState } from 'react';
import { Link } from 'wouter';
import { addMoney, formatDay, formatMoney, formatNumber, formatShort } from '../format.ts';
import { t } from '../words.ts';
import { Table } from './table.tsx';
import { Money } from './values.tsx';

export type Bar = {
  readonly day: string;
  readonly amount: number;
  /** The figure of the period before, for a comparison. */
  readonly before?: number;
  /** Leads to the list of what the bar sums up. */
  readonly href?: string;
  /** Whether the period goes on. */
  readonly isPart?: boolean;
};

type Unit = { readonly currency: string | null };

const WIDTH = 600;
const HEIGHT = 120;

const STEPS = [1, 2, 2.5, 5, 10];
/** The least round number from an amount up: the top of an axis. */
const roundUp = (amount: number): number => {
  if (amount <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(amount));
  return (STEPS.find((step) => step * power >= amount) ?? 10) * power;
};

const said = (amount: number, { currency }: Unit): string =>
  currency === null ? formatNumber(amount) : formatMoney(amount, currency);

/** A bar in words: its period, its figure and the one before. */
const inWords = ({ day, amount, before, isPart }: Bar, unit: Unit): string =>
  [
    `${formatDay(day)}${isPart ? `, ${t('until now')}` : ''}: ${said(amount, unit)}`,
    ...(before === undefined ? [] : [`${t('before')}: ${said(before, unit)}`]),
  ].join(' · ');

const sumOf = (amounts: readonly number[], { currency }: Unit): number =>
  currency === null ? amounts.reduce((sum, amount) => sum + amount, 0) : addMoney(currency, ...amounts);

/** The sum of the bars in words, and the one of those before. */
const totalOf = (bars: readonly Bar[], unit: Unit): string => {
  const sum = sumOf(
    bars.map(({ amount }) => amount),
    unit,
  );
  const former = bars.flatMap(({ before }) => before ?? []);
  return [
    `${t('Total')}: ${said(sum, unit)}`,
    ...(former.length === 0 ? [] : [`${t('before')}: ${said(sumOf(former, unit), unit)}`]),
  ].join(' · ');
};

/**
 * Amounts of a currency, or counts without one, by day as bars with an axis. The line above them tells of the bar that
 * is pointed at, and a table behind them says the same.
 */
export const BarChart = (props: {
  readonly title: string;
  readonly currency: string | null;
  readonly bars: readonly Bar[];
  /** Whether the bars are states, of which there is no sum. */
  readonly hasNoSum?: boolean;
}) => {
  const { title, currency, bars, hasNoSum = false } = props;
  const [pointed, setPointed] = useState<Bar | null>(null);
  const unit = { currency };
  const top = roundUp(Math.max(...bars.flatMap(({ amount, before = 0 }) => [amount, before]), 0));
  const last = bars.at(-1);
  const whole = hasNoSum ? last && inWords(last, unit) : totalOf(bars, unit);
  return (
    <figure className="chart">
      <figcaption>
        <span>{title}</span>
        <span>{pointed ? inWords(pointed, unit) : whole}</span>
      </figcaption>
      <div className="plot">
        <p className="scale" aria-hidden="true">
          {[top, top / 2, 0].map((amount) => (
            <span key={amount}>{formatShort(amount, currency)}</span>
          ))}
        </p>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role={bars.some(({ href }) => href) ? 'group' : 'img'}
          aria-label={title}
        >
          <path className="grid" d={`M0 0.5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}`} />
          {bars.map((bar, index) => (
            <OneBar
              key={bar.day}
              bar={bar}
              name={inWords(bar, unit)}
              x={(index * WIDTH) / bars.length}
              width={WIDTH / bars.length}
              top={top}
              onPoint={setPointed}
            />
          ))}
        </svg>
      </div>
      <p className="axis" aria-hidden="true">
        <span>{formatDay(bars[0]?.day ?? '')}</span>
        <span>{formatDay(bars.at(-1)?.day ?? '')}</span>
      </p>
      <details>
        <summary>{t('As a table')}</summary>
        <BarTable title={title} currency={currency} bars={bars} />
      </details>
    </figure>
  );
};

/** The outline of a bar that ends in an arch, as the mark does. */
const archOf = (x: number, width: number, height: number): string => {
  const side = Math.max(0, height - width / 2);
  return `M${x} ${HEIGHT}v${-side}a${width / 2} ${height - side} 0 0 1 ${width} 0v${side}z`;
};

/** A bar with the one before as a line across it; the whole height leads to the list. */
const OneBar = (props: {
  readonly bar: Bar;
  readonly name: string;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly onPoint: (bar: Bar | null) => void;
}) => {
  const { bar, name, x, width, top, onPoint } = props;
  const { amount, before, href, isPart } = bar;
  const height = (one: number): number => (top === 0 ? 0 : Math.max(0, (one / top) * HEIGHT));
  const drawn = (
    <>
      <rect className="room" x={x} width={width} y="0" height={HEIGHT} />
      <path className={isPart ? 'bar part' : 'bar'} d={archOf(x + 1, width - 2, height(amount))} />
      {before !== undefined && before > 0 && (
        <path className="before" d={`M${x} ${HEIGHT - height(before)}h${width}`} />
      )}
    </>
  );
  if (href === undefined)
    return (
      <g>
        <title>{name}</title>
        {drawn}
      </g>
    );
  return (
    <Link
      href={href}
      aria-label={name}
      onMouseEnter={() => onPoint(bar)}
      onFocus={() => onPoint(bar)}
      onMouseLeave={() => onPoint(null)}
      onBlur={() => onPoint(null)}
    >
      {drawn}
    </Link>
  );
};

const BarTable = (props: {
  readonly title: string;
  readonly currency: string | null;
  readonly bars: readonly Bar[];
}) => {
  const { title, currency, bars } = props;
  const shown = (amount: number) =>
    currency === null ? formatNumber(amount) : <Money amount={amount} currency={currency} />;
  const isCompared = bars.some(({ before }) => before !== undefined);
  return (
    <Table
      caption={title}
      heads={[
        t('Period'),
        { number: currency === null ? t('Number') : t('Amount') },
        ...(isCompared ? [{ number: t('Period before') }] : []),
      ]}
      rows={bars.map(({ day, amount, before = 0, href }) => ({
        key: day,
        cells: [
          href === undefined ? (
            formatDay(day)
          ) : (
            <Link key="day" href={href}>
              {formatDay(day)}
            </Link>
          ),
          shown(amount),
          ...(isCompared ? [shown(before)] : []),
        ],
      }))}
    />
  );
};
