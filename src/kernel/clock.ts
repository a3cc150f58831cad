/** The current time. It is passed in, so that tests can choose it. */
export type Clock = () => Date;

/** An ISO 8601 time in UTC with milliseconds, so that timestamps sort as strings. */
export type Timestamp = string;

export const systemClock: Clock = () => new Date();

export const timestamp = (at: Date): Timestamp => at.toISOString();
