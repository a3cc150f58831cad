import type { CommandContext } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { StoredState } from '../../providers/provider.ts';
import { applyStoredState, type StoredMethod } from './stored-method.ts';
import { STORED_METHODS } from './stored-methods.store.ts';

/** Stores what the provider says about a stored card; old news changes nothing. */
export type RecordStoredState = (
  method: Pick<StoredMethod, 'id'>,
  state: StoredState,
  context: CommandContext,
) => Promise<StoredMethod>;

export const createRecordStoredState =
  (deps: Changing): RecordStoredState =>
  (method, state, context) =>
    deps.transact(context, async (tx) => {
      const current = await tx.get(STORED_METHODS, method.id);
      if (!current) throw new Error(`payment method ${method.id} is gone`);
      const decision = applyStoredState(current, state, deps.clock());
      return decision ? tx.record(STORED_METHODS, current, decision) : current;
    });
