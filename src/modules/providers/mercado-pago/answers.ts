import Joi from 'joi';
import { timestamp } from '../../../kernel/clock.ts';
import { isKnownCurrency, type Minor, toMinor } from '../../../kernel/money.ts';
import {
  type Money,
  type PaymentInstructions,
  type PaymentState,
  type RefundState,
  UnknownStatus,
} from '../provider.ts';
import { endOf, refusalOf } from './reasons.ts';

/** A payment as Mercado Pago has it; members that are not read here may change at any time. */
export type Payment = {
  readonly id: number;
  readonly status: string;
  readonly status_detail: string | null;
  readonly external_reference: string | null;
  readonly transaction_amount: number;
  readonly transaction_amount_refunded: number;
  readonly currency_id: string;
  readonly payment_method_id: string;
  readonly date_approved: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly point_of_interaction: {
    readonly transaction_data?: { readonly qr_code?: string; readonly ticket_url?: string } | null;
  } | null;
  readonly transaction_details: {
    readonly external_resource_url?: string;
    readonly digitable_line?: string;
    readonly barcode?: { readonly content?: string };
  } | null;
  readonly barcode: { readonly content?: string } | null;
};

export type Refund = {
  readonly id: number;
  readonly payment_id: number;
  readonly amount: number;
  readonly status: string;
  readonly date_created: string;
};

export type Chargeback = {
  readonly id: string;
  /** Ids of the payments that it is about. */
  readonly payments: readonly (number | string | { readonly id: number | string })[];
  readonly amount: number;
  /** Whether Mercado Pago has decided for the merchant; null while nobody has decided. */
  readonly coverage_applied: boolean | null;
};

const absent = (schema: Joi.Schema): Joi.Schema => schema.empty(null).default(null);
const text = Joi.string().empty(['', null]);
const instant = Joi.string().isoDate();
const number = Joi.number().integer().min(1).required();
const barcode = Joi.object({ content: text }).unknown();

const paymentAnswer = Joi.object<Payment>({
  id: number,
  status: Joi.string().required(),
  status_detail: text.default(null),
  external_reference: text.default(null),
  transaction_amount: Joi.number().min(0).required(),
  transaction_amount_refunded: Joi.number().min(0).empty(null).default(0),
  currency_id: Joi.string().required(),
  payment_method_id: Joi.string().required(),
  date_approved: absent(instant),
  metadata: Joi.object().unknown().empty(null).default({}),
  point_of_interaction: absent(
    Joi.object({
      transaction_data: Joi.object({ qr_code: text, ticket_url: text }).unknown().empty(null),
    }).unknown(),
  ),
  transaction_details: absent(
    Joi.object({
      external_resource_url: text,
      digitable_line: text,
      barcode: barcode.empty(null),
    }).unknown(),
  ),
  barcode: absent(barcode),
}).unknown();

const refundAnswer = Joi.object<Refund>({
  id: number,
  payment_id: number,
  amount: Joi.number().min(0).required(),
  status: Joi.string().required(),
  date_created: instant.required(),
}).unknown();

const identifier = Joi.alternatives(Joi.number().integer(), Joi.string().pattern(/^\d+$/));
const chargebackAnswer = Joi.object<Chargeback>({
  id: Joi.string().required(),
  payments: Joi.array()
    .items(identifier, Joi.object({ id: identifier.required() }).unknown())
    .min(1)
    .required(),
  amount: Joi.number().min(0).required(),
  coverage_applied: absent(Joi.boolean()),
}).unknown();

const reading =
  <T>(schema: Joi.ObjectSchema<T>, what: string) =>
  (body: unknown): T => {
    const { error, value } = schema.required().validate(body, { convert: false });
    if (error) throw new Error(`Mercado Pago answers ${what} that cannot be read: ${error.message}`);
    return value;
  };

export const readPayment = reading(paymentAnswer, 'a payment');
export const readRefund = reading(refundAnswer, 'a refund');
export const readChargeback = reading(chargebackAnswer, 'a chargeback');

const tokenAnswer = Joi.object<{ readonly id: string }>({
  id: Joi.string()
    .pattern(/^[\w-]{1,128}$/)
    .required(),
}).unknown();

export const readToken = (body: unknown): string => reading(tokenAnswer, 'a card token')(body).id;

const found = Joi.object<{ readonly results: readonly Payment[] }>({
  results: Joi.array()
    .items(
      Joi.object({
        id: number,
        external_reference: text.default(null),
        status: Joi.string().required(),
      }).unknown(),
    )
    .required(),
}).unknown();
type Found = Pick<Payment, 'id' | 'external_reference' | 'status'>;
const readFound = reading(found, 'a search');

/** Payments that a search has found: they are read for themselves, because a search may show less of them. */
export const readSearch = (body: unknown): readonly Found[] => readFound(body).results;

const listOfRefunds = Joi.array().items(refundAnswer).required();

export const readRefunds = (body: unknown): readonly Refund[] => {
  const { error, value } = listOfRefunds.validate(body, { convert: false });
  if (error) throw new Error(`Mercado Pago answers refunds that cannot be read: ${error.message}`);
  return value;
};

/** A decimal amount of Mercado Pago's in minor units. */
export const moneyOf = (amount: number, currency: string): Money => {
  if (!isKnownCurrency(currency))
    throw new Error('Mercado Pago says an amount in a currency that there is not');
  const minor: Minor | null = toMinor(amount, currency);
  if (minor === null) throw new Error(`Mercado Pago says ${amount} ${currency}, which is no whole amount`);
  return { amount: minor, currency };
};

/** The state of a payment. Throws for a status that nobody knows: the charge stays as it is. */
export const paymentStateOf = (payment: Payment): PaymentState => {
  const state = {
    pspRefId: String(payment.id),
    failureReason: null,
    paidAt: null,
    instructions: null,
    echo: moneyOf(payment.transaction_amount, payment.currency_id),
  };
  const { status, status_detail: detail } = payment;
  switch (status) {
    case 'approved':
    // Money that came and went: the refund or the chargeback tells of it.
    case 'refunded':
    case 'charged_back':
    case 'in_mediation':
      return { ...state, status: 'paid', paidAt: paidAtOf(payment) };
    case 'pending':
      return { ...state, status: 'pending', instructions: instructionsOf(payment) };
    case 'in_process':
      return { ...state, status: detail === 'pending_review_manual' ? 'in_analysis' : 'pending' };
    case 'rejected':
      return { ...state, status: 'refused', failureReason: refusalOf(detail) };
    case 'cancelled':
      return { ...state, status: 'failed', failureReason: endOf(detail) };
    default:
      throw new UnknownStatus('Mercado Pago', status, 'a payment');
  }
};

const paidAtOf = ({ id, date_approved: at }: Payment): string => {
  if (at === null) throw new Error(`Mercado Pago does not say when ${id} was approved`);
  return timestamp(new Date(at));
};

/** Facts that the payer needs to pay by Pix or voucher; null for a card. Throws where a part of it lacks. */
const instructionsOf = (payment: Payment): PaymentInstructions | null => {
  const { payment_method_id: method, transaction_details: details } = payment;
  if (method === 'pix') {
    const copyPaste = payment.point_of_interaction?.transaction_data?.qr_code;
    if (copyPaste === undefined) throw new Error('Mercado Pago gives no code for a Pix');
    return { type: 'pix', endToEndId: null, copyPaste };
  }
  if (method !== VOUCHER) return null;
  const barcode = details?.barcode?.content ?? payment.barcode?.content;
  const paymentUrl = details?.external_resource_url;
  if (barcode === undefined || paymentUrl === undefined)
    throw new Error('Mercado Pago gives no barcode or page for a boleto');
  return { type: 'voucher', barcode, paymentCode: details?.digitable_line ?? barcode, paymentUrl };
};

/** The boleto of Brazil, as Mercado Pago names it. */
export const VOUCHER = 'bolbradesco';

/** The state of a refund. Throws for a status that nobody knows. */
export const refundStateOf = ({ id, status }: Refund): RefundState => {
  const pspRefundRefId = String(id);
  switch (status) {
    case 'approved':
      return { status: 'refunded', reason: null, pspRefundRefId };
    case 'in_process':
      return { status: 'pending', reason: null, pspRefundRefId };
    case 'rejected':
      return { status: 'failed', reason: 'refund_rejected', pspRefundRefId };
    default:
      throw new UnknownStatus('Mercado Pago', status, 'a refund');
  }
};
