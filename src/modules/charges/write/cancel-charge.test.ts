import {
  aCharge,
  aPaidCharge,
  aPaymentState,
  aPixCharge,
  countingIds,
  NOW,
} from '../../../../test/builders.ts';
import { createFakeProvider, type FakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { MERCHANT_PERMISSIONS, type Principal } from '../../../kernel/principal.ts';
import { createCancelCharge, createEndCharge } from './cancel-charge.ts';
import { CHARGES } from './charge.store.ts';
import type { Charge } from './charge.ts';
import { createRecordPaymentOutcome } from './record-payment-outcome.ts';

const ownerOf = ({ merchantId, masterId, livemode }: Charge): Principal => ({
  kind: 'merchant',
  actor: { kind: 'key', id: 'key_1' },
  credential: 'secret_key',
  merchantId,
  masterId,
  livemode,
  permissions: MERCHANT_PERMISSIONS,
});

const cancel = async (seen: Charge, provider: FakeProvider | null, stands: Charge = seen) => {
  const store = createFakeWriteStore();
  store.put(CHARGES, stands);
  const basics = { transact: store.transact, clock: () => NOW, newId: countingIds() };
  const recordPaymentOutcome = createRecordPaymentOutcome({
    ...basics,
    findDelayDays: async () => [],
    giveBack: async () => null,
    outcomeFollowers: [],
    lateRules: [],
  });
  const cancelCharge = createCancelCharge({
    findCharge: async (id) => (id === seen.id ? seen : null),
    endCharge: createEndCharge({
      ...basics,
      providerNamed: async () => provider,
      recordPaymentOutcome,
      outcomeFollowers: [],
    }),
  });
  const answer = await cancelCharge({ principal: ownerOf(seen), id: seen.id }, systemContext('test')).catch(
    (error: unknown) => error,
  );
  return { answer, store, charge: store.find(CHARGES, seen.id), calls: provider?.calls ?? [] };
};

const NOT_CANCELLABLE = { statusCode: 422, code: 'CHARGE_NOT_CANCELLABLE' };

describe('a charge that its merchant cancels', () => {
  it.each([
    ['a Pix that nobody has paid yet', aPixCharge()],
    ['a card that waits for its holder', aCharge({ status: 'authentication_required' })],
  ])('given %s, then the provider lets it go, and it has failed as cancelled', async (_, waiting) => {
    const { answer, charge, calls, store } = await cancel(waiting, createFakeProvider());
    expect(calls).toEqual(['cancel chg_1']);
    expect(charge).toMatchObject({ status: 'failed', failureReason: 'cancelled', reconcileAt: null });
    expect(answer).toEqual(charge);
    expect(store.decisions()).toEqual(['charge charge.failed']);
    expect(store.journals()).toEqual([]);
  });

  it('given that the payer was faster, then it is paid and booked, and the merchant is refused', async () => {
    const provider = createFakeProvider({ cancel: aPaymentState() });
    const { answer, charge, store } = await cancel(aPixCharge(), provider);
    expect(answer).toMatchObject(NOT_CANCELLABLE);
    expect(charge?.status).toBe('paid');
    expect(store.journals()).toHaveLength(1);
  });

  it('given that it has failed at the provider for another reason, then that reason stands', async () => {
    const failed = aPaymentState({ status: 'failed', failureReason: 'processing_error' });
    const { answer, charge } = await cancel(aPixCharge(), createFakeProvider({ cancel: failed }));
    expect(answer).toMatchObject(NOT_CANCELLABLE);
    expect(charge).toMatchObject({ status: 'failed', failureReason: 'processing_error' });
  });

  it("given that the provider's notification of it came first, then it is cancelled, once", async () => {
    const told = aPixCharge({ status: 'failed', failureReason: 'cancelled' });
    const { answer, store } = await cancel(aPixCharge(), createFakeProvider(), told);
    expect(answer).toEqual(told);
    expect(store.decisions()).toEqual([]);
  });

  it('given that it expired meanwhile, then the merchant is refused', async () => {
    const expired = aPixCharge({ status: 'failed', failureReason: 'expired' });
    const { answer, store } = await cancel(aPixCharge(), createFakeProvider(), expired);
    expect(answer).toMatchObject(NOT_CANCELLABLE);
    expect(store.decisions()).toEqual([]);
  });

  it.each([
    ['a card that is with the provider', aCharge()],
    ['a Pix that is with the provider', aPixCharge({ instructions: null })],
    ['one that an analyst has', aCharge({ status: 'in_analysis' })],
    ['one that is paid', aPaidCharge()],
  ])('given %s, then it is refused before anybody is asked', async (_, charge) => {
    const { answer, store, calls } = await cancel(charge, createFakeProvider());
    expect(answer).toMatchObject(NOT_CANCELLABLE);
    expect(store.decisions()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('given a provider that does not answer, then it waits on, and the merchant may ask again', async () => {
    const { answer, store } = await cancel(aPixCharge(), createFakeProvider({ cancel: 'timeout' }));
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(store.decisions()).toEqual([]);
  });

  it('given a provider that is configured no longer, then it is refused', async () => {
    const { answer } = await cancel(aPixCharge(), null);
    expect(answer).toMatchObject({ statusCode: 422, code: 'PROVIDER_NOT_CONFIGURED' });
  });
});
