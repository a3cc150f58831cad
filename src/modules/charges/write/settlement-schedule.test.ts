import { aCharge, aPaidCharge, later } from '../../../../test/builders.ts';
import type { Charge } from './charge.ts';
import { type DelayDays, scheduleSettlement } from './settlement-schedule.ts';

const DAY = 86_400;
const scheduled = (charge: Charge, configured: DelayDays = []): Charge =>
  scheduleSettlement({ type: 'charge.paid', data: charge }, configured).data;
const inDays = (days: number): string => later(days * DAY).toISOString();

describe('the due date of a payment', () => {
  it.each<[string, Charge['paymentMethod'], number]>([
    ['credit card', aPaidCharge().paymentMethod, 30],
    ['Pix', { type: 'pix' }, 0],
    ['voucher', { type: 'voucher', identifyType: 'dni', identifyNumber: '12345678' }, 1],
    ['QR code', { type: 'qrcode', identifyType: 'dni', identifyNumber: '12345678' }, 0],
  ])('by %s is, without a setting, built in', (_, paymentMethod, delayDays) => {
    const firstAt = inDays(delayDays);
    expect(scheduled(aPaidCharge({ paymentMethod })).due).toEqual({ delayDays, firstAt, nextAt: firstAt });
  });

  it('is by the setting of the merchant, else of the gateway, method by method', () => {
    expect(scheduled(aPaidCharge(), [{ credit_card: 2 }, { credit_card: 9 }]).due?.delayDays).toBe(2);
    expect(scheduled(aPaidCharge(), [{ pix: 2 }, { credit_card: 9 }]).due?.delayDays).toBe(9);
    expect(scheduled(aPaidCharge(), [{ credit_card: 0 }, { credit_card: 9 }]).due?.delayDays).toBe(0);
    expect(scheduled(aPaidCharge(), [{ pix: 2 }, {}]).due?.delayDays).toBe(30);
  });

  it('counts from the moment at which the money moved', () => {
    const charge = aPaidCharge({ paidAt: later(-5 * DAY).toISOString() });
    expect(scheduled(charge).due?.firstAt).toBe(inDays(25));
  });

  it('is not set before the payment', () => {
    expect(scheduled(aCharge()).due).toBeNull();
  });
});
