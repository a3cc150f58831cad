import { aPaidCharge, aRefund, aRefundState, countingIds, NOW } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { registerAlert } from '../../chargebacks/write/alert.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import { createRecordChargeback } from '../../chargebacks/write/confirm-chargeback.ts';
import { createFollowRefund } from '../../chargebacks/write/follow-refund.ts';
import { createRecordAlertRefund } from '../../chargebacks/write/record-alert-refund.ts';
import { createEndChargebackWait } from '../../chargebacks/write/report-chargeback.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { balanceChanges } from '../../ledger/write/fold-balances.ts';
import { ownerKey } from '../../ledger/write/journal.ts';
import type { RefundState } from '../../providers/provider.ts';
import { createRecordRefundOutcome } from './record-refund-outcome.ts';
import { REFUNDS } from './refund.store.ts';
import { REFUND_STATUSES, type Refund } from './refund.ts';

const split = [{ merchantId: 'mer_2', percentage: 50, amount: 48_50 }] as const;

const setUp = (changes: Partial<Charge> = {}) => {
  const store = createFakeWriteStore();
  const newId = countingIds();
  const refund = aRefund();
  store.put(CHARGES, aPaidCharge({ refundId: refund.id, ...changes }));
  store.put(REFUNDS, refund);
  const recordRefundOutcome = createRecordRefundOutcome({
    transact: store.transact,
    findJournal: async (referenceId) => {
      const booked = store.journals().find((journal) => journal.referenceId === referenceId);
      if (!booked) throw new Error('nothing is booked');
      return booked;
    },
    followers: [
      createFollowRefund({
        recordAlertRefund: createRecordAlertRefund({ newId }),
        endChargebackWait: createEndChargebackWait({
          recordChargeback: createRecordChargeback({ newId }),
          newId,
        }),
      }),
    ],
    clock: () => NOW,
    newId,
  });
  return {
    store,
    refund,
    recordOutcome: (state: Partial<RefundState>, given: Refund = refund, opened?: Charge) =>
      recordRefundOutcome(given, aRefundState(state), systemContext('test'), opened),
    charge: () => store.find(CHARGES, 'chg_1'),
    balanceOf: (merchantId: MerchantId) =>
      balanceChanges(store.journals(), ownerKey(merchantId, false)).get('BRL') ?? {
        available: 0,
        reserved: 0,
      },
  };
};

describe('the end of a refund', () => {
  it('that was accepted and is then done is booked once', async () => {
    const test = setUp();
    await test.recordOutcome({ status: 'pending' });
    expect(test.balanceOf('mer_1')).toEqual({ available: -3_00, reserved: -97_00 });
    expect(await test.recordOutcome({ status: 'refunded' })).toMatchObject({
      status: 'refunded',
      booked: true,
    });
    expect(test.store.journals()).toHaveLength(1);
    expect(test.charge()).toMatchObject({ status: 'refunded' });
  });

  it.each(['refused', 'failed'] as const)(
    'that was accepted and is then %s is reversed, for everybody in the split',
    async (status) => {
      const test = setUp({ split });
      await test.recordOutcome({ status: 'pending' });
      expect(test.balanceOf('mer_2')).toEqual({ available: 0, reserved: -48_50 });
      expect(await test.recordOutcome({ status, reason: 'why' })).toMatchObject({
        status,
        booked: false,
        blocking: false,
      });
      expect(test.balanceOf('mer_1')).toEqual({ available: 0, reserved: 0 });
      expect(test.balanceOf('mer_2')).toEqual({ available: 0, reserved: 0 });
      expect(test.store.journals().map(({ postings }) => postings[0]?.movement_type)).toEqual([
        'refund',
        'refund_reversal',
      ]);
      expect(test.charge()).toMatchObject({ status: 'paid', refundId: null });
    },
  );

  it.each(['refused', 'failed'] as const)('that is %s at once was never booked', async (status) => {
    const test = setUp();
    await test.recordOutcome({ status });
    expect(test.store.journals()).toEqual([]);
    expect(test.charge()).toMatchObject({ status: 'paid', refundId: null });
  });

  it.each(REFUND_STATUSES)('told twice (%s) changes nothing the second time', async (status) => {
    const test = setUp();
    const first = await test.recordOutcome({ status });
    const decisions = test.store.decisions();
    expect(await test.recordOutcome({ status }, test.refund)).toEqual(first);
    expect(test.store.decisions()).toEqual(decisions);
  });

  it('that fails after its success is booked back, and the charge is paid again with its dates', async () => {
    const firstAt = '2026-07-15T12:00:00.000Z';
    const test = setUp({ split, due: { delayDays: 30, firstAt, nextAt: firstAt } });
    const before = test.charge();
    const [own, participant] = ['mer_1', 'mer_2'].map((id) => test.balanceOf(id as MerchantId));
    await test.recordOutcome({ status: 'refunded' });
    expect(test.charge()?.due?.nextAt).toBeNull();
    const after = await test.recordOutcome({ status: 'failed', reason: 'lost_or_stolen_card' });
    expect(after).toMatchObject({
      status: 'failed',
      reason: 'lost_or_stolen_card',
      booked: false,
      blocking: false,
    });
    expect(test.charge()).toMatchObject({
      status: 'paid',
      refundId: null,
      refundedAt: null,
      due: before?.due,
    });
    expect(test.store.journals()).toHaveLength(2);
    expect(test.balanceOf('mer_1')).toEqual(own);
    expect(test.balanceOf('mer_2')).toEqual(participant);
    await test.recordOutcome({ status: 'failed' });
    expect(test.store.journals()).toHaveLength(2);
  });

  it('told out of order keeps what was final', async () => {
    const test = setUp();
    await test.recordOutcome({ status: 'refunded' });
    for (const status of REFUND_STATUSES.filter((one) => one !== 'failed'))
      expect(await test.recordOutcome({ status })).toMatchObject({ status: 'refunded', booked: true });
    expect(test.store.journals()).toHaveLength(1);
  });

  describe('that a chargeback waits for', () => {
    const waitingChargeback = { pspRefId: 'psp_1', reportedAt: NOW.toISOString() };
    const setUpWaiting = () => {
      const test = setUp({ split });
      test.store.put(REFUNDS, aRefund({ waitingChargeback }));
      return test;
    };
    const movements = (test: ReturnType<typeof setUp>) =>
      test.store.journals().map(({ postings }) => postings[0]?.movement_type);

    it.each(['refused', 'failed'] as const)('applies it where it is %s: debited once', async (status) => {
      const test = setUpWaiting();
      await test.recordOutcome({ status: 'pending' });
      await test.recordOutcome({ status });
      expect(movements(test)).toEqual(['refund', 'refund_reversal', 'chargeback']);
      expect(test.charge()).toMatchObject({ status: 'chargeback', refundId: null });
      expect(test.balanceOf('mer_2')).toEqual({ available: 0, reserved: -48_50 });
    });

    it('applies it where it is refused at once, before anything was booked', async () => {
      const test = setUpWaiting();
      await test.recordOutcome({ status: 'refused' });
      expect(movements(test)).toEqual(['chargeback']);
    });

    it('leaves it waiting while the provider only accepts the refund', async () => {
      const test = setUpWaiting();
      await test.recordOutcome({ status: 'pending' });
      expect(test.charge()).toMatchObject({ status: 'paid', refundId: 'ref_1' });
    });

    it('holds the money in suspense where it was given back already', async () => {
      const test = setUpWaiting();
      await test.recordOutcome({ status: 'pending' });
      await test.recordOutcome({ status: 'refunded' });
      expect(test.charge()).toMatchObject({ status: 'refunded' });
      expect(movements(test)).toEqual(['refund', 'suspense']);
      expect(test.balanceOf('mer_1')).toEqual({ available: -3_00, reserved: -48_50 });
    });
  });

  describe('of an alert that a chargeback waits for', () => {
    const setUpAlert = (changes: Partial<Charge> = {}) => {
      const test = setUp({ status: 'pre_chargeback', ...changes });
      const refund = aRefund({ alertId: 'cba_1', booked: true });
      const waitingChargeback = { pspRefId: 'psp_1', reportedAt: NOW.toISOString() };
      test.store.put(REFUNDS, changes.status === 'chargeback' ? refund : { ...refund, waitingChargeback });
      const fee = { amount: 15_50, currency: 'BRL', ledgerEntryId: 'led_1' } as const;
      const facts = { id: 'cba_1', externalId: null, reason: null, receivedAt: null, fee } as const;
      test.store.put(CHARGEBACK_ALERTS, {
        ...registerAlert(aPaidCharge(), facts, refund, NOW).data,
        version: 1,
      });
      return test;
    };
    const recordAlert = (test: ReturnType<typeof setUpAlert>, status: RefundState['status']) =>
      test.recordOutcome({ status });

    it('holds the amount in suspense where the payer has the money already', async () => {
      const test = setUpAlert();
      await recordAlert(test, 'refunded');
      expect(test.charge()).toMatchObject({ status: 'chargeback' });
      expect(test.store.events().filter(({ resource }) => resource === 'suspense_item')).toMatchObject([
        { data: { reason: 'unexpected_chargeback', direction: 'out', amount: 100_00, pspRefId: 'psp_1' } },
      ]);
    });

    it('asks nobody to pay by hand where it came to nothing, because the acquirer pays', async () => {
      const test = setUpAlert();
      await recordAlert(test, 'failed');
      expect(test.charge()).toMatchObject({ status: 'chargeback' });
      expect(test.store.journals()).toEqual([]);
      expect(
        test.store
          .events()
          .filter(({ resource }) => resource === 'manual_refund_request')
          .at(-1),
      ).toMatchObject({
        data: {
          status: 'resolved',
          resolved_by_user_id: null,
          notes:
            'Nothing is to be paid by hand: the chargeback was confirmed, as the provider fake reported (psp_1).',
        },
      });
    });

    it.each(['refunded', 'failed'] as const)(
      'ends in the same way where an earlier version had confirmed the chargeback already (%s)',
      async (status) => {
        const test = setUpAlert({ status: 'chargeback' });
        await recordAlert(test, status);
        expect(test.store.decisions().at(-1)).toBe(
          status === 'refunded'
            ? 'suspense_item suspense.opened'
            : 'manual_refund_request manual_refund_request.resolved',
        );
      },
    );
  });

  it('lost to a race is decided again on what is stored then', async () => {
    const test = setUp();
    test.store.collide(() => {
      test.store.put(REFUNDS, aRefund({ status: 'refused', blocking: false, version: 2 }));
    });
    expect(await test.recordOutcome({ status: 'refunded' })).toMatchObject({ status: 'refused' });
    expect(test.store.journals()).toEqual([]);
  });

  it.each(['pending', 'refunded'] as const)(
    'is booked by the charge that is stored, and not by the one of its opening (%s)',
    async (status) => {
      const test = setUp();
      const opened = test.store.find(CHARGES, 'chg_1');
      test.store.put(CHARGES, {
        ...aPaidCharge({ refundId: 'ref_1', settlement: { parts: 1, settled: 1 } }),
        version: (opened?.version ?? 0) + 1,
      });
      await test.recordOutcome({ status }, test.refund, opened ?? undefined);
      expect(test.balanceOf('mer_1')).toEqual({ available: -100_00, reserved: 0 });
    },
  );

  it('whose charge is gone is a bug', async () => {
    const test = setUp();
    await expect(test.recordOutcome({}, aRefund({ id: 'ref_9' }))).rejects.toThrow('is gone');
  });
});
