import { aCharge, aPaidCharge, aPaymentState, NOW } from '../../../../test/builders.ts';
import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { newId } from '../../../kernel/ids.ts';
import type { RecordDisputeOutcome } from '../../disputes/write/close-dispute.ts';
import { createActOn } from './act-on.ts';

const never = async (): Promise<never> => {
  throw new Error('nobody asks for this');
};

it('money of a dispute that was won is on the account of its owner', async () => {
  const charge = aCharge({ status: 'chargeback' });
  const told: Parameters<RecordDisputeOutcome>[1][] = [];
  const provider = { ...createFakeProvider(), owner: 'mer_owner' as const };
  const actOn = createActOn({
    transact: createFakeWriteStore().transact,
    clock: () => NOW,
    newId,
    findCharge: async () => charge,
    findRefund: never,
    findReturn: never,
    findMethod: never,
    recordStoredState: never,
    recordMandateState: never,
    providerNamed: async () => provider,
    recordPaymentOutcome: never,
    recordRefundOutcome: never,
    recordReturnOutcome: never,
    reportChargeback: never,
    async recordDisputeOutcome(_tx, outcome) {
      told.push(outcome);
      return 'suspense';
    },
  });
  const { id: reference, livemode, amount, currency } = charge;
  await actOn(
    charge.provider,
    { kind: 'chargeback_reversed', id: 'n-1', livemode, reference, amount, currency, pspRefId: 'dp_1' },
    systemContext('test'),
  );
  expect(told).toEqual([
    { outcome: 'won', money: expect.objectContaining({ accountOwnerId: 'mer_owner', chargeId: reference }) },
  ]);
});

it('a payment that a charge at another account of the receiver has is not held as well', async () => {
  const charge = aPaidCharge({ pspRefId: 'E1' });
  const store = createFakeWriteStore();
  const actOn = createActOn({
    transact: store.transact,
    clock: () => NOW,
    newId,
    findCharge: async () => charge,
    findRefund: never,
    findReturn: never,
    findMethod: never,
    recordStoredState: never,
    recordMandateState: never,
    providerNamed: async () => null,
    recordPaymentOutcome: never,
    recordRefundOutcome: never,
    recordReturnOutcome: never,
    reportChargeback: never,
    recordDisputeOutcome: never,
  });
  const { id: reference, livemode, amount, currency } = charge;
  const told = (pspRefId: string) =>
    actOn(
      'pix-api-of-another',
      {
        ...{ kind: 'payment' as const, id: pspRefId, livemode, reference, amount, currency },
        state: { ...aPaymentState({ status: 'paid' }), pspRefId },
      },
      systemContext('test'),
    );
  expect([await told('E1'), store.decisions()]).toEqual(['ignored', []]);
  expect(await told('E2')).toBe('suspense');
});
