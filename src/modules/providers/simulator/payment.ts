import { randomUUID } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Minor } from '../../../kernel/money.ts';
import { newPayUrl } from '../pay-url.ts';
import { buildBrCode } from '../pix/br-code.ts';
import { newEndToEndId } from '../pix/end-to-end-id.ts';
import type {
  AuthorizeRequest,
  Instrument,
  PaymentInstructions,
  PaymentState,
  PaymentType,
  PlannedOrder,
  RefundRequest,
  RefundState,
  StoredState,
} from '../provider.ts';
import {
  cardBehaviour,
  type PaymentBehaviour,
  type RefundBehaviour,
  UNKNOWN_CARD,
  WAITS_FOR_PAYER,
} from './card-table.ts';
import type { SimulatorMessage } from './notification.ts';
import { newVoucher } from './voucher.ts';

/** A payment as the simulator keeps it: how the card behaves, and nothing by which the card could be known. */
export type SimulatedPayment = Omit<PaymentState, 'echo'> & {
  /** The gateway's reference. */
  readonly _id: string;
  /** Null for a reference that was cancelled before a payment arrived. */
  readonly order: {
    readonly method: PaymentType;
    readonly amount: Minor;
    readonly currency: string;
    readonly refundBehaviour: RefundBehaviour;
  } | null;
  /** Reference of the refund that the payment's money is reserved for. */
  readonly refundReference: string | null;
  /** Present for a payment under a mandate. */
  readonly planned?: Pick<PlannedOrder, 'mandate' | 'dueDate' | 'on' | 'retryOf'>;
  readonly createdAt: Timestamp;
};

export type SimulatedRefund = RefundState & {
  /** The gateway's reference. */
  readonly _id: string;
  readonly paymentReference: string;
  readonly amount: Minor;
  readonly currency: string;
  readonly createdAt: Timestamp;
};

/** States in which a payment still waits for its payer, for 3-D Secure or for an analyst. */
export const WAITING = ['pending', 'in_analysis', 'authentication_required'] as const;

/** The simulator's own institution and place; this ISPB is nobody's. */
const ISPB = '99999999';
const CITY = 'SAO PAULO';

const newReference = (prefix: 'sim' | 'simr' | 'simn'): string =>
  `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** Where payable pages are while nobody says where the gateway can be reached. */
const NOWHERE = 'https://pay.portico.test';

/** Behaviour of what a payment is made with; a token by itself tells nothing. */
export const behaviourOf = (instrument: Instrument): PaymentBehaviour => {
  if (instrument.type !== 'credit_card') return WAITS_FOR_PAYER;
  return 'number' in instrument.card ? cardBehaviour(instrument.card.number) : UNKNOWN_CARD;
};

/** A card that is kept for payments: the row of the card table, and nothing by which the card could be known. */
export type SimulatedCard = {
  /** The simulator's name of it. */
  readonly _id: string;
  readonly behaviour: PaymentBehaviour;
  readonly createdAt: Timestamp;
  readonly isRevoked: boolean;
};

/** Follows from the reference, so that a repeated request makes no second token. */
export const simulatorTokenOf = (reference: string): string => `simc_${reference.slice('tok_'.length)}`;

/** Follows from the payment method's id in the same way. */
export const simulatorMethodOf = (reference: string): string => `simp_${reference.slice('pm_'.length)}`;

export const storedState = ({ _id, isRevoked }: SimulatedCard): StoredState => ({
  status: isRevoked ? 'revoked' : 'active',
  failureReason: null,
  authenticationUrl: null,
  providerMethod: _id,
  providerCustomer: null,
  networkTransactionId: `simn_${_id.slice('simp_'.length)}`,
  card: null,
});

/** A card that was never stored, and that nobody can store any more. */
export const neverStored = (failureReason: string): StoredState => ({
  status: 'failed',
  failureReason,
  authenticationUrl: null,
  providerMethod: null,
  providerCustomer: null,
  networkTransactionId: null,
  card: null,
});

const instructionsFor = (
  request: AuthorizeRequest,
  publicUrl: string,
  now: Date,
): PaymentInstructions | null => {
  const { instrument, amount, currency, merchantName, reference } = request;
  switch (instrument.type) {
    case 'credit_card':
      return null;
    case 'pix':
      if (currency !== 'BRL') throw new Error('Pix is in BRL only');
      if (instrument.planned) return { type: 'pix_automatic', endToEndId: null };
      return {
        type: 'pix',
        endToEndId: newEndToEndId(ISPB, now),
        copyPaste: buildBrCode({
          location: `pix.portico.test/qr/v2/${randomUUID().replaceAll('-', '')}`,
          amount,
          merchantName,
          merchantCity: CITY,
        }),
      };
    case 'voucher':
      return {
        type: 'voucher',
        ...newVoucher(amount, instrument.expiresAt, request.merchantTimeZone),
        paymentUrl: newPayUrl(publicUrl, reference),
      };
    default:
      return { type: instrument.type, payUrl: newPayUrl(publicUrl, reference) };
  }
};

/** The payment that a request leads to; its payable page, where it has one, lies under `publicUrl`. */
export const openPayment = (
  request: AuthorizeRequest,
  now: Date,
  publicUrl: string = NOWHERE,
  behaviour: PaymentBehaviour = behaviourOf(request.instrument),
): SimulatedPayment => ({
  _id: request.reference,
  status: behaviour.status,
  pspRefId: newReference('sim'),
  failureReason: behaviour.failureReason,
  paidAt: behaviour.status === 'paid' ? timestamp(now) : null,
  instructions: instructionsFor(request, publicUrl, now),
  order: {
    method: request.instrument.type,
    amount: request.amount,
    currency: request.currency,
    refundBehaviour: behaviour.refund,
  },
  refundReference: null,
  createdAt: timestamp(now),
});

/** A payment that the payer's bank makes on its day. */
export const plannedPayment = (
  payment: SimulatedPayment,
  { mandate, dueDate, on, retryOf }: PlannedOrder,
): SimulatedPayment => ({ ...payment, planned: { mandate, dueDate, on, retryOf } });

export const refusedPayment = (payment: SimulatedPayment, failureReason: string): SimulatedPayment => ({
  ...payment,
  status: 'refused',
  failureReason,
  instructions: null,
});

/** Placeholder of a payment that was cancelled before it arrived, so that it cannot arrive any more. */
export const cancelledPayment = (reference: string, now: Date): SimulatedPayment => ({
  _id: reference,
  status: 'failed',
  pspRefId: newReference('sim'),
  failureReason: 'cancelled',
  paidAt: null,
  instructions: null,
  order: null,
  refundReference: null,
  createdAt: timestamp(now),
});

const REFUND_REASONS = {
  refunded: null,
  pending: null,
  refused: 'refund_refused',
  failed: 'refund_failed',
  unsupported: 'refund_not_supported',
} as const satisfies Record<RefundBehaviour, string | null>;

const refusal = (reason: string): RefundState => ({
  status: 'refused',
  reason,
  pspRefundRefId: newReference('simr'),
});

/** The answer to a refund whose payment's money went to another one. */
export const alreadyRefunded = (): RefundState => refusal('already_refunded');

/**
 * Whether a refund is of another payment under the same reference, as where somebody pays twice. The simulator keeps
 * one payment of each reference, so of another it only keeps the notification.
 */
export const isOfOtherPayment = (payment: SimulatedPayment, { paymentPspRefId }: RefundRequest): boolean =>
  paymentPspRefId !== null && paymentPspRefId !== payment.pspRefId;

/** How a refund ends, unless another one has the money. Refunds are of the full amount. */
export const decideRefund = (payment: SimulatedPayment | null, request: RefundRequest): RefundState => {
  if (!payment?.order) return refusal('payment_not_paid');
  const { amount, currency, refundBehaviour } = payment.order;
  if (!isOfOtherPayment(payment, request)) {
    if (payment.status !== 'paid') return refusal('payment_not_paid');
    if (request.amount !== amount || request.currency !== currency) return refusal('amount_mismatch');
  }
  const reachesBank = refundBehaviour !== 'failed' && refundBehaviour !== 'unsupported';
  return {
    status: refundBehaviour === 'unsupported' ? 'failed' : refundBehaviour,
    reason: REFUND_REASONS[refundBehaviour],
    pspRefundRefId: reachesBank ? newReference('simr') : null,
  };
};

/** Whether a refund in this state has the payment's money, or will have it. */
export const takesMoney = (refund: RefundState): boolean =>
  refund.status === 'refunded' || refund.status === 'pending';

export const paymentState = (payment: SimulatedPayment): PaymentState => ({
  status: payment.status,
  pspRefId: payment.pspRefId,
  failureReason: payment.failureReason,
  paidAt: payment.paidAt,
  instructions: payment.instructions,
  echo: payment.order && { amount: payment.order.amount, currency: payment.order.currency },
});

/** Notification about a payment; null for one that never arrived. */
export const messageAbout = (payment: SimulatedPayment, livemode: boolean): SimulatorMessage | null =>
  payment.order && {
    id: newReference('simn'),
    livemode,
    type: 'payment',
    reference: payment._id,
    amount: payment.order.amount,
    currency: payment.order.currency,
    status: payment.status,
    pspRefId: payment.pspRefId,
    reason: payment.failureReason,
    paidAt: payment.paidAt,
  };

export const refundState = (refund: SimulatedRefund): RefundState => ({
  status: refund.status,
  reason: refund.reason,
  pspRefundRefId: refund.pspRefundRefId,
});
