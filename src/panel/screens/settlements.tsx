import { useSearch } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CsvButton } from '../components/csv-button.tsx';
import { Facts } from '../components/facts.tsx';
import { Select } from '../components/field.tsx';
import { useAddress } from '../components/filters.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Money } from '../components/values.tsx';
import { dayOf, formatDay, formatMonth, formatNumber, formatWeekday, shownZone } from '../format.ts';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { namesOf } from '../values.ts';
import { t } from '../words.ts';
import { monthAfter, weeksOf } from './settlements/month.ts';
import { settlementTabs } from './settlements/tabs.ts';

type Upcoming = Schemas['UpcomingSettlements'];
type Day = Upcoming['data'][number];

const MONTH = /^[12]\d{3}-(?:0[1-9]|1[0-2])$/;

const Settlements = () => {
  const upcoming = call('getUpcomingSettlements', { query: { timeZone: shownZone() } });
  return (
    <>
      <ScreenHead title={t('Settlement calendar')} tabs={settlementTabs()} />
      <div className="toolbar">
        <p>{t('Days of {zone}', { zone: shownZone() })}</p>
        <span className="space" />
        <CsvButton call={upcoming} name="settlements" />
        <ShownCall call={upcoming} />
      </div>
      <Loaded of={useRead(upcoming)} lines={8}>
        {(found) =>
          found.data.length === 0 ? (
            <p className="empty">
              {t(
                'Nothing waits to become available. The next paid charge is shown here by the day it arrives.',
              )}
            </p>
          ) : (
            <OfCurrency found={found} />
          )
        }
      </Loaded>
    </>
  );
};
export default Settlements;

/** One currency at a time: amounts of two in one calendar would be taken for a sum. */
const OfCurrency = ({ found }: { readonly found: Upcoming }) => {
  const asked = new URLSearchParams(useSearch());
  const { change } = useAddress([]);
  const currencies = found.totals.map(({ currency }) => currency);
  const currency = currencies.find((one) => one === asked.get('currency')) ?? currencies[0] ?? '';
  const days = found.data.filter((day) => day.currency === currency);
  const total = found.totals.find((one) => one.currency === currency);
  const [next] = days;
  const today = dayOf(new Date(), shownZone());
  const named = asked.get('month') ?? '';
  const month = MONTH.test(named) ? named : (next?.day ?? today).slice(0, 7);
  return (
    <>
      {currencies.length > 1 && (
        <Select
          label={t('Currency')}
          name="currency"
          value={currency}
          onText={(value) => change({ currency: value })}
          options={namesOf(currencies)}
        />
      )}
      <Facts
        rows={[
          [
            t('Waits to become available'),
            <strong key="total" className="lead">
              <Money amount={total?.amount ?? 0} currency={currency} />
            </strong>,
          ],
          [
            t('Next'),
            next && (
              <span key="next">
                <Money amount={next.amount} currency={currency} /> · {formatDay(next.day)}
              </span>
            ),
          ],
          [t('Parts'), formatNumber(total?.parts ?? 0)],
        ]}
      />
      <Month month={month} days={days} today={today} onMonth={(other) => change({ month: other })} />
    </>
  );
};

const Month = (props: {
  readonly month: string;
  readonly days: readonly Day[];
  readonly today: string;
  readonly onMonth: (month: string) => void;
}) => {
  const { month, days, today, onMonth } = props;
  const weeks = weeksOf(month);
  const byDay = new Map(days.map((day) => [day.day, day]));
  const isEmpty = !days.some(({ day }) => day.startsWith(month));
  return (
    <section aria-label={formatMonth(month)}>
      <div className="toolbar">
        <h2>{formatMonth(month)}</h2>
        <span className="space" />
        <Button label={t('Month before')} onClick={() => onMonth(monthAfter(month, -1))} />
        <Button label={t('Next month')} onClick={() => onMonth(monthAfter(month, 1))} />
      </div>
      <div className="scroll">
        <table className="calendar">
          <caption>{t('Amounts by the day on which they become available')}</caption>
          <thead>
            <tr>
              {(weeks[0] ?? []).map((day) => (
                <th key={day} scope="col">
                  {formatWeekday(day)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <DayCell key={day} day={day} month={month} today={today} of={byDay.get(day)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {isEmpty && <p className="empty">{t('Nothing becomes available in this month.')}</p>}
      </div>
    </section>
  );
};

const DayCell = (props: {
  readonly day: string;
  readonly month: string;
  readonly today: string;
  readonly of: Day | undefined;
}) => {
  const { day, month, today, of } = props;
  const kinds = [
    day.startsWith(month) ? '' : 'outside',
    day === today ? 'today' : '',
    of ? 'paying' : '',
  ].filter(Boolean);
  return (
    <td className={kinds.join(' ') || undefined} aria-current={day === today ? 'date' : undefined}>
      <time dateTime={day}>
        <span className="short">{Number(day.slice(8))}</span>
        <span className="whole">{formatDay(day)}</span>
      </time>
      {of && (
        <>
          <strong>
            <Money amount={of.amount} currency={of.currency} />
          </strong>
          <small>
            {t('Parts')}: {formatNumber(of.parts)}
          </small>
        </>
      )}
    </td>
  );
};
