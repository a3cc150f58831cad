import { type Day, dateOfDay, dayOf } from '../../../kernel/business-days.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { invalidInput } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { instantOf } from '../../../kernel/local-time.ts';
import { type Principal, testEnvironmentOnly } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import {
  amountDueOn,
  firstPayableDay,
  lastPayableDay,
  PIX_ZONE,
  pixDayOf,
} from '../../providers/pix/due-terms.ts';
import type { PaymentState } from '../../providers/provider.ts';
import type { Simulator } from '../../providers/simulator/simulator.ts';
import { type Charge, dueTermsOfCharge, expired, mayMove, paymentOrderOf } from './charge.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';
import { transitionNotAllowed } from './refusals.ts';

export type SimulatedOutcome = 'paid' | 'refused' | 'failed' | 'expired';

const REASONS = { paid: null, refused: 'refused_by_test_helper', failed: 'failed_by_test_helper' } as const;

/**
 * Plays the payer, the analyst or the bank at the simulator, and then processes the simulator's answer like that of any
 * provider.
 */
export type SimulateOutcome = Command<
  {
    readonly principal: Principal;
    readonly id: string;
    readonly outcome: SimulatedOutcome;
    /** The day on which a Pix with a due date is paid; today without it. */
    readonly on?: string | undefined;
  },
  Charge
>;

export const createSimulateOutcome =
  (deps: {
    readonly findCharge: FindById<Charge>;
    readonly simulator: Simulator;
    readonly recordPaymentOutcome: RecordPaymentOutcome;
    readonly clock: Clock;
  }): SimulateOutcome =>
  async ({ principal, id, outcome, on }, context) => {
    if (principal.livemode) throw testEnvironmentOnly();
    const charge = await findVisible(deps.findCharge, principal, id, 'Charge');
    const status = outcome === 'expired' ? 'failed' : outcome;
    const isLegal = mayMove(charge.status, status) && (outcome !== 'expired' || charge.expiresAt !== null);
    if (!isLegal) throw transitionNotAllowed(charge.status, outcome);
    const state = await play(deps.simulator, charge, outcome, paidAtOf(charge, on, deps.clock()));
    if (!state) throw transitionNotAllowed(charge.status, outcome);
    return deps.recordPaymentOutcome(charge, state, context);
  };

const play = async (
  simulator: Simulator,
  charge: Charge,
  outcome: SimulatedOutcome,
  at: Date,
): Promise<PaymentState | null> => {
  if (outcome !== 'expired')
    return simulator.resolvePayment(charge.id, {
      status: outcome,
      failureReason: REASONS[outcome],
      at,
      ...paidOn(charge, at),
    });
  const state = await simulator.cancel(paymentOrderOf(charge));
  return state.status === 'paid' ? null : expired(state);
};

/** The amount that is due at a moment; nothing for a charge without a due date, which is paid in full. */
export const paidOn = (charge: Charge, at: Date): { readonly amount?: number } => {
  const terms = dueTermsOfCharge(charge);
  return terms ? { amount: amountDueOn(charge.amount, terms, pixDayOf(at)).amount } : {};
};

const NOON_MS = DAY_MS / 2;

/** When the payer pays: now, or at noon of the day that the request names. 400 for a day on which nobody can pay. */
const paidAtOf = (charge: Charge, on: string | undefined, now: Date): Date => {
  if (on === undefined) return now;
  const terms = dueTermsOfCharge(charge);
  if (!terms) throw wrongDay('is for charges with a due date only');
  const [first, last] = [firstPayableDay(charge), lastPayableDay(terms)];
  const day: Day = dayOf(on);
  if (day < first || day > last)
    throw wrongDay(`must be a day from ${dateOfDay(first)} to ${dateOfDay(last)}`);
  return day === pixDayOf(now) ? now : new Date(instantOf(day * DAY_MS + NOON_MS, PIX_ZONE));
};

const wrongDay = (problem: string) => invalidInput([{ path: 'on', message: `on ${problem}` }]);
