import type { Clock } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../../platform/loop.ts';
import type { SettleDue } from './settle-due.ts';

const EVERY_MS = 60_000;

/** Settles again and again what is due, each worker its share. */
export const createSettlementLoop =
  (deps: { readonly settleDue: SettleDue; readonly clock: Clock; readonly logger: Logger }): StartLoop =>
  ({ owns }) =>
    createLoop({
      name: 'settle what is due',
      everyMs: EVERY_MS,
      logger: deps.logger,
      async round(stopping) {
        const due = { until: deps.clock(), scope: null, owns, stopping };
        await deps.settleDue(due, systemContext('settlement'));
        return false;
      },
    });
