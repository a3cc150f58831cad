import { systemContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { StoreTime } from '../../../platform/write-store/store-clock.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { expireLink, isLinkPast, PAYMENT_LINKS, type PaymentLink } from './payment-link.ts';

/**
 * Ends a link whose time has passed. The write store's clock has to agree, because an ended link is never active again.
 */
export const createSettleLink =
  (deps: Changing & { readonly storeTime: StoreTime }) =>
  async (link: PaymentLink): Promise<void> => {
    if (!isLinkPast(link, await deps.storeTime())) return;
    await deps.transact(systemContext('checkout', tenantOf(link)), async (tx) => {
      const fresh = await tx.get(PAYMENT_LINKS, link.id);
      const decision = fresh && expireLink(fresh, deps.clock());
      if (decision) await tx.record(PAYMENT_LINKS, fresh, decision);
    });
  };
