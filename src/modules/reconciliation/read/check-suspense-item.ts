import type { Journal } from '../../ledger/write/journal.ts';
import { bookedJournal, heldJournal, returnedJournal } from '../../suspense/write/suspense.journal.ts';
import type { SuspenseItem } from '../../suspense/write/suspense.ts';
import type { Difference } from '../check.ts';
import { linesOf } from './check-charge.ts';

/** What is booked for stray money against what should be, posting by posting; null where they agree. */
export const checkSuspenseItem = (item: SuspenseItem, journals: readonly Journal[]): Difference | null => {
  const [booked, expected] = [journals, expectedJournals(item)].map((of) =>
    of.map(linesOf).sort().join(' | '),
  );
  if (booked === expected) return null;
  return {
    kind: 'suspense',
    subject: item.id,
    aspect: 'booked',
    message: `is ${item.status}, booked is [${booked}] and should be [${expected}]`,
  };
};

/** The journals that the rules would have made. */
const expectedJournals = (item: SuspenseItem): readonly Journal[] => [
  heldJournal(item, EPOCH, noId),
  ...(item.status === 'returned' ? [returnedJournal(item, EPOCH, noId)] : []),
  ...(item.status === 'booked' ? [bookedJournal(item, EPOCH, noId)] : []),
];

const EPOCH = new Date(0);
const noId = <P extends string>(prefix: P): `${P}_${string}` => `${prefix}_`;
