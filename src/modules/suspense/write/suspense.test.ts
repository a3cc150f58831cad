import {
  aRefundState,
  aSuspenseItem,
  countingIds,
  later,
  NOW,
  strayMoney,
} from '../../../../test/builders.ts';
import { bookedJournal, cameBackJournal, heldJournal, returnedJournal } from './suspense.journal.ts';
import { applyReturn, type StrayMoney, type SuspenseItem, suspenseIdOf } from './suspense.ts';

const late = strayMoney({ reason: 'late_payment' });
const opened = (changes: Partial<StrayMoney> = {}): SuspenseItem => aSuspenseItem({ ...late, ...changes });
const movedBy = (item: SuspenseItem, make = heldJournal) =>
  Object.fromEntries(make(item, NOW, countingIds()).postings.map(({ bucket, amount }) => [bucket, amount]));

describe('stray money', () => {
  it('that came too late is to be given back, and the reconciler sees to it after a crash', () => {
    expect(opened()).toMatchObject({ status: 'returning', reconcileAt: later(30).toISOString() });
  });

  it('of any other kind is held', () => {
    for (const reason of ['second_payment', 'payment_of_closed_charge', 'unknown_payment'] as const)
      expect(opened({ reason })).toMatchObject({ status: 'held', reconcileAt: null });
  });

  it('is the same money however often it is told of, and other money otherwise', () => {
    expect(suspenseIdOf({ ...late, reason: 'unknown_payment', amount: 1 })).toBe(suspenseIdOf(late));
    const others: Partial<StrayMoney>[] = [
      { pspRefId: 'psp_2' },
      { reference: 'chg_2' },
      { direction: 'out' },
      { provider: 'other' },
      { livemode: true },
    ];
    const ids = others.map((change) => suspenseIdOf({ ...late, ...change }));
    expect(new Set([suspenseIdOf(late), ...ids]).size).toBe(6);
  });

  it('goes from clearing to suspense and back; what left the provider goes the other way', () => {
    expect(movedBy(opened())).toEqual({ provider_clearing: -100_00, suspense: 100_00 });
    expect(movedBy(opened(), returnedJournal)).toEqual({ provider_clearing: 100_00, suspense: -100_00 });
    expect(movedBy(opened({ direction: 'out' }))).toEqual({ provider_clearing: 100_00, suspense: -100_00 });
  });
});

describe('a return that is done', () => {
  const HOUR = 3_600;
  const done = { status: 'refunded', reason: null, pspRefundRefId: 'psp_refund' } as const;
  const returned = (livemode: boolean): SuspenseItem =>
    applyReturn(opened({ livemode }), done, NOW)?.data ?? opened();

  it('is asked about after an hour and then less and less often, for eight days, where it is live', () => {
    expect(returned(false).reconcileAt).toBeNull();
    let item = returned(true);
    const asked: number[] = [];
    while (item.reconcileAt !== null) {
      const at = new Date(item.reconcileAt);
      asked.push((at.getTime() - NOW.getTime()) / 1_000 / HOUR);
      const next = applyReturn(item, done, at);
      expect(next?.type).toBe('suspense.return_asked');
      item = next?.data ?? returned(false);
    }
    expect(asked).toEqual([1, 24, 72, 168, 192]);
    expect(item.status).toBe('returned');
  });

  it('changes nothing where it is told again before that, and is held again where it fails after all', () => {
    expect(applyReturn(returned(true), done, later(10))).toBeNull();
    const failed = { status: 'failed', reason: 'closed account', pspRefundRefId: 'psp_refund' } as const;
    expect(applyReturn(returned(true), failed, later(10))?.data).toMatchObject({
      status: 'held',
      reconcileAt: null,
      returnFailure: 'closed account',
    });
  });
});

describe('money on the own account of a merchant', () => {
  it('goes to its owner’s balance neither when it is held nor when it is left there', () => {
    const accountOwnerId = 'mer_owner';
    const item = {
      ...opened({ reason: 'second_payment', accountOwnerId }),
      clearing: {
        method: 'merchant',
        merchantId: accountOwnerId,
        reason: 'of its own customer',
        status: 'approved',
        proposedByUserId: 'usr_1',
        proposedAt: NOW.toISOString(),
        processedByUserId: 'usr_2',
        processedAt: NOW.toISOString(),
        rejectionReason: null,
      },
    } as const;
    expect(movedBy(item, bookedJournal)).toEqual({ provider_clearing: 100_00, suspense: -100_00 });
    expect(movedBy({ ...item, direction: 'out' }, bookedJournal)).toEqual({
      provider_clearing: -100_00,
      suspense: 100_00,
    });
  });
});

describe('a return', () => {
  it('is done when the provider says so, once', () => {
    const done = applyReturn(opened(), aRefundState(), later(1));
    expect(done).toMatchObject({
      type: 'suspense.returned',
      data: { status: 'returned', pspRefundRefId: 'pspr_1', reconcileAt: null },
    });
    expect(done && applyReturn(done.data, aRefundState(), NOW)).toBeNull();
  });

  it('that the provider has accepted is asked about later, and told once', () => {
    const accepted = applyReturn(opened(), aRefundState({ status: 'pending' }), NOW);
    expect(accepted?.data).toMatchObject({ status: 'returning', reconcileAt: later(2).toISOString() });
    expect(accepted && applyReturn(accepted.data, aRefundState({ status: 'pending' }), NOW)).toBeNull();
    expect(accepted && applyReturn(accepted.data, aRefundState(), NOW)?.data.status).toBe('returned');
  });

  it.each(['refused', 'failed'] as const)('that was %s leaves the money held, with the reason', (status) => {
    const state = aRefundState({ status, reason: 'refund_not_supported', pspRefundRefId: null });
    expect(applyReturn(opened(), state, NOW)?.data).toMatchObject({
      status: 'held',
      returnFailure: 'refund_not_supported',
      reconcileAt: null,
    });
  });

  it('that the payer’s bank sends back later leaves the money held again', () => {
    const returned = applyReturn(opened(), aRefundState(), NOW)?.data;
    if (!returned) throw new Error('nothing was returned');
    const failed = aRefundState({ status: 'failed', reason: 'not_carried_out' });
    const held = applyReturn(returned, failed, later(1));
    expect(held).toMatchObject({
      type: 'suspense.return_failed',
      data: { status: 'held', returnFailure: 'not_carried_out' },
    });
    expect(held && movedBy(held.data, cameBackJournal)).toEqual({
      provider_clearing: -100_00,
      suspense: 100_00,
    });
    for (const status of ['pending', 'refused'] as const)
      expect(applyReturn(returned, aRefundState({ status }), later(1))).toBeNull();
  });

  it('of money that is held is none', () => {
    expect(applyReturn(opened({ reason: 'second_payment' }), aRefundState(), NOW)).toBeNull();
  });
});
