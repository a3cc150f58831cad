import type { Database } from '../../../platform/write-store/database.ts';
import { findAmong } from '../../../platform/write-store/mongo.ts';
import { resourceIn } from '../../../platform/write-store/stored-resource.ts';
import { JOURNALS, type Journal, type Posting } from '../../ledger/write/journal.ts';
import { BALANCES, type Balance } from '../../ledger/write/ledger.store.ts';
import { STATEMENT_LINES, type StatementLine } from '../../ledger/write/statement-line.ts';
import type { Check, Finding, Thoroughness } from '../check.ts';
import {
  checkBalance,
  type Followed,
  followLines,
  NOTHING_YET,
  type Posted,
  postingWords,
  type Recomputed,
} from '../read/check-statement.ts';
import { type Checked, documentsOf, filtered } from './records.store.ts';

/** How far each statement has been recomputed, so that the next check goes on from there. */
export const CHECKPOINTS = 'ledger_checkpoints';

const LINES_AT_ONCE = 500;

/**
 * Checks every balance against the postings behind its statement, and the statement against its hash chain. Its records
 * go by the owner (`mer_…:test`), the balance (`mer_…:test:BRL`) or a line (`mer_…:test:BRL#5` for the fifth).
 */
export const statementsCheck = ({ db, scans, tallies }: Checked): Check<Balance> => {
  /** Statements in which the sweep has seen a fault. The postings tell exactly what is wrong. */
  const doubted = new Set<string>();

  const postedOf = async (lines: readonly StatementLine[], how: Thoroughness): Promise<Posteds> => {
    const isSwept = ({ journalId }: StatementLine) => how === 'sweep' && journalId < tallies.youngFrom;
    const posted: Map<string, Posting | Posted> = await findPostings(
      db,
      lines.filter((line) => !isSwept(line)),
    );
    for (const line of lines.filter(isSwept)) {
      tallies.lines.take(line.journalId, postingWords(line));
      posted.set(line.id, line);
    }
    return posted;
  };

  return {
    what: 'balances',
    prefix: 'mer',
    records: (ids) =>
      ids === null
        ? documentsOf(scans, BALANCES, null)
        : documentsOf(
            db,
            BALANCES,
            ids.map((id) => id.split(':').slice(0, 2).join(':')),
            'owner',
          ),
    async *doubtful() {
      if (!tallies.lines.areAllEven()) {
        const all = documentsOf<StatementLine>(scans, STATEMENT_LINES.collection, null);
        for await (const lines of filtered(all, ({ journalId }) => !tallies.lines.isEven(journalId)))
          for (const { chain } of lines) doubted.add(chain);
      }
      yield* documentsOf<Balance>(db, BALANCES, [...doubted]);
    },
    leadsTo: () => [],
    async *look(balances, how) {
      const starts = await startsOf(db, balances, how);
      const ends = new Map<string, Recomputed>();
      let findings: Finding[] = [];
      for (const balance of balances) {
        let end = starts.get(balance._id) ?? NOTHING_YET;
        for await (const part of recompute(db, balance, end, (lines) => postedOf(lines, how))) {
          end = part.after;
          if (how !== 'sweep') findings.push(...part.findings);
          else if (part.findings.some(({ differences }) => differences.length > 0)) doubted.add(balance._id);
          if (findings.length < LINES_AT_ONCE) continue;
          yield findings;
          findings = [];
        }
        if (how !== 'sweep' || !doubted.has(balance._id)) ends.set(balance._id, end);
      }
      yield findings;
      // Checkpoints come after the findings, so that a round that a crash cuts off is computed again.
      await saveCheckpoints(db, starts, ends);
    },
  };
};

type Posteds = ReadonlyMap<string, Posting | Posted>;

const startsOf = async (
  db: Database,
  balances: readonly Balance[],
  how: Thoroughness,
): Promise<ReadonlyMap<string, Recomputed>> => {
  if (how !== 'news') return new Map();
  const found = await findAmong<Recomputed & { readonly _id: string }>(
    db,
    CHECKPOINTS,
    '_id',
    balances.map(({ _id }) => _id),
    {},
  );
  const seqOf = new Map(balances.map(({ _id, seq }) => [_id, seq]));
  // A checkpoint that no line matches belongs to another history, because the store was restored.
  return new Map(
    found
      .filter(({ _id, seq }) => seq <= (seqOf.get(_id) ?? 0))
      .map(({ _id, ...recomputed }) => [_id, recomputed]),
  );
};

async function* recompute(
  db: Database,
  balance: Balance,
  start: Recomputed,
  postedOf: (lines: readonly StatementLine[]) => Promise<Posteds>,
): AsyncGenerator<Followed> {
  const { _id: chain, seq: end } = balance;
  let after = start;
  let found: readonly StatementLine[];
  do {
    const upTo = Math.min(after.seq + LINES_AT_ONCE, end);
    found = await findLines(db, chain, after.seq + 1, upTo < end ? upTo + 1 : Number.MAX_SAFE_INTEGER);
    const lines = found.filter(({ seq }) => seq <= end);
    const followed = followLines(chain, after, upTo, lines, await postedOf(lines));
    yield followed;
    after = followed.after;
  } while (after.seq < end);
  const beyond = found.filter(({ seq }) => seq > end);
  yield { findings: [checkBalance(balance, after, await stillBeyond(db, balance, beyond))], after };
}

/** Lines after the end of a statement, without lines that were being added just now. */
const stillBeyond = async (
  db: Database,
  { _id: chain }: Balance,
  beyond: readonly StatementLine[],
): Promise<readonly StatementLine[]> => {
  if (beyond.length === 0) return [];
  // The balance is read again, because a line that was folded meanwhile has moved the balance with it.
  const now = await db.collection<Balance>(BALANCES).findOne({ _id: chain });
  return beyond.filter((line) => line.seq > (now?.seq ?? 0));
};

/** Lines of a statement from one place up to another, at most as many as two rounds check. */
const findLines = async (
  db: Database,
  chain: string,
  from: number,
  to: number,
): Promise<readonly StatementLine[]> => {
  const found = await db
    .collection(STATEMENT_LINES.collection)
    .find<StatementLine>(
      { chain, seq: { $gte: from, $lt: to } },
      { limit: 2 * LINES_AT_ONCE, batchSize: 2 * LINES_AT_ONCE },
    )
    .toArray();
  return found.map((line) => resourceIn(line) as StatementLine);
};

const findPostings = async (db: Database, lines: readonly StatementLine[]): Promise<Map<string, Posting>> => {
  const journals = await findAmong<Journal>(
    db,
    JOURNALS,
    '_id',
    lines.map(({ journalId }) => journalId),
    {},
  );
  return new Map(journals.flatMap(({ postings }) => postings.map((posting) => [posting.id, posting])));
};

const saveCheckpoints = async (
  db: Database,
  starts: ReadonlyMap<string, Recomputed>,
  ends: ReadonlyMap<string, Recomputed>,
): Promise<void> => {
  const moved = [...ends].filter(([chain, { seq }]) => starts.get(chain)?.seq !== seq);
  if (moved.length === 0) return;
  await db.collection<{ _id: string }>(CHECKPOINTS).bulkWrite(
    moved.map(([_id, recomputed]) => ({
      updateOne: { filter: { _id }, update: { $set: recomputed }, upsert: true },
    })),
    { ordered: false },
  );
};
