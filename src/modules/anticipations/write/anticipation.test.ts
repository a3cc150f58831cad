import fc from 'fast-check';
import { aMerchant, aMethodFee, aPaidCharge, countingIds, later, NOW } from '../../../../test/builders.ts';
import { timestamp } from '../../../kernel/clock.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { MethodFee } from '../../merchants/write/fees.ts';
import { settlementJournal } from '../../settlement/write/settlement.journal.ts';
import { anticipateParts, settlePart } from '../../settlement/write/settlement.ts';
import { anticipationJournal } from './anticipation.journal.ts';
import { type AnticipationRequest, lastPartOf, MAX_CHARGES, quote } from './anticipation.ts';
import { daysUntil, partFeeOf, percentageOf } from './anticipation-fee.ts';

const DAY = 86_400;
const inDays = (days: number): string => timestamp(later(days * DAY));

const fee = (changes: Partial<MethodFee> = {}): MethodFee =>
  aMethodFee({ fee_type: 'anticipation', definition: { fixed: 0.5, percentages: [2, 5, 9] }, ...changes });

/** A charge of 97.00 net in three parts, the first of them due in 30 days. */
const aCharge = (changes: Partial<Charge> = {}): Charge =>
  aPaidCharge({
    settlement: { parts: 3, settled: 0 },
    due: { delayDays: 30, firstAt: inDays(30), nextAt: inDays(30) },
    ...changes,
  });

const merchant = aMerchant();
const fees = { version: 4, definitions: [fee()] };
const quoted = (
  charges: readonly Charge[],
  request: AnticipationRequest = { chargeId: 'chg_1' },
  by: Partial<Parameters<typeof quote>[1]> = {},
  until: string | null = null,
) => quote(request, { merchant, fees, ...by }, { charges, until }, NOW);
const refusal = (code: string) => expect.objectContaining({ statusCode: 422, code });
const upTo = (amount: number): AnticipationRequest => ({ amount, currency: 'BRL' });

describe('the fee of an anticipated part', () => {
  it.each([
    [100_00, 2, 30, 2_00],
    [100_00, 2, 15, 1_00],
    [100_00, 2, 1, 7],
    [100_00, 2, 0, 0],
    [100_00, 5, 60, 5_00],
    [100_00, 5, 31, 2_58],
    [100_00, 9, 61, 6_10],
    [1, 50, 30, 1],
    [1, 49.9999, 30, 0],
  ])('of %d at %d %% with %d days left is %d', (amount, percentage, days, expected) => {
    expect(partFeeOf(amount, percentage, days)).toBe(expected);
  });

  it('grows with the days within a period, up to the percentage of the amount', () => {
    const anyPart = fc.record({
      amount: fc.integer({ min: 1, max: 10 ** 12 }),
      percentage: fc.integer({ min: 0, max: 1_000_000 }).map((scaled) => scaled / 10_000),
      period: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 29 }),
    });
    fc.assert(
      fc.property(anyPart, ({ amount, percentage, period, day }) => {
        const at = (days: number): number => partFeeOf(amount, percentage, 30 * (period - 1) + days);
        expect(at(day)).toBeLessThanOrEqual(at(day + 1));
        expect(at(30)).toBeLessThanOrEqual(amount);
      }),
    );
  });

  it('counts each day that has begun, and none for what is due', () => {
    expect(daysUntil(inDays(30), NOW)).toBe(30);
    expect(daysUntil(timestamp(later(30 * DAY + 1)), NOW)).toBe(31);
    expect(daysUntil(timestamp(later(1)), NOW)).toBe(1);
    expect([daysUntil(timestamp(NOW), NOW), daysUntil(inDays(-3), NOW)]).toEqual([0, 0]);
  });

  it('has the percentage of its 30 days, and none beyond the last', () => {
    const at = (days: number) => percentageOf(fee(), days);
    expect([0, 1, 30, 31, 60, 61, 90, 91].map(at)).toEqual([2, 2, 2, 5, 5, 9, 9, null]);
  });
});

describe('a quote', () => {
  it('for a charge takes all that the merchant has left of it', () => {
    expect(quoted([aCharge()])).toEqual({
      currency: 'BRL',
      amount: 97_00,
      fee: 50 + 65 + 1_62 + 2_91,
      netAmount: 97_00 - 5_68,
      feeVersion: 4,
      charges: [
        {
          chargeId: 'chg_1',
          parts: 3,
          fixedFee: 50,
          amount: 97_00,
          fee: 5_68,
          anticipated: [
            { part: 1, dueAt: inDays(30), days: 30, percentage: 2, amount: 32_34, fee: 65 },
            { part: 2, dueAt: inDays(60), days: 60, percentage: 5, amount: 32_33, fee: 1_62 },
            { part: 3, dueAt: inDays(90), days: 90, percentage: 9, amount: 32_33, fee: 2_91 },
          ],
        },
      ],
    });
  });

  it('is for what a participant has of the split, and for what is neither settled nor anticipated', () => {
    const split = [{ merchantId: 'mer_2', percentage: 10, amount: 9_70 }] as const;
    const partsOf = (charge: Charge, id: 'mer_1' | 'mer_2') =>
      quoted([charge], undefined, { merchant: aMerchant({ id }) }).charges[0]?.anticipated.map(
        ({ part, amount }) => [part, amount],
      );
    const charge = aCharge({ split, settlement: { parts: 3, settled: 1 } });
    expect(partsOf(charge, 'mer_1')).toEqual([
      [2, 29_10],
      [3, 29_10],
    ]);
    const ahead = anticipateParts(charge, 'mer_1', 2).data;
    expect(partsOf(ahead, 'mer_1')).toEqual([[3, 29_10]]);
    expect(partsOf(ahead, 'mer_2')).toEqual([
      [2, 3_23],
      [3, 3_23],
    ]);
  });

  it('leaves what is due later than the percentages reach', () => {
    const short = { version: 1, definitions: [fee({ definition: { fixed: 0, percentages: [2, 5] } })] };
    expect(quoted([aCharge()], undefined, { fees: short }).amount).toBe(64_67);
  });

  it("is by the brand's fee where there is one", () => {
    const visa = fee({ brand: 'visa', definition: { fixed: 0, percentages: [1, 1, 1] } });
    const by = { version: 1, definitions: [fee(), visa] };
    expect(quoted([aCharge()], undefined, { fees: by }).fee).toBe(32 + 32 + 32);
  });

  it('for an amount takes whole parts, those due soonest first, and never more than it', () => {
    const soon = aCharge({
      id: 'chg_2',
      settlement: { parts: 1, settled: 0 },
      due: { delayDays: 5, firstAt: inDays(5), nextAt: inDays(5) },
    });
    const taken = (amount: number) =>
      quoted([aCharge(), soon], upTo(amount)).charges.flatMap(({ chargeId, anticipated }) =>
        anticipated.map(({ part }) => `${chargeId} ${part}`),
      );
    expect(taken(1_000_00)).toEqual(['chg_2 1', 'chg_1 1', 'chg_1 2', 'chg_1 3']);
    expect(taken(97_00 + 32_34)).toEqual(['chg_2 1', 'chg_1 1']);
    expect(taken(97_00 + 32_33)).toEqual(['chg_2 1']);
    expect(taken(96_99)).toEqual(['chg_1 1', 'chg_1 2']);
    expect(() => taken(32_33)).toThrow(refusal('NOTHING_TO_ANTICIPATE'));
  });

  it('for an amount leaves what is due later than everything that was looked at', () => {
    expect(quoted([aCharge()], upTo(1_000_00), {}, inDays(60)).amount).toBe(64_67);
  });

  it('for an amount leaves out other currencies, methods without a fee, and charges whose fee takes all', () => {
    const dollars = aCharge({ id: 'chg_2', currency: 'USD' });
    const pix = aCharge({ id: 'chg_3', paymentMethod: { type: 'pix' } });
    const tiny = aCharge({ id: 'chg_4', amount: 53, spread: 3 });
    expect(
      quoted([aCharge(), dollars, pix, tiny], upTo(1_000_00)).charges.map(({ chargeId }) => chargeId),
    ).toEqual(['chg_1']);
  });

  it(`takes parts of ${MAX_CHARGES} charges at most, and goes on with those that it has`, () => {
    const many = Array.from({ length: MAX_CHARGES + 1 }, (_, index) => {
      const firstAt = timestamp(later(30 * DAY + index));
      return aCharge({ id: `chg_${1_000 + index}`, due: { delayDays: 30, firstAt, nextAt: firstAt } });
    });
    const { charges, amount } = quoted(many, upTo(1_000_000_00));
    expect(charges.map(({ chargeId }) => chargeId)).toEqual(many.slice(0, MAX_CHARGES).map(({ id }) => id));
    // All charges but the first are due a second or more after 30, 60 and 90 days, so the definition does not cover
    // their last part.
    expect(amount).toBe(97_00 + (MAX_CHARGES - 1) * 64_67);
  });

  it('is refused for one reason after the other', () => {
    const blocked = { merchant: aMerchant({ status: 'blocked' }) };
    const refunding = aCharge({ refundId: 'ref_1' });
    const done = aCharge({ settlement: { parts: 3, settled: 3 } });
    const tiny = aCharge({ amount: 53, spread: 3 });
    const dear = { version: 1, definitions: [fee({ definition: { fixed: 1, percentages: [2] } })] };
    expect(() => quoted([refunding], undefined, { ...blocked, fees: null })).toThrow(
      refusal('MERCHANT_NOT_ACTIVE'),
    );
    for (const charge of [refunding, aCharge({ status: 'chargeback' }), aCharge({ status: 'pending' })])
      expect(() => quoted([charge], undefined, { fees: null })).toThrow(refusal('CHARGE_NOT_ANTICIPATABLE'));
    for (const none of [
      null,
      { version: 1, definitions: [] },
      { version: 1, definitions: [fee({ currency_code: 'USD' })] },
    ])
      for (const request of [{ chargeId: 'chg_1' }, upTo(100)])
        expect(() => quoted([done], request, { fees: none })).toThrow(
          refusal('ANTICIPATION_FEE_NOT_CONFIGURED'),
        );
    const pixOnly = { version: 1, definitions: [fee({ payment_method: 'pix' })] };
    expect(() => quoted([done], undefined, { fees: pixOnly })).toThrow(
      refusal('ANTICIPATION_FEE_NOT_CONFIGURED'),
    );
    expect(() => quoted([done])).toThrow(refusal('NOTHING_TO_ANTICIPATE'));
    expect(() => quoted([], upTo(100))).toThrow(refusal('NOTHING_TO_ANTICIPATE'));
    expect(() => quoted([aCharge()], undefined, { merchant: aMerchant({ id: 'mer_9' }) })).toThrow(
      refusal('NOTHING_TO_ANTICIPATE'),
    );
    expect(() => quoted([tiny], undefined, { fees: dear })).toThrow(refusal('ANTICIPATION_AMOUNT_TOO_LOW'));
  });
});

describe('anticipated parts', () => {
  const split = [{ merchantId: 'mer_2', percentage: 10, amount: 9_70 }] as const;
  const ownersOf = (charge: Charge) =>
    new Set(settlementJournal(charge, NOW, countingIds()).postings.map(({ merchantId }) => merchantId));

  it('move from reserved to available, and the fee to the gateway', () => {
    const charge = aCharge();
    const [taken] = quoted([charge]).charges;
    if (!taken) throw new Error('nothing was taken');
    const { postings, chargeId, settlement } = anticipationJournal(
      { id: 'ant_1', merchantId: 'mer_1' },
      taken,
      charge,
      NOW,
      countingIds(),
    );
    expect([chargeId, settlement]).toEqual(['chg_1', { parts: 3, settled: 0 }]);
    expect(
      postings.map(({ merchantId, bucket, movement_type, amount }) => [
        merchantId,
        bucket,
        movement_type,
        amount,
      ]),
    ).toEqual([
      ['mer_1', 'reserved', 'anticipation', -97_00],
      ['mer_1', 'available', 'anticipation', 97_00],
      ['mer_1', 'available', 'anticipation_fee', -5_68],
      [null, 'revenue', 'anticipation_fee', 5_68],
    ]);
    expect(lastPartOf(taken)).toBe(3);
  });

  it('count as settled where everybody has them', () => {
    const charge = aCharge();
    expect(anticipateParts(charge, 'mer_1', 2).data).toMatchObject({
      settlement: { parts: 3, settled: 2 },
      due: { nextAt: inDays(90) },
    });
    const all = anticipateParts(charge, 'mer_1', 3).data;
    expect([all.settlement, all.due?.nextAt]).toEqual([{ parts: 3, settled: 3 }, null]);
  });

  it('are settled for the others only', () => {
    const ahead = anticipateParts(aCharge({ split }), 'mer_2', 2).data;
    expect(ahead.settlement).toEqual({
      parts: 3,
      settled: 0,
      anticipated: [{ merchantId: 'mer_2', parts: 2 }],
    });
    expect(ahead.due?.nextAt).toBe(inDays(30));
    expect(ownersOf(ahead)).toEqual(new Set(['mer_1']));
    const second = settlePart(ahead).data;
    expect(ownersOf(second)).toEqual(new Set(['mer_1']));
    const third = settlePart(second).data;
    expect(third.settlement).toEqual({ parts: 3, settled: 2 });
    expect(ownersOf(third)).toEqual(new Set(['mer_1', 'mer_2']));
    const both = anticipateParts(ahead, 'mer_1', 3).data;
    expect(both.settlement).toEqual({
      parts: 3,
      settled: 2,
      anticipated: [{ merchantId: 'mer_1', parts: 3 }],
    });
    expect(both.due?.nextAt).toBe(inDays(90));
  });

  it('are taken once', () => {
    const ahead = anticipateParts(aCharge({ split }), 'mer_2', 2).data;
    for (const parts of [0, 1, 2, 4]) expect(() => anticipateParts(ahead, 'mer_2', parts)).toThrow('cannot');
  });
});
