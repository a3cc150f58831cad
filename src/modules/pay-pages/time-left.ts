/**
 * The time until a deadline as a clock that runs down, days in the words of the language: `2 days, 03:59:59`. Pages
 * carry the source of this function, so it uses nothing from outside.
 */
export const timeLeft = (milliseconds: number, locale: string): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const days = Math.floor(seconds / 86400);
  if (days === 0) return clock;
  const inWords = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return `${inWords.format(days)}, ${clock}`;
};
