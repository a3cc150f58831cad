import type { MerchantId } from '../../../kernel/ids.ts';
import { dateOf, localTime } from '../../../kernel/local-time.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { TimeRange } from '../../../kernel/time-range.ts';
import { type Settled, settlementsOf } from '../../charges/read/settlements.ts';

/** A paid charge as far as its settlement goes. */
export type SettledCharge = Settled & { readonly currency: string };

/** Parts of a merchant that become available on one day; the amount is in minor units. */
export type UpcomingDay = {
  /** `2026-03-01`, in the zone that was asked for. */
  readonly day: string;
  readonly currency: string;
  readonly amount: Minor;
  readonly parts: number;
};

/** Every zone's clock differs from UTC by whole quarters of an hour, so all of a quarter is on one day. */
const QUARTER_MS = 900_000;

/** Adds up what becomes available to a merchant, by day and currency, charge by charge. */
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
    /** In the order of days and currencies. */
    rows: (): readonly UpcomingDay[] =>
      [...days.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sums]) => sums),
  };
};

/** The sums of each currency. */
export const totalsOf = (rows: readonly UpcomingDay[]): readonly Omit<UpcomingDay, 'day'>[] => {
  const totals = new Map<string, Omit<UpcomingDay, 'day'>>();
  for (const { currency, amount, parts } of rows) {
    const sums = totals.get(currency) ?? { currency, amount: 0, parts: 0 };
    totals.set(currency, { currency, amount: sums.amount + amount, parts: sums.parts + parts });
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
};
