import type { Clock } from '../../../kernel/clock.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import type { Operators } from './operators.ts';
import { assertOldEnough } from './proposal.ts';
import { approverNotAllowed } from './refusals.ts';

/**
 * Checks that an operator may approve somebody else's request that is no proposal. Where two people are required: 403
 * APPROVER_NOT_ALLOWED for a disabled account, APPROVER_TOO_NEW for one that is younger than a day.
 */
export type AssertApprover = (tx: OwnTransaction, userId: string) => Promise<void>;

export const createAssertApprover =
  (deps: {
    readonly isEnabled: boolean;
    readonly operators: Pick<Operators, 'find'>;
    readonly clock: Clock;
  }): AssertApprover =>
  async (tx, userId) => {
    if (!deps.isEnabled) return;
    const approver = await deps.operators.find(tx, userId);
    if (!approver) throw approverNotAllowed();
    assertOldEnough(approver, deps.clock());
  };
