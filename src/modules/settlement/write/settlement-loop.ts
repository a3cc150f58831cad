import { systemContext } from '../../../kernel/event.ts';
import type { DueLoop } from '../../../platform/due-work.ts';
import type { EnvironmentTime } from '../../../platform/environment-time.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop } from '../../../platform/loop.ts';
import type { SettleDue } from './settle-due.ts';

const EVERY_MS = 60_000;

/**
 * Settles due charges round after round, each worker its share of them. When the test clock is advanced, charges are
 * settled one after the other, so that their lines in statements have one order.
 */
export const createSettlementLoop = (deps: {
  readonly settleDue: SettleDue;
  readonly findNextSettlement: () => Promise<Date | null>;
  readonly time: EnvironmentTime;
  readonly logger: Logger;
}): DueLoop => ({
  start: ({ owns }) =>
    createLoop({
      name: 'settle what is due',
      everyMs: EVERY_MS,
      logger: deps.logger,
      round: (stopping) =>
        deps.time.inEach(async (livemode) => {
          const scope = livemode === null ? null : { livemode };
          await deps.settleDue(
            { until: deps.time.clock(), scope, owns, stopping },
            systemContext('settlement'),
          );
          return false;
        }),
    }),
  due: {
    kind: 'settlement',
    next: deps.findNextSettlement,
    async run(until) {
      const all = { owns: () => true, atOnce: 1, stopping: null };
      const settled = await deps.settleDue(
        { until, scope: { livemode: false }, ...all },
        systemContext('settlement'),
      );
      return settled.parts;
    },
  },
});
