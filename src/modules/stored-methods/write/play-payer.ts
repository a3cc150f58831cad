import type { Command } from '../../../kernel/event.ts';
import { asMerchant, type Principal, testEnvironmentOnly } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { MandateDecision } from '../../providers/simulator/mandate.ts';
import type { Pays } from '../../providers/simulator/mandate-record.ts';
import type { Simulator } from '../../providers/simulator/simulator.ts';
import type { RecordMandateState } from './record-stored-state.ts';
import { methodOwnerOnly, methodTransitionNotAllowed } from './refusals.ts';
import type { StoredMethod } from './stored-method.ts';

/**
 * Plays the payer of a mandate in the test environment. 404 for a method that the caller cannot see, 403 for one of a
 * sub-merchant; 422 TRANSITION_NOT_ALLOWED for a card, and for a mandate that does not allow it any more.
 */
export type PlayPayer = Command<
  {
    readonly principal: Principal;
    readonly id: string;
    readonly decision: MandateDecision;
    /** Which charges the payer's bank pays from then on. */
    readonly pays: Pays;
  },
  StoredMethod
>;

const DONE: Readonly<Record<MandateDecision, string>> = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
};

export const createPlayPayer =
  (deps: {
    readonly findMethod: FindById<StoredMethod>;
    readonly simulator: Pick<Simulator, 'decideOnMandate'>;
    readonly recordMandateState: RecordMandateState;
  }): PlayPayer =>
  async ({ principal, id, decision, pays }, context) => {
    if (principal.livemode) throw testEnvironmentOnly();
    const method = await findVisible(deps.findMethod, principal, id, 'Payment method');
    if (method.merchantId !== asMerchant(principal).merchantId) throw methodOwnerOnly();
    const isOpen = method.status === 'pending' || method.status === 'active';
    const state =
      method.mandate && isOpen ? await deps.simulator.decideOnMandate(method.id, decision, pays) : null;
    if (!state) throw methodTransitionNotAllowed(method.status, DONE[decision]);
    return deps.recordMandateState(method, state, context);
  };
