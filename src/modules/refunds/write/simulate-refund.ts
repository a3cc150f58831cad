import { forbidden, notFound, unprocessable } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { mayRead, type Principal } from '../../../kernel/principal.ts';
import type { Simulator } from '../../providers/simulator/simulator.ts';
import type { CloseRefund } from './close-refund.ts';
import type { Refund } from './refund.ts';

export type SimulatedRefund = 'refunded' | 'refused' | 'failed';

const REASONS = {
  refunded: null,
  refused: 'refused_by_test_helper',
  failed: 'failed_by_test_helper',
} as const;

/** Plays the bank that ends a pending refund at the simulator (decisions 4). */
export type SimulateRefund = (
  command: { readonly principal: Principal; readonly id: string; readonly outcome: SimulatedRefund },
  context: CommandContext,
) => Promise<Refund>;

export const createSimulateRefund =
  (deps: {
    readonly findRefund: (id: string) => Promise<Refund | null>;
    readonly simulator: Simulator;
    readonly closeRefund: CloseRefund;
  }): SimulateRefund =>
  async ({ principal, id, outcome }, context) => {
    if (principal.livemode) throw forbidden('TEST_ENVIRONMENT_ONLY');
    const refund = await deps.findRefund(id);
    if (!refund || !mayRead(principal, refund)) throw notFound('Refund');
    const state =
      refund.status === 'pending'
        ? await deps.simulator.settleRefund(refund.id, outcome, REASONS[outcome])
        : null;
    if (!state)
      throw unprocessable(
        'TRANSITION_NOT_ALLOWED',
        `A refund that is ${refund.status} cannot become ${outcome}`,
      );
    return deps.closeRefund(refund, state, context);
  };
