import type { CommandContext } from '../../../kernel/event.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import type { StoredState } from '../../providers/provider.ts';
import { applyStoredState, type StoredMethod } from './stored-method.ts';
import { STORED_METHODS } from './stored-methods.store.ts';

/** Stores what the provider says about a stored card; old news changes nothing. */
export type RecordStoredState = (
  method: Pick<StoredMethod, 'id'>,
  state: StoredState,
  context: CommandContext,
) => Promise<StoredMethod>;

/** Takes over what became of a stored card, in the transaction of that. */
export type FollowMethod = (tx: Transaction, method: StoredMethod) => Promise<void>;

export const createRecordStoredState =
  (deps: Changing & { readonly methodFollowers: readonly FollowMethod[] }): RecordStoredState =>
  (method, state, context) =>
    deps.transact(context, async (tx) => {
      const current = await tx.get(STORED_METHODS, method.id);
      if (!current) throw new Error(`payment method ${method.id} is gone`);
      const decision = applyStoredState(current, state, deps.clock());
      if (!decision) return current;
      const recorded = await tx.record(STORED_METHODS, current, decision);
      for (const follow of deps.methodFollowers) await follow(tx, recorded);
      return recorded;
    });
