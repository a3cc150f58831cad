import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import {
  type CardVault,
  type Instrument,
  PAYMENT_TYPES,
  type PaymentProvider,
  type PaymentState,
  type ProviderNotification,
  ProviderTimeout,
  type RefundState,
} from '../provider.ts';
import {
  cardBehaviour,
  codeBehaviour,
  type PaymentBehaviour,
  UNKNOWN_CARD,
  unattended,
} from './card-table.ts';
import { parseMessage } from './notification.ts';
import {
  alreadyRefunded,
  behaviourOf,
  cancelledPayment,
  decideRefund,
  isOfOtherPayment,
  messageAbout,
  neverStored,
  openPayment,
  paymentState,
  refundState,
  type SimulatedCard,
  type SimulatedPayment,
  simulatorMethodOf,
  simulatorTokenOf,
  storedState,
  takesMoney,
} from './payment.ts';
import { isSigned } from './signature.ts';
import { createSimulatorStore } from './simulator.store.ts';

/** Actions of payers, analysts and banks, which the test helpers play. */
type SimulatorControls = {
  /** Ends the wait of a payment; null where none with this reference waits. `failureReason` is null for `paid`. */
  resolvePayment(
    reference: string,
    outcome: {
      readonly status: 'paid' | 'refused' | 'failed';
      readonly failureReason: string | null;
      readonly at: Date;
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

export type Simulator = PaymentProvider & SimulatorControls;

const SIGNATURE_HEADER = 'x-provider-signature';

/** The provider simulator. The effect of a call is stored first; its answer comes `latencyMs` later. */
export const createSimulator = (deps: {
  readonly db: Db;
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

  const behaviourFor = async (instrument: Instrument): Promise<PaymentBehaviour> => {
    if (instrument.type !== 'credit_card' || 'number' in instrument.card) return behaviourOf(instrument);
    const { card } = instrument;
    if ('providerToken' in card) return (await store.findCard(card.providerToken))?.behaviour ?? UNKNOWN_CARD;
    const stored = await store.findCard(card.providerMethod);
    if (!stored || stored.isRevoked) return UNKNOWN_CARD;
    if (card.codeToken !== undefined) {
      const byCode = (await store.findCard(card.codeToken))?.behaviour ?? UNKNOWN_CARD;
      if (byCode.status === 'refused') return byCode;
    }
    return card.initiator === 'merchant' ? unattended(stored.behaviour) : stored.behaviour;
  };

  const keep = async (id: string, behaviour: PaymentBehaviour): Promise<SimulatedCard> => {
    const card = { _id: id, behaviour, isRevoked: false, createdAt: timestamp(deps.clock()) };
    return (await store.insertCard(card)).stored;
  };

  const vault: CardVault = {
    async tokenize({ reference, card }) {
      const { _id } = await keep(simulatorTokenOf(reference), cardBehaviour(card.number));
      return answer({ status: 'tokenized', providerToken: _id });
    },

    async tokenizeCode({ reference, code }) {
      const { _id } = await keep(simulatorTokenOf(reference), codeBehaviour(code));
      return answer({ status: 'tokenized', providerToken: _id });
    },

    async store({ reference, card }) {
      const token = await store.findCard(card.providerToken);
      if (!token) return answer(neverStored('card_unknown'));
      return answer(storedState(await keep(simulatorMethodOf(reference), token.behaviour)));
    },

    async describeStored({ reference }) {
      const card = await store.findCard(simulatorMethodOf(reference));
      return answer(card && storedState(card));
    },

    async revoke({ reference }) {
      // A card that is stored later has the same name, and is revoked already.
      await keep(simulatorMethodOf(reference), UNKNOWN_CARD);
      const card = await store.revokeCard(simulatorMethodOf(reference));
      return answer(card ? storedState(card) : neverStored('card_unknown'));
    },
  };

  /** Reserves the payment's money for this refund, unless another refund has it or still may get it. */
  const reserve = async (payment: SimulatedPayment, reference: string): Promise<boolean> => {
    const holder = payment.refundReference;
    if (holder !== null && holder !== reference) {
      const other = await store.findRefund(holder);
      if (!other || takesMoney(other)) return false;
    }
    return store.reserveForRefund(payment._id, holder, reference);
  };

  return {
    name: 'simulator',
    methods: PAYMENT_TYPES,
    cards: { maxInstallments: null, wallets: true },

    vault,

    async authorize(request) {
      const behaviour = await behaviourFor(request.instrument);
      const { stored, isNew } = await store.insertPayment(
        openPayment(request, deps.clock(), deps.publicUrl(), behaviour),
      );
      if (request.keep) await keep(simulatorMethodOf(request.keep.reference), behaviour);
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
        takesItsMoney && !(await reserve(payment, request.reference)) ? alreadyRefunded() : decided;
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

    async cancel({ reference }) {
      const { stored, isNew } = await store.insertPayment(cancelledPayment(reference, deps.clock()));
      if (isNew) return answer(paymentState(stored));
      const cancelled = await store.endWait(reference, {
        status: 'failed',
        failureReason: 'cancelled',
        paidAt: null,
      });
      // Where it waited no longer, it may have been resolved since it was read.
      const payment = cancelled ?? (await store.findPayment(reference)) ?? stored;
      return answer(paymentState(payment));
    },

    async resolvePayment(reference, outcome) {
      const resolved = await store.endWait(reference, {
        status: outcome.status,
        failureReason: outcome.failureReason,
        paidAt: outcome.status === 'paid' ? timestamp(outcome.at) : null,
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
  };
};
