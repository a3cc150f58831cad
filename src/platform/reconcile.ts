import type { Clock } from '../kernel/clock.ts';
import type { Logger } from './logger.ts';
import type { Membership } from './write-store/workers.ts';

const LIMIT = 200;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 3_600_000;

/**
 * One round of settling what is due, as far as this worker owns it. What stays due is asked for again later and later,
 * by this process's memory: settling must be harmless when it is done twice, so it may change hands at any time.
 */
export const createReconciler = <T extends { readonly id: string }>(deps: {
  readonly findDue: (now: Date, limit: number) => Promise<readonly T[]>;
  readonly settle: (due: T, now: Date) => Promise<void>;
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
    for (const one of ready) {
      const times = (tried.get(one.id)?.times ?? 0) + 1;
      const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1));
      tried.set(one.id, { times, againAt: now.getTime() + delay });
      await deps.settle(one, now).catch((error: unknown) => {
        deps.logger.warn({ err: error, id: one.id, times }, 'could not be reconciled yet');
      });
    }
    return false;
  };
};
