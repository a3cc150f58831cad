import fc from 'fast-check';
import { countingIds, NOW } from '../../../../test/builders.ts';
import { type Entry, type Journal, journal, ownerKey, ownersOf, reversed } from './journal.ts';

const about = {
  livemode: false,
  currency: 'BRL',
  referenceType: 'adjustment',
  referenceId: 'adj_1',
  chargeId: null,
} as const;

const credit = (merchantId: `mer_${string}`, amount: number): Entry => ({
  merchantId,
  bucket: 'available',
  movement_type: 'adjustment',
  amount,
});
const suspense = (amount: number): Entry => ({
  merchantId: null,
  bucket: 'suspense',
  movement_type: 'adjustment',
  amount,
});
const make = (entries: readonly Entry[], livemode = false): Journal =>
  journal({ ...about, livemode }, entries, NOW, countingIds());

/** Random entries that sum to zero. */
const anyEntries = fc
  .array(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), { maxLength: 20 })
  .map((amounts) => [
    ...amounts.map((amount, index) => credit(`mer_${index % 3}`, amount)),
    suspense(0 - amounts.reduce((left, right) => left + right, 0)),
  ]);

describe('a journal', () => {
  it('has an id, and one for each posting', () => {
    expect(make([suspense(-5), credit('mer_1', 5)])).toEqual({
      ...about,
      _id: 'jrn_1',
      settlement: null,
      createdAt: NOW.toISOString(),
      postings: [
        { ...suspense(-5), id: 'led_1' },
        { ...credit('mer_1', 5), id: 'led_2' },
      ],
    });
  });

  it('always sums to zero and leaves entries of zero out', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const { postings } = make(entries);
        expect(postings.reduce((total, posting) => total + posting.amount, 0)).toBe(0);
        expect(postings).toHaveLength(entries.filter((entry) => entry.amount !== 0).length);
      }),
    );
  });

  it('that does not sum to zero is a bug, even by one minor unit', () => {
    fc.assert(
      fc.property(anyEntries, fc.constantFrom(-1, 1), (entries, difference) => {
        expect(() => make([...entries, suspense(difference)])).toThrow('does not sum to zero');
      }),
    );
  });

  it('of fractions is a bug', () => {
    expect(() => make([suspense(-0.25), credit('mer_1', 0.25)])).toThrow(RangeError);
  });
});

describe('a reversed journal', () => {
  it('takes each posting back, under its own ids', () => {
    const original = make([suspense(-5), credit('mer_1', 5)]);
    const ids = countingIds();
    const taken = reversed(original, 'refund_reversal', { ...about, referenceId: 'x' }, NOW, ids);
    expect(taken).toMatchObject({ referenceId: 'x', _id: 'jrn_1' });
    expect(taken.postings).toEqual([
      { ...suspense(5), movement_type: 'refund_reversal', id: 'led_1' },
      { ...credit('mer_1', -5), movement_type: 'refund_reversal', id: 'led_2' },
    ]);
  });
});

describe('the owners of a journal', () => {
  it('are the merchants in it, each once, in the environment of the journal; the gateway is none', () => {
    const entries = [suspense(-6), credit('mer_1', 5), credit('mer_2', 2), credit('mer_1', -1)];
    expect(ownersOf(make(entries))).toEqual(['mer_1:test', 'mer_2:test']);
    expect(ownersOf(make(entries, true))).toEqual(['mer_1:live', 'mer_2:live']);
    expect(ownersOf(make([suspense(-1), suspense(1)]))).toEqual([]);
    expect(ownerKey('mer_1', true)).toBe('mer_1:live');
  });
});
