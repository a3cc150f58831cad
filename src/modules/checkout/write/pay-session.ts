import { existing } from '../../../kernel/errors.ts';
import type { Actor, Command, CommandContext } from '../../../kernel/event.ts';
import { toDecimal } from '../../../kernel/money.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { ChargeBody } from '../../charges/write/charge-request.ts';
import type { CreateCharge } from '../../charges/write/create-charge.ts';
import type { MadeFor } from '../../charges/write/prepare-charge.ts';
import type { IsCyclePageAwaited } from '../../subscriptions/write/cycle-pages.ts';
import {
  beginCharge,
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  type Consent,
  priceOf,
} from './checkout-session.ts';
import { takePlace } from './link-places.ts';
import { checkoutNotOpen } from './refusals.ts';

/**
 * Makes the charge by which a payer pays a session. 409 PAYMENT_IN_PROGRESS while another one is under way, so that
 * only one of two concurrent payments begins. 410 CHECKOUT_EXPIRED, 422 CHECKOUT_NOT_OPEN, and the refusals of any
 * charge.
 */
export type PaySession = Command<
  {
    readonly session: CheckoutSession;
    /** The customer of the session, or the payer as filled in on the page. */
    readonly payer: Pick<ChargeBody, 'customer' | 'customerId'>;
    readonly paymentMethod: ChargeBody['paymentMethod'];
    /**
     * A keyed hash of the payer's network address, because one address may hold only one reservation of a link.
     */
    readonly origin: string;
    /** The consent of the payer to storing the card; null if no card is stored. */
    readonly consent: Consent | null;
  },
  Charge
>;

const PAYER = { kind: 'system', id: 'checkout' } as const;

/** The context of a payer's work on a session or a link. */
export const contextOf = (
  of: Pick<CheckoutSession, 'merchantId' | 'masterId'>,
  context: CommandContext,
): CommandContext => ({
  ...context,
  actor: PAYER,
  tenantId: tenantOf(of),
});

/** The payer of a session, as a caller with the permissions that pages for payers have at the merchant. */
export const payerOf = (
  { merchantId, masterId, livemode }: Pick<CheckoutSession, 'merchantId' | 'masterId' | 'livemode'>,
  actor: Actor,
  credential: MerchantPrincipal['credential'],
): MerchantPrincipal => ({
  kind: 'merchant',
  actor,
  credential,
  merchantId,
  masterId,
  livemode,
  permissions: [],
});

export const createPaySession =
  (
    deps: Creating & {
      readonly createCharge: CreateCharge;
      readonly isCyclePageAwaited: IsCyclePageAwaited;
    },
  ): PaySession =>
  async ({ session, payer, paymentMethod, origin, consent }, given) => {
    const { merchantId, livemode, currency, metadata } = session;
    const request: ChargeBody = {
      amount: toDecimal(priceOf(session), currency),
      currency,
      ...payer,
      paymentMethod,
      items: session.items,
      metadata: metadata === null ? null : JSON.parse(metadata),
      postbackUrl: session.postbackUrl,
      returnUrl: session.url,
      split: session.split,
      // All cycles of a subscription have its reference, which may be unique among charges.
      reference: session.cycle ? null : session.reference,
    };
    const madeFor: MadeFor = {
      chargeId: deps.newId('chg'),
      checkoutSessionId: session.id,
      ...(session.cycle && { cycle: session.cycle }),
      async claim(tx, charge) {
        const fresh = existing(await tx.get(CHECKOUT_SESSIONS, session.id), 'Checkout session');
        const now = deps.clock();
        const { id, cycle } = fresh;
        // The subscription was paused or cancelled a moment ago, and its page is about to be closed.
        if (cycle && !(await deps.isCyclePageAwaited(tx, { id, cycle }))) throw checkoutNotOpen('cancelled');
        await tx.record(CHECKOUT_SESSIONS, fresh, beginCharge(fresh, charge, consent, now));
        await takePlace(tx, fresh, charge, origin, now);
      },
    };
    const made = await deps.createCharge(
      { merchantId, livemode, request, madeFor },
      contextOf(session, given),
    );
    return made.charge;
  };
