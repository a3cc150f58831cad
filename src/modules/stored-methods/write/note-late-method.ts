import type { LateOutcomes } from '../../card-tokens/write/use-card-token.ts';
import type { RecordStoredState } from './record-stored-state.ts';
import { isGivenUp, type StoredMethod } from './stored-method.ts';

/** Whether a card that has just been stored is charged next, which tells more about it. */
export type IsChargedNext = (method: StoredMethod) => Promise<boolean>;

/**
 * Stores news of a card whose request was answered before, and notes how it ended for the defence against card testing:
 * the bank may refuse a card only after the payer has proved himself.
 */
export const createNoteLateMethod = (deps: {
  readonly recordStoredState: RecordStoredState;
  readonly cardTokens: LateOutcomes;
  readonly chargedNext: readonly IsChargedNext[];
}): RecordStoredState => {
  const isChargedNext: IsChargedNext = async (method) => {
    for (const isNext of deps.chargedNext) if (await isNext(method)) return true;
    return false;
  };
  return async (method, state, context) => {
    const after = await deps.recordStoredState(method, state, context);
    const attempt = after.checkoutSessionId ?? after.id;
    if (after.status === 'failed' && !isGivenUp(after)) await deps.cardTokens.noteLate(attempt, true);
    if (after.status === 'active' && !(await isChargedNext(after)))
      await deps.cardTokens.noteLate(attempt, false);
    return after;
  };
};
