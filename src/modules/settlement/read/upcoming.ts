import type { MerchantId } from '../../../kernel/ids.ts';
import { dateOf, localTime } from '../../../kernel/local-time.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { TimeRange } from '../../../kernel/time-range.ts';
import { type Settled, settlementsOf } from '../../charges/read/settlements.ts';

/** The members of a paid charge that its settlement depends on. */
export type SettledCharge = Settled & { readonly currency: string };

/** The parts that become available to a merchant on one day; the amount is in minor units. */
export type UpcomingDay = {
  /** The local day, such as `2026-03-01`, in the zone that was asked for. */
  readonly day: string;
  readonly currency: string;
  readonly amount: Minor;
  readonly parts: number;
};

/** The offset of every zone from UTC is a whole number of quarters of an hour, so each quarter lies within one day. */
const QUARTER_MS = 900_000;

/** Adds up the money that becomes available to a merchant, by day and currency, one charge after the other. */
export const addUpUpcoming = (merchantId: MerchantId, { from, to, timeZone }: TimeRange) => {
  const days = new Map<string, UpcomingDay>();
  const names = new Map<number, string>();
  const dayOf = (at: number): string => {
    const quarter = Math.floor(at / QUARTER_MS);
    const known = names.get(quarter);
    if (known !== undefined) return known;
    const name = dateOf(localTime(at, timeZone));
    names.set(quarter, name);
    return name;
  };
  return {
    add(charge: SettledCharge): void {
      const { currency } = charge;
      for (const { dueAt, amount, status } of settlementsOf(charge, merchantId)) {
        const at = Date.parse(dueAt);
        const isAsked = (from === null || at >= from) && (to === null || at < to);
        if (status !== 'pending' || !isAsked) continue;
        const day = dayOf(at);
        const key = `${day} ${currency}`;
        const sums = days.get(key) ?? { day, currency, amount: 0, parts: 0 };
        days.set(key, { ...sums, amount: sums.amount + amount, parts: sums.parts + 1 });
      }
    },
    /** Rows in the order of days and currencies. */
    rows: (): readonly UpcomingDay[] =>
      [...days.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sums]) => sums),
  };
};

/** The sum of each currency. */
export const totalsOf = (rows: readonly UpcomingDay[]): readonly Omit<UpcomingDay, 'day'>[] => {
  const totals = new Map<string, Omit<UpcomingDay, 'day'>>();
  for (const { currency, amount, parts } of rows) {
    const sums = totals.get(currency) ?? { currency, amount: 0, parts: 0 };
    totals.set(currency, { currency, amount: sums.amount + amount, parts: sums.parts + parts });
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
};
