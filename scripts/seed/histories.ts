import { Faker, pt_BR } from '@faker-js/faker';
import { type CommandContext, type Resource, systemContext } from '../../src/kernel/event.ts';
import type { ChargeId, NewId, RefundId, UserId } from '../../src/kernel/ids.ts';
import { OPERATOR_PERMISSIONS, type OperatorPrincipal } from '../../src/kernel/principal.ts';
import type { Store } from '../../src/kernel/store.ts';
import { NO_CARD_TOKENS } from '../../src/modules/card-tokens/write/use-card-token.ts';
import {
  CHARGEBACK_ALERTS,
  MANUAL_REFUND_REQUESTS,
} from '../../src/modules/chargebacks/write/chargebacks.store.ts';
import {
  createConfirmChargeback,
  createRecordChargeback,
} from '../../src/modules/chargebacks/write/confirm-chargeback.ts';
import { createFollowRefund } from '../../src/modules/chargebacks/write/follow-refund.ts';
import { createRecordAlertRefund } from '../../src/modules/chargebacks/write/record-alert-refund.ts';
import { createRegisterAlert } from '../../src/modules/chargebacks/write/register-alert.ts';
import { createEndChargebackWait } from '../../src/modules/chargebacks/write/report-chargeback.ts';
import { createResolveManualRefund } from '../../src/modules/chargebacks/write/resolve-manual-refund.ts';
import { createAskProviders } from '../../src/modules/charges/write/ask-providers.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { createChargeHandler } from '../../src/modules/charges/write/create-charge.ts';
import { createReconcileCharge } from '../../src/modules/charges/write/reconcile-charge.ts';
import { createRecordPaymentOutcome } from '../../src/modules/charges/write/record-payment-outcome.ts';
import type { SplitEntry } from '../../src/modules/charges/write/split.ts';
import { JOURNALS, type Journal, ownerKey } from '../../src/modules/ledger/write/journal.ts';
import { postJournal } from '../../src/modules/ledger/write/ledger.store.ts';
import { insufficientBalance } from '../../src/modules/ledger/write/refusals.ts';
import { FEE_DEFINITIONS } from '../../src/modules/merchants/write/fees.ts';
import { MERCHANTS } from '../../src/modules/merchants/write/merchant.ts';
import type { FindSetting } from '../../src/modules/merchants/write/settings.store.ts';
import { PAYOUT_REQUESTS } from '../../src/modules/payouts/write/payout-request.ts';
import { createProcessPayoutRequest } from '../../src/modules/payouts/write/process-payout-request.ts';
import { createRequestPayout } from '../../src/modules/payouts/write/request-payout.ts';
import { everythingOf } from '../../src/modules/providers/routes.ts';
import { createRecordRefundOutcome } from '../../src/modules/refunds/write/record-refund-outcome.ts';
import { REFUNDS } from '../../src/modules/refunds/write/refund.store.ts';
import { createRefundCharge } from '../../src/modules/refunds/write/refund-charge.ts';
import { createSettleParts } from '../../src/modules/settlement/write/settle-due.ts';
import { isSettlementDue } from '../../src/modules/settlement/write/settlement.ts';
import { KEEPS_NO_CARDS } from '../../src/modules/stored-methods/write/keep-with-charge.ts';
import { NO_STORED_METHODS } from '../../src/modules/stored-methods/write/use-stored-method.ts';
import { keepSpent } from '../../src/modules/wallets/write/wallets.store.ts';
import { type Books, createBooks } from './books.ts';
import { principalOf, type SeedMerchant } from './merchants.ts';
import { createPayers } from './payers.ts';
import { planPayouts } from './payouts.ts';
import { createSeedProvider, type SeedProvider } from './provider.ts';
import { createRecorder, type Recorded } from './recorder.ts';
import { openedToken, seedRequest } from './request.ts';
import { type Step, scenarioOf, waitingOf } from './scenarios.ts';
import { createTimeline } from './timeline.ts';

/** Charges that are written together, few enough not to hold up other transactions of the store. */
export const BATCH = 200;

/** All documents of a batch of histories by collection, and what the batch adds to statements. */
export type Batch = {
  readonly recorded: Recorded;
  readonly simulated: ReturnType<SeedProvider['take']>;
  readonly booked: ReturnType<Books['take']>;
};

/** The reconciler asks about an intent after this time; in a history every intent gets its answer before. */
const INTENT_GRACE_MS = 15_000;
const PENDING_PIX_SECONDS = 86_400;
/** How often a payer buys, on average. */
const CHARGES_A_PAYER = 3;
const PAYERS_AT_MOST = 20_000;

/** Price levels of merchants in relation to each other. */
const PRICE_FACTORS = [1, 2.2, 0.6, 1.4, 0.8, 3.5, 0.5];

const REFUND_REASONS = ['desistência', 'produto com defeito', 'cobrança em dobro'];
const ALERT_REASONS = ['fraude', 'compra não reconhecida', 'produto não recebido'];

/**
 * Charges and payouts that happened between `from` and `until`. The gateway's own command handlers decide on them, with
 * a store, a provider and a clock in memory, so seeded data obeys the same rules as all other data.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one story, told with the handlers that it calls
export const createHistories = (options: {
  readonly merchants: readonly SeedMerchant[];
  readonly charges: number;
  readonly from: Date;
  readonly until: Date;
  /** Seeds of the random numbers that decide on everything but the provider's own references. */
  readonly seed: number;
  readonly run: number;
  readonly newIdAt: (clock: () => Date) => NewId;
  /** The operator who registers alerts and decides on payouts. */
  readonly operatorId: UserId;
  /** The process that folds the journals of later batches, for as long as it lives. */
  readonly holder: string;
}): { batches(): AsyncGenerator<Batch> } => {
  const { charges, seed, run } = options;
  const faker = new Faker({ locale: [pt_BR], seed });
  const start = options.from.getTime();
  const end = options.until.getTime();
  let now = start;
  const clock = (): Date => new Date(now);
  const newId = options.newIdAt(clock);
  const timeline = createTimeline(start, end, charges);
  /** When the charge with this number is made. */
  const startOf = (index: number): number => {
    faker.seed([seed, run, index]);
    return timeline(index, faker.number.float());
  };
  /** Where a batch ends, the next one has not begun, so no later history changes what was before. */
  const ends = Array.from({ length: Math.ceil(charges / BATCH) }, (_, batch) =>
    (batch + 1) * BATCH < charges ? startOf((batch + 1) * BATCH) - 1 : end,
  );
  const books = createBooks(ends, options.holder);
  const merchants = new Map(options.merchants.map((one) => [one.merchant.id, one]));
  const stored = new Map<string, ReadonlyMap<string, Resource>>([
    [MERCHANTS.collection, new Map(options.merchants.map(({ merchant }) => [merchant.id, merchant]))],
    [FEE_DEFINITIONS.collection, new Map(options.merchants.map(({ fees }) => [fees.id, fees]))],
  ]);
  const recorder = createRecorder({
    clock,
    newId,
    find: <T extends Resource>({ collection }: Store<T>, id: string) =>
      (stored.get(collection)?.get(id) as T | undefined) ?? null,
    onAppend: (collection, document) => {
      if (collection === JOURNALS) books.book(document as Journal);
    },
  });
  const { transact } = recorder;
  const provider = createSeedProvider(clock);

  const find =
    <T extends Resource>(from: Store<T>) =>
    (id: string): Promise<T | null> =>
      transact(nobody(), (tx) => tx.get(from, id));
  const findSetting: FindSetting = async (id, name) =>
    (id && merchants.get(id)?.settings.find((setting) => setting.name === name)) || null;
  const findAlertOf = async (chargeId: ChargeId) =>
    recorder.recordedIn(CHARGEBACK_ALERTS).find((alert) => alert.chargeId === chargeId) ?? null;
  const providerNamed = async (): Promise<SeedProvider> => provider;
  const ports = {
    transact,
    clock,
    newId,
    providerNamed,
    findCharge: find(CHARGES),
    findSetting,
    findAlertOf,
  };
  const intentGraceMs = INTENT_GRACE_MS;

  const recordOutcome = createRecordPaymentOutcome({
    ...ports,
    findDelayDays: async () => [],
    giveBack: async () => null,
    outcomeFollowers: [],
    lateRules: [],
  });
  const createCharge = createChargeHandler({
    ...ports,
    // Nobody pays a charge of the past on a page.
    publicUrl: () => 'https://pay.portico.test',
    providersOf: async () => everythingOf(provider),
    findChargeTerms: async (id) => {
      const found = merchants.get(id);
      return found ? { ...found, delayDays: [], routes: null, uniqueReferences: false } : null;
    },
    findMerchants: async (ids) => ids.flatMap((id) => merchants.get(id)?.merchant ?? []),
    findDuplicate: async () => null,
    findCustomer: async () => null,
    findHolder: async () => null,
    findDeviceWallet: async () => ({
      open: openedToken,
      spend: ({ identifier }, chargeId, tx) => keepSpent(identifier, chargeId, tx),
    }),
    cardTokens: NO_CARD_TOKENS,
    findStoredMethod: NO_STORED_METHODS,
    keepWithCharge: KEEPS_NO_CARDS,
    askProviders: createAskProviders({ transact, clock, intentGraceMs }),
    recordPaymentOutcome: (...payment) => {
      pass(2_000);
      return recordOutcome(...payment);
    },
    intentGraceMs,
  });
  const reconcileCharge = createReconcileCharge({
    providerNamed,
    recordPaymentOutcome: recordOutcome,
    storeTime: async () => clock(),
  });
  const recordAlertRefund = createRecordAlertRefund({ newId });
  const recordChargeback = createRecordChargeback(ports);
  const close = createRecordRefundOutcome({
    ...ports,
    followers: [
      createFollowRefund({
        recordAlertRefund,
        endChargebackWait: createEndChargebackWait({ recordChargeback, newId }),
      }),
    ],
    findJournal: async (referenceId) => {
      const booked = recorder.appendedTo<Journal>(JOURNALS).find((one) => one.referenceId === referenceId);
      if (!booked) throw new Error(`nothing is booked for ${referenceId}`);
      return booked;
    },
  });
  const recordRefundOutcome: typeof close = (refund, state, context) => {
    pass(2_000);
    return close(refund, state, context);
  };
  const refundCharge = createRefundCharge({
    ...ports,
    findRefund: find(REFUNDS),
    recordRefundOutcome,
    intentGraceMs,
  });
  const registerAlert = createRegisterAlert({
    ...ports,
    findAlert: find(CHARGEBACK_ALERTS),
    recordRefundOutcome,
    recordAlertRefund,
    intentGraceMs,
  });
  const confirmChargeback = createConfirmChargeback({ ...ports, recordChargeback });
  const resolveManualRefund = createResolveManualRefund(ports);
  const settleParts = createSettleParts(ports);

  /** Lets up to this much time pass, but never beyond the end of the run. */
  const pass = (atMostMs: number): void => {
    const most = Math.min(atMostMs, end - now);
    now += faker.number.int({ min: Math.floor(most / 20), max: most });
  };

  const operator = operatorPrincipal(options.operatorId);
  const operatorContext: CommandContext = { ...systemContext('seed'), actor: operator.actor };
  const payers = createPayers(seed);
  const payerCount = Math.min(PAYERS_AT_MOST, Math.ceil(charges / CHARGES_A_PAYER));
  const sellers = options.merchants
    .filter(({ merchant }) => merchant.status === 'active')
    // A few merchants make most of the sales (Zipf).
    .map((seller, rank) => ({
      value: { seller, factor: PRICE_FACTORS[rank % PRICE_FACTORS.length] ?? 1 },
      weight: 1 / (rank + 1) ** 0.8,
    }));
  const appointments = planPayouts({
    merchants: sellers.map(({ value }) => value.seller),
    start,
    end,
    faker,
    books,
    requestPayout: createRequestPayout(ports),
    processPayoutRequest: createProcessPayoutRequest({
      ...ports,
      findPayoutRequest: find(PAYOUT_REQUESTS),
      findPending: async () => [],
      foldOutstanding: async () => undefined,
      debitAvailable: async (tx, merchantId, debit) => {
        const amount = debit.postings
          .filter((posting) => posting.merchantId === merchantId)
          .reduce((total, posting) => total - posting.amount, 0);
        if (books.available(ownerKey(merchantId, debit.livemode), debit.currency) < amount)
          throw insufficientBalance();
        await postJournal(tx, debit);
      },
    }),
    setTime: (at) => {
      now = at;
    },
    operator: operatorContext,
  });
  let kept = 0;

  const keepAppointments = async (until: number): Promise<void> => {
    for (; ; kept += 1) {
      const next = appointments[kept];
      if (!next || next.at > until) return;
      books.closeUntil(next.at);
      faker.seed([seed, run, kept, 1]);
      await next.keep();
    }
  };

  /** The split of one of this merchant's charges, unless the default split applies. */
  const splitOf = ({ merchant }: SeedMerchant): readonly SplitEntry[] => {
    const group = merchant.masterId ?? merchant.id;
    const others = options.merchants
      .filter(({ merchant: { id, masterId, status }, finalStatus }) => {
        const mayStay = status === 'active' && finalStatus === 'active';
        return mayStay && id !== merchant.id && (masterId ?? id) === group;
      })
      .map((other) => other.merchant.id);
    const wanted = merchant.role === 'MerchantMaster' ? 0.8 : 0.2;
    if (others.length === 0 || faker.number.float() > wanted) return [];
    const receivers = faker.helpers.arrayElements(others, { min: 1, max: 2 });
    return receivers.map((merchantId) => ({
      merchantId,
      percentage: faker.helpers.arrayElement([5, 12.5, 20, 33.3333, 45]),
    }));
  };

  /** Settles each part of a charge on its due day, up to the present time, as the settlement of a worker does. */
  const settle = async (id: ChargeId): Promise<void> => {
    const until = now;
    for (;;) {
      const charge = await find(CHARGES)(id);
      if (!charge || !isSettlementDue(charge, new Date(until))) break;
      now = Date.parse(charge.due?.nextAt ?? charge.updatedAt);
      await settleParts(id, clock(), systemContext('settlement'));
    }
    now = until;
  };

  const endWait = async (
    charge: Charge,
    status: 'paid' | 'refused' | 'failed',
    context: CommandContext,
  ): Promise<void> => {
    const failureReason = status === 'paid' ? null : status === 'refused' ? 'declined' : 'abandoned';
    await recordOutcome(charge, provider.resolve(charge.id, { status, failureReason }), context);
  };

  const endRefund = async (
    id: RefundId | null,
    status: 'refunded' | 'refused' | 'failed',
    context: CommandContext,
  ): Promise<void> => {
    const refund = id && (await find(REFUNDS)(id));
    if (!refund) throw new Error('there is no refund to end');
    const reason = status === 'refunded' ? null : 'account_closed';
    await close(refund, provider.resolveRefund(refund.id, { status, reason }), context);
  };

  const resolve = async (chargeId: ChargeId): Promise<void> => {
    const request = recorder.recordedIn(MANUAL_REFUND_REQUESTS).find((one) => one.chargeId === chargeId);
    if (!request) throw new Error(`nothing of ${chargeId} is refunded by hand`);
    await resolveManualRefund(
      { principal: operator, id: request.id, notes: 'transferido pelo financeiro' },
      operatorContext,
    );
  };

  const take = async (
    { does, withinMs }: Step,
    id: ChargeId,
    { merchant, keyId }: SeedMerchant,
    context: CommandContext,
  ): Promise<void> => {
    const before = await find(CHARGES)(id);
    if (!before) throw new Error(`charge ${id} is gone`);
    if (does === 'expired') now = Math.min(end, Date.parse(before.expiresAt ?? before.createdAt));
    else pass(withinMs);
    await settle(id);
    const charge = (await find(CHARGES)(id)) ?? before;
    switch (does) {
      case 'paid':
      case 'refused':
      case 'failed':
        return endWait(charge, does, context);
      case 'expired':
      case 'reconciled':
        return reconcileCharge(charge, clock());
      case 'refund': {
        const reason = faker.helpers.arrayElement(REFUND_REASONS);
        await refundCharge({ chargeId: id, reason, principal: principalOf(merchant, keyId) }, context);
        return;
      }
      case 'refund completed':
        return endRefund(charge.refundId, 'refunded', context);
      case 'refund refused':
        return endRefund(charge.refundId, 'refused', context);
      case 'refund failed':
        return endRefund(charge.refundId, 'failed', context);
      case 'alert': {
        const reason = faker.helpers.arrayElement(ALERT_REASONS);
        const externalId = `case-${faker.string.numeric(8)}`;
        const request = { chargeId: id, reason, externalId, receivedAt: clock().toISOString() };
        await registerAlert({ ...request, principal: operator }, operatorContext);
        return;
      }
      case 'resolved':
        return resolve(id);
      case 'chargeback':
        await confirmChargeback({ principal: operator, chargeId: id }, operatorContext);
        return;
    }
  };

  /** Plays the life of a charge, from the request to its last refund. */
  const play = async (index: number): Promise<void> => {
    const startsAt = startOf(index);
    await keepAppointments(startsAt - 1);
    faker.seed([seed, run, index, 2]);
    now = startsAt;
    const isWaiting = index >= charges - waitingOf(charges);
    const scenario = scenarioOf(faker, index, charges);
    const { seller, factor } = faker.helpers.weightedArrayElement(sellers);
    const { merchant, keyId } = seller;
    const context: CommandContext = { ...systemContext('seed'), actor: { kind: 'key', id: keyId } };
    const request = seedRequest(faker, {
      number: index + 1,
      scenario,
      // Some payers come again and again.
      payer: payers(Math.floor(payerCount * faker.number.float({ max: 0.999_999 }) ** 2)),
      factor,
      split: splitOf(seller),
      expirationYear: String(options.until.getUTCFullYear() + 3),
      pixExpiresIn: isWaiting ? PENDING_PIX_SECONDS : null,
    });
    const { charge } = await createCharge({ merchantId: merchant.id, livemode: false, request }, context);
    for (const step of scenario.steps) await take(step, charge.id, seller, context);
    if (!isWaiting) now = end;
    await settle(charge.id);
  };

  return {
    async *batches() {
      let index = 0;
      for (const batchEnd of ends) {
        for (const next = Math.min(charges, index + BATCH); index < next; index += 1) await play(index);
        await keepAppointments(batchEnd);
        yield { recorded: recorder.take(), simulated: provider.take(), booked: books.take() };
      }
    },
  };
};

const nobody = (): CommandContext => systemContext('seed');

const operatorPrincipal = (userId: UserId): OperatorPrincipal => ({
  kind: 'operator',
  actor: { kind: 'operator', id: userId },
  credential: 'user',
  userId,
  livemode: false,
  permissions: OPERATOR_PERMISSIONS,
});
