import { aPaidCharge, aRefundState, countingIds, NOW } from '../../../../test/builders.ts';
import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { OPERATOR_PERMISSIONS } from '../../../kernel/principal.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { balanceChanges } from '../../ledger/write/fold-balances.ts';
import { ownerKey } from '../../ledger/write/journal.ts';
import { putSetting, type Setting } from '../../merchants/write/setting.ts';
import type { PaymentProvider, RefundState } from '../../providers/provider.ts';
import { createRecordRefundOutcome } from '../../refunds/write/record-refund-outcome.ts';
import type { ChargebackAlert } from './alert.ts';
import { CHARGEBACK_ALERTS, MANUAL_REFUND_REQUESTS } from './chargebacks.store.ts';
import { createFollowRefund } from './follow-refund.ts';
import { createRecordAlertRefund } from './record-alert-refund.ts';
import { createRegisterAlert } from './register-alert.ts';

const FEE = putSetting(
  null,
  { id: 'set_1', merchantId: null, name: 'chargeback_alert_fee', content: { amount: 15.5, currency: 'USD' } },
  NOW,
).data;

const setUp = (
  changes: Partial<Charge> = {},
  refund: RefundState | 'timeout' = aRefundState(),
  given: { readonly setting?: Setting | null; readonly provider?: PaymentProvider | null } = {},
) => {
  const store = createFakeWriteStore();
  store.put(CHARGES, aPaidCharge(changes));
  const provider = createFakeProvider({ refund });
  const newId = countingIds();
  const clock = () => NOW;
  const recordAlertRefund = createRecordAlertRefund({ newId });
  const find = async (id: string): Promise<ChargebackAlert | null> => store.find(CHARGEBACK_ALERTS, id);
  const registerAlert = createRegisterAlert({
    transact: store.transact,
    findCharge: async (id) => store.find(CHARGES, id),
    findAlert: find,
    findAlertOf: () => find('cba_1'),
    findSetting: async () => (given.setting === undefined ? FEE : given.setting),
    providerNamed: async () => (given.provider === undefined ? provider : given.provider),
    recordRefundOutcome: createRecordRefundOutcome({
      transact: store.transact,
      findJournal: () => Promise.reject(new Error('nothing is reversed')),
      followers: [createFollowRefund({ recordAlertRefund, endChargebackWait: async () => undefined })],
      clock,
      newId,
    }),
    recordAlertRefund,
    clock,
    newId,
    intentGraceMs: 15_000,
  });
  const context = systemContext('test');
  return {
    store,
    provider,
    register: () =>
      registerAlert(
        {
          principal: {
            kind: 'operator',
            actor: context.actor,
            credential: 'user',
            userId: 'usr_1',
            livemode: false,
            permissions: OPERATOR_PERMISSIONS,
          },
          chargeId: 'chg_1',
          reason: null,
          externalId: null,
          receivedAt: null,
        },
        context,
      ),
    balanceOf: (merchantId: 'mer_1' | 'mer_2', currency: string) =>
      balanceChanges(store.journals(), ownerKey(merchantId, false)).get(currency),
  };
};

describe('the registration of an alert', () => {
  it('takes each part back from whom it went to, and the fee from the merchant alone', async () => {
    const test = setUp({ split: [{ merchantId: 'mer_2', percentage: 50, amount: 48_50 }] });
    await test.register();
    expect(test.balanceOf('mer_1', 'BRL')).toEqual({ reserved: -48_50, available: -3_00 });
    expect(test.balanceOf('mer_2', 'BRL')).toEqual({ reserved: -48_50, available: 0 });
    expect(test.balanceOf('mer_1', 'USD')).toEqual({ reserved: 0, available: -15_50 });
    expect(test.balanceOf('mer_2', 'USD')).toBeUndefined();
    expect(test.store.find(CHARGES, 'chg_1')).toMatchObject({ status: 'pre_chargeback', refundId: 'ref_1' });
    expect(test.provider.calls).toEqual(['refund ref_1 of chg_1: 10000 BRL']);
  });

  it('takes what is settled from available', async () => {
    const test = setUp({ settlement: { parts: 1, settled: 1 } });
    await test.register();
    expect(test.balanceOf('mer_1', 'BRL')).toEqual({ reserved: 0, available: -100_00 });
  });

  it.each<[string, RefundState | 'timeout', object]>([
    ['is done', aRefundState(), { mode: 'automatic', status: 'refunded' }],
    ['is pending', aRefundState({ status: 'pending' }), { mode: 'automatic', status: 'pending' }],
    ['times out', 'timeout', { mode: 'automatic', status: 'pending' }],
    ['is refused', aRefundState({ status: 'refused', reason: 'no' }), { mode: 'manual', status: 'failed' }],
    ['fails', aRefundState({ status: 'failed', reason: 'no' }), { mode: 'manual', status: 'failed' }],
  ])('whose refund %s debits the same', async (_, answer, refund) => {
    const test = setUp({}, answer);
    const alert = await test.register();
    expect(alert.refund).toMatchObject(refund);
    const isManual = alert.refund.mode === 'manual';
    expect(alert.manualRefundRequestId).toBe(isManual ? 'mrr_1' : null);
    expect(test.store.find(MANUAL_REFUND_REQUESTS, 'mrr_1') !== null).toBe(isManual);
    expect(test.balanceOf('mer_1', 'BRL')).toEqual({ reserved: -97_00, available: -3_00 });
    expect(test.store.journals()).toHaveLength(2);
  });

  it('of a method that cannot be refunded does not ask the provider', async () => {
    const test = setUp({
      paymentMethod: { type: 'voucher', identifyType: 'dni', identifyNumber: '12345678' },
    });
    expect((await test.register()).refund).toMatchObject({
      mode: 'manual',
      status: 'failed',
      reason: 'refund_not_supported',
    });
    expect(test.provider.calls).toEqual([]);
    expect(test.store.find(MANUAL_REFUND_REQUESTS, 'mrr_1')).toMatchObject({ status: 'pending' });
  });

  it('without a provider leaves the refund to be made later', async () => {
    const test = setUp({}, aRefundState(), { provider: null });
    expect((await test.register()).refund).toMatchObject({ mode: 'automatic', status: 'pending' });
  });

  it.each<[string, Partial<Charge>, Setting | null, string]>([
    ['is being refunded', { refundId: 'ref_9' }, null, 'REFUND_ALREADY_EXISTS'],
    ['is refunded', { status: 'refunded', refundId: 'ref_9' }, null, 'CHARGE_NOT_PAID'],
    ['is not paid', { status: 'pending' }, null, 'CHARGE_NOT_PAID'],
    ['has no fee', {}, null, 'CHARGEBACK_ALERT_FEE_NOT_CONFIGURED'],
  ])('of a charge that %s changes nothing', async (_, changes, setting, code) => {
    const test = setUp(changes, aRefundState(), { setting });
    await expect(test.register()).rejects.toMatchObject({ code });
    expect([test.store.decisions(), test.store.journals(), test.provider.calls]).toEqual([[], [], []]);
  });

  it('again is refused before anything else', async () => {
    const test = setUp();
    await test.register();
    await expect(test.register()).rejects.toMatchObject({ code: 'CHARGEBACK_ALERT_ALREADY_REGISTERED' });
  });
});
