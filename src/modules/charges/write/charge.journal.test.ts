import fc from 'fast-check';
import { aPaidCharge, countingIds, NOW } from '../../../../test/builders.ts';
import { MAX_AMOUNT, sum } from '../../../kernel/money.ts';
import { type Journal, reversed } from '../../ledger/write/journal.ts';
import { paidJournal, refundJournal } from './charge.journal.ts';
import type { Charge } from './charge.ts';
import { divide } from './split.ts';

const paid = (charge: Charge): Journal => paidJournal(charge, NOW, countingIds());
const refunded = (charge: Charge): Journal => refundJournal(charge, 'ref_1', NOW, countingIds());

/** The lines of a journal as a bookkeeper would write them. */
const linesOf = ({ postings }: Journal): string[] =>
  postings.map(
    ({ merchantId, bucket, movement_type, amount }) =>
      `${merchantId ?? 'gateway'} ${bucket} ${movement_type} ${amount}`,
  );

const totalOf = (journals: readonly Journal[], merchantId: string | null, bucket?: string): number =>
  sum(
    journals
      .flatMap(({ postings }) => postings)
      .filter((posting) => posting.merchantId === merchantId && (!bucket || posting.bucket === bucket))
      .map((posting) => posting.amount),
  );

/** Paid charges of any amount, spread, split and stage of settlement. */
const anyCharge = fc
  .record({
    amount: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: MAX_AMOUNT })),
    spreadPart: fc.double({ min: 0, max: 1, noNaN: true }),
    shares: fc.array(fc.integer({ min: 1, max: 250_000 }), { maxLength: 4 }),
    parts: fc.integer({ min: 1, max: 12 }),
    settledPart: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ amount, spreadPart, shares, parts, settledPart }) => {
    const charge = aPaidCharge({ amount, spread: Math.floor(amount * spreadPart) });
    const entries = shares.map((share, index) => ({
      merchantId: `mer_part${index}` as const,
      percentage: share / 10_000,
    }));
    return {
      ...charge,
      split: entries.length > 0 ? divide(charge.net, entries) : null,
      settlement: { parts, settled: Math.floor(parts * settledPart) },
    };
  });

/** Equal parts, odd cents in the first: computed a second way. */
const partsOf = (share: number, parts: number): number[] => {
  const equal = Math.floor(share / parts);
  return Array.from({ length: parts }, (_, index) => (index === 0 ? share - equal * (parts - 1) : equal));
};

describe('the journal of a paid charge', () => {
  it('credits the gross amount to reserved and takes the spread from there', () => {
    expect(linesOf(paid(aPaidCharge({ amount: 100_00, spread: 3_00 })))).toEqual([
      'gateway provider_clearing charge -10000',
      'mer_1 reserved charge 10000',
      'mer_1 reserved charge_spread -300',
      'gateway revenue charge_spread 300',
    ]);
  });

  it('passes split parts on from the originator', () => {
    const split = [
      { merchantId: 'mer_2', percentage: 25, amount: 24_25 },
      { merchantId: 'mer_3', percentage: 10, amount: 9_70 },
    ] as const;
    expect(linesOf(paid(aPaidCharge({ split }))).slice(4)).toEqual([
      'mer_1 reserved split_debit -2425',
      'mer_2 reserved split_credit 2425',
      'mer_1 reserved split_debit -970',
      'mer_3 reserved split_credit 970',
    ]);
  });

  it('has no lines of zero', () => {
    const split = [{ merchantId: 'mer_2', percentage: 0.0001, amount: 0 }] as const;
    expect(linesOf(paid(aPaidCharge({ spread: 0, split })))).toEqual([
      'gateway provider_clearing charge -10000',
      'mer_1 reserved charge 10000',
    ]);
  });

  it('says what it is about', () => {
    expect(paid(aPaidCharge({ livemode: true }))).toMatchObject({
      _id: 'jrn_1',
      livemode: true,
      currency: 'BRL',
      referenceType: 'charge',
      referenceId: 'chg_1',
      chargeId: 'chg_1',
      createdAt: NOW.toISOString(),
    });
  });

  it('sums to zero and leaves everybody exactly what is theirs', () => {
    fc.assert(
      fc.property(anyCharge, (charge) => {
        const journals = [paid(charge)];
        const given = sum((charge.split ?? []).map((part) => part.amount));
        expect(sum(journals[0]?.postings.map((posting) => posting.amount) ?? [])).toBe(0);
        expect(totalOf(journals, 'mer_1')).toBe(charge.net - given);
        expect(totalOf(journals, null, 'revenue')).toBe(charge.spread);
        expect(totalOf(journals, null, 'provider_clearing')).toBe(-charge.amount);
        for (const part of charge.split ?? []) expect(totalOf(journals, part.merchantId)).toBe(part.amount);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the journal of a refund', () => {
  it('takes what is reserved first; the spread comes from available, which may go negative', () => {
    expect(linesOf(refunded(aPaidCharge({ amount: 100_00, spread: 3_00 })))).toEqual([
      'gateway provider_clearing refund 10000',
      'mer_1 reserved refund -9700',
      'mer_1 available refund -300',
    ]);
  });

  it('takes all of it from available where the charge is settled', () => {
    const charge = aPaidCharge({ settlement: { parts: 1, settled: 1 } });
    expect(linesOf(refunded(charge))).toEqual([
      'gateway provider_clearing refund 10000',
      'mer_1 available refund -10000',
    ]);
  });

  it.each([
    [0, 100_00, 0],
    [1, 66_66, 33_34],
    [2, 33_33, 66_67],
    [3, 0, 100_00],
  ])(
    'after %d of three parts takes %d from reserved and %d from available',
    (settled, reserved, available) => {
      const charge = aPaidCharge({ amount: 100_00, spread: 0, settlement: { parts: 3, settled } });
      expect(totalOf([refunded(charge)], 'mer_1', 'reserved')).toBe(0 - reserved);
      expect(totalOf([refunded(charge)], 'mer_1', 'available')).toBe(0 - available);
    },
  );

  it('lets each participant give back what it received, and the originator the rest of the gross amount', () => {
    const split = [{ merchantId: 'mer_2', percentage: 50, amount: 48_50 }] as const;
    expect(linesOf(refunded(aPaidCharge({ split, settlement: { parts: 2, settled: 1 } })))).toEqual([
      'gateway provider_clearing refund 10000',
      'mer_1 reserved refund -2425',
      'mer_1 available refund -2725',
      'mer_2 reserved refund_split -2425',
      'mer_2 available refund_split -2425',
    ]);
  });

  it('refers to the refund and to its charge', () => {
    expect(refunded(aPaidCharge())).toMatchObject({
      referenceType: 'refund',
      referenceId: 'ref_1',
      chargeId: 'chg_1',
    });
  });

  it('sums to zero and undoes the payment but for the spread, at any stage of settlement', () => {
    fc.assert(
      fc.property(anyCharge, (charge) => {
        const journals = [paid(charge), refunded(charge)];
        expect(sum(journals[1]?.postings.map((posting) => posting.amount) ?? [])).toBe(0);
        expect(totalOf(journals, 'mer_1')).toBe(0 - charge.spread);
        expect(totalOf(journals, null, 'provider_clearing')).toBe(0);
        expect(totalOf(journals, null, 'revenue')).toBe(charge.spread);
        for (const part of charge.split ?? []) expect(totalOf(journals, part.merchantId)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('takes from reserved exactly the parts that are not settled', () => {
    fc.assert(
      fc.property(anyCharge, (charge) => {
        const { parts, settled } = charge.settlement;
        const unsettled = (share: number): number => sum(partsOf(share, parts).slice(settled));
        const split = charge.split ?? [];
        const remainder = charge.net - sum(split.map((part) => part.amount));
        expect(totalOf([refunded(charge)], 'mer_1', 'reserved')).toBe(0 - unsettled(remainder));
        for (const part of split)
          expect(totalOf([refunded(charge)], part.merchantId, 'reserved')).toBe(0 - unsettled(part.amount));
      }),
      { numRuns: 500 },
    );
  });

  it('that is reversed leaves every bucket as it was', () => {
    fc.assert(
      fc.property(anyCharge, (charge) => {
        const refund = refunded(charge);
        const { livemode, currency, chargeId, referenceType, referenceId } = refund;
        const about = { livemode, currency, chargeId, referenceType, referenceId };
        const journals = [refund, reversed(refund, 'refund_reversal', about, NOW, countingIds())];
        for (const owner of [null, 'mer_1', ...(charge.split ?? []).map((part) => part.merchantId)])
          for (const bucket of ['reserved', 'available', 'provider_clearing'])
            expect(totalOf(journals, owner, bucket)).toBe(0);
      }),
    );
  });
});

describe('the journals of a charge that its merchant collects itself', () => {
  it('leave the fee as owed and nothing as payable, before and after the money was given back', () => {
    const charge = aPaidCharge({ amount: 100_00, spread: 3_00, collectedBy: 'mer_1' });
    expect(linesOf(paid(charge))).toEqual([
      'mer_1 available charge 10000',
      'mer_1 available charge_spread -300',
      'gateway revenue charge_spread 300',
      'mer_1 available own_collection -10000',
    ]);
    expect(linesOf(refunded(charge))).toEqual([
      'mer_1 available own_collection 10000',
      'mer_1 available refund -10000',
    ]);
  });

  it('sum to zero with any split, and owe nobody anything but the fee', () => {
    fc.assert(
      fc.property(anyCharge, (any) => {
        const charge: Charge = { ...any, collectedBy: 'mer_1' };
        const taken = refunded(charge);
        const back = reversed(taken, 'refund_reversal', { ...taken }, NOW, countingIds());
        for (const journals of [[paid(charge)], [paid(charge), taken], [paid(charge), taken, back]]) {
          for (const { postings } of journals) expect(sum(postings.map(({ amount }) => amount))).toBe(0);
          expect(totalOf(journals, charge.merchantId, 'available')).toBe(0 - charge.spread);
          expect(totalOf(journals, charge.merchantId, 'reserved')).toBe(0);
          expect(totalOf(journals, null, 'provider_clearing')).toBe(0);
          for (const { merchantId } of charge.split ?? []) expect(totalOf(journals, merchantId)).toBe(0);
        }
      }),
    );
  });
});
