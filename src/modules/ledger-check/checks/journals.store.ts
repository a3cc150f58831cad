import type { Database } from '../../../platform/write-store/database.ts';
import { liveRows } from '../../../platform/write-store/outbox.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import { ANTICIPATIONS } from '../../anticipations/write/anticipation.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { JOURNALS, type Journal, ownerKey, type Posting } from '../../ledger/write/journal.ts';
import { LEDGER_CONSUMER } from '../../ledger/write/ledger.store.ts';
import { STATEMENT_LINES } from '../../ledger/write/statement-line.ts';
import { PAYOUT_REQUESTS } from '../../payouts/write/payout-request.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { Check, Difference } from '../check.ts';
import { isOfPayment, wordsOf } from '../read/check-charge.ts';
import { postingWords } from '../read/check-statement.ts';
import type { Tallies } from '../tally.ts';
import { type Checked, documentsOf, filtered, groupBy } from './records.store.ts';

/** Checks that every journal sums to zero, that its subject exists, and that its postings are in the statements. */
export const journalsCheck = ({ db, scans, tallies }: Checked): Check<Journal> => ({
  what: 'journals',
  prefix: 'jrn',
  records: (ids) => documentsOf(ids === null ? scans : db, JOURNALS, ids),
  async *doubtful() {
    const { lines, payments } = tallies;
    if (lines.areAllEven() && payments.areAllEven()) return;
    yield* filtered(
      documentsOf<Journal>(scans, JOURNALS, null),
      (journal) =>
        !lines.isEven(journal._id) || (isOfPayment(journal) && !payments.isEven(String(journal.chargeId))),
    );
  },
  leadsTo: ({ referenceId, chargeId }) => (chargeId === null ? [referenceId] : [referenceId, chargeId]),
  async *look(given, how) {
    const journals = how === 'sweep' ? given.filter((journal) => !sweep(tallies, journal)) : given;
    if (journals.length === 0) return;
    const missing = await missingAmong(db, journals);
    const unfolded = groupBy(await findUnfolded(db, journals), ({ journal }) => journal);
    yield journals.map((journal) => ({
      checked: journal._id,
      differences: [
        ...sumsToZero(journal),
        ...[...new Set([journal.referenceId, journal.chargeId])].flatMap((id): Difference[] =>
          id !== null && missing.has(id)
            ? [
                {
                  kind: journal.referenceType,
                  subject: id,
                  aspect: 'record',
                  message: `journal ${journal._id} is about it, and it does not exist`,
                },
              ]
            : [],
        ),
        ...(unfolded.get(journal) ?? []).map(
          ({ posting }): Difference => ({
            kind: 'statement',
            subject: journal._id,
            aspect: posting.id,
            message: `posting ${posting.id} is in no statement`,
          }),
        ),
      ],
    }));
  },
});

/** Counts a journal in the tallies; false for a journal that has to be looked at closely at once. */
const sweep = ({ lines, payments, youngFrom }: Tallies, journal: Journal): boolean => {
  if (isOfPayment(journal)) payments.add(String(journal.chargeId), wordsOf(journal));
  if (journal._id >= youngFrom) return false;
  for (const posting of journal.postings)
    if (posting.merchantId !== null) lines.add(journal._id, postingWords(posting));
  return isOfPayment(journal) && sumsToZero(journal).length === 0;
};

const sumsToZero = ({ _id, postings }: Journal): readonly Difference[] => {
  const total = postings.reduce((sum, { amount }) => sum + amount, 0);
  return total === 0
    ? []
    : [{ kind: 'journal', subject: _id, aspect: 'sum', message: `its postings sum to ${total}` }];
};

const REFERENCED: Readonly<Partial<Record<Journal['referenceType'], string>>> = {
  charge: CHARGES.collection,
  settlement: CHARGES.collection,
  chargeback: CHARGES.collection,
  refund: REFUNDS.collection,
  chargeback_alert: CHARGEBACK_ALERTS.collection,
  adjustment: ADJUSTMENTS.collection,
  suspense: SUSPENSE_ITEMS.collection,
  payout_request: PAYOUT_REQUESTS.collection,
  anticipation: ANTICIPATIONS.collection,
};

/** Ids that these journals refer to and that no record has. */
const missingAmong = async (db: Database, journals: readonly Journal[]): Promise<ReadonlySet<string>> => {
  const wanted = new Map<string, Set<string>>();
  const want = (name: string | undefined, id: string): void => {
    if (name) wanted.set(name, (wanted.get(name) ?? new Set()).add(id));
  };
  for (const { referenceType, referenceId, chargeId } of journals) {
    want(REFERENCED[referenceType], referenceId);
    if (chargeId !== null) want(CHARGES.collection, chargeId);
  }
  const missing = new Set<string>();
  for (const [name, ids] of wanted) {
    const found = await db
      .collection<{ _id: string }>(name)
      .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } })
      .toArray();
    const known = new Set(found.map(({ _id }) => _id));
    for (const id of ids) if (!known.has(id)) missing.add(id);
  }
  return missing;
};

type Unfolded = { readonly journal: Journal; readonly posting: Posting; readonly owner: string };

/** Postings that are in no statement and that no outbox row will put there. */
const findUnfolded = async (db: Database, journals: readonly Journal[]): Promise<readonly Unfolded[]> => {
  const suspects = await withoutLine(db, journals);
  if (suspects.length === 0) return [];
  const rows = await liveRows(db, LEDGER_CONSUMER.name);
  const waiting = new Set(rows.map(({ subject, key }) => `${subject} ${key}`));
  // A row and its line change in one transaction, so a posting that had no row a moment ago has its line by now.
  const again = [...new Set(suspects.map(({ journal }) => journal))];
  return (await withoutLine(db, again)).filter(
    ({ journal, owner }) => !waiting.has(`${journal._id} ${owner}`),
  );
};

const withoutLine = async (db: Database, journals: readonly Journal[]): Promise<readonly Unfolded[]> => {
  const found = await db
    .collection(STATEMENT_LINES.collection)
    .find<{ id: string }>(
      { journalId: { $in: journals.map(({ _id }) => _id) } },
      { projection: { _id: 0, id: 1 } },
    )
    .toArray();
  const ids = new Set(found.map(({ id }) => id));
  return journals.flatMap((journal) =>
    journal.postings.flatMap((posting) =>
      posting.merchantId === null || ids.has(posting.id)
        ? []
        : [{ journal, posting, owner: ownerKey(posting.merchantId, journal.livemode) }],
    ),
  );
};
