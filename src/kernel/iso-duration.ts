import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

/** Weeks, days, hours, minutes and seconds; years and months are left out because they differ in length. */
export const ISO_DURATION =
  /^P(?=.)(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;

const UNITS_MS = [7 * DAY_MS, DAY_MS, HOUR_MS, MINUTE_MS, 1_000];

/** Milliseconds of an ISO 8601 duration such as `P30D` or `PT90M`; null for any other text. */
export const durationMs = (text: string): number | null => {
  const parts = ISO_DURATION.exec(text)?.slice(1);
  if (!parts) return null;
  return UNITS_MS.reduce((sum, unit, place) => sum + unit * Number(parts[place] ?? 0), 0);
};
