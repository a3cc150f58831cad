import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import { unavailable } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { GATEWAY_TENANT } from '../../../kernel/tenant.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import { type FindTestClock, TEST_CLOCKS } from './test-clock.store.ts';
import { type Advance, beginAdvance, type Move, TEST_CLOCK_ID } from './test-clock.ts';

/**
 * Moves the clock of the test environment forward, and answers once everything has happened that fell due, or after
 * twenty seconds with how far it is; it then goes on by itself. Two moves have one order: the later one begins where the
 * earlier one has ended.
 */
export type AdvanceClock = Command<
  { readonly move: Move },
  { readonly advance: Advance; readonly isComplete: boolean }
>;

/** Shorter than clients wait for an answer. */
const WAIT_AT_MOST_MS = 20_000;
const LOOK_EVERY_MS = 20;

export const createAdvanceClock =
  (deps: {
    readonly transact: Transact;
    readonly realClock: Clock;
    readonly findTestClock: FindTestClock;
    readonly waitAtMostMs?: number;
  }): AdvanceClock =>
  async ({ move }, context) => {
    const id = newUuid();
    const giveUpAt = performance.now() + (deps.waitAtMostMs ?? WAIT_AT_MOST_MS);
    const begin = (): Promise<boolean> =>
      deps.transact({ ...context, tenantId: GATEWAY_TENANT }, async (tx) => {
        const clock = await tx.get(TEST_CLOCKS, TEST_CLOCK_ID);
        if (clock?.advance) return false;
        await tx.record(TEST_CLOCKS, clock, beginAdvance(clock, id, move, deps.realClock()));
        return true;
      });
    while (!(await begin())) {
      if (performance.now() > giveUpAt) throw unavailable('The test clock is still being advanced');
      await sleep(LOOK_EVERY_MS);
    }
    for (;;) {
      const clock = await deps.findTestClock();
      const ended = clock?.ended.find((one) => one.id === id);
      if (ended) return { advance: ended, isComplete: true };
      const isOver = performance.now() > giveUpAt;
      if (clock?.advance && isOver) return { advance: clock.advance, isComplete: false };
      if (isOver) throw unavailable('The end of this move of the test clock is not remembered any more');
      await sleep(LOOK_EVERY_MS);
    }
  };
