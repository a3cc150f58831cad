import { aPaidCharge, aPixCharge, countingIds, NOW } from '../../../../test/builders.ts';
import { createFakeCollections } from '../../../../test/fakes/collections.ts';
import { createFakeLogger } from '../../../../test/fakes/logger.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { pixSettings } from '../../../../test/support/doubles/settings.ts';
import { type PixInstitution, startPixInstitution } from '../../../../test/support/pix-api/institution.ts';
import { systemContext } from '../../../kernel/event.ts';
import { newId } from '../../../kernel/ids.ts';
import { createHttpClient } from '../../../platform/outbound/http-client.ts';
import { createReconciler } from '../../../platform/reconcile.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, paymentOrderOf } from '../../charges/write/charge.ts';
import { createReconcileCharge } from '../../charges/write/reconcile-charge.ts';
import { createRecordPaymentOutcome } from '../../charges/write/record-payment-outcome.ts';
import { connectorNamed } from '../../providers/connectors.ts';
import { devolucaoIdOf, txidOf } from '../../providers/pix-api/references.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import { createRest } from '../../providers/rest.ts';
import { createReconcileRefund } from '../../refunds/write/reconcile-refund.ts';
import { createRecordRefundOutcome } from '../../refunds/write/record-refund-outcome.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { openRefund, requestOf } from '../../refunds/write/refund.ts';
import { createAccountOfNews } from './account-of-news.ts';
import { createAskForNews } from './ask-for-news.ts';

const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const HOUR_S = 3_600;
const NEWS_EVERY_S = 60;

/** The gateway's clock and the institution's, which stands still while they work. */
const clock = { now: NOW };
const passes = (seconds: number): void => {
  clock.now = new Date(clock.now.getTime() + seconds * 1_000);
};
let institution: PixInstitution;
let provider: PaymentProvider;

beforeAll(async () => {
  institution = await startPixInstitution(() => clock.now);
  const opened = connectorNamed('pix-api')?.create({
    name: 'pix-api',
    settings: pixSettings(institution, SECRET) as never,
    db: createFakeCollections() as never,
    clock: () => clock.now,
    rest: createRest(() => clock.now),
    timeoutMs: 20_000,
    noteUnreadable: () => undefined,
    openHttp: createHttpClient,
    publicUrl: () => 'https://pay.example.test',
  });
  if (!opened) throw new Error('no connector');
  provider = opened;
});
afterAll(async () => {
  expect(institution.ownFaults).toEqual([]);
  await institution.stop();
});
beforeEach(() => {
  clock.now = NOW;
});

/** A worker whose rounds are a second of the clock apart; nobody calls back. */
const aWorker = () => {
  const store = createFakeWriteStore();
  const common = { transact: store.transact, clock: () => clock.now, newId: countingIds() };
  const { logger } = createFakeLogger();
  const providerNamed = async (): Promise<PaymentProvider> => provider;
  const recordPaymentOutcome = createRecordPaymentOutcome({
    ...common,
    findDelayDays: async () => [],
    giveBack: async () => null,
    outcomeFollowers: [],
    lateRules: [],
  });
  const recordRefundOutcome = createRecordRefundOutcome({
    ...common,
    findJournal: async () => Promise.reject(new Error('nothing is reversed')),
    followers: [],
  });
  const due = <T extends { readonly reconcileAt: string | null }>(one: T | null): readonly T[] =>
    one && one.reconcileAt !== null && one.reconcileAt <= clock.now.toISOString() ? [one] : [];
  const rounds = { clock: () => clock.now, owns: () => true, logger };
  const charges = (id: string) =>
    createReconciler({
      ...rounds,
      findDue: async () => due(store.find(CHARGES, id)),
      reconcile: createReconcileCharge({
        providerNamed,
        recordPaymentOutcome,
        storeTime: async () => clock.now,
      }),
    });
  const refunds = (id: string) =>
    createReconciler({
      ...rounds,
      findDue: async () => due(store.find(REFUNDS, id)),
      reconcile: createReconcileRefund({
        findCharge: async (chargeId) => store.find(CHARGES, chargeId),
        providerNamed,
        recordRefundOutcome,
        hearers: [],
      }),
    });
  const askForNews = createAskForNews({
    claimNews: async () => true,
    findOpenProviders: async () => ['pix-api'],
    accountOfNews: createAccountOfNews({
      findCharge: async (id) => store.find(CHARGES, id),
      findRefund: async (id) => store.find(REFUNDS, id),
      findReturn: async () => null,
      findMethod: async () => null,
    }),
    providerNamed,
    async takeIn({ notification }, context) {
      const charge = notification.kind === 'payment' ? store.find(CHARGES, notification.reference) : null;
      if (charge && notification.kind === 'payment')
        await recordPaymentOutcome(charge, notification.state, context);
    },
    logger,
  });
  return { store, recordPaymentOutcome, recordRefundOutcome, charges, refunds, askForNews };
};

const asPayment = (charge: Charge) => ({
  ...paymentOrderOf(charge),
  merchantName: 'Loja da Ana',
  merchantTimeZone: 'America/Sao_Paulo',
  payer: { name: 'Ana Souza', email: 'ana@example.com', document: null },
  instrument: { type: 'pix' as const, expiresAt: charge.expiresAt ?? '' },
  returnUrl: null,
});

it.each([1, 14, 16, 59, 61, 299, 301, 1_000, 3_000])(
  'a Pix that is paid %i s after it was made is paid within 90 s, though no callback comes',
  async (paidAt) => {
    const { store, recordPaymentOutcome, charges, askForNews } = aWorker();
    const intent = aPixCharge({
      ...{ id: newId('chg'), provider: 'pix-api', livemode: true, version: 1 },
      ...{ instructions: null, pspRefId: null, reconcileAt: null },
    });
    store.put(CHARGES, intent);
    const made = await provider.authorize(asPayment(intent));
    await recordPaymentOutcome(intent, made, systemContext('test'));
    const reconcile = charges(intent.id);
    const isPaid = (): boolean => store.find(CHARGES, intent.id)?.status === 'paid';
    let second = 0;
    for (; second < HOUR_S && !isPaid(); second += 1) {
      if (second === paidAt) institution.pay(txidOf(intent.id));
      await reconcile();
      // It may begin at any time of the minute; this is the worst for a payment of the second before.
      if (second % NEWS_EVERY_S === (paidAt + NEWS_EVERY_S - 1) % NEWS_EVERY_S) await askForNews(clock.now);
      passes(1);
    }
    expect(isPaid()).toBe(true);
    expect(second - paidAt).toBeLessThanOrEqual(90);
  },
);

it('a refund that is processed for ten seconds is refunded within thirty, though no callback comes', async () => {
  const { store, recordRefundOutcome, refunds } = aWorker();
  institution.setReturns('EM_PROCESSAMENTO');
  const charge = aPaidCharge({
    ...{ id: newId('chg'), provider: 'pix-api', livemode: true, paymentMethod: { type: 'pix' } },
    ...{ expiresAt: new Date(NOW.getTime() + HOUR_S * 1_000).toISOString() },
  });
  await provider.authorize(asPayment(charge));
  const paid = { ...charge, pspRefId: institution.pay(txidOf(charge.id)) };
  const { data: refund } = openRefund(
    paid,
    null,
    { id: newId('ref'), reason: 'sent back', reconcileAt: new Date(NOW.getTime() + 15_000).toISOString() },
    NOW,
  );
  store.put(CHARGES, { ...paid, refundId: refund.id });
  store.put(REFUNDS, { ...refund, version: 1 });
  const asked = await provider.refund(requestOf(refund, paid), { isFirst: true });
  expect(asked.status).toBe('pending');
  await recordRefundOutcome(refund, asked, systemContext('test'));
  const reconcile = refunds(refund.id);
  const statusOf = () => store.find(REFUNDS, refund.id)?.status;
  let second = 0;
  for (; second < 60 && statusOf() === 'pending'; second += 1) {
    if (second === 10) institution.endReturn(devolucaoIdOf(refund.id), 'DEVOLVIDO');
    await reconcile();
    passes(1);
  }
  expect(statusOf()).toBe('refunded');
  expect(second).toBeGreaterThanOrEqual(10);
  expect(second).toBeLessThanOrEqual(30);
});
