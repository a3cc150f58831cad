import { aPaidCharge, later, NOW } from '../../../../test/builders.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { scheduleSettlement } from '../../charges/write/settlement-schedule.ts';
import { isSettlementDue, settlePart } from './settlement.ts';

const DAY = 86_400;
const scheduled = (charge: Charge): Charge =>
  scheduleSettlement({ type: 'charge.paid', data: charge }, []).data;
const inDays = (days: number): string => later(days * DAY).toISOString();

describe('the parts of a charge', () => {
  it('become due 30 days apart', () => {
    let charge = scheduled(aPaidCharge({ settlement: { parts: 3, settled: 0 } }));
    const dates = [charge.due?.nextAt];
    for (let part = 0; part < 3; part += 1) {
      charge = settlePart(charge).data;
      dates.push(charge.due?.nextAt);
    }
    expect(dates).toEqual([inDays(30), inDays(60), inDays(90), null]);
    expect(charge.settlement).toEqual({ parts: 3, settled: 3 });
    expect(() => settlePart(charge)).toThrow('has no part to settle');
  });

  it('are settled from the very moment on at which they are due', () => {
    const charge = scheduled(aPaidCharge());
    expect(isSettlementDue(charge, later(30 * DAY))).toBe(true);
    expect(isSettlementDue(charge, later(30 * DAY - 1))).toBe(false);
  });

  it.each<[string, Partial<Charge>]>([
    ['with a pending refund', { refundId: 'ref_1' }],
    ['that is refunded', { status: 'refunded' }],
    ['under a chargeback alert', { status: 'pre_chargeback' }],
    ['that was charged back', { status: 'chargeback' }],
    ['without a due date', { due: null }],
  ])('of a charge %s are never settled', (_, changes) => {
    expect(isSettlementDue({ ...scheduled(aPaidCharge()), ...changes }, later(999 * DAY, NOW))).toBe(false);
  });
});
