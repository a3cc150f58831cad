import { adjustmentJournal } from '../../adjustments/write/adjustment.journal.ts';
import type { Adjustment } from '../../adjustments/write/adjustment.ts';
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
import {
  bookedJournal,
  cameBackJournal,
  heldJournal,
  returnedJournal,
} from '../../suspense/write/suspense.journal.ts';
import type { SuspenseItem } from '../../suspense/write/suspense.ts';
import type { Difference } from '../check.ts';
import { EPOCH, linesOf, noId } from './expected-journals.ts';

/** Checks that an approved adjustment is booked once with its amount, and that any other adjustment is not booked. */
export const checkAdjustment = (adjustment: Adjustment, booked: readonly Journal[]): readonly Difference[] =>
  compare({ ...adjustment, kind: 'adjustment' }, booked, [
    ...(adjustment.status === 'approved' ? [adjustmentJournal(adjustment, EPOCH, noId)] : []),
  ]);

/**
 * Checks that a suspense item's amount is in the suspense account once, until it is given back or booked. A return that
 * the payer's bank has sent back is booked twice, there and back.
 */
export const checkSuspenseItem = (item: SuspenseItem, booked: readonly Journal[]): readonly Difference[] => {
  // The journal of a booking is stored before the item's status changes.
  const isBooked = item.status === 'booked' || (item.status === 'booking' && booked.some(isBooking));
  const cameBack = linesOf(cameBackJournal(item, EPOCH, noId));
  const timesBack = booked.filter((journal) => linesOf(journal) === cameBack).length;
  const returns = timesBack + (item.status === 'returned' ? 1 : 0);
  return compare({ ...item, kind: 'suspense' }, booked, [
    heldJournal(item, EPOCH, noId),
    ...Array.from({ length: returns }, () => returnedJournal(item, EPOCH, noId)),
    ...Array.from({ length: timesBack }, () => cameBackJournal(item, EPOCH, noId)),
    ...(isBooked ? [bookedJournal(item, EPOCH, noId)] : []),
  ]);
};

const isBooking = ({ postings }: Journal): boolean =>
  postings.some(({ movement_type }) => movement_type === 'suspense_clearing');

/** Checks that a payout request has the journals that its status and its transfer's status require. */
export const checkPayoutRequest = (
  request: PayoutRequest,
  booked: readonly Journal[],
): readonly Difference[] => {
  const { id, status, transferStatus } = request;
  const stands = transferStatus === null ? status : `${status}, its transfer ${transferStatus}`;
  return compare(
    { kind: 'payout_request', id, status: stands },
    booked,
    expectedOf(request, booked.some(isUndivided)),
  );
};

/** The journals that the request must have; where its reversals were not divided, in the form of that time. */
const expectedOf = (request: PayoutRequest, hasUndivided: boolean): readonly Journal[] => {
  if (request.status !== 'approved') return [];
  const reversals = hasUndivided ? [undividedReversalJournal, divisionJournal] : [payoutReversalJournal];
  return [
    payoutJournal(request, EPOCH, noId),
    ...(request.sentAt === null ? [] : [transferSentJournal(request, EPOCH, noId)]),
    ...(request.returnedAt === null ? [] : reversals.map((journalOf) => journalOf(request, EPOCH, noId))),
  ];
};

/** Compares the journals of a resource with the expected ones, posting by posting. */
const compare = (
  { kind, id, status }: Pick<Difference, 'kind'> & { readonly id: string; readonly status: string },
  booked: readonly Journal[],
  expected: readonly Journal[],
): readonly Difference[] => {
  const [found, wanted] = [booked, expected].map((of) => of.map(linesOf).sort().join(' | '));
  if (found === wanted) return [];
  const message = `is ${status}, booked is [${found}] and should be [${wanted}]`;
  return [{ kind, subject: id, aspect: 'booked', message }];
};
