import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../platform/loop.ts';
import { type Check, type Difference, type Finding, nameOf } from './check.ts';
import { CHORE } from './check-changes.ts';
import type { CheckStates } from './check-state.store.ts';
import type { Differences } from './differences.store.ts';
import { lookAtEverything, type Progress } from './look.ts';

/** Findings that are stored together. */
const KEPT_AT_ONCE = 2_000;

/** Checks everything once, stores differences and resolves the ones that are gone. Several checks may run at once. */
type CheckEverything = (how: {
  readonly onProgress: Progress;
  readonly onDifference: (difference: Difference) => void;
  /**
   * After each batch it rests this many times as long as the batch took, because the gateway's own work comes first.
   */
  readonly restFactor: number;
}) => Promise<void>;

export const createCheckEverything =
  (deps: {
    readonly createChecks: () => readonly Check[];
    readonly differences: Pick<Differences, 'keep' | 'resolveUnseenSince'>;
    readonly states: Pick<CheckStates, 'endFullCheck'>;
    readonly clock: Clock;
  }): CheckEverything =>
  async ({ onProgress, onDifference, restFactor }) => {
    const startedAt = deps.clock();
    const findings: Finding[] = [];
    const named = new Set<string>();
    let began = performance.now();
    for await (const found of lookAtEverything(deps.createChecks(), onProgress)) {
      for (const { checked, differences } of found)
        for (const difference of differences) {
          const name = nameOf(checked, difference);
          if (!named.has(name)) onDifference(difference);
          named.add(name);
        }
      findings.push(...found);
      if (findings.length >= KEPT_AT_ONCE) await deps.differences.keep(findings.splice(0));
      if (restFactor > 0) await sleep((performance.now() - began) * restFactor);
      began = performance.now();
    }
    await deps.differences.keep(findings);
    await deps.differences.resolveUnseenSince(startedAt);
    await deps.states.endFullCheck(startedAt);
  };

/** The pause between the end of a full check and the beginning of the next. */
const EVERY_MS = 3_600_000;
const REST_FACTOR = 4;

const LOOK_EVERY_MS = 10_000;

/** Runs full checks in one worker, slowly and when one is due. */
export const createFullCheckLoop =
  (deps: {
    readonly checkEverything: CheckEverything;
    readonly states: Pick<CheckStates, 'get'>;
    readonly clock: Clock;
    readonly logger: Logger;
  }): StartLoop =>
  ({ owns }) =>
    createLoop({
      name: 'full ledger check',
      everyMs: LOOK_EVERY_MS,
      logger: deps.logger,
      async round(stopping) {
        if (!owns(CHORE)) return false;
        const { fullCheck } = await deps.states.get();
        if (fullCheck && deps.clock().getTime() - fullCheck.endedAt.getTime() < EVERY_MS) return false;
        await deps.checkEverything({
          onProgress: () => stopping.throwIfAborted(),
          onDifference: (difference) => deps.logger.error({ difference }, 'the ledger does not tie up'),
          restFactor: REST_FACTOR,
        });
        return false;
      },
    });
