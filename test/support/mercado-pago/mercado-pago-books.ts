import { randomBytes, randomInt } from 'node:crypto';
import { passesLuhn } from '../../../src/kernel/card-brands.ts';
import { toMinor } from '../../../src/kernel/money.ts';
import {
  brandOf,
  HOLDERS,
  invalid,
  MercadoPagoProblem,
  missing,
  readCardBody,
  readPaymentBody,
  readRefundBody,
  readSearchQuery,
  readUpdateBody,
} from './mercado-pago-rules.ts';

export type Payment = {
  readonly id: number;
  readonly date_created: string;
  readonly transaction_amount: number;
  readonly currency_id: 'BRL';
  readonly external_reference: string | null;
  readonly payment_method_id: string;
  readonly installments: number;
  readonly metadata: object;
  readonly date_of_expiration: string | null;
  readonly payer: object;
  readonly live_mode: false;
  point_of_interaction: object | null;
  transaction_details: object;
  status: string;
  status_detail: string;
  date_approved: string | null;
  transaction_amount_refunded: number;
};
export type Refund = {
  readonly id: number;
  readonly payment_id: number;
  readonly amount: number;
  readonly date_created: string;
  status: string;
};
export type Chargeback = {
  readonly id: string;
  readonly payments: readonly number[];
  readonly currency: string;
  readonly amount: number;
  coverage_applied: boolean | null;
};
type Token = { readonly id: string; readonly holder: string; readonly method: string; isUsed: boolean };

/** A Pix may be paid for so long at least. */
const MIN_PIX_MS = 29 * 60_000;

const cents = (amount: number): number => toMinor(amount, 'BRL') ?? Number.NaN;
const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('');

/** The books of Mercado Pago: payments, refunds and chargebacks, and the moves that are allowed. */
export const createBooks = (clock: () => Date) => {
  const payments = new Map<string, Payment>();
  const refunds = new Map<string, Refund>();
  const chargebacks = new Map<string, Chargeback>();
  const tokens = new Map<string, Token>();
  let isSearchBehind = false;
  let takesCards = true;
  let newRefund = 'approved';
  let ids = 120_000_000_000 + randomInt(1_000_000);
  const newId = (): number => {
    ids += 1;
    return ids;
  };
  const now = (): string => clock().toISOString().replace('Z', '+00:00');
  const paymentOf = (id: string): Payment => {
    const found = payments.get(id);
    if (!found) throw missing('Payment');
    return found;
  };

  const createToken = (body: unknown): object => {
    if (!takesCards) throw new MercadoPagoProblem(403, 'forbidden', 'the account may not send card numbers');
    const card = readCardBody(body);
    if (!passesLuhn(card.card_number)) throw invalid('invalid card_number', 'E301');
    const method = brandOf(card.card_number);
    if (method === null) throw invalid('invalid card_number', 'E301');
    const token = {
      ...{ id: randomBytes(16).toString('hex'), holder: card.cardholder.name, method },
      isUsed: false,
    };
    tokens.set(token.id, token);
    return {
      ...{ id: token.id, status: 'active', live_mode: false, luhn_validation: true },
      ...{ first_six_digits: card.card_number.slice(0, 6), last_four_digits: card.card_number.slice(-4) },
    };
  };

  /** Status and detail of a new payment with a card. */
  const chargeCard = (method: string, tokenId: string | undefined): readonly [string, string] => {
    const token = tokens.get(tokenId ?? '');
    if (!token) throw invalid('Card Token not found', 2006);
    if (token.isUsed) throw invalid('Card Token was used', 3003);
    if (token.method !== method) throw invalid('payment_method_id is none of this card', 3028);
    token.isUsed = true;
    return HOLDERS[token.holder] ?? ['approved', 'accredited'];
  };

  const howToPay = (
    method: string,
    id: number,
  ): Pick<Payment, 'point_of_interaction' | 'transaction_details'> => {
    const ticket = `https://www.mercadopago.com.br/payments/${id}/ticket`;
    if (method === 'pix')
      return {
        point_of_interaction: {
          type: 'PIX',
          transaction_data: { qr_code: `00020126580014br.gov.bcb.pix${id}6304ABCD`, ticket_url: ticket },
        },
        transaction_details: {},
      };
    if (method !== 'bolbradesco') return { point_of_interaction: null, transaction_details: {} };
    return {
      point_of_interaction: null,
      transaction_details: {
        external_resource_url: ticket,
        barcode: { content: `2379${digits(28)}${id}` },
        digitable_line: `2379${digits(31)}${id}`,
      },
    };
  };

  const createPayment = (given: unknown): Payment => {
    const body = readPaymentBody(given);
    const { payment_method_id: method, payer, token, installments, date_of_expiration: until = null } = body;
    const isCard = method !== 'pix' && method !== 'bolbradesco';
    if (isCard !== (token !== undefined)) throw invalid('token is of cards only');
    if (isCard !== (installments !== undefined)) throw invalid('installments are of cards only');
    if (method === 'bolbradesco' && !(payer.first_name && payer.last_name && payer.identification))
      throw invalid('a boleto needs first_name, last_name and identification', 4020);
    if (method === 'pix' && until !== null && Date.parse(until) - clock().getTime() < MIN_PIX_MS)
      throw invalid('date_of_expiration is too early', 3034);
    const [status, detail] = isCard
      ? chargeCard(method, token)
      : ['pending', method === 'pix' ? 'pending_waiting_transfer' : 'pending_waiting_payment'];
    const id = newId();
    const payment: Payment = {
      ...{ id, date_created: now(), currency_id: 'BRL', live_mode: false, payer },
      ...{ transaction_amount: body.transaction_amount, transaction_amount_refunded: 0 },
      ...{ external_reference: body.external_reference ?? null, metadata: body.metadata ?? {} },
      ...{ payment_method_id: method, installments: installments ?? 1, date_of_expiration: until },
      ...{ status, status_detail: detail, date_approved: status === 'approved' ? now() : null },
      ...howToPay(method, id),
    };
    payments.set(String(id), payment);
    return payment;
  };

  const endAs = (payment: Payment, status: string, detail: string): Payment =>
    Object.assign(payment, {
      ...{ status, status_detail: detail },
      date_approved: status === 'approved' ? now() : payment.date_approved,
    });

  const isWaiting = ({ status }: Payment): boolean => status === 'pending' || status === 'in_process';

  const updatePayment = (id: string, body: unknown): Payment => {
    readUpdateBody(body);
    const payment = paymentOf(id);
    if (!isWaiting(payment)) throw invalid('the action requested is not valid for the current state', 2063);
    return endAs(payment, 'cancelled', 'by_collector');
  };

  const refundsOf = ({ id }: Payment): readonly Refund[] =>
    [...refunds.values()].filter(({ payment_id: of }) => of === id);

  const createRefund = (id: string, body: unknown): Refund => {
    const payment = paymentOf(id);
    const { amount = payment.transaction_amount } = readRefundBody(body);
    if (payment.status !== 'approved') throw invalid('payment cannot be refunded in its state', 2063);
    const taken = refundsOf(payment).filter(({ status }) => status !== 'rejected');
    const left =
      cents(payment.transaction_amount) - taken.reduce((sum, refund) => sum + cents(refund.amount), 0);
    if (cents(amount) > left) throw invalid('amount is more than what is left', 4040);
    const refund = { id: newId(), payment_id: payment.id, amount, date_created: now(), status: newRefund };
    refunds.set(String(refund.id), refund);
    if (newRefund !== 'rejected') book(payment);
    return refund;
  };

  const book = (payment: Payment): void => {
    const given = refundsOf(payment).filter(({ status }) => status !== 'rejected');
    const total = given.reduce((sum, refund) => sum + cents(refund.amount), 0);
    payment.transaction_amount_refunded = total / 100;
    if (total === cents(payment.transaction_amount)) endAs(payment, 'refunded', 'refunded');
    else if (payment.status === 'refunded') endAs(payment, 'approved', 'accredited');
  };

  return {
    payments,
    refunds,
    chargebacks,
    createToken,
    createPayment,
    updatePayment,
    createRefund,
    readPayment: (id: string): Payment => paymentOf(id),
    listRefunds: (id: string): readonly Refund[] => refundsOf(paymentOf(id)),
    readRefund: (paymentId: string, refundId: string): Refund => {
      const found = refundsOf(paymentOf(paymentId)).find(({ id }) => String(id) === refundId);
      if (!found) throw missing('Refund');
      return found;
    },
    readChargeback: (id: string): Chargeback => {
      const found = chargebacks.get(id);
      if (!found) throw missing('Chargeback');
      return found;
    },
    search: (query: object): object => {
      const { external_reference: wanted } = readSearchQuery(query);
      const results = isSearchBehind
        ? []
        : [...payments.values()].filter(({ external_reference: reference }) => reference === wanted);
      return { results, paging: { total: results.length, limit: 30, offset: 0 } };
    },

    /** The payment of a charge, whatever its state. */
    paymentOfCharge: (reference: string): Payment => {
      const found = [...payments.values()].find(({ external_reference: of }) => of === reference);
      if (!found) throw new Error(`Mercado Pago has no payment of ${reference}`);
      return found;
    },
    endAs,
    isWaiting,
    newId,
    /** Ends a refund that is being processed. */
    endRefund: (refund: Refund, status: 'approved' | 'rejected'): void => {
      refund.status = status;
      book(paymentOf(String(refund.payment_id)));
    },
    /** Whether what a search shows lags behind what there is. */
    lag: (isBehind: boolean): void => {
      isSearchBehind = isBehind;
    },
    /** Whether the account may send card numbers. */
    allowCards: (isAllowed: boolean): void => {
      takesCards = isAllowed;
    },
    /** Outcome of refunds from now on. */
    setRefunds: (status: 'approved' | 'in_process' | 'rejected'): void => {
      newRefund = status;
    },
  };
};
