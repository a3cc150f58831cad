import { dayAfter, daysAgo } from './format.ts';
import { t } from './words.ts';

/** Days from one to another, both included, as `2026-11-23`. */
export type Days = { readonly from: string; readonly to: string };

type Preset = Days & { readonly label: string };

/** Spans of days that people look at again and again; each ends today. */
export const presets = (today = daysAgo(0)): readonly Preset[] => [
  { label: t('Today'), from: today, to: today },
  { label: t('7 days'), from: dayAfter(today, -6), to: today },
  { label: t('30 days'), from: dayAfter(today, -29), to: today },
  { label: t('This month'), from: `${today.slice(0, 8)}01`, to: today },
];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const A_DAY_MS = 86_400_000;

/** The number of days; null where one end is missing or no day, or the last comes before the first. */
export const lengthOf = ({ from, to }: Days): number | null => {
  if (!DAY.test(from) || !DAY.test(to)) return null;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / A_DAY_MS) + 1;
  return days > 0 ? days : null;
};

/** As many days directly before; null where there is no span. */
export const daysBefore = (days: Days): Days | null => {
  const length = lengthOf(days);
  return length === null ? null : { from: dayAfter(days.from, -length), to: dayAfter(days.from, -1) };
};
