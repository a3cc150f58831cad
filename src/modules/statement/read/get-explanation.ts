import { mayRead, type Principal, tenantOfCaller, visible } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import { STATEMENT_LINES, type StatementLine } from '../../ledger/write/statement-line.ts';
import { type Explanation, explain, type Source } from './explain.ts';

/** Explains how a line came about; 404 where the caller may not see it. Reads the write store. */
export type GetExplanation = (principal: Principal, id: string) => Promise<Explanation>;

/** Finds the amount that a line was booked with, where it was not computed from the charge. */
export type FindGiven = (line: StatementLine) => Promise<Source['given']>;

export const createGetExplanation =
  (deps: { readonly db: Database; readonly findGiven: FindGiven }): GetExplanation =>
  async (principal, id) => {
    const found = await readResource(deps.db, STATEMENT_LINES, id, tenantOfCaller(principal));
    const line = visible(principal, found, 'Statement entry');
    const [charge, reversed, passedTo, given] = await Promise.all([
      line.chargeId === null ? null : readResource(deps.db, CHARGES, line.chargeId, tenantOf(line)),
      findReversed(deps.db, line),
      findReceiver(deps.db, line),
      deps.findGiven(line),
    ]);
    const maySeeCharge = charge !== null && mayRead(principal, charge);
    return explain(line, charge, { reversed, passedTo, given }, maySeeCharge);
  };

/** The line that a reversal of a refund reverses: both journals have their postings in the same order. */
const findReversed = async (db: Database, line: StatementLine): Promise<Source['reversed']> => {
  if (line.movement_type !== 'refund_reversal') return null;
  const { referenceId } = line;
  const journals = await db
    .collection<Journal>(JOURNALS)
    .find({ referenceId, ...ofTenant(db, JOURNALS, tenantOf(line)) })
    .toArray();
  const [booked] = journals.sort((a, b) => (a._id < b._id ? -1 : 1));
  const reversal = journals.find((journal) => journal._id === line.journalId);
  const index = reversal?.postings.findIndex((posting) => posting.id === line.id) ?? -1;
  const posting = booked?.postings[index];
  if (!posting) throw new Error(`what ${line.id} takes back is not in the ledger`);
  return { id: posting.id, amount: posting.amount };
};

/**
 * The participant that the line pays: each posting of a split takes from the originator, and the next one gives the
 * amount to the participant.
 */
const findReceiver = async (db: Database, line: StatementLine): Promise<Source['passedTo']> => {
  if (line.movement_type !== 'split_debit') return null;
  const journal = await db
    .collection<Journal>(JOURNALS)
    .findOne({ _id: line.journalId, ...ofTenant(db, JOURNALS, tenantOf(line)) });
  const index = journal?.postings.findIndex((posting) => posting.id === line.id) ?? -1;
  return journal?.postings[index + 1]?.merchantId ?? null;
};
