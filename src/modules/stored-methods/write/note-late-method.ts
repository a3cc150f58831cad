import type { LateOutcomes } from '../../card-tokens/write/use-card-token.ts';
import type { RecordStoredState } from './record-stored-state.ts';
import { isGivenUp } from './stored-method.ts';

/**
 * Stores news of a card whose request was answered before, and notes how it ended for the defence against card testing:
 * the bank may refuse a card only after the payer has proved himself.
 */
export const createNoteLateMethod =
  (deps: {
    readonly recordStoredState: RecordStoredState;
    readonly cardTokens: LateOutcomes;
  }): RecordStoredState =>
  async (method, state, context) => {
    const after = await deps.recordStoredState(method, state, context);
    const { id, checkoutSessionId, status } = after;
    if (status === 'failed' && !isGivenUp(after))
      await deps.cardTokens.noteLate(checkoutSessionId ?? id, true);
    // A session may go on to a first charge, which tells more.
    if (status === 'active' && checkoutSessionId === undefined) await deps.cardTokens.noteLate(id, false);
    return after;
  };
