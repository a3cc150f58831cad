import { toDecimal } from '../../../kernel/money.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import { insufficientBalance } from '../../ledger/write/refusals.ts';
import type { Proposable } from '../../proposals/write/submit-command.ts';
import { PAYOUT_REQUESTS, type PayoutRequest } from './payout-request.ts';
import type { ProcessPayoutRequest } from './process-payout-request.ts';
import { mayNotBePaidOut, payoutRequestAlreadyProcessed } from './refusals.ts';

export type ApprovePayout = Proposable<{ readonly id: string; readonly livemode: boolean }, PayoutRequest>;

/** Refusals of an approval, in the order in which they are checked. */
export const APPROVAL_REFUSALS = [payoutRequestAlreadyProcessed, mayNotBePaidOut, insufficientBalance];

/** The approval of a payout, which needs a second operator for more than a given number of cents. */
export const createApprovePayout = (deps: {
  readonly aboveCents: number;
  readonly processPayoutRequest: (transact: Transact) => ProcessPayoutRequest;
  readonly present: (request: PayoutRequest) => object;
}): ApprovePayout => ({
  kind: 'payout.approve',
  permission: 'admin.payout_requests.update',
  isSingle: true,
  refusals: APPROVAL_REFUSALS,
  async describe(tx, { id, livemode }) {
    const request = await tx.get(PAYOUT_REQUESTS, id);
    if (request?.livemode !== livemode || request.amount <= deps.aboveCents) return null;
    const { amount, netAmount, currency, merchantId, externalAccountDetails, status } = request;
    return {
      resourceId: id,
      livemode,
      concernedUserId: null,
      summary: `Approve the payout of ${currency} ${toDecimal(amount, currency).toFixed(2)} to ${merchantId}`,
      change: JSON.stringify({
        before: { status },
        after: { status: 'approved', amount, netAmount, currency, externalAccountDetails },
      }),
      seen: JSON.stringify({ amount, netAmount, externalAccountDetails, status }),
    };
  },
  run: (transact, command, context) =>
    deps.processPayoutRequest(transact)({ ...command, outcome: 'approved' }, context),
  present: deps.present,
});
