import type { CommandContext, Decision } from '../../../kernel/event.ts';
import type { Changing, Transaction } from '../../../platform/write-store/transaction.ts';
import type { MandateState, StoredState } from '../../providers/provider.ts';
import {
  applyMandateState,
  applyStoredState,
  type StoredMethod,
  type StoredMethodEvent,
} from './stored-method.ts';
import { STORED_METHODS } from './stored-methods.store.ts';

/** Stores the provider's answer about a stored card; an outdated answer changes nothing. */
export type RecordStoredState = (
  method: Pick<StoredMethod, 'id'>,
  state: StoredState,
  context: CommandContext,
) => Promise<StoredMethod>;

/** Stores the provider's answer about a mandate; an outdated answer changes nothing. */
export type RecordMandateState = (
  method: Pick<StoredMethod, 'id'>,
  state: MandateState,
  context: CommandContext,
) => Promise<StoredMethod>;

/** Applies the outcome of storing a method to another module's records, in the transaction of that outcome. */
export type FollowMethod = (tx: Transaction, method: StoredMethod) => Promise<void>;

type Deps = Changing & { readonly methodFollowers: readonly FollowMethod[] };

/** Takes a decision on the present method over into the store, and into what follows the method. */
const createRecord =
  (deps: Deps) =>
  <State>(
    rule: (method: StoredMethod, state: State, now: Date) => Decision<StoredMethod, StoredMethodEvent> | null,
  ) =>
  (method: Pick<StoredMethod, 'id'>, state: State, context: CommandContext): Promise<StoredMethod> =>
    deps.transact(context, async (tx) => {
      const current = await tx.get(STORED_METHODS, method.id);
      if (!current) throw new Error(`payment method ${method.id} is gone`);
      const decision = rule(current, state, deps.clock());
      if (!decision) return current;
      const recorded = await tx.record(STORED_METHODS, current, decision);
      for (const follow of deps.methodFollowers) await follow(tx, recorded);
      return recorded;
    });

export const createRecordStoredState = (deps: Deps): RecordStoredState =>
  createRecord(deps)(applyStoredState);

export const createRecordMandateState = (deps: Deps): RecordMandateState =>
  createRecord(deps)(applyMandateState);
