import type { ProviderNotification, RefundState, Unconfirmed } from '../provider.ts';
import {
  type Chargeback,
  moneyOf,
  type Payment,
  paymentStateOf,
  type Refund,
  readChargeback,
  refundStateOf,
} from './answers.ts';
import { type Notification, parseNotification } from './notification.ts';
import { isPlaceholder, readById } from './payments.ts';
import { type RefundDeps, refundsOf } from './refunds.ts';

type News = ProviderNotification | Unconfirmed;

/** Charges of this gateway; an account may have other business. */
const OWN = /^chg_[0-9a-f]{32}$/;
const CHARGEBACKS: readonly string[] = ['chargebacks', 'topic_chargebacks_wh'];

/** The news behind a notification: Mercado Pago is asked back, because the body has nothing but the name of it. */
export const newsIn = async (deps: RefundDeps, body: Buffer): Promise<readonly News[] | null> => {
  const told = parseNotification(body);
  if (!told) return null;
  if (!/^\d+$/.test(told.dataId)) return [passedOver(told)];
  if (told.type === 'payment') return aboutPayment(deps, told);
  return CHARGEBACKS.includes(told.type) ? aboutChargeback(deps, told) : [passedOver(told)];
};

/** The charge behind a payment; null for other business of the account, and for what stands in a payment's place. */
const referenceOf = (payment: Payment): string | null => {
  const { external_reference: reference } = payment;
  return reference !== null && OWN.test(reference) && !isPlaceholder(payment) ? reference : null;
};

const aboutPayment = async (deps: RefundDeps, told: Notification): Promise<readonly News[]> => {
  const payment = await readById(deps, told.dataId);
  if (!payment) return [unconfirmed(told)];
  const reference = referenceOf(payment);
  if (reference === null) return [passedOver(told)];
  const money = moneyOf(payment.transaction_amount, payment.currency_id);
  const about = { ...money, livemode: true, reference };
  const state = paymentStateOf(payment);
  // Told again it is the same news, whatever the notification calls itself: its own id is not signed.
  const id = `payment/${payment.id}/${payment.status}`;
  return [{ ...about, id, kind: 'payment', state }, ...(await refundsIn(deps, payment))];
};

/**
 * Refunds by the names under which they were asked for. A refund that was made by hand has Mercado Pago's id for a
 * name.
 */
const refundsIn = async (deps: RefundDeps, payment: Payment): Promise<readonly News[]> => {
  if (payment.transaction_amount_refunded === 0 && payment.status !== 'refunded') return [];
  const paymentId = String(payment.id);
  const refunds = await refundsOf(deps, paymentId);
  const names = await deps.names.ofPayment(paymentId);
  const newsOf = (refund: Refund): News => {
    const money = moneyOf(refund.amount, payment.currency_id);
    const state: RefundState = refundStateOf(refund);
    const id = idOf(refund);
    const name = names.find(({ refundId }) => refundId === String(refund.id));
    // It may be one whose answer is not here yet.
    const isOpen = names.some(({ refundId, amount }) => refundId === null && amount === money.amount);
    if (!name && isOpen) return { kind: 'unconfirmed', id };
    const reference = name?.reference ?? String(refund.id);
    return { ...money, id, livemode: true, kind: 'refund', reference, state };
  };
  return refunds.map((refund): News => {
    try {
      return newsOf(refund);
    } catch {
      // A refund that nobody can read holds up neither its payment nor the others, and has to be told again.
      return { kind: 'unconfirmed', id: idOf(refund) };
    }
  });
};

const idOf = ({ id, status }: Refund): string => `refund/${id}/${status}`;

const aboutChargeback = async (deps: RefundDeps, told: Notification): Promise<readonly News[]> => {
  const answer = await deps.call('GET', `/v1/chargebacks/${told.dataId}`);
  if (answer.status !== 'done') return [unconfirmed(told)];
  const chargeback = readChargeback(answer.body);
  const news: News[] = [];
  for (const one of chargeback.payments) {
    const payment = await readById(deps, typeof one === 'object' ? one.id : one);
    news.push(...(payment ? takenBack(chargeback, payment, told) : [unconfirmed(told)]));
  }
  return news;
};

/** The money that was taken, and what was decided since; told again it is the same news. */
const takenBack = (chargeback: Chargeback, payment: Payment, told: Notification): readonly News[] => {
  const reference = referenceOf(payment);
  if (reference === null) return [passedOver(told)];
  // Where there are several payments, each is taken back whole.
  const amount = chargeback.payments.length === 1 ? chargeback.amount : payment.transaction_amount;
  const id = `chargeback/${chargeback.id}/${payment.id}`;
  const about = {
    ...moneyOf(amount, payment.currency_id),
    livemode: true,
    reference,
    pspRefId: chargeback.id,
  };
  const taken: News = { ...about, id, kind: 'chargeback' };
  if (chargeback.coverage_applied === true || payment.status_detail === 'reimbursed')
    return [taken, { ...about, id: `${id}/covered`, kind: 'chargeback_reversed' }];
  if (payment.status === 'charged_back' && payment.status_detail === 'settled')
    return [taken, { ...about, id: `${id}/lost`, kind: 'dispute_lost' }];
  return [taken];
};

const unconfirmed = ({ dataId }: Notification): Unconfirmed => ({ kind: 'unconfirmed', id: dataId });

const passedOver = ({ dataId, type }: Notification): ProviderNotification => ({
  id: `other/${dataId}`,
  livemode: true,
  kind: 'other',
  type,
});
