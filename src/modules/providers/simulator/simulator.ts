import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf } from '../../../kernel/business-days.ts';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { endOfPixDay, isCutOff } from '../pix/mandate-terms.ts';
import {
  PAYMENT_TYPES,
  type PaymentProvider,
  type PaymentState,
  type ProviderNotification,
  ProviderTimeout,
  type RefundState,
} from '../provider.ts';
import {
  authorizePlanned,
  createMandateControls,
  createSimulatorMandates,
  type MandateControls,
} from './mandate.ts';
import { parseMessage } from './notification.ts';
import {
  alreadyRefunded,
  cancelledPayment,
  decideRefund,
  isOfOtherPayment,
  messageAbout,
  openPayment,
  paymentState,
  refundState,
  type SimulatedPayment,
  simulatorMethodOf,
  takesMoney,
} from './payment.ts';
import { isSigned } from './signature.ts';
import { createSimulatorStore, type SimulatorStore } from './simulator.store.ts';
import { behaviourFor, createSimulatorVault, keepCard, keepForPayment } from './vault.ts';

/** Actions of payers, analysts and banks, which the test helpers play. */
type SimulatorControls = {
  /** Ends the wait of a payment; null where none with this reference waits. `failureReason` is null for `paid`. */
  resolvePayment(
    reference: string,
    outcome: {
      readonly status: 'paid' | 'refused' | 'failed';
      readonly failureReason: string | null;
      readonly at: Date;
      /** The amount that is due then of a Pix with a due date; the payment's own without it. */
      readonly amount?: number;
    },
  ): Promise<PaymentState | null>;
  /** Takes the money of a payer who comes too late, as happens at counters; null where nothing ended unpaid. */
  payLate(reference: string, at: Date): Promise<PaymentState | null>;
  /** Notification about the present payment; null where there is none. */
  notificationOf(reference: string, livemode: boolean): Promise<ProviderNotification | null>;
  /** Ends a pending refund; null where none with this reference is pending. `reason` is null for `refunded`. */
  resolveRefund(
    reference: string,
    outcome: 'refunded' | 'refused' | 'failed',
    reason: string | null,
  ): Promise<RefundState | null>;
};

export type Simulator = PaymentProvider & SimulatorControls & MandateControls;

const SIGNATURE_HEADER = 'x-provider-signature';

/** The provider simulator. The effect of a call is stored first; its answer comes `latencyMs` later. */
export const createSimulator = (deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly latencyMs: number;
  /** Where payers reach the payable pages. */
  readonly publicUrl: () => string;
  /** With which notifications are signed; none: no notification is taken. */
  readonly secrets: readonly string[];
}): Simulator => {
  const store = createSimulatorStore(deps.db);

  const answer = async <T>(result: T): Promise<T> => {
    if (deps.latencyMs > 0) await sleep(deps.latencyMs);
    return result;
  };

  return {
    name: 'simulator',
    methods: PAYMENT_TYPES,
    cards: { maxInstallments: null, wallets: true },
    dueDates: true,
    tokenize: (request) => keepForPayment({ store, clock: deps.clock, answer }, request),
    vault: createSimulatorVault({ store, clock: deps.clock, answer }),
    mandates: createSimulatorMandates({ store, clock: deps.clock, answer }),

    async authorize(request) {
      const { instrument } = request;
      if (instrument.type === 'pix' && instrument.planned)
        return authorizePlanned({ store, clock: deps.clock, answer }, request, instrument.planned);
      const behaviour = await behaviourFor(store, instrument);
      const { stored, isNew } = await store.insertPayment(
        openPayment(request, deps.clock(), deps.publicUrl(), behaviour),
      );
      if (request.keep)
        await keepCard({ store, clock: deps.clock }, simulatorMethodOf(request.keep.reference), behaviour);
      const state = await answer(paymentState(stored));
      if (isNew && !behaviour.answers) throw new ProviderTimeout('authorize');
      return state;
    },

    async refund(request) {
      const known = await store.findRefund(request.reference);
      if (known) return answer(refundState(known));
      const payment = await store.findPayment(request.paymentReference);
      const decided = decideRefund(payment, request);
      const takesItsMoney = payment && takesMoney(decided) && !isOfOtherPayment(payment, request);
      const outcome =
        takesItsMoney && !(await reserve(store, payment, request.reference)) ? alreadyRefunded() : decided;
      const { stored } = await store.insertRefund({
        _id: request.reference,
        paymentReference: request.paymentReference,
        amount: request.amount,
        currency: request.currency,
        createdAt: timestamp(deps.clock()),
        ...outcome,
      });
      return answer(refundState(stored));
    },

    async describePayment({ reference }) {
      const payment = await store.findPayment(reference);
      return answer(payment && paymentState(payment));
    },

    async describeRefund({ reference }) {
      const refund = await store.findRefund(reference);
      return answer(refund && refundState(refund));
    },

    verify: async ({ headers, body }) => {
      const header = headers[SIGNATURE_HEADER];
      return isSigned(typeof header === 'string' ? header : undefined, body, deps.secrets, deps.clock());
    },

    async notificationsIn({ body }) {
      const notification = parseMessage(body);
      return notification && [notification];
    },

    cancel: async ({ reference }) =>
      answer(paymentState(await cancelPayment(store, reference, deps.clock()))),

    ...createControls(store),
    ...createMandateControls(store),
  };
};

const cancelPayment = async (
  store: SimulatorStore,
  reference: string,
  now: Date,
): Promise<SimulatedPayment> => {
  const { stored, isNew } = await store.insertPayment(cancelledPayment(reference, now));
  if (isNew || isBeingPaid(stored, now)) return stored;
  const cancelled = await store.endWait(reference, {
    status: 'failed',
    failureReason: 'cancelled',
    paidAt: null,
  });
  const planned = cancelled?.planned;
  if (planned && planned.retryOf === null) await store.freeCycle(planned.mandate, planned.dueDate, reference);
  // Where it waited no longer, it may have been resolved since it was read.
  return cancelled ?? (await store.findPayment(reference)) ?? stored;
};

/** Whether a planned payment cannot be withdrawn any more, because the payer's bank is about to make it. */
const isBeingPaid = ({ planned, status }: SimulatedPayment, now: Date): boolean => {
  if (!planned || status !== 'pending') return false;
  const day = dayOf(planned.on);
  return isCutOff(day, now) && timestamp(now) < endOfPixDay(day);
};

/** Reserves the payment's money for this refund, unless another refund has it or still may get it. */
const reserve = async (
  store: SimulatorStore,
  payment: SimulatedPayment,
  reference: string,
): Promise<boolean> => {
  const holder = payment.refundReference;
  if (holder !== null && holder !== reference) {
    const other = await store.findRefund(holder);
    if (!other || takesMoney(other)) return false;
  }
  return store.reserveForRefund(payment._id, holder, reference);
};

const createControls = (store: SimulatorStore): SimulatorControls => ({
  async resolvePayment(reference, outcome) {
    const resolved = await store.endWait(reference, {
      status: outcome.status,
      failureReason: outcome.failureReason,
      paidAt: outcome.status === 'paid' ? timestamp(outcome.at) : null,
      ...(outcome.status === 'paid' && outcome.amount !== undefined && { 'order.amount': outcome.amount }),
    });
    return resolved && paymentState(resolved);
  },

  async payLate(reference, at) {
    const paid = await store.payLate(reference, timestamp(at));
    return paid && paymentState(paid);
  },

  async notificationOf(reference, livemode) {
    const payment = await store.findPayment(reference);
    const message = payment && messageAbout(payment, livemode);
    return message && parseMessage(Buffer.from(JSON.stringify(message)));
  },

  async resolveRefund(reference, outcome, reason) {
    const resolved = await store.endRefund(reference, { status: outcome, reason });
    return resolved && refundState(resolved);
  },
});
