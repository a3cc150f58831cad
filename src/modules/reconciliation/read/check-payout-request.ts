import type { Journal } from '../../ledger/write/journal.ts';
import {
  divisionJournal,
  isUndivided,
  payoutJournal,
  payoutReversalJournal,
  transferSentJournal,
  undividedReversalJournal,
} from '../../payouts/write/payout.journal.ts';
import type { PayoutRequest } from '../../payouts/write/payout-request.ts';
import type { Difference } from '../check.ts';
import { linesOf } from './check-charge.ts';

/** What is booked for a payout request against what should be, posting by posting; null where they agree. */
export const checkPayoutRequest = (
  request: PayoutRequest,
  journals: readonly Journal[],
): Difference | null => {
  const [booked, expected] = [journals, expectedJournals(request, journals.some(isUndivided))].map((of) =>
    of.map(linesOf).sort().join(' | '),
  );
  if (booked === expected) return null;
  const { id, status, transferStatus } = request;
  const stands = transferStatus === null ? status : `${status}, its transfer ${transferStatus}`;
  return {
    kind: 'payout_request',
    subject: id,
    aspect: 'booked',
    message: `is ${stands}, booked is [${booked}] and should be [${expected}]`,
  };
};

/** The journals that the rules would have made, those of the time when reversals were not divided among them. */
const expectedJournals = (request: PayoutRequest, hasUndivided: boolean): readonly Journal[] => {
  if (request.status !== 'approved') return [];
  const reversals = hasUndivided ? [undividedReversalJournal, divisionJournal] : [payoutReversalJournal];
  return [
    payoutJournal(request, EPOCH, noId),
    ...(request.sentAt === null ? [] : [transferSentJournal(request, EPOCH, noId)]),
    ...(request.returnedAt === null ? [] : reversals.map((journalOf) => journalOf(request, EPOCH, noId))),
  ];
};

const EPOCH = new Date(0);
const noId = <P extends string>(prefix: P): `${P}_${string}` => `${prefix}_`;
