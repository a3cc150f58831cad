import { systemContext } from '../../kernel/event.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import { deleteDocuments } from '../../platform/read-store/view.ts';
import { daysBefore, findNextEnd, inBatches, madeBefore, type Removal } from '../../platform/retention.ts';
import type { Services } from '../../platform/services.ts';
import { CHECKOUT_SESSIONS_VIEW } from '../checkout/read/checkout-session.view.ts';
import {
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  withoutCustomer,
} from '../checkout/write/checkout-session.ts';
import type { EraseHistory } from './write/erasure.store.ts';

/** A payer can pay on such a session for a day, so that each of them ended long ago. */
const KEPT_DAYS = 30;

type Stored = CheckoutSession & { readonly _id: string };

/** Sessions of links on which nothing was ever paid or kept, and on which nobody can pay any more. */
const UNPAID = {
  paymentLinkId: { $ne: null },
  status: { $in: ['expired', 'cancelled'] },
  chargeIds: { $size: 0 },
  consent: null,
} as const;

/**
 * Removes sessions that somebody opened by a payment link and on which nothing was ever paid or kept: anybody who has
 * the address of a link can make as many as he likes. The facts that he typed go out of the events first, because
 * nobody could find them there afterwards.
 */
export const createSessionRemoval = (
  deps: Pick<Services, 'db' | 'readStore' | 'transact' | 'viewReady'> & {
    readonly eraseHistory: EraseHistory;
  },
): Removal => ({
  what: 'unpaid sessions of payment links',
  async run(now, signal, livemode) {
    const { db } = deps;
    await deps.viewReady(CHECKOUT_SESSIONS_VIEW);
    const sessions = db.collection<Stored>(CHECKOUT_SESSIONS.collection);
    const unpaid = { ...madeBefore('chk', daysBefore(now, KEPT_DAYS), livemode), ...UNPAID };
    const fields = { _id: 1, customer: 1, merchantId: 1, masterId: 1 } as const;
    let removed = 0;
    for await (const batch of inBatches(sessions, unpaid, fields, signal)) {
      for (const { _id, customer, ...owner } of batch)
        if (customer !== null)
          await deps.transact.alone(systemContext('retention', tenantOf(owner)), (tx) =>
            deps.eraseHistory(tx, CHECKOUT_SESSIONS, _id, withoutCustomer),
          );
      const ids = batch.map(({ _id }) => _id);
      // Out of the view first: after a crash in between the next run finds them in the store, and removes both.
      await deleteDocuments(deps.readStore, CHECKOUT_SESSIONS_VIEW, ids);
      removed += (await sessions.deleteMany({ _id: { $in: ids } })).deletedCount;
    }
    return removed;
  },
  ofTest: {
    next: (since) =>
      findNextEnd(deps.db, CHECKOUT_SESSIONS.collection, { days: KEPT_DAYS, since, where: UNPAID }),
    keepsUnread: false,
  },
});
