import { randomUUID } from 'node:crypto';
import { dayOf } from '../../../kernel/business-days.ts';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { buildBrCode } from '../pix/br-code.ts';
import { allowsAmount, isCutOff, isInWindow, lastsOn } from '../pix/mandate-terms.ts';
import type {
  AuthorizeRequest,
  EnrollRequest,
  MandateKeeper,
  MandateState,
  PaymentState,
  PlannedOrder,
} from '../provider.ts';
import type { Pays, SimulatedMandate } from './mandate-record.ts';
import { openPayment, paymentState, plannedPayment, refusedPayment } from './payment.ts';
import type { SimulatorStore } from './simulator.store.ts';

/** Follows from the payment method's id, so that a repeated request makes no second mandate. */
const simulatorMandateOf = (reference: string): string => `simm_${reference.slice('pm_'.length)}`;

const MANDATE_CANCELLED = 'mandate_cancelled';

const CITY = 'SAO PAULO';

const newMandate = (
  { reference, terms, merchantName, firstCharge }: EnrollRequest,
  now: Date,
): SimulatedMandate => ({
  _id: simulatorMandateOf(reference),
  status: 'pending',
  failureReason: null,
  copyPaste: buildBrCode({
    location: `pix.portico.test/qr/rec/${randomUUID().replaceAll('-', '')}`,
    amount: null,
    merchantName,
    merchantCity: CITY,
  }),
  terms: {
    amount: terms.amount,
    minimumAmount: terms.minimumAmount,
    startDate: terms.startDate,
    endDate: terms.endDate,
    retries: terms.retries,
  },
  pays: 'always',
  ...(firstCharge !== null && { firstCharge }),
  cycles: {},
  createdAt: timestamp(now),
});

/** A mandate that nobody can approve any more, even where the request for it is still on its way. */
const neverMade = (reference: string, now: Date): SimulatedMandate => ({
  _id: simulatorMandateOf(reference),
  status: 'failed',
  failureReason: 'cancelled',
  copyPaste: null,
  terms: null,
  pays: 'never',
  cycles: {},
  createdAt: timestamp(now),
});

const stateOf = ({ _id, status, failureReason, copyPaste }: SimulatedMandate): MandateState => ({
  status,
  failureReason,
  providerMethod: _id,
  copyPaste: status === 'pending' ? copyPaste : null,
});

type Deps = {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  /** Answers after the simulated time. */
  readonly answer: <T>(result: T) => Promise<T>;
};

export const createSimulatorMandates = ({ store, clock, answer }: Deps): MandateKeeper => ({
  async enroll(request) {
    const { stored } = await store.insertMandate(newMandate(request, clock()));
    return answer(stateOf(stored));
  },

  async describeMandate({ reference }) {
    const mandate = await store.findMandate(simulatorMandateOf(reference));
    return answer(mandate && stateOf(mandate));
  },

  async revokeMandate({ reference }) {
    const { stored } = await store.insertMandate(neverMade(reference, clock()));
    const ended =
      (await store.moveMandate(stored._id, ['pending'], { status: 'failed', failureReason: 'cancelled' })) ??
      (await store.moveMandate(stored._id, ['active'], {
        status: 'revoked',
        failureReason: MANDATE_CANCELLED,
      }));
    return answer(stateOf(ended ?? (await store.findMandate(stored._id)) ?? stored));
  },
});

/** A decision of a payer on a mandate, in the app of the bank. */
export type MandateDecision = 'approve' | 'reject' | 'cancel';

export type MandateControls = {
  /**
   * Null where the mandate does not allow it any more. An approved mandate may be approved again, for another `pays`.
   */
  decideOnMandate(reference: string, decision: MandateDecision, pays: Pays): Promise<MandateState | null>;
  /** Plays the bank of the payer on the day of a planned payment; null where there is none that waits. */
  settlePlanned(reference: string, at: Date): Promise<PaymentState | null>;
};

const isFirstPaid = async (store: SimulatorStore, id: string): Promise<boolean> => {
  const firstCharge = (await store.findMandate(id))?.firstCharge;
  return firstCharge === undefined || (await store.findPayment(firstCharge))?.status === 'paid';
};

export const createMandateControls = (store: SimulatorStore): MandateControls => ({
  async decideOnMandate(reference, decision, pays) {
    const id = simulatorMandateOf(reference);
    // A payer who approves along with a payment makes that first.
    if (decision === 'approve' && !(await isFirstPaid(store, id))) return null;
    const moved =
      decision === 'approve'
        ? await store.moveMandate(id, ['pending', 'active'], { status: 'active', pays })
        : decision === 'reject'
          ? await store.moveMandate(id, ['pending'], { status: 'failed', failureReason: 'rejected' })
          : await store.moveMandate(id, ['active'], { status: 'revoked', failureReason: MANDATE_CANCELLED });
    return moved && stateOf(moved);
  },

  async settlePlanned(reference, at) {
    const payment = await store.findPayment(reference);
    const planned = payment?.planned;
    if (!planned) return null;
    const mandate = await store.findMandate(planned.mandate);
    const isPaid = mandate?.pays === 'always' || (mandate?.pays === 'on_retry' && planned.retryOf !== null);
    const failureReason = mandate?.status !== 'active' ? MANDATE_CANCELLED : 'insufficient_funds';
    const end =
      mandate?.status === 'active' && isPaid
        ? ({ status: 'paid', failureReason: null, paidAt: timestamp(at) } as const)
        : ({ status: 'failed', failureReason, paidAt: null } as const);
    const ended = await store.endWait(reference, end);
    return ended && paymentState(ended);
  },
});

/** Takes a planned charge, as strictly as an institution: for each cycle one, within its window and its mandate. */
export const authorizePlanned = async (
  { store, clock, answer }: Deps,
  request: AuthorizeRequest,
  planned: PlannedOrder,
): Promise<PaymentState> => {
  const known = await store.findPayment(request.reference);
  if (known) return answer(paymentState(known));
  const reason = await refusalOf(store, request, planned);
  const opened = openPayment(request, clock());
  const payment = reason === null ? plannedPayment(opened, planned) : refusedPayment(opened, reason);
  const { stored } = await store.insertPayment(payment);
  return answer(paymentState(stored));
};

/** Why a planned charge is refused; null where it is taken, and its cycle with it. */
const refusalOf = async (
  store: SimulatorStore,
  { reference, amount, currency }: AuthorizeRequest,
  { mandate: id, dueDate, on, retryOf, askedAt }: PlannedOrder,
): Promise<string | null> => {
  const mandate = await store.findMandate(id);
  if (!mandate?.terms) return 'mandate_unknown';
  if (mandate.status !== 'active') return MANDATE_CANCELLED;
  if (currency !== 'BRL' || !allowsAmount(mandate.terms, amount)) return 'amount_not_allowed';
  if (!lastsOn(mandate.terms, dayOf(dueDate))) return 'mandate_expired';
  if (retryOf !== null && mandate.terms.retries === 'none') return 'retry_not_allowed';
  const now = new Date(askedAt);
  const isInTime = retryOf === null ? isInWindow(dayOf(dueDate), now) : !isCutOff(dayOf(on), now);
  if (!isInTime) return 'charge_window_missed';
  return (await store.takeCycle(id, dueDate, reference, retryOf)) ? null : 'cycle_already_charged';
};
