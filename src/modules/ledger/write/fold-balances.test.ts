import fc from 'fast-check';
import { aPaidCharge, countingIds, NOW } from '../../../../test/builders.ts';
import { outboxRow } from '../../../platform/write-store/outbox.ts';
import { paidJournal, refundJournal } from '../../charges/write/charge.journal.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { balanceChanges, foldBatches } from './fold-balances.ts';
import type { Journal } from './journal.ts';

const newId = countingIds();
const paid = (changes: Partial<Charge> = {}): Journal => paidJournal(aPaidCharge(changes), NOW, newId);
const refunded = (changes: Partial<Charge> = {}): Journal =>
  refundJournal(aPaidCharge(changes), 'ref_1', NOW, newId);
const changesOf = (journals: readonly Journal[], owner = 'mer_1:test') =>
  Object.fromEntries(balanceChanges(journals, owner));

const split = [{ merchantId: 'mer_2', percentage: 10, amount: 9_70 }] as const;

describe("changes of a merchant's balances by journals", () => {
  it('is nothing without journals', () => {
    expect(changesOf([])).toEqual({});
  });

  it('is the net amount of a paid charge, in reserved', () => {
    expect(changesOf([paid()])).toEqual({ BRL: { available: 0, reserved: 97_00 } });
  });

  it('is the spread, in available, after the charge was given back', () => {
    expect(changesOf([paid(), refunded()])).toEqual({ BRL: { available: -3_00, reserved: 0 } });
  });

  it('is kept by currency', () => {
    expect(changesOf([paid(), paid({ currency: 'USD' }), paid()])).toEqual({
      BRL: { available: 0, reserved: 194_00 },
      USD: { available: 0, reserved: 97_00 },
    });
  });

  it('is only its own part of a split', () => {
    expect(changesOf([paid({ split })])).toEqual({ BRL: { available: 0, reserved: 87_30 } });
    expect(changesOf([paid({ split })], 'mer_2:test')).toEqual({ BRL: { available: 0, reserved: 9_70 } });
    expect(changesOf([paid({ split })], 'mer_3:test')).toEqual({});
  });

  it('is kept apart by environment', () => {
    const journals = [paid(), paid({ livemode: true, amount: 5_00, spread: 0 })];
    expect(changesOf(journals)).toEqual({ BRL: { available: 0, reserved: 97_00 } });
    expect(changesOf(journals, 'mer_1:live')).toEqual({ BRL: { available: 0, reserved: 5_00 } });
  });

  it('is the same in any order, and the same folded at once or one by one', () => {
    const all = [paid(), refunded(), paid({ currency: 'CLP' }), paid({ split }), refunded({ split })];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), fc.nat(all.length), (order, cut) => {
        expect(changesOf(order)).toEqual(changesOf(all));
        const [first, second] = [changesOf(order.slice(0, cut)), changesOf(order.slice(cut))];
        for (const [currency, { available, reserved }] of Object.entries(changesOf(all))) {
          const none = { available: 0, reserved: 0 };
          const [left, right] = [first[currency] ?? none, second[currency] ?? none];
          expect(left.available + right.available).toBe(available);
          expect(left.reserved + right.reserved).toBe(reserved);
        }
      }),
    );
  });
});

describe('rows that are to be folded', () => {
  const rowsOf = (owners: readonly number[]) =>
    owners.map((owner, index) => outboxRow('ledger', `jrn_${index}`, `mer_${owner}:test`, 'commit', NOW));

  it('are cut into batches of at most 20 owners and 100 rows, in the order of each owner', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 500 }), (owners) => {
        const rows = rowsOf(owners);
        const batches = foldBatches(rows);
        for (const batch of batches) {
          expect(batch.size).toBeLessThanOrEqual(20);
          expect([...batch.values()].flat().length).toBeLessThanOrEqual(100);
        }
        for (const key of new Set(rows.map((row) => row.key)))
          expect(batches.flatMap((batch) => batch.get(key) ?? [])).toEqual(
            rows.filter((row) => row.key === key),
          );
        expect(batches.flatMap((batch) => [...batch.values()].flat())).toHaveLength(rows.length);
      }),
    );
  });

  it('are one batch where they are few', () => {
    expect(foldBatches(rowsOf([1, 2, 1, 3]))).toHaveLength(1);
    expect(foldBatches([])).toEqual([]);
  });
});
