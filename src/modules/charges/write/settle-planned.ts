import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Simulator } from '../../providers/simulator/simulator.ts';
import type { Charge } from './charge.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';

/** Plays the bank of the payer on the day of a charge under a mandate; for charges of the test environment. */
export type SettlePlanned = (charge: Charge, context: CommandContext) => Promise<Charge>;

export const createSettlePlanned =
  (deps: {
    readonly simulator: Pick<Simulator, 'settlePlanned'>;
    readonly recordPaymentOutcome: RecordPaymentOutcome;
    readonly clock: Clock;
  }): SettlePlanned =>
  async (charge, context) => {
    const state = await deps.simulator.settlePlanned(charge.id, deps.clock());
    return state ? deps.recordPaymentOutcome(charge, state, context) : charge;
  };
