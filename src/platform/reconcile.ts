import type { Clock } from '../kernel/clock.ts';
import type { Logger } from './logger.ts';
import { createLoop, type StartLoop } from './loop.ts';
import type { Membership } from './write-store/workers.ts';

const LIMIT = 200;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 3_600_000;

/**
 * Reconciles what is due and owned by this worker. Items that stay due are retried with exponential backoff,
 * remembered in this process. Reconciling twice must be harmless, so ownership may change at any time.
 */
export const createReconciler = <T extends { readonly id: string }>(deps: {
  readonly findDue: (now: Date, limit: number) => Promise<readonly T[]>;
  readonly reconcile: (due: T, now: Date) => Promise<void>;
  /** How many are reconciled side by side; one where it is absent. */
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
    // There is more to do where as many were due as one round looks at.
    return ready.length >= LIMIT;
  };
};

const RECONCILE_EVERY_MS = 1_000;

/** A loop in which each worker reconciles its share of what is due. */
export const createReconcileLoop =
  <T extends { readonly id: string }>(name: string) =>
  (deps: Omit<Parameters<typeof createReconciler<T>>[0], 'owns'>): StartLoop =>
  ({ owns }) =>
    createLoop({
      name,
      everyMs: RECONCILE_EVERY_MS,
      logger: deps.logger,
      round: createReconciler({ ...deps, owns }),
    });
