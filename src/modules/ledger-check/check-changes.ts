import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../platform/loop.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Membership } from '../../platform/write-store/workers.ts';
import type { Check } from './check.ts';
import type { CheckState, CheckStates } from './check-state.store.ts';
import type { Differences } from './differences.store.ts';
import { lookAt } from './look.ts';
import type { Marks } from './marks.store.ts';

/** The work that one worker does for all: it checks open differences again and records the progress. */
export const CHORE = 'ledger check';
const MARKS_AT_ONCE = 200;
const LOOK_AGAIN_EVERY_MS = 60_000;
const LOOK_AGAIN_AT = 500;

/**
 * A round of the check of changed records. It looks at the marked records in this worker's shards, keeps the
 * differences and deletes the marks. A round that was cut off is repeated by the next owner of the shards.
 */
export const createCheckChanges = (deps: {
  readonly checks: readonly Check[];
  readonly marks: Marks;
  readonly differences: Differences;
  readonly states: CheckStates;
  readonly membership: Pick<Membership, 'shards' | 'owns'>;
  readonly clock: Clock;
  /** Takes this worker's count back, because another worker counts the open differences now. */
  readonly retract: () => void;
  readonly report: (openDifferences: number, state: CheckState) => void;
}): ((stopping: AbortSignal) => Promise<boolean>) => {
  const { marks, differences, states, membership } = deps;
  let lookedAgainAt = 0;

  const openOnes = async (): Promise<readonly string[]> => {
    const now = deps.clock().getTime();
    if (now - lookedAgainAt < LOOK_AGAIN_EVERY_MS) return [];
    lookedAgainAt = now;
    return differences.open(LOOK_AGAIN_AT);
  };

  return async (stopping) => {
    const isLeader = membership.owns(CHORE);
    const taken = await marks.take(membership.shards(), MARKS_AT_ONCE);
    const ids = [...taken.flatMap((mark) => mark.ids), ...(isLeader ? await openOnes() : [])];
    for await (const findings of lookAt(deps.checks, [...new Set(ids)])) {
      await differences.keep(findings);
      stopping.throwIfAborted();
    }
    if (taken.length > 0) await marks.remove(taken);
    if (!isLeader) deps.retract();
    else {
      await states.advance();
      deps.report(await differences.countOpen(), await states.get());
    }
    return false;
  };
};

/** A round begins this often, and at once where somebody waits for it. */
const EVERY_MS = 5_000;
const ASK_EVERY_MS = 400;
/**
 * The worker rests nine times as long as a round took, so that the check takes a tenth of its time. Records that change
 * often are then looked at less often.
 */
const REST_FACTOR = 9;
const REST_AT_MOST_MS = 30_000;
const REST_AFTER_MS = 500;

export const createCheckChangesLoop =
  ({
    metrics,
    logger,
    ...deps
  }: {
    readonly checks: readonly Check[];
    readonly marks: Marks;
    readonly differences: Differences;
    readonly states: CheckStates;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly metrics: Metrics;
  }): StartLoop =>
  (membership) => {
    const check = createCheckChanges({
      ...deps,
      membership,
      retract: () => metrics.ledgerDifferences.set(0),
      report: (open, { checkedUpTo, fullCheck }) => {
        metrics.ledgerDifferences.set(open);
        metrics.ledgerCheckedUpTo.set((checkedUpTo?.getTime() ?? 0) / 1000);
        metrics.ledgerFullCheckEndedAt.set((fullCheck?.endedAt.getTime() ?? 0) / 1000);
      },
    });
    let lastAt = 0;
    return createLoop({
      name: 'ledger check of changes',
      everyMs: ASK_EVERY_MS,
      restFactor: REST_FACTOR,
      restAtMostMs: REST_AT_MOST_MS,
      restAfterMs: REST_AFTER_MS,
      logger,
      async round(stopping) {
        const now = deps.clock().getTime();
        const isDue = now < lastAt || now - lastAt >= EVERY_MS;
        if (!isDue && !(await deps.states.isWanted())) return false;
        lastAt = now;
        return check(stopping);
      },
    });
  };
