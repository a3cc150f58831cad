import { randomBytes } from 'node:crypto';
import type { Timestamp } from '../../../kernel/clock.ts';
import type { Command } from '../../../kernel/event.ts';
import { asMerchant, type Principal } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { subscriptionOwnerOnly } from '../../subscriptions/write/refusals.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import { openPortal, PORTALS, type Portal } from './portal.ts';

/**
 * Opens a page on which the payer manages a subscription. 404 for one that the caller cannot see, 403 for one of a
 * sub-merchant. The address is a secret, because anybody who has it can open the page.
 */
export type OpenPortal = Command<
  {
    readonly principal: Principal;
    readonly subscriptionId: string;
    /** In seconds. */
    readonly expiresIn: number;
    readonly returnUrl: string | null;
  },
  { readonly url: string; readonly expiresAt: Timestamp }
>;

/** An address has 192 random bits. */
const SECRET_BYTES = 24;

/** Where the page of a portal is. */
export const portalUrl = (publicUrl: string, { id }: Pick<Portal, 'id'>, secret: string): string =>
  `${publicUrl}/portal/${id}/${secret}`;

export const createOpenPortal =
  (
    deps: Creating & {
      readonly findSubscription: FindById<Subscription>;
      readonly publicUrl: () => string;
    },
  ): OpenPortal =>
  async ({ principal, subscriptionId, expiresIn, returnUrl }, context) => {
    const seen = await findVisible(deps.findSubscription, principal, subscriptionId, 'Subscription');
    if (seen.merchantId !== asMerchant(principal).merchantId) throw subscriptionOwnerOnly();
    const { merchantId, masterId, livemode, customerId } = seen;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const facts = { merchantId, masterId, livemode, customerId, subscriptionId: seen.id };
    const portal = openPortal(
      { ...facts, id: deps.newId('prt'), secret, expiresIn, returnUrl },
      deps.clock(),
    );
    await deps.transact(context, (tx) => tx.insert(PORTALS.collection, { _id: portal.id, ...portal }));
    return { url: portalUrl(deps.publicUrl(), portal, secret), expiresAt: portal.expiresAt };
  };
