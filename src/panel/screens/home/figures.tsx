import { Link } from 'wouter';
import { type Call, call } from '../../api.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Compared } from '../../components/compared.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Spark } from '../../components/spark.tsx';
import { Table } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import { daysAgo, formatCurrency, formatNumber, shownZone } from '../../format.ts';
import { type Me, may, useMe } from '../../session.tsx';
import { useRead } from '../../use-read.ts';
import { t } from '../../words.ts';
import { currenciesIn, type DayRow, figureOf } from './currencies.ts';

const DAYS = 30;

type Rows = { readonly data: readonly DayRow[] };
type Own = { readonly data: readonly (DayRow & { readonly paidAmount: number; readonly net: number })[] };

/** Days that are shown, and as many before them, in the zone that is shown. */
const query = () =>
  ({ from: daysAgo(2 * DAYS - 1), to: daysAgo(0), interval: 'day', timeZone: shownZone() }) as const;
const volumeOfAll = (): Call<Rows> => call('getVolumeReport', { query: query() });
const ownVolume = (): Call<Own> => call('getVolume', { query: query() });

/** The report that the figures come from; null for somebody who may not read it. */
export const figuresCall = (me: Me): Call | null => {
  if (me.merchant) return may(me, 'charges.read') ? ownVolume() : null;
  return may(me, 'admin.reports.read') ? volumeOfAll() : null;
};

/** Sales of 30 days, with the currency that has the most charges large and the others below it. */
export const Figures = () => {
  const me = useMe();
  if (figuresCall(me) === null) return null;
  return me.merchant ? <OfMerchant /> : <OfOperator />;
};

const OfMerchant = () => (
  <Loaded of={useRead(ownVolume())} lines={8}>
    {({ data }) => (
      <Currencies
        names={[t('Paid charges'), t('Net')]}
        first={data.map((row) => ({ ...row, amount: row.paidAmount }))}
        second={data.map((row) => ({ ...row, amount: row.net }))}
      />
    )}
  </Loaded>
);

const OfOperator = () => {
  const revenue = useRead<Rows>(call('getRevenueReport', { query: query() }));
  return (
    <Loaded of={useRead(volumeOfAll())} lines={8}>
      {(volume) => (
        <Loaded of={revenue} lines={8}>
          {({ data }) => <Currencies names={[t('Volume'), t('Revenue')]} first={volume.data} second={data} />}
        </Loaded>
      )}
    </Loaded>
  );
};

type Shown = {
  /** Names of the two figures. */
  readonly names: readonly [string, string];
  readonly first: readonly DayRow[];
  readonly second: readonly DayRow[];
};

const Currencies = ({ names, first, second }: Shown) => {
  const [main, ...others] = [...new Set([...currenciesIn(first), ...currenciesIn(second)])];
  if (main === undefined) return <p className="empty">{t('No charge was paid in these days.')}</p>;
  return (
    <>
      <Main currency={main} {...{ names, first, second }} />
      {others.length > 0 && <Others currencies={others} {...{ names, first, second }} />}
    </>
  );
};

const days = (): readonly string[] => Array.from({ length: DAYS }, (_, index) => daysAgo(DAYS - 1 - index));
const daysBefore = (): readonly string[] =>
  Array.from({ length: DAYS }, (_, index) => daysAgo(2 * DAYS - 1 - index));

const chargesOf = (day: string, currency: string): string =>
  `/charges?createdAt[gte]=${day}&createdAt[lte]=${day}&currency=${currency}`;

const Main = ({ currency, names, first, second }: Shown & { readonly currency: string }) => {
  const main = figureOf(first, currency, days(), daysBefore());
  const rest = figureOf(second, currency, days(), daysBefore());
  const figures = [
    [names[0], main.total, main.before],
    [names[1], rest.total, rest.before],
  ] as const;
  return (
    <section className="figures">
      <h2>{t('30 days in {currency}', { currency: formatCurrency(currency) })}</h2>
      <dl>
        {figures.map(([name, total, before], index) => (
          <div key={name} className={index === 0 ? 'lead' : undefined}>
            <dt>{name}</dt>
            <dd>
              <Money amount={total} currency={currency} />
            </dd>
            <dd>
              <Compared now={total} before={before} /> {t('30 days before')}:{' '}
              <Money amount={before} currency={currency} />
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('Charges')}</dt>
          <dd>{formatNumber(main.count)}</dd>
          <dd>
            <Compared now={main.count} before={main.countBefore} /> {t('30 days before')}:{' '}
            {formatNumber(main.countBefore)}
          </dd>
        </div>
      </dl>
      <BarChart
        title={`${names[0]}, ${currency}`}
        currency={currency}
        bars={main.days.map((bar, index) => ({
          ...bar,
          href: chargesOf(bar.day, currency),
          isPart: index === DAYS - 1,
        }))}
      />
    </section>
  );
};

const Others = ({ currencies, names, first, second }: Shown & { readonly currencies: readonly string[] }) => {
  const isOperator = useMe().merchant === null;
  const hrefOf = (currency: string): string =>
    isOperator ? `/reports?currency=${currency}` : `/charges?currency=${currency}`;
  return (
    <section>
      <h2>{t('Other currencies')}</h2>
      <Table
        caption={t('Other currencies')}
        className="currencies"
        heads={[
          t('Currency'),
          { number: names[0] },
          { number: t('Change') },
          t('30 days'),
          { number: names[1] },
          { number: t('Charges') },
        ]}
        rows={currencies.map((currency) => {
          const figure = figureOf(first, currency, days(), daysBefore());
          const { total } = figureOf(second, currency, days(), daysBefore());
          return {
            key: currency,
            cells: [
              <Link key="currency" href={hrefOf(currency)}>
                {currency} <small>{formatCurrency(currency)}</small>
              </Link>,
              <Money key="first" amount={figure.total} currency={currency} />,
              <Compared key="change" now={figure.total} before={figure.before} />,
              <Spark key="spark" of={figure.days.map(({ amount }) => amount)} />,
              <Money key="second" amount={total} currency={currency} />,
              formatNumber(figure.count),
            ],
          };
        })}
      />
    </section>
  );
};
