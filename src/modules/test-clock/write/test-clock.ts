import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { invalidInput } from '../../../kernel/errors.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import { durationMs } from '../../../kernel/iso-duration.ts';

/** How many records of each kind something happened to. */
export type Happened = Readonly<Record<string, number>>;

/** One move of the clock, from when it was asked for until everything has happened that fell due. */
export type Advance = {
  readonly id: string;
  readonly from: Timestamp;
  readonly until: Timestamp;
  /** The instant at which the clock stands: everything that fell due before it has happened. */
  readonly at: Timestamp;
  readonly happened: Happened;
};

/** The clock of the test environment, of which an installation has one. */
export type TestClock = Resource & {
  /** How many milliseconds it is ahead of the real time while nobody advances it. */
  readonly offsetMs: number;
  readonly advance: Advance | null;
  /** The latest advances that have ended, for those who wait for theirs; oldest first. */
  readonly ended: readonly Advance[];
};

export type TestClockEvent = 'test_clock.advanced' | 'test_clock.arrived';

export const TEST_CLOCK_ID = 'test_clock';
const REMEMBERED = 20;
const FURTHEST_MS = 5 * 366 * DAY_MS;

/** A clock that nobody has moved yet. */
const UNTOUCHED: TestClock = { id: TEST_CLOCK_ID, version: 0, offsetMs: 0, advance: null, ended: [] };

/** The time by a test clock, given the real time. */
export const timeOfTestClock = (clock: TestClock | null, real: Date): Date => {
  if (clock?.advance) return new Date(clock.advance.at);
  return new Date(real.getTime() + (clock?.offsetMs ?? 0));
};

/** How far the clock is to be moved: by a duration or to an instant. */
export type Move = { readonly by: string } | { readonly to: Timestamp };

/** Begins to advance a clock that nobody else is advancing. 400 for a move that does not lead ahead, or too far. */
export const beginAdvance = (
  clock: TestClock | null,
  id: string,
  move: Move,
  real: Date,
): Decision<TestClock, TestClockEvent> => {
  const now = timeOfTestClock(clock, real);
  const until = new Date('to' in move ? move.to : now.getTime() + (durationMs(move.by) ?? 0));
  assertAhead(now, until, 'to' in move ? 'to' : 'by');
  const from = timestamp(now);
  const advance = { id, from, until: timestamp(until), at: from, happened: {} };
  return { type: 'test_clock.advanced', data: { ...(clock ?? UNTOUCHED), advance } };
};

const assertAhead = (now: Date, until: Date, path: 'by' | 'to'): void => {
  const ms = until.getTime() - now.getTime();
  const ahead = path === 'to' ? `after ${timestamp(now)}, the time of the test clock` : 'longer than nothing';
  if (ms <= 0) throw invalidInput([{ path, message: `${path} must be ${ahead}` }]);
  if (ms > FURTHEST_MS) throw invalidInput([{ path, message: `${path} must lead at most five years ahead` }]);
};

/** A clock while it is being advanced. */
export type Advancing = TestClock & { readonly advance: Advance };

/** Moves the clock on to the next instant at which something is due. */
export const moveTo = (clock: Advancing, at: Timestamp, happened: Happened): Advancing => ({
  ...clock,
  advance: { ...clock.advance, at, happened },
});

/** Ends the advance at the instant that was asked for, from where the clock runs on. It never runs backwards. */
export const arrive = (
  clock: Advancing,
  happened: Happened,
  real: Date,
): Decision<TestClock, TestClockEvent> => {
  const { until } = clock.advance;
  const ended = { ...clock.advance, at: until, happened };
  return {
    type: 'test_clock.arrived',
    data: {
      ...clock,
      offsetMs: Math.max(clock.offsetMs, Date.parse(until) - real.getTime()),
      advance: null,
      ended: [...clock.ended, ended].slice(-REMEMBERED),
    },
  };
};
