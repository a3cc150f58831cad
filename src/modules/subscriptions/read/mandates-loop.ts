import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../../platform/loop.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { readMandateFigures } from './mandate-figures.ts';

const EVERY_MS = 60_000;

/** Counts the live mandates, and the live charges that payers' banks are to pay by them. */
export const createMandatesLoop =
  (deps: {
    readonly readStore: ReadStore;
    readonly realClock: Clock;
    readonly logger: Logger;
    readonly metrics: Pick<Metrics, 'mandates' | 'plannedCharges'>;
  }): StartLoop =>
  () =>
    createLoop({
      name: 'mandates',
      everyMs: EVERY_MS,
      logger: deps.logger,
      round: async () => {
        const live = [{ term: { livemode: true } }];
        const { mandates, plannedCharges } = await readMandateFigures(deps.readStore, live, deps.realClock());
        for (const [status, count] of Object.entries(mandates)) deps.metrics.mandates.set({ status }, count);
        deps.metrics.plannedCharges.set({ state: 'waiting' }, plannedCharges.waiting);
        deps.metrics.plannedCharges.set({ state: 'overdue' }, plannedCharges.overdue);
        return false;
      },
    });
