import { isAlertFeeKnown, keptOf } from './kept.ts';

const paid = {
  amount: 100,
  spread: 3.2,
  currency: 'BRL',
  status: 'paid',
  paidAt: '2026-11-25T12:00:00.000Z',
  split: null,
} as const;
const split = [
  { merchantId: 'mer_1', percentage: 20, amount: 19.36 },
  { merchantId: 'mer_2', percentage: 10, amount: 9.68 },
];

describe('the rest of a charge for its merchant', () => {
  it.each([
    ['is unknown before it is paid', { ...paid, status: 'pending', paidAt: null }, null],
    ['is the amount less the fee', paid, [-3.2, 0, 0, 0, 96.8]],
    [
      'is computed from what was paid after the due date',
      { ...paid, paidAmount: 110 },
      [-3.2, 0, 0, 0, 106.8],
    ],
    ['is less by the parts of others', { ...paid, split }, [-3.2, -29.04, 0, 0, 67.76]],
    ['is less than nothing after a refund', { ...paid, status: 'refunded' }, [-3.2, 0, -100, 0, -3.2]],
    [
      'has no parts of others after a refund, as they gave them back',
      { ...paid, status: 'refunded', split },
      [-3.2, 0, -100, 0, -3.2],
    ],
    ['is less than nothing after a chargeback', { ...paid, status: 'chargeback' }, [-3.2, 0, -100, 0, -3.2]],
    ['has three digits in dinars', { ...paid, currency: 'KWD', spread: 3.201 }, [-3.201, 0, 0, 0, 96.799]],
  ] as const)('%s', (_, charge, figures) => {
    const kept = keptOf(charge as Parameters<typeof keptOf>[0], false, 0);
    const sums = kept && [kept.fee, kept.given, kept.refunded, kept.alertFee, kept.kept];
    expect(sums?.map((amount) => amount + 0)).toEqual(figures ?? undefined);
  });

  it('is less by the fee of an alert, and by a refund that is under way', () => {
    expect(keptOf(paid, true, 0)).toMatchObject({ refunded: -100, kept: -3.2 });
    expect(keptOf({ ...paid, status: 'pre_chargeback' }, false, -15.5)).toMatchObject({ kept: -18.7 });
  });

  it('is unknown while an alert may have cost a fee and the ledger cannot be read', () => {
    const alerted = [{ kind: 'event', resource: 'chargeback_alert' }];
    const without = [{ part: 'journals' }];
    expect(isAlertFeeKnown('paid', { data: alerted, omitted: [] })).toBe(true);
    expect(isAlertFeeKnown('paid', { data: [{ kind: 'event', resource: 'charge' }], omitted: without })).toBe(
      true,
    );
    expect(isAlertFeeKnown('refunded', { data: alerted, omitted: without })).toBe(false);
    expect(isAlertFeeKnown('pre_chargeback', { data: [], omitted: without })).toBe(false);
    expect(isAlertFeeKnown('chargeback', { data: [], omitted: [{ part: 'deliveries' }] })).toBe(true);
  });
});
