import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import type { RecordStoredState } from './record-stored-state.ts';
import {
  expire,
  isAuthenticationOver,
  revokedAtProvider,
  type StoredMethod,
  storedOrderOf,
} from './stored-method.ts';
import { STORED_METHODS } from './stored-methods.store.ts';

/**
 * Does what is due of a payment method: asks what became of a card that was to be stored, has the provider forget one
 * that is revoked, and ends one whose card has expired. May be repeated.
 */
export type ReconcileMethod = (due: StoredMethod, now: Date) => Promise<void>;

export const createReconcileMethod = (
  deps: Changing & {
    readonly providerNamed: ProviderNamed;
    readonly recordStoredState: RecordStoredState;
  },
): ReconcileMethod => {
  const settle = (
    due: StoredMethod,
    decide: (method: StoredMethod, now: Date) => ReturnType<typeof expire>,
  ): Promise<unknown> =>
    deps.transact(systemContext('stored methods', tenantOf(due)), async (tx) => {
      const method = await tx.get(STORED_METHODS, due.id);
      if (method?.status === due.status && method.reconcileAt === due.reconcileAt)
        await tx.record(STORED_METHODS, method, decide(method, deps.clock()));
    });

  const vaultOf = async ({ provider }: StoredMethod) => (await deps.providerNamed(provider))?.vault ?? null;

  return async (due, now) => {
    if (due.status === 'active') return void (await settle(due, expire));
    const vault = await vaultOf(due);
    if (due.status === 'revoked') {
      // Without its provider nobody can charge the card either, and before its charge is paid nobody has it.
      if (due.chargeId === null || due.payment !== null) await vault?.revoke(storedOrderOf(due));
      return void (await settle(due, revokedAtProvider));
    }
    if (due.status !== 'pending' || !vault) return;
    const order = storedOrderOf(due);
    const known = await vault.describeStored(order);
    const isOver = known === null || (known.status === 'pending' && isAuthenticationOver(due, now));
    const context = systemContext('stored methods', tenantOf(due));
    if (!isOver) return void (await deps.recordStoredState(due, known, context));
    // Revoking also keeps a call that is still on its way from storing the card later.
    const left = await vault.revoke(order);
    const failureReason = known === null ? 'not_stored' : 'authentication_expired';
    await deps.recordStoredState(due, { ...left, status: 'failed', failureReason }, context);
  };
};
