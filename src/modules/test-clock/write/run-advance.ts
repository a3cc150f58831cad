import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { GATEWAY_TENANT } from '../../../kernel/tenant.ts';
import type { DueWork } from '../../../platform/due-work.ts';
import type { EnvironmentTime } from '../../../platform/environment-time.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop, IDLE, type StartLoop } from '../../../platform/loop.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transaction.ts';
import { type FindTestClock, TEST_CLOCKS } from './test-clock.store.ts';
import { type Advance, type Advancing, arrive, moveTo, TEST_CLOCK_ID, type TestClock } from './test-clock.ts';

const LOOK_EVERY_MS = 50;
const QUIET_CHECK_MS = 5;
/** Work that a worker has in hand may take so long; then the clock moves on without it. */
const QUIET_WITHIN_MS = 30_000;
const NAME = 'test clock';

type Deps = {
  readonly transact: Transact;
  readonly time: EnvironmentTime;
  readonly realClock: Clock;
  readonly findTestClock: FindTestClock;
  readonly logger: Logger;
  readonly due: readonly DueWork[];
  /** Whether no work is left that commits have caused, other than for views. */
  readonly isQuiet: () => Promise<boolean>;
  /** Has this process begin at once with what waits, which it would gather for a while otherwise. */
  readonly hurry: () => void;
};

/**
 * Advances the test clock from one instant at which something is due to the next, and does there what is due before it
 * moves on. One worker does this for all. A worker that ends leaves the clock where it stands, and another one goes on.
 */
export const createAdvanceLoop =
  (deps: Deps): StartLoop =>
  ({ owns }) =>
    deps.time.hasTestClock
      ? createLoop({
          name: NAME,
          everyMs: LOOK_EVERY_MS,
          logger: deps.logger,
          async round(stopping) {
            if (!owns(NAME)) return false;
            const clock = await deps.findTestClock();
            if (clock && isAdvancing(clock)) await runAdvance(deps, clock, stopping);
            return false;
          },
        })
      : IDLE;

const isAdvancing = (clock: TestClock): clock is Advancing => clock.advance !== null;

export const runAdvance = async (
  deps: Omit<Deps, 'logger' | 'findTestClock'>,
  given: Advancing,
  stopping: AbortSignal,
): Promise<void> => {
  const happened: Record<string, number> = { ...given.advance.happened };
  /** Kinds of which nothing more can be done at the present instant, although some of it stays due. */
  const stuck = new Set<DueWork>();
  let clock: Advancing = given;
  while (!stopping.aborted) {
    await untilQuiet(deps, stopping);
    const waiting = await findWaiting(deps.due, stuck, clock.advance);
    const [first] = waiting;
    if (!first) {
      await change(deps, clock, (tx) =>
        tx.record(TEST_CLOCKS, clock, arrive(clock, happened, deps.realClock())),
      );
      return;
    }
    if (first.at > clock.advance.at) {
      const moved = await change(deps, clock, (tx) =>
        tx.update(TEST_CLOCKS, clock, moveTo(clock, first.at, happened)),
      );
      // Another worker is advancing the clock.
      if (moved === null || !isAdvancing(moved)) return;
      clock = moved;
      stuck.clear();
    }
    await runDue(deps, waiting, clock, stopping, { happened, stuck });
  }
};

type Waiting = { readonly work: DueWork; readonly at: string };

/** The work that falls due until an instant, the earliest first; at one instant in the order of the modules. */
const findWaiting = async (
  due: readonly DueWork[],
  stuck: ReadonlySet<DueWork>,
  { at: since, until }: Advance,
): Promise<readonly Waiting[]> => {
  const found = await Promise.all(
    due.map(async (work) => ({ work, next: stuck.has(work) ? null : await work.next(new Date(since)) })),
  );
  return found
    .flatMap(({ work, next }): Waiting[] => (next === null ? [] : [{ work, at: timestamp(next) }]))
    .filter(({ at }) => at <= until)
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
};

const runDue = async (
  { time }: Pick<Deps, 'time'>,
  waiting: readonly Waiting[],
  { advance: { at } }: Advancing,
  stopping: AbortSignal,
  noted: { readonly happened: Record<string, number>; readonly stuck: Set<DueWork> },
): Promise<void> => {
  const now = new Date(at);
  for (const { work, at: dueAt } of waiting) {
    if (dueAt > at) return;
    const count = await time.at(now, () => work.run(now, stopping));
    if (count === 0) noted.stuck.add(work);
    else noted.happened[work.kind] = (noted.happened[work.kind] ?? 0) + count;
  }
};

/** Changes the clock unless somebody else has changed it; null then. */
const change = <T>(
  { transact }: Pick<Deps, 'transact'>,
  { version }: Advancing,
  write: (tx: Transaction) => Promise<T>,
): Promise<T | null> =>
  transact(systemContext(NAME, GATEWAY_TENANT), async (tx) => {
    const seen = await tx.get(TEST_CLOCKS, TEST_CLOCK_ID);
    return seen?.version === version ? write(tx) : null;
  });

/** Waits until all that the last step caused has been done: bookings, and deliveries of webhooks. */
const untilQuiet = async (
  { isQuiet, hurry, due }: Pick<Deps, 'isQuiet' | 'hurry' | 'due'>,
  stopping: AbortSignal,
): Promise<void> => {
  const giveUpAt = performance.now() + QUIET_WITHIN_MS;
  const isAllQuiet = async (): Promise<boolean> => {
    const quiet = [isQuiet(), ...due.map((work) => work.isQuiet?.() ?? true)];
    return (await Promise.all(quiet)).every(Boolean);
  };
  while (!stopping.aborted && performance.now() < giveUpAt && !(await isAllQuiet())) {
    hurry();
    await sleep(QUIET_CHECK_MS);
  }
};
