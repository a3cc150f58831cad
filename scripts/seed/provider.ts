import type { Clock } from '../../src/kernel/clock.ts';
import { timestamp } from '../../src/kernel/clock.ts';
import {
  PAYMENT_TYPES,
  type PaymentProvider,
  type PaymentState,
  ProviderTimeout,
  type RefundState,
} from '../../src/modules/providers/provider.ts';
import {
  behaviourOf,
  decideRefund,
  openPayment,
  paymentState,
  refundState,
  type SimulatedPayment,
  type SimulatedRefund,
  takesMoney,
} from '../../src/modules/providers/simulator/payment.ts';

/**
 * The simulator's rules in memory. Its records are stored with the charges, so that the real simulator knows them, too.
 */
export type SeedProvider = PaymentProvider & {
  /** Ends the wait of a payment, as the payer or an analyst would. */
  resolve(reference: string, end: Pick<PaymentState, 'status' | 'failureReason'>): PaymentState;
  /** Ends a pending refund, as the bank would. */
  resolveRefund(reference: string, end: Pick<RefundState, 'status' | 'reason'>): RefundState;
  take(): { readonly payments: readonly SimulatedPayment[]; readonly refunds: readonly SimulatedRefund[] };
};

export const createSeedProvider = (clock: Clock): SeedProvider => {
  let payments = new Map<string, SimulatedPayment>();
  let refunds = new Map<string, SimulatedRefund>();

  const paymentOf = (reference: string): SimulatedPayment => {
    const payment = payments.get(reference);
    if (!payment) throw new Error(`no payment ${reference}`);
    return payment;
  };
  const resolve: SeedProvider['resolve'] = (reference, end) => {
    const paidAt = end.status === 'paid' ? timestamp(clock()) : null;
    const resolved = { ...paymentOf(reference), ...end, paidAt };
    payments.set(reference, resolved);
    return paymentState(resolved);
  };
  const unused = (): never => {
    throw new Error('not part of any history');
  };

  return {
    name: 'simulator',
    methods: PAYMENT_TYPES,
    cards: { maxInstallments: null, wallets: true },
    async authorize(request) {
      const payment = openPayment(request, clock());
      payments.set(request.reference, payment);
      if (!behaviourOf(request.instrument).answers) throw new ProviderTimeout('authorize');
      return paymentState(payment);
    },
    async refund(request) {
      const payment = paymentOf(request.paymentReference);
      const outcome = decideRefund(payment, request);
      if (takesMoney(outcome)) payments.set(payment._id, { ...payment, refundReference: request.reference });
      const { reference: _id, paymentReference, amount, currency } = request;
      const refund = { _id, paymentReference, amount, currency, createdAt: timestamp(clock()), ...outcome };
      refunds.set(_id, refund);
      return refundState(refund);
    },
    resolve,
    resolveRefund(reference, end) {
      const refund = refunds.get(reference);
      if (!refund) throw new Error(`no refund ${reference}`);
      const resolved = { ...refund, ...end };
      refunds.set(reference, resolved);
      return refundState(resolved);
    },
    async describePayment({ reference }) {
      return paymentState(paymentOf(reference));
    },
    async cancel({ reference }) {
      return resolve(reference, { status: 'failed', failureReason: 'cancelled' });
    },
    describeRefund: unused,
    verify: unused,
    notificationsIn: unused,
    take() {
      const taken = { payments: [...payments.values()], refunds: [...refunds.values()] };
      payments = new Map();
      refunds = new Map();
      return taken;
    },
  };
};
