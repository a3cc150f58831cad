import fc from 'fast-check';
import { aPaidCharge, countingIds, later, NOW } from '../../../../test/builders.ts';
import { paidJournal, refundJournal } from '../../charges/write/charge.journal.ts';
import { settlementJournal } from '../../settlement/write/settlement.journal.ts';
import type { Journal } from './journal.ts';
import { EMPTY_CHAIN, hashOf, placeLines, type StatementLine } from './statement-line.ts';

const newId = countingIds();
const owner = { key: 'mer_1:test', masterId: null };
const split = [{ merchantId: 'mer_2', percentage: 10, amount: 9_70 }] as const;
const charge = aPaidCharge({ split, settlement: { parts: 2, settled: 0 } });
const journals: readonly Journal[] = [
  paidJournal(charge, NOW, newId),
  settlementJournal(charge, later(5), newId),
  paidJournal(aPaidCharge({ currency: 'USD' }), later(6), newId),
  refundJournal({ ...charge, settlement: { parts: 2, settled: 1 } }, 'ref_1', later(3), newId),
];
const show = ({ seq, bucket, amount, balanceAfter }: StatementLine): string =>
  `${seq} ${bucket} ${amount} ${balanceAfter}`;

describe('the lines of a statement', () => {
  it('follow each other without a gap, each with the balance of its bucket after it', () => {
    const { lines, head } = placeLines(EMPTY_CHAIN, journals, owner, 'BRL');
    expect(lines.map(show)).toEqual([
      '1 reserved 10000 10000',
      '2 reserved -300 9700',
      '3 reserved -970 8730',
      '4 reserved -4365 4365',
      '5 available 4365 4365',
      '6 reserved -4365 0',
      '7 available -4665 -300',
    ]);
    expect(head).toMatchObject({ available: -300, reserved: 0, seq: 7, hash: lines.at(-1)?.hash });
  });

  it('are those of the owner, in one currency and environment', () => {
    expect(placeLines(EMPTY_CHAIN, journals, owner, 'USD').lines).toHaveLength(2);
    const partner = placeLines(EMPTY_CHAIN, journals, { key: 'mer_2:test', masterId: 'mer_1' }, 'BRL').lines;
    expect(partner.map(show)).toEqual([
      '1 reserved 970 970',
      '2 reserved -485 485',
      '3 available 485 485',
      '4 reserved -485 0',
      '5 available -485 0',
    ]);
    expect(partner[0]).toMatchObject({ masterId: 'mer_1', merchantId: 'mer_2' });
    expect(placeLines(EMPTY_CHAIN, journals, { key: 'mer_1:live', masterId: null }, 'BRL')).toEqual({
      lines: [],
      head: EMPTY_CHAIN,
    });
  });

  it('never go back in time, so that their order by time is that of their balances', () => {
    const { lines } = placeLines(EMPTY_CHAIN, journals, owner, 'BRL');
    const times = lines.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
    expect(times.at(-1)).toBe(later(5).toISOString());
  });

  it('are the same placed at once or one journal after the other', () => {
    const whole = placeLines(EMPTY_CHAIN, journals, owner, 'BRL');
    let head = EMPTY_CHAIN;
    const lines: StatementLine[] = [];
    for (const journal of journals) {
      const next = placeLines(head, [journal], owner, 'BRL');
      lines.push(...next.lines);
      head = next.head;
    }
    expect({ lines, head }).toEqual(whole);
  });

  it('are chained, so a change of any figure in any line breaks the chain there', () => {
    const { lines } = placeLines(EMPTY_CHAIN, journals, owner, 'BRL');
    lines.forEach((line, index) => {
      expect(line.previousHash).toBe(index === 0 ? EMPTY_CHAIN.hash : lines[index - 1]?.hash);
      expect(hashOf(line)).toBe(line.hash);
    });
    const [line] = lines;
    if (!line) throw new Error('no line');
    const fields = Object.keys(line).filter((field) => !['version', 'hash'].includes(field));
    fc.assert(
      fc.property(fc.constantFrom(...fields), (field) => {
        expect(hashOf({ ...line, [field]: field === 'settlement' ? null : 'changed' })).not.toBe(line.hash);
      }),
    );
  });
});
