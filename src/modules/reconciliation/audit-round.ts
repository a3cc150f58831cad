import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Membership } from '../../platform/write-store/workers.ts';
import type { GetDifferences } from './read/get-differences.ts';

const CHORE = 'audit';

/** The hourly audit, in one worker. The first round leaves a process that has just started alone. */
export const createAuditRound = (deps: {
  readonly getDifferences: GetDifferences;
  readonly owns: Membership['owns'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly report: (differences: number, at: Date) => void;
  /** Another worker audits now: what this one has found is for it to find again. */
  readonly retract: () => void;
}): ((stopping: AbortSignal) => Promise<boolean>) => {
  let isFirst = true;
  return async (stopping) => {
    if (isFirst) {
      isFirst = false;
      return false;
    }
    if (!deps.owns(CHORE)) {
      deps.retract();
      return false;
    }
    let found = 0;
    for await (const difference of deps.getDifferences(() => stopping.throwIfAborted())) {
      found += 1;
      deps.logger.error({ difference }, 'the ledger does not tie up');
    }
    deps.report(found, deps.clock());
    return false;
  };
};
