/** The current time; passed in, so that rules and tests choose it. */
export type Clock = () => Date;

/** ISO 8601 in UTC with milliseconds, so that the order of strings is the order of time. */
export type Timestamp = string;

export const systemClock: Clock = () => new Date();

export const timestamp = (at: Date): Timestamp => at.toISOString();
