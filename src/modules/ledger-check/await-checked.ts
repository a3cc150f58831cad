import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { waitedInVain } from '../../kernel/errors.ts';
import { parseToken, WAIT_AT_MOST_MS } from '../../platform/read-store/consistency.ts';
import type { CheckStates } from './check-state.store.ts';

const LOOK_EVERY_MS = 50;

/**
 * Waits until everything that was committed before this call has been checked. The check hurries while somebody waits,
 * and later commits do not prolong the wait. 503 after two seconds.
 */
export type AwaitChecked = (consistencyToken: string | null) => Promise<void>;

export const createAwaitChecked =
  (deps: { readonly states: Pick<CheckStates, 'get' | 'want'>; readonly clock: Clock }): AwaitChecked =>
  async (consistencyToken) => {
    if (consistencyToken === null) return;
    parseToken(consistencyToken);
    const askedAt = deps.clock();
    const until = askedAt.getTime() + WAIT_AT_MOST_MS;
    await deps.states.want(askedAt);
    for (;;) {
      const { checkedUpTo } = await deps.states.get();
      if (checkedUpTo !== null && checkedUpTo >= askedAt) return;
      if (Date.now() > until) throw waitedInVain('The check of the ledger is not up to date yet');
      await sleep(LOOK_EVERY_MS);
    }
  };
