import { aRefundState, aSuspenseItem, countingIds, later, NOW } from '../../../../test/builders.ts';
import { approveClearing, type NewClearing, proposeClearing, rejectClearing } from './clearing.ts';
import { bookedJournal } from './suspense.journal.ts';
import { applyBooking, applyReturn, type SuspenseItem } from './suspense.ts';

const TO_PAYER: NewClearing = { method: 'give_back', merchantId: null, reason: 'paid twice' };
const TO_MERCHANT: NewClearing = { method: 'merchant', merchantId: 'mer_1', reason: 'two orders' };
const TO_GATEWAY: NewClearing = { method: 'gateway', merchantId: null, reason: 'nobody asked for it' };
const proposed = (clearing: NewClearing, item = aSuspenseItem()): SuspenseItem =>
  proposeClearing(item, clearing, 'usr_1', NOW).data;
const refusal = (code: string) => expect.objectContaining({ statusCode: 422, code });

describe('a clearing', () => {
  it('waits for somebody else than its author', () => {
    const item = proposed(TO_MERCHANT);
    expect(item).toMatchObject({
      status: 'held',
      clearing: { ...TO_MERCHANT, status: 'pending', proposedByUserId: 'usr_1', processedByUserId: null },
    });
    expect(() => approveClearing(item, 'usr_1', NOW)).toThrow(
      expect.objectContaining({ statusCode: 403, code: 'APPROVAL_BY_AUTHOR' }),
    );
    expect(approveClearing(item, 'usr_2', later(1))).toMatchObject({
      type: 'suspense.booking_approved',
      data: {
        status: 'booking',
        reconcileAt: later(31).toISOString(),
        clearing: { status: 'approved', processedByUserId: 'usr_2', processedAt: later(1).toISOString() },
      },
    });
  });

  it('is for money that is held, one at a time, and gives back only what came', () => {
    expect(() => proposed(TO_PAYER, aSuspenseItem({ reason: 'late_payment' }))).toThrow(
      refusal('SUSPENSE_ITEM_NOT_HELD'),
    );
    expect(() => proposed(TO_PAYER, proposed(TO_GATEWAY))).toThrow(refusal('CLEARING_ALREADY_PROPOSED'));
    expect(() => proposed(TO_PAYER, aSuspenseItem({ direction: 'out' }))).toThrow(
      refusal('SUSPENSE_ITEM_NOT_RETURNABLE'),
    );
    expect(proposed(TO_GATEWAY, aSuspenseItem({ direction: 'out' })).clearing?.status).toBe('pending');
  });

  it('is decided on once', () => {
    const done = approveClearing(proposed(TO_GATEWAY), 'usr_2', NOW).data;
    const by = { userId: 'usr_1', rejectionReason: 'no' } as const;
    for (const item of [done, aSuspenseItem()]) {
      expect(() => approveClearing(item, 'usr_3', NOW)).toThrow(refusal('CLEARING_NOT_PENDING'));
      expect(() => rejectClearing(item, by, NOW)).toThrow(refusal('CLEARING_NOT_PENDING'));
    }
    expect(() => proposed(TO_PAYER, done)).toThrow(refusal('SUSPENSE_ITEM_NOT_HELD'));
  });

  it('to a merchant ends when its journal is stored, once', () => {
    const booking = approveClearing(proposed(TO_MERCHANT), 'usr_2', NOW).data;
    const booked = applyBooking(booking, later(1));
    expect(booked).toMatchObject({
      type: 'suspense.booked',
      data: { status: 'booked', reconcileAt: null, updatedAt: later(1).toISOString() },
    });
    expect(booked && applyBooking(booked.data, later(2))).toBeNull();
    expect(applyBooking(proposed(TO_MERCHANT), NOW)).toBeNull();
  });

  it('that was rejected, also by its author, makes room for another', () => {
    const by = { userId: 'usr_1', rejectionReason: 'wrong one' } as const;
    const rejected = rejectClearing(proposed(TO_MERCHANT), by, NOW).data;
    expect(rejected).toMatchObject({
      status: 'held',
      clearing: { status: 'rejected', processedByUserId: 'usr_1', rejectionReason: 'wrong one' },
    });
    expect(proposed(TO_PAYER, rejected).clearing).toMatchObject({ ...TO_PAYER, rejectionReason: null });
  });

  it('that gives back leaves the money returning, for the reconciler after a crash, and held where it fails', () => {
    const returning = approveClearing(proposed(TO_PAYER), 'usr_2', NOW);
    expect(returning).toMatchObject({
      type: 'suspense.return_approved',
      data: { status: 'returning', reconcileAt: later(30).toISOString() },
    });
    const failed = applyReturn(returning.data, aRefundState({ status: 'refused', reason: 'closed' }), NOW);
    expect(failed?.data).toMatchObject({
      status: 'held',
      returnFailure: 'closed',
      clearing: { status: 'failed' },
    });
    const again = failed && approveClearing(proposed(TO_PAYER, failed.data), 'usr_2', NOW).data;
    expect(again).toMatchObject({ status: 'returning', returnFailure: null });
    expect(returning.data.returnReference).toBe(returning.data.id);
    expect(again?.returnReference).not.toBe(returning.data.returnReference);
  });
});

describe('stray money that is booked', () => {
  const movedBy = (clearing: NewClearing, direction: 'in' | 'out') =>
    bookedJournal(
      approveClearing(proposed(clearing, aSuspenseItem({ direction })), 'usr_2', NOW).data,
      NOW,
      countingIds(),
    ).postings.map(({ merchantId, bucket, movement_type, amount }) => [
      merchantId,
      bucket,
      movement_type,
      amount,
    ]);

  it.each([
    ['in', 100_00],
    ['out', -100_00],
  ] as const)('and went %s leaves suspense for the merchant or the gateway', (direction, amount) => {
    expect(movedBy(TO_MERCHANT, direction)).toEqual([
      [null, 'suspense', 'suspense_clearing', -amount],
      ['mer_1', 'available', 'suspense_clearing', amount],
    ]);
    expect(movedBy(TO_GATEWAY, direction)).toEqual([
      [null, 'suspense', 'suspense_clearing', -amount],
      [null, 'other_income', 'suspense_clearing', amount],
    ]);
  });
});
