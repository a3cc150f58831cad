import type { Stripe } from 'stripe';
import type { RefundRequest, RefundState } from '../provider.ts';
import { moneyOf, stripeAmountOf } from './amounts.ts';
import { REFERENCE, referenceOf, refundStateOf } from './answers.ts';
import { type IntentDeps, intentIdOf } from './intents.ts';
import { type CallStripe, done } from './stripe-client.ts';

export const refundPayment = async (deps: IntentDeps, request: RefundRequest): Promise<RefundState> => {
  const intentId = await intentIdOf(deps, request);
  if (intentId === null) return refusedRefund('payment_not_paid');
  const amount = stripeAmountOf(request);
  if (amount === null) return refusedRefund('amount_not_supported');
  const { reference } = request;
  const made = await deps.call((stripe) =>
    stripe.refunds.create(
      { payment_intent: intentId, amount, metadata: { [REFERENCE]: reference } },
      { idempotencyKey: reference },
    ),
  );
  if (made.status === 'done') return refundOf(made.value, request);
  const code = made.status === 'refused' ? made.code : 'processing_error';
  return (await findRefund(deps.call, intentId, request)) ?? refusedRefund(code);
};

export const describeRefund = async (
  deps: IntentDeps,
  request: RefundRequest,
): Promise<RefundState | null> => {
  const intentId = await intentIdOf(deps, request);
  return intentId === null ? null : findRefund(deps.call, intentId, request);
};

const findRefund = async (
  call: CallStripe,
  intentId: string,
  request: RefundRequest,
): Promise<RefundState | null> => {
  const found = await call(async (stripe) => {
    for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
      if (referenceOf(refund.metadata) === request.reference) return { refund };
    return { refund: null };
  });
  const { refund } = done(found);
  return refund && refundOf(refund, request);
};

/** Throws for a refund of another amount. */
const refundOf = (refund: Stripe.Refund, { amount, currency }: RefundRequest): RefundState => {
  const given = moneyOf(refund.amount, refund.currency);
  if (given.amount !== amount || given.currency !== currency)
    throw new Error(`Stripe gave back ${given.amount} ${given.currency} where ${amount} was asked for`);
  return refundStateOf(refund);
};

const refusedRefund = (reason: string): RefundState => ({ status: 'refused', reason, pspRefundRefId: null });
