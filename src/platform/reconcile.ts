import type { Clock } from '../kernel/clock.ts';
import type { DueLoop } from './due-work.ts';
import type { EnvironmentTime } from './environment-time.ts';
import type { Logger } from './logger.ts';
import { createLoop } from './loop.ts';
import type { Membership } from './write-store/workers.ts';

const LIMIT = 200;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 3_600_000;

/**
 * Reconciles due items that this worker owns. Items that stay due are retried with exponential backoff, which this
 * process remembers. Reconciling twice must be harmless, so that ownership may change at any time.
 */
export const createReconciler = <T extends { readonly id: string }>(deps: {
  readonly findDue: (now: Date, limit: number) => Promise<readonly T[]>;
  readonly reconcile: (due: T, now: Date) => Promise<void>;
  /** How many are reconciled at the same time; one where it is absent. */
  readonly atOnce?: number;
  readonly owns: Membership['owns'];
  readonly clock: Clock;
  readonly logger: Logger;
}): (() => Promise<boolean>) => {
  const tried = new Map<string, { readonly times: number; readonly againAt: number }>();
  let othersDue = 0;
  return async () => {
    const now = deps.clock();
    const due = await deps.findDue(now, LIMIT + tried.size + othersDue);
    const dueIds = new Set(due.map(({ id }) => id));
    for (const id of tried.keys()) if (!dueIds.has(id)) tried.delete(id);
    const mine = due.filter(({ id }) => deps.owns(id));
    othersDue = due.length - mine.length;
    const ready = mine.filter(({ id }) => (tried.get(id)?.againAt ?? 0) <= now.getTime());
    const reconcileOne = async (one: T): Promise<void> => {
      const times = (tried.get(one.id)?.times ?? 0) + 1;
      const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1));
      tried.set(one.id, { times, againAt: now.getTime() + delay });
      await deps.reconcile(one, now).catch((error: unknown) => {
        deps.logger.warn({ err: error, id: one.id, times }, 'could not be reconciled yet');
      });
    };
    const waiting = ready.values();
    const reconcileInTurn = async (): Promise<void> => {
      for (const one of waiting) await reconcileOne(one);
    };
    await Promise.all(Array.from({ length: deps.atOnce ?? 1 }, reconcileInTurn));
    // Where as many are due as one round covers, there is more to do.
    return ready.length >= LIMIT;
  };
};

const RECONCILE_EVERY_MS = 2_000;
/** More records that stay due are not looked at in one step of the test clock. */
const STAY_DUE_AT_MOST = 10_000;

type Reconcilable = { readonly id: string; readonly version: number };

type Deps<T extends Reconcilable> = {
  readonly name: string;
  /** The name of a record in the answer of the test clock. */
  readonly kind: string;
  /** Finds what is due in one environment, or in both where `livemode` is null; the longest due first. */
  readonly findDue: (now: Date, limit: number, livemode: boolean | null) => Promise<readonly T[]>;
  /** When the first record of the test environment is due. */
  readonly findNextDue: () => Promise<Date | null>;
  readonly reconcile: (due: T, now: Date) => Promise<void>;
  readonly atOnce?: number;
  readonly time: EnvironmentTime;
  readonly logger: Logger;
};

/** A loop in which each worker reconciles its share of the due items, and the same work for the test clock. */
export const createReconcileLoop = <T extends Reconcilable>(deps: Deps<T>): DueLoop => ({
  start: ({ owns }) => {
    const reconcilerOf = (livemode: boolean | null) =>
      createReconciler({
        ...deps,
        findDue: (now, limit) => deps.findDue(now, limit, livemode),
        owns,
        clock: deps.time.clock,
      });
    const reconcilers = new Map([true, false, null].map((livemode) => [livemode, reconcilerOf(livemode)]));
    return createLoop({
      name: deps.name,
      everyMs: RECONCILE_EVERY_MS,
      logger: deps.logger,
      round: () => deps.time.inEach(async (livemode) => (await reconcilers.get(livemode)?.()) ?? false),
    });
  },
  due: {
    kind: deps.kind,
    next: deps.findNextDue,
    async run(now) {
      const due = await deps.findDue(now, STAY_DUE_AT_MOST, false);
      for (const one of due)
        await deps.reconcile(one, now).catch((error: unknown) => {
          deps.logger.warn({ err: error, id: one.id }, 'could not be reconciled yet');
        });
      const stays = new Map(
        (await deps.findDue(now, STAY_DUE_AT_MOST, false)).map(({ id, version }) => [id, version]),
      );
      return due.filter(({ id, version }) => stays.get(id) !== version).length;
    },
  },
});
