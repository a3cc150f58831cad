import type { StartLoop } from './loop.ts';

/** Work that falls due by itself for records of the test environment, as whoever advances their clock sees it. */
export type DueWork = {
  /** The name of the work in the answer of the test clock. */
  readonly kind: string;
  /**
   * The earliest instant at which something is due; null where nothing is to come. Work that leaves no trace in the
   * store when it is done counts only after `since`, the instant at which the clock stands.
   */
  next(since: Date): Promise<Date | null>;
  /** Does what is due by now, one record after the other in a fixed order; returns for how many records. */
  run(now: Date, stopping: AbortSignal): Promise<number>;
  /** Whether none of it is being done by a worker in the background; absent where it never is for long. */
  isQuiet?(): Promise<boolean>;
};

/** Work that falls due: the loop that does it in real time, and the same work for whoever advances the test clock. */
export type DueLoop = { readonly start: StartLoop; readonly due: DueWork };
