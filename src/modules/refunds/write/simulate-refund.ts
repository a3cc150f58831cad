import type { Command } from '../../../kernel/event.ts';
import { type Principal, testEnvironmentOnly } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Simulator } from '../../providers/simulator/simulator.ts';
import type { RecordRefundOutcome } from './record-refund-outcome.ts';
import type { Refund } from './refund.ts';
import { refundNotPending } from './refusals.ts';

export type SimulatedRefund = 'refunded' | 'refused' | 'failed';

const REASONS = {
  refunded: null,
  refused: 'refused_by_test_helper',
  failed: 'failed_by_test_helper',
} as const;

/** Plays the bank, which decides on a pending refund at the simulator. */
export type SimulateRefund = Command<
  { readonly principal: Principal; readonly id: string; readonly outcome: SimulatedRefund },
  Refund
>;

export const createSimulateRefund =
  (deps: {
    readonly findRefund: FindById<Refund>;
    readonly simulator: Simulator;
    readonly recordRefundOutcome: RecordRefundOutcome;
  }): SimulateRefund =>
  async ({ principal, id, outcome }, context) => {
    if (principal.livemode) throw testEnvironmentOnly();
    const refund = await findVisible(deps.findRefund, principal, id, 'Refund');
    const state =
      refund.status === 'pending'
        ? await deps.simulator.resolveRefund(refund.id, outcome, REASONS[outcome])
        : null;
    if (!state) throw refundNotPending(refund.status, outcome);
    return deps.recordRefundOutcome(refund, state, context);
  };
