import type { Stripe } from 'stripe';
import { timestamp } from '../../../kernel/clock.ts';
import {
  type AuthorizeRequest,
  type Money,
  type PaymentState,
  type RefundState,
  UnknownStatus,
} from '../provider.ts';
import { moneyOf } from './amounts.ts';

/** Where a PaymentIntent's metadata and a refund's have the gateway's reference. */
export const REFERENCE = 'portico_reference';

export const referenceOf = (metadata: Stripe.Metadata | null): string | null => metadata?.[REFERENCE] ?? null;

/**
 * The state of a payment; null for an intent that was made and never confirmed with a card: no payment was asked for.
 * Throws for a status that nobody knows: the charge stays as it is.
 */
export const paymentStateOf = (intent: Stripe.PaymentIntent): PaymentState | null => {
  const state = {
    pspRefId: intent.id,
    failureReason: null,
    paidAt: null,
    instructions: null,
    echo: moneyOf(intent.amount, intent.currency),
  };
  switch (intent.status) {
    case 'succeeded':
      return {
        ...state,
        status: 'paid',
        paidAt: paidAtOf(intent),
        echo: moneyOf(intent.amount_received, intent.currency),
      };
    case 'processing':
      return { ...state, status: 'pending' };
    case 'requires_action':
      return { ...state, status: 'authentication_required', instructions: instructionsOf(intent) };
    case 'requires_payment_method':
    case 'requires_confirmation':
      return intent.last_payment_error ? { ...state, ...refusalOf(intent.last_payment_error) } : null;
    case 'canceled':
      return intent.last_payment_error
        ? { ...state, ...refusalOf(intent.last_payment_error) }
        : { ...state, status: 'failed', failureReason: 'cancelled' };
    default:
      throw new UnknownStatus('Stripe', intent.status, 'a PaymentIntent');
  }
};

const paidAtOf = ({ latest_charge: charge, id }: Stripe.PaymentIntent): string => {
  if (charge === null || typeof charge === 'string') throw new Error(`Stripe shows no charge of ${id}`);
  return timestamp(new Date(charge.created * 1_000));
};

const instructionsOf = ({ next_action: action }: Stripe.PaymentIntent): PaymentState['instructions'] => {
  const url = action?.redirect_to_url?.url;
  return url ? { type: 'credit_card', authenticationUrl: url } : null;
};

type PaymentError = Pick<Stripe.PaymentIntent.LastPaymentError, 'code' | 'decline_code'>;

const refusalOf = ({ code, decline_code: declined }: PaymentError) => ({
  status: 'refused' as const,
  failureReason: (declined && declined !== 'generic_decline' ? declined : code) ?? 'card_declined',
});

/** A payment that Stripe has none of and never will. */
export const neverMade = (
  { reference, amount, currency }: Money & { readonly reference: string },
  failureReason: string,
): PaymentState => ({
  status: 'failed',
  pspRefId: reference,
  failureReason,
  paidAt: null,
  instructions: null,
  echo: { amount, currency },
});

/** Why this connector takes no such payment; null where it does. */
export const unsupported = ({ instrument }: AuthorizeRequest): string | null => {
  if (instrument.type !== 'credit_card') return 'method_not_supported';
  if ('cryptogram' in instrument.card) return 'wallet_not_supported';
  return instrument.installments > 1 ? 'installments_not_supported' : null;
};

/** The state of a refund. Throws for a status that nobody knows. */
export const refundStateOf = (refund: Stripe.Refund): RefundState => {
  const pspRefundRefId = refund.id;
  switch (refund.status) {
    case 'succeeded':
      return { status: 'refunded', reason: null, pspRefundRefId };
    case 'pending':
    case 'requires_action':
      return { status: 'pending', reason: null, pspRefundRefId };
    case 'failed':
      return { status: 'failed', reason: refund.failure_reason ?? 'refund_failed', pspRefundRefId };
    case 'canceled':
      return { status: 'failed', reason: 'cancelled', pspRefundRefId };
    default:
      throw new UnknownStatus('Stripe', String(refund.status), 'a refund');
  }
};
