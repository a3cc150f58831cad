import { DAY_MS } from '../../../kernel/durations.ts';
import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import {
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  later,
  openSession,
  type SessionCustomer,
} from './checkout-session.ts';
import { newPageAddress } from './page-address.ts';
import { contextOf } from './pay-session.ts';
import {
  assertActive,
  hasPlace,
  isInRange,
  LINK_PLACES,
  type OwnAnswer,
  PAYMENT_LINKS,
  type PaymentLink,
  withAnswers,
} from './payment-link.ts';
import { amountOutOfRange, linkExhausted } from './refusals.ts';

/**
 * Opens the session in which a payer pays a link. 422 LINK_NOT_ACTIVE, LINK_EXHAUSTED where nobody gets a place at the
 * moment, AMOUNT_OUT_OF_RANGE. A session holds no place; a charge does.
 */
export type StartSession = Command<
  {
    readonly link: PaymentLink;
    /** The amount that the payer has chosen. It is used only if the link has no amount of its own. */
    readonly amount: Minor | null;
    readonly customer: SessionCustomer;
    readonly answers: readonly OwnAnswer[];
  },
  CheckoutSession
>;

const OPEN_FOR_MS = DAY_MS;

export const createStartSession =
  (deps: Creating & { readonly publicUrl: () => string }): StartSession =>
  async ({ link, amount, customer, answers }, context) =>
    deps.transact(contextOf(link, context), async (tx) => {
      const now = deps.clock();
      const fresh = existing(await tx.get(PAYMENT_LINKS, link.id), 'Payment link');
      assertActive(fresh, now);
      const places = await tx.get(LINK_PLACES, link.id);
      if (!hasPlace(fresh, places?.held ?? [], null)) throw linkExhausted();
      const { merchantId, masterId, livemode, currency, description, items, methods } = fresh;
      const { maxInstallments, returnUrl, split, reference, planId = null } = fresh;
      const opened = openSession(
        {
          ...{ merchantId, masterId, livemode, currency, description, items, methods },
          ...{ maxInstallments, returnUrl, split, reference, customer },
          id: deps.newId('chk'),
          ...newPageAddress(deps.publicUrl(), 'checkout'),
          paymentLinkId: fresh.id,
          amount: amountOf(fresh, amount),
          customerId: null,
          mode: planId === null ? 'payment' : 'subscription',
          planId,
          saveMethod: planId === null ? 'never' : 'always',
          locale: null,
          cancelUrl: null,
          postbackUrl: null,
          metadata: withAnswers(fresh, answers),
          expiresAt: later(now, OPEN_FOR_MS),
        },
        now,
      );
      return tx.record(CHECKOUT_SESSIONS, null, opened);
    });

const amountOf = (link: PaymentLink, chosen: Minor | null): Minor => {
  if (link.amount !== null) return link.amount;
  if (!isInRange(link, chosen)) throw amountOutOfRange();
  return chosen;
};
