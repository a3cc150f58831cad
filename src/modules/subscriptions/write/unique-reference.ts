import { createHash } from 'node:crypto';
import type { Resource } from '../../../kernel/event.ts';
import type { MerchantId, SubscriptionId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { subscriptionReferenceUsed } from './refusals.ts';
import { isEnded, SUBSCRIPTIONS, type Subscription } from './subscription.ts';

/** Names the latest subscription that took a reference, so that two that want it write the same document. */
type ReferenceTaken = Resource & {
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly subscriptionId: SubscriptionId;
};

export const SUBSCRIPTION_REFERENCES: Store<ReferenceTaken> = store(
  'subscription_references',
  'subscription_reference',
);

/** A digest, because a reference may be anything. */
const idOf = ({ merchantId, livemode, reference }: Subscription): string =>
  createHash('sha256')
    .update(JSON.stringify([merchantId, livemode, reference]))
    .digest('hex');

/**
 * Takes the reference of a new subscription in its own transaction; it is free again as soon as that has ended. 422
 * REFERENCE_ALREADY_USED.
 */
export const takeReference = async (tx: Transaction, subscription: Subscription): Promise<void> => {
  if (subscription.reference === null) return;
  const id = idOf(subscription);
  const { id: subscriptionId, merchantId, masterId } = subscription;
  const taken = await tx.get(SUBSCRIPTION_REFERENCES, id);
  if (taken === null) {
    const first = { id, version: 1, merchantId, masterId, subscriptionId };
    return tx.insert(SUBSCRIPTION_REFERENCES.collection, { _id: id, ...first });
  }
  const holder = await tx.get(SUBSCRIPTIONS, taken.subscriptionId);
  if (holder !== null && !isEnded(holder)) throw subscriptionReferenceUsed();
  await tx.update(SUBSCRIPTION_REFERENCES, taken, { ...taken, subscriptionId });
};
