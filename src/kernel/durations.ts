/** Lengths of time in milliseconds. A day here has 24 hours; a day of a zone may have 23 or 25 of them. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
