import type { Clock } from '../../../kernel/clock.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FollowDeletion } from '../../customers/write/forget-customer.ts';
import type { IsSubscribed } from '../../customers/write/manage-customers.ts';
import type { IsInUse } from '../../stored-methods/write/revoke-method.ts';
import { cancelForErasure } from './lifecycle.ts';
import { isEnded, SUBSCRIPTIONS, timeOf } from './subscription.ts';
import { type FindRunning, storeChange } from './subscriptions.store.ts';

/** Ends the subscriptions of a customer whom an operator erases, which is a legal duty and is never refused. */
export const createEndForDeletion =
  (deps: { readonly findRunning: FindRunning; readonly clock: Clock }): FollowDeletion =>
  async (tx, customer) => {
    const found = await deps.findRunning({ customerId: customer.id }, tenantOf(customer));
    for (const subscription of await tx.getAll(
      SUBSCRIPTIONS,
      found.map(({ id }) => id),
    )) {
      if (isEnded(subscription)) continue;
      const now = timeOf(subscription, deps.clock());
      await storeChange(tx, subscription, [cancelForErasure(subscription, now)]);
    }
  };

/** Whether a customer has a subscription that has not ended. */
export const createHasSubscriptions =
  (deps: { readonly findRunning: FindRunning }): IsSubscribed =>
  async (customer) =>
    (await deps.findRunning({ customerId: customer.id }, tenantOf(customer))).length > 0;

/** Whether a subscription that has not ended is paid with a method. */
export const createIsSubscribedWith =
  (deps: { readonly findRunning: FindRunning }): IsInUse =>
  async (method) =>
    (await deps.findRunning({ paymentMethodId: method.id }, tenantOf(method))).length > 0;
