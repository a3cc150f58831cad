import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { asMerchant, type Principal, visible } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { FollowDeletion } from '../../customers/write/forget-customer.ts';
import type { ReconcileMethod } from './reconcile-method.ts';
import type { FollowMethod } from './record-stored-state.ts';
import { methodInUse, methodOwnerOnly } from './refusals.ts';
import { forgetHolder, revokeMethod, type StoredMethod } from './stored-method.ts';
import { type EraseHolders, type FindMethodsOf, STORED_METHODS } from './stored-methods.store.ts';

/**
 * Revokes a payment method for good, after which no charge can be made with it. A method that has ended already stays
 * as it is. 404 for one of another customer, 403 for one of a sub-merchant, 422 PAYMENT_METHOD_IN_USE.
 */
export type RevokeMethod = Command<
  { readonly principal: Principal; readonly customerId: string; readonly id: string },
  void
>;

/** Whether another module still charges a method. */
export type IsInUse = (method: StoredMethod) => Promise<boolean>;

export const createRevokeMethod =
  (
    deps: Changing & {
      readonly reconcileMethod: ReconcileMethod;
      readonly methodUses: readonly IsInUse[];
      readonly methodFollowers: readonly FollowMethod[];
    },
  ): RevokeMethod =>
  async ({ principal, customerId, id }, context) => {
    const { merchantId } = asMerchant(principal);
    const revoked = await deps.transact(context, async (tx) => {
      const method = visible(principal, await tx.get(STORED_METHODS, id), 'Payment method');
      if (method.customerId !== customerId) throw notFound('Payment method');
      if (method.merchantId !== merchantId) throw methodOwnerOnly();
      const decision = revokeMethod(method, deps.clock());
      // A subscription that starts to use the method checks its version, so that this question is then asked again.
      if (decision) for (const isInUse of deps.methodUses) if (await isInUse(method)) throw methodInUse();
      const ended = decision && (await tx.record(STORED_METHODS, method, decision));
      if (ended) for (const follow of deps.methodFollowers) await follow(tx, ended);
      return ended;
    });
    // Where the provider does not answer now, a worker repeats this.
    if (revoked) await deps.reconcileMethod(revoked, deps.clock()).catch(() => undefined);
  };

/** Ends the methods of a deleted customer and removes the holder's name from them. */
export const createForgetMethods =
  (deps: { readonly findMethodsOf: FindMethodsOf; readonly eraseHolders: EraseHolders }): FollowDeletion =>
  async (tx, customer, now) => {
    const found = await deps.findMethodsOf(customer.id, tenantOf(customer));
    const ids = found.map(({ id }) => id);
    for (const method of await tx.getAll(STORED_METHODS, ids))
      await tx.record(STORED_METHODS, method, forgetHolder(method, now));
    await deps.eraseHolders(tx, customer, ids);
  };
