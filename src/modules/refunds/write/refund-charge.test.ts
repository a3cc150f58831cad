import { aCharge, aPaidCharge, aRefundState, countingIds, later, NOW } from '../../../../test/builders.ts';
import { createFakeProvider, type FakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { expectNothingDone, refusalOf } from '../../../../test/support/refused.ts';
import type { GatewayError } from '../../../kernel/errors.ts';
import { type CommandContext, systemContext } from '../../../kernel/event.ts';
import { MERCHANT_PERMISSIONS, type Principal } from '../../../kernel/principal.ts';
import type { Transact, Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, reserveForRefund } from '../../charges/write/charge.ts';
import { createRecordRefundOutcome } from './record-refund-outcome.ts';
import { REFUNDS } from './refund.store.ts';
import { createRefundCharge } from './refund-charge.ts';

const merchant = (merchantId: `mer_${string}`, livemode = false): Principal => ({
  kind: 'merchant',
  actor: { kind: 'key', id: 'key_1' },
  credential: 'secret_key',
  merchantId,
  masterId: null,
  livemode,
  permissions: MERCHANT_PERMISSIONS,
});

const setUp = (charge: Charge | null, provider: FakeProvider | null = createFakeProvider()) => {
  const store = createFakeWriteStore();
  if (charge) store.put(CHARGES, charge);
  const clock = () => NOW;
  const newId = countingIds();
  let reads = 0;
  const counting = (tx: Transaction): Transaction => ({
    getAll: tx.getAll,
    record: tx.record,
    audit: tx.audit,
    insert: tx.insert,
    update: tx.update,
    hold: tx.hold,
    enqueue: tx.enqueue,
    get: (from, id) => {
      reads += 1;
      return tx.get(from, id);
    },
  });
  const transact: Transact = Object.assign(
    <T>(context: CommandContext, work: (tx: Transaction) => Promise<T>) =>
      store.transact(context, (tx) => work(counting(tx))),
    { alone: store.transact.alone },
  );
  const findJournal = async () => {
    throw new Error('nothing is booked');
  };
  const refundCharge = createRefundCharge({
    transact,
    findCharge: async (id) => store.find(CHARGES, id),
    findRefund: async (id) => store.find(REFUNDS, id),
    providerNamed: async (name) => (name === 'fake' ? provider : null),
    recordRefundOutcome: createRecordRefundOutcome({
      transact,
      findJournal,
      followers: [],
      clock,
      newId,
    }),
    clock,
    newId,
    intentGraceMs: 15_000,
  });
  const run = (principal = merchant('mer_1'), chargeId = 'chg_1') =>
    refundCharge({ chargeId, reason: 'sent back', principal }, systemContext('test'));
  return {
    store,
    run,
    calls: () => provider?.calls ?? [],
    reads: () => reads,
    refusal: (principal?: Principal, chargeId?: string): Promise<GatewayError> =>
      refusalOf(run(principal, chargeId)),
  };
};

describe('the refund of a paid charge', () => {
  it('given a provider that gives the money back, then refund, charge and ledger record it', async () => {
    const test = setUp(aPaidCharge());
    expect(await test.run()).toMatchObject({
      id: 'ref_1',
      status: 'refunded',
      merchantReason: 'sent back',
      reason: null,
      pspRefundRefId: 'pspr_1',
    });
    expect(test.store.decisions()).toEqual([
      'charge charge.refund_opened',
      'refund refund.opened',
      'refund refund.refunded',
      'charge charge.refunded',
    ]);
    expect(test.calls()).toEqual(['refund ref_1 of chg_1: 10000 BRL']);
    expect(test.store.journals()).toMatchObject([{ referenceType: 'refund', referenceId: 'ref_1' }]);
    expect(test.store.find(CHARGES, 'chg_1')).toMatchObject({ status: 'refunded', refundId: 'ref_1' });
  });

  it('given nobody else who changes it, then it is not read again by the transactions that change it', async () => {
    const test = setUp(aPaidCharge());
    await test.run();
    expect(test.reads()).toBe(0);
  });

  it('given another change in between, then it is read again and refunded once', async () => {
    const test = setUp(aPaidCharge());
    const charge = aPaidCharge();
    test.store.collide(() => test.store.put(CHARGES, { ...charge, version: charge.version + 1 }));
    expect(await test.run()).toMatchObject({ status: 'refunded' });
    expect(test.reads()).toBe(1);
    expect(test.store.journals()).toHaveLength(1);
  });

  it('given a provider that accepts it, then it is booked, and the charge stays paid meanwhile', async () => {
    const refund = aRefundState({ status: 'pending' });
    const test = setUp(aPaidCharge(), createFakeProvider({ refund }));
    expect(await test.run()).toMatchObject({ status: 'pending', booked: true });
    expect(test.store.journals()).toHaveLength(1);
    expect(test.store.find(CHARGES, 'chg_1')).toMatchObject({ status: 'paid', refundId: 'ref_1' });
  });

  it.each(['refused', 'failed'] as const)(
    'given that it is %s, then nothing is booked and another may be tried',
    async (status) => {
      const refund = aRefundState({ status, reason: 'why' });
      const test = setUp(aPaidCharge(), createFakeProvider({ refund }));
      expect(await test.run()).toMatchObject({ status, reason: 'why', blocking: false });
      expect(test.store.journals()).toEqual([]);
      expect(test.store.find(CHARGES, 'chg_1')).toMatchObject({ status: 'paid', refundId: null });
      expect(await test.run()).toMatchObject({ id: 'ref_2' });
    },
  );

  it.each(['timeout', 'broken'] as const)(
    'given a provider that does not answer (%s), then it is pending, unbooked, and asked about later',
    async (refund) => {
      const test = setUp(aPaidCharge(), createFakeProvider({ refund }));
      expect(await test.run()).toMatchObject({
        status: 'pending',
        booked: false,
        blocking: true,
        reconcileAt: later(15).toISOString(),
      });
      expect(test.store.journals()).toEqual([]);
      expect(await test.refusal()).toMatchObject({ code: 'REFUND_ALREADY_EXISTS' });
    },
  );

  it('given that another refund won the race, then it is refused and the provider is not asked', async () => {
    const test = setUp(aPaidCharge());
    test.store.collide(() => {
      test.store.put(CHARGES, { ...reserveForRefund(aPaidCharge(), 'ref_9', NOW).data, version: 3 });
    });
    expect(await test.refusal()).toMatchObject({ statusCode: 422, code: 'REFUND_ALREADY_EXISTS' });
    expect(test.calls()).toEqual([]);
    expect(test.store.find(REFUNDS, 'ref_1')).toBeNull();
  });

  it("lets a master give back its sub-merchant's charge", async () => {
    const test = setUp(aPaidCharge({ merchantId: 'mer_2', masterId: 'mer_1' }));
    expect(await test.run()).toMatchObject({ status: 'refunded', merchantId: 'mer_2' });
  });
});

describe('a refund is refused, nothing is stored and the provider is not asked', () => {
  it.each<[string, Charge | null, Principal, number, string | undefined]>([
    ['a charge that does not exist', null, merchant('mer_1'), 404, 'NOT_FOUND'],
    ["somebody else's charge", aPaidCharge(), merchant('mer_2'), 404, 'NOT_FOUND'],
    ['a charge of the other environment', aPaidCharge(), merchant('mer_1', true), 404, 'NOT_FOUND'],
    ["the master's charge", aPaidCharge({ merchantId: 'mer_0' }), merchant('mer_1'), 404, 'NOT_FOUND'],
    ['a charge that is not paid', aCharge(), merchant('mer_1'), 422, 'CHARGE_NOT_REFUNDABLE'],
    [
      'a charge with a refund',
      aPaidCharge({ refundId: 'ref_0' }),
      merchant('mer_1'),
      422,
      'REFUND_ALREADY_EXISTS',
    ],
  ])('given %s', async (_, charge, principal, statusCode, code) => {
    const test = setUp(charge);
    await expectNothingDone(test, test.refusal(principal), { statusCode, code });
  });

  it('given no provider', async () => {
    const test = setUp(aPaidCharge(), null);
    expect(await test.refusal()).toMatchObject({ statusCode: 422, code: 'PROVIDER_NOT_CONFIGURED' });
    expect(test.store.decisions()).toEqual([]);
  });
});
