import { NOW } from '../../../../test/builders.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Journal, journal } from '../../ledger/write/journal.ts';
import { EMPTY_CHAIN, placeLines, type StatementLine } from '../../ledger/write/statement-line.ts';
import { checkBalance, followLines, NOTHING_YET } from './check-statement.ts';

const CHAIN = 'mer_1:test:BRL';

const paid = (amount: number): Journal =>
  journal(
    {
      livemode: false,
      currency: 'BRL',
      referenceType: 'charge',
      referenceId: 'chg_1',
      chargeId: 'chg_1',
    },
    [
      { merchantId: 'mer_1', bucket: 'reserved', movement_type: 'charge', amount },
      { merchantId: null, bucket: 'provider_clearing', movement_type: 'charge', amount: -amount },
    ],
    NOW,
    newId,
  );

const statement = (...amounts: readonly number[]) => {
  const journals = amounts.map(paid);
  const { lines, head } = placeLines(EMPTY_CHAIN, journals, { key: 'mer_1:test', masterId: null }, 'BRL');
  const postings = new Map(journals.flatMap((of) => of.postings).map((posting) => [posting.id, posting]));
  return { lines, postings, balance: { _id: CHAIN, owner: 'mer_1:test', currency: 'BRL', ...head } };
};

const faults = (lines: readonly StatementLine[], postings: ReturnType<typeof statement>['postings']) =>
  followLines(CHAIN, NOTHING_YET, 3, lines, postings).findings.flatMap(({ checked, differences }) =>
    differences.map(({ aspect }) => `${checked} ${aspect}`),
  );

describe('the lines of a statement', () => {
  const { lines, postings, balance } = statement(1, 20, 300);

  it('lead to its balance, at once or from where the last look ended', () => {
    const { after } = followLines(CHAIN, NOTHING_YET, 2, lines, postings);
    const { findings, after: end } = followLines(CHAIN, after, 3, lines.slice(2), postings);
    expect(findings).toEqual([{ checked: `${CHAIN}#3`, differences: [] }]);
    expect(end).toEqual(followLines(CHAIN, NOTHING_YET, 3, lines, postings).after);
    expect(checkBalance(balance, end, [])).toEqual({ checked: CHAIN, differences: [] });
  });

  it('are at fault one by one', () => {
    const changed = (seq: number, change: Partial<StatementLine>) =>
      faults(
        lines.map((line) => (line.seq === seq ? { ...line, ...change } : line)),
        postings,
      );
    expect(changed(2, { amount: 21 })).toEqual([`${CHAIN}#2 line 2 posting`, `${CHAIN}#2 line 2 hash`]);
    expect(changed(2, { balanceAfter: 22 })).toEqual([`${CHAIN}#2 line 2 balance`, `${CHAIN}#2 line 2 hash`]);
    expect(changed(3, { previousHash: '' })).toEqual([`${CHAIN}#3 line 3 hash`]);
    expect(faults(lines.slice(0, 2), postings)).toEqual([`${CHAIN}#3 line 3 missing`]);
    expect(faults(lines, new Map([...postings].slice(2)))).toContain(`${CHAIN}#1 line 1 posting`);
  });

  it('are held against the balance, bucket by bucket, and against its end', () => {
    const { after } = followLines(CHAIN, NOTHING_YET, 3, lines, postings);
    const aspects = (change: object, beyond: readonly StatementLine[] = []) =>
      checkBalance({ ...balance, ...change }, after, beyond).differences.map(({ aspect }) => aspect);
    expect(aspects({ reserved: 322 })).toEqual(['reserved']);
    expect(aspects({ available: 1 })).toEqual(['available']);
    expect(aspects({ hash: 'other' })).toEqual(['end']);
    expect(aspects({}, lines.slice(2))).toEqual(['line 3 beyond']);
  });
});
