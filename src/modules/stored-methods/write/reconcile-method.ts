import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import type { RecordMandateState, RecordStoredState } from './record-stored-state.ts';
import {
  askLater,
  expire,
  isApprovalOver,
  isAuthenticationOver,
  isMandateOver,
  mandateOrderOf,
  revokedAtProvider,
  type StoredMethod,
  storedOrderOf,
} from './stored-method.ts';
import { STORED_METHODS } from './stored-methods.store.ts';

/**
 * Does what is due for a payment method: asks for the outcome of storing a card or of a mandate, has the provider
 * forget a revoked one, or ends one that has expired. It may be repeated.
 */
export type ReconcileMethod = (due: StoredMethod, now: Date) => Promise<void>;

export const createReconcileMethod = (
  deps: Changing & {
    readonly providerNamed: ProviderNamed;
    readonly recordStoredState: RecordStoredState;
    readonly recordMandateState: RecordMandateState;
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

  const reconcileMandate = async (due: StoredMethod, now: Date): Promise<void> => {
    const keeper = (await deps.providerNamed(due.provider))?.mandates;
    const order = mandateOrderOf(due);
    if (due.status === 'revoked') {
      // Without settings for mandates nobody can tell the payer's bank; it stays due until there are some again.
      if (!keeper) throw new Error(`${due.provider} keeps no mandates at present`);
      await keeper.revokeMandate(order);
      return void (await settle(due, revokedAtProvider));
    }
    const context = systemContext('stored methods', tenantOf(due));
    if (due.status === 'active') {
      if (isMandateOver(due, now)) return void (await settle(due, expire));
      const state = await keeper?.describeMandate(order);
      const after = state ? await deps.recordMandateState(due, state, context) : due;
      return after.version === due.version ? void (await settle(due, askLater)) : undefined;
    }
    if (due.status !== 'pending' || !keeper) return;
    const known = await keeper.describeMandate(order);
    if (known !== null && known.status !== 'pending')
      return void (await deps.recordMandateState(due, known, context));
    if (known !== null && !isApprovalOver(due, now)) {
      const after = await deps.recordMandateState(due, known, context);
      return after.version === due.version ? void (await settle(due, askLater)) : undefined;
    }
    // Revoking also stops a request that is still on its way. A payer who was faster has approved.
    const left = await keeper.revokeMandate(order);
    const failureReason = known === null ? 'not_stored' : 'mandate_expired';
    const state = left.status === 'failed' ? { ...left, failureReason } : left;
    await deps.recordMandateState(due, state, context);
  };

  const vaultOf = async ({ provider }: StoredMethod) => (await deps.providerNamed(provider))?.vault ?? null;

  return async (due, now) => {
    if (due.type === 'pix_automatic') return reconcileMandate(due, now);
    if (due.status === 'active') return void (await settle(due, expire));
    const vault = await vaultOf(due);
    if (due.status === 'revoked') {
      // Without its provider nobody can charge the card, and before its charge is paid nobody has it.
      if (due.chargeId === null || due.payment !== null) await vault?.revoke(storedOrderOf(due));
      return void (await settle(due, revokedAtProvider));
    }
    if (due.status !== 'pending' || !vault) return;
    const order = storedOrderOf(due);
    const known = await vault.describeStored(order);
    const isOver = known === null || (known.status === 'pending' && isAuthenticationOver(due, now));
    const context = systemContext('stored methods', tenantOf(due));
    if (!isOver) return void (await deps.recordStoredState(due, known, context));
    // Revoking also stops a call that is still on its way from storing the card later.
    const left = await vault.revoke(order);
    const failureReason = known === null ? 'not_stored' : 'authentication_expired';
    await deps.recordStoredState(due, { ...left, status: 'failed', failureReason }, context);
  };
};
