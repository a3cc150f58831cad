import { toDecimal } from '../../../kernel/money.ts';
import { type Asking, type RefundRequest, type RefundState, UnknownStatus } from '../provider.ts';
import { moneyOf, type Refund, readRefund, readRefunds, refundStateOf } from './answers.ts';
import { findPayment, KEY_LIFE_MS, type PaymentDeps } from './payments.ts';
import type { RefundNames } from './refund-names.store.ts';
import { CURRENCY, keyOf } from './requests.ts';

export type RefundDeps = PaymentDeps & { readonly names: RefundNames };

/** Clocks of Mercado Pago and of this gateway may be so far apart. */
const CLOCK_MARGIN_MS = 60_000;

export const refundPayment = async (
  deps: RefundDeps,
  request: RefundRequest,
  { isFirst }: Asking,
): Promise<RefundState> => {
  const { reference, amount, currency } = request;
  if (currency !== CURRENCY) return refusedRefund('currency_not_supported');
  const paymentId = await paymentIdOf(deps, request);
  if (paymentId === null) return refusedRefund('payment_not_paid');
  await deps.names.open({ reference, paymentId, amount });
  // Under a key that may be forgotten a repetition would be another refund.
  const isKeyed = deps.clock().getTime() - Date.parse(request.openedAt) < KEY_LIFE_MS;
  const made = isFirst || isKeyed ? null : await findUnnamed(deps, paymentId, request);
  if (made) return refundStateOf(await named(deps, request, made));
  const body = { amount: toDecimal(amount, currency) };
  const answer = await deps.call('POST', `/v1/payments/${paymentId}/refunds`, {
    body,
    key: keyOf(reference),
  });
  if (answer.status === 'done') {
    const given = await named(deps, request, readRefund(answer.body));
    // A key that was used before is answered with the refund as it was then.
    return refundStateOf(isFirst ? given : ((await readOne(deps, paymentId, given.id)) ?? given));
  }
  const known = isFirst ? null : await findUnnamed(deps, paymentId, request);
  if (known) return refundStateOf(await named(deps, request, known));
  await deps.names.drop(reference);
  return refusedRefund(answer.status === 'refused' ? answer.reason : 'not_permitted');
};

/** Null for a refund of which the answer got lost: asked for again under its key, it is the same one. */
export const describeRefund = async (
  deps: RefundDeps,
  { reference }: RefundRequest,
): Promise<RefundState | null> => {
  const name = await deps.names.find(reference);
  if (!name || name.refundId === null) return null;
  const refund = await readOne(deps, name.paymentId, name.refundId);
  return refund && refundStateOf(refund);
};

/** Keeps which refund this one is; throws for one of another amount. */
const named = async (
  { names }: RefundDeps,
  { reference, amount, currency }: RefundRequest,
  refund: Refund,
): Promise<Refund> => {
  const given = moneyOf(refund.amount, currency);
  if (given.amount !== amount)
    throw new Error(`Mercado Pago gave back ${given.amount} where ${amount} was asked for`);
  await names.settle(reference, String(refund.id));
  return refund;
};

/** The payment that is given back, null where there is none. */
const paymentIdOf = async (
  deps: RefundDeps,
  { paymentPspRefId, paymentReference }: RefundRequest,
): Promise<string | null> => {
  if (paymentPspRefId !== null && /^\d+$/.test(paymentPspRefId)) return paymentPspRefId;
  const payment = await findPayment(deps, paymentReference);
  return payment && String(payment.id);
};

const readOne = async (
  { call }: RefundDeps,
  paymentId: string,
  refundId: string | number,
): Promise<Refund | null> => {
  const answer = await call('GET', `/v1/payments/${paymentId}/refunds/${refundId}`);
  if (answer.status === 'not_found') return null;
  if (answer.status !== 'done') throw new Error(`Mercado Pago does not read a refund: ${answer.status}`);
  return readRefund(answer.body);
};

export const refundsOf = async ({ call }: PaymentDeps, paymentId: string): Promise<readonly Refund[]> => {
  const answer = await call('GET', `/v1/payments/${paymentId}/refunds`);
  if (answer.status === 'not_found') return [];
  if (answer.status !== 'done') throw new Error(`Mercado Pago does not list refunds: ${answer.status}`);
  return readRefunds(answer.body);
};

/**
 * The refund that is this one, after a key that Mercado Pago has forgotten: of its amount and age, and no other's. Where
 * it may be another one, such as one that was made by hand, nothing is decided, and somebody has to look.
 */
const findUnnamed = async (
  deps: RefundDeps,
  paymentId: string,
  { reference, amount, currency, openedAt }: RefundRequest,
): Promise<Refund | null> => {
  const others = (await deps.names.ofPayment(paymentId)).filter((name) => name.reference !== reference);
  const isMine = (refund: Refund): boolean =>
    moneyOf(refund.amount, currency).amount === amount &&
    Date.parse(refund.date_created) >= Date.parse(openedAt) - CLOCK_MARGIN_MS &&
    others.every(({ refundId }) => refundId !== String(refund.id));
  const [found, ...further] = (await refundsOf(deps, paymentId)).filter(isMine);
  const open = others.filter((name) => name.refundId === null && name.amount === amount);
  if (found && further.length !== open.length)
    throw new UnknownStatus('Mercado Pago', 'several refunds of one amount', 'one payment');
  return found ?? null;
};

const refusedRefund = (reason: string): RefundState => ({ status: 'refused', reason, pspRefundRefId: null });
