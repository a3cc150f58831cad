import type { Clock } from '../../../kernel/clock.ts';
import type { Command } from '../../../kernel/event.ts';
import { type Principal, testEnvironmentOnly } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { PaymentState } from '../../providers/provider.ts';
import type { Simulator } from '../../providers/simulator/simulator.ts';
import { type Charge, expired, mayMove, orderOf } from './charge.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';
import { transitionNotAllowed } from './refusals.ts';

export type SimulatedOutcome = 'paid' | 'refused' | 'failed' | 'expired';

const REASONS = { paid: null, refused: 'refused_by_test_helper', failed: 'failed_by_test_helper' } as const;

/** Plays the payer, the analyst or the bank at the simulator, then takes its word as that of any provider. */
export type SimulateOutcome = Command<
  { readonly principal: Principal; readonly id: string; readonly outcome: SimulatedOutcome },
  Charge
>;

export const createSimulateOutcome =
  (deps: {
    readonly findCharge: FindById<Charge>;
    readonly simulator: Simulator;
    readonly recordPaymentOutcome: RecordPaymentOutcome;
    readonly clock: Clock;
  }): SimulateOutcome =>
  async ({ principal, id, outcome }, context) => {
    if (principal.livemode) throw testEnvironmentOnly();
    const charge = await findVisible(deps.findCharge, principal, id, 'Charge');
    const status = outcome === 'expired' ? 'failed' : outcome;
    const isLegal = mayMove(charge.status, status) && (outcome !== 'expired' || charge.expiresAt !== null);
    if (!isLegal) throw transitionNotAllowed(charge.status, outcome);
    const state = await play(deps.simulator, charge, outcome, deps.clock());
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
    return simulator.resolvePayment(charge.id, { status: outcome, failureReason: REASONS[outcome], at });
  const state = await simulator.cancel(orderOf(charge));
  return state.status === 'paid' ? null : expired(state);
};
