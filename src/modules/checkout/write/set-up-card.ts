import { existing, GatewayError } from '../../../kernel/errors.ts';
import type { Command, CommandContext } from '../../../kernel/event.ts';
import type { CustomerId } from '../../../kernel/ids.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { MakeCardToken } from '../../card-tokens/write/make-card-token.ts';
import { cardRefused } from '../../card-tokens/write/refusals.ts';
import { CUSTOMERS, openCustomer } from '../../customers/write/customer.ts';
import type { Card } from '../../providers/provider.ts';
import type { StoreCard } from '../../stored-methods/write/store-card.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import {
  beginSetup,
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  type Consent,
  nameCustomer,
  type SessionCustomer,
} from './checkout-session.ts';
import { createCountRefusal } from './count-refusal.ts';
import { assertLinkActive } from './link-places.ts';
import { contextOf, payerOf } from './pay-session.ts';

/** The payer as a customer of the merchant: a session knows it, or the page has asked for it. */
export type Payer = SessionCustomer & { readonly name: string; readonly email: string };

/**
 * Stores a payer's card for later payments. 409 PAYMENT_IN_PROGRESS while another card is being stored, so that only
 * one of two concurrent attempts begins. 410 CHECKOUT_EXPIRED, 422 CHECKOUT_NOT_OPEN and LINK_NOT_ACTIVE, and the
 * refusals of card tokens and stored cards.
 */
export type SetUpCard = Command<
  {
    readonly session: CheckoutSession;
    readonly payer: Payer;
    readonly card: Card;
    readonly consent: Consent;
    /** The solution of a challenge that the page had set; null without one. */
    readonly proof: string | null;
    /** Network address of the payer. */
    readonly address: string;
  },
  StoredMethod
>;

type Deps = Creating & {
  readonly makeCardToken: MakeCardToken;
  readonly storeCard: StoreCard;
};

export const createSetUpCard = (deps: Deps): SetUpCard => {
  const customerFor = createCustomerFor(deps);
  const count = createCountRefusal(deps);
  return async ({ session, payer, card, consent, proof, address }, given) => {
    const context = contextOf(session, given);
    const principal = payerOf(session, context.actor, 'public_key');
    const { currency, paymentLinkId: linkId } = session;
    const asked = { ...card, currency, ...(proof === null ? {} : { proof }) };
    try {
      const { id: token } = await deps.makeCardToken({ principal, card: asked, address, linkId }, context);
      const customerId = await customerFor(session, payer, context);
      const stored = { customerId, token, consentAt: consent.at, returnUrl: session.url };
      const madeFor = {
        checkoutSessionId: session.id,
        async claim(tx, methodId) {
          const fresh = existing(await tx.get(CHECKOUT_SESSIONS, session.id), 'Checkout session');
          const now = deps.clock();
          await assertLinkActive(tx, fresh, now);
          await tx.record(CHECKOUT_SESSIONS, fresh, beginSetup(fresh, methodId, consent, now));
        },
      } satisfies Parameters<StoreCard>[0]['madeFor'];
      return await deps.storeCard({ principal, ...stored, madeFor }, context);
    } catch (error) {
      if (error instanceof GatewayError && error.code === cardRefused.code) await count(session, context);
      throw error;
    }
  };
};

/**
 * The customer of a session. If it has none, the payer becomes a customer, once for all windows of the session.
 */
const createCustomerFor =
  (deps: Creating) =>
  (session: CheckoutSession, payer: Payer, context: CommandContext): Promise<CustomerId> =>
    deps.transact(context, async (tx) => {
      const fresh = existing(await tx.get(CHECKOUT_SESSIONS, session.id), 'Checkout session');
      if (fresh.customerId !== null) return fresh.customerId;
      const { merchantId, masterId, livemode, reference } = fresh;
      const id = deps.newId('cus');
      const now = deps.clock();
      const owner = { merchantId, masterId, livemode };
      const opened = openCustomer({ ...payer, reference, metadata: null }, owner, id, now);
      await tx.record(CHECKOUT_SESSIONS, fresh, nameCustomer(fresh, id, now));
      await tx.record(CUSTOMERS, null, opened);
      return id;
    });
