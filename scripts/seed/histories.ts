import { Faker, pt_BR } from '@faker-js/faker';
import type { CommandContext } from '../../src/kernel/event.ts';
import type { ChargeId, NewId } from '../../src/kernel/ids.ts';
import { MERCHANT_PERMISSIONS, type MerchantPrincipal } from '../../src/kernel/principal.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import { expired } from '../../src/modules/charges/write/charge.ts';
import { createConfirmPayment } from '../../src/modules/charges/write/confirm-payment.ts';
import { createCreateCharge } from '../../src/modules/charges/write/create-charge.ts';
import { isSettlementDue } from '../../src/modules/charges/write/settlement.ts';
import { JOURNALS, type Journal } from '../../src/modules/ledger/write/journal.ts';
import type { FeeDefinitions } from '../../src/modules/merchants/write/fees.ts';
import type { Merchant } from '../../src/modules/merchants/write/merchant.ts';
import { createCloseRefund } from '../../src/modules/refunds/write/close-refund.ts';
import { createRefundCharge } from '../../src/modules/refunds/write/refund-charge.ts';
import { createSettleParts } from '../../src/modules/settlement/write/settle-due.ts';
import { createSeedProvider, type SeedProvider } from './provider.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { seedRequest } from './request.ts';
import { isWaiting, type Scenario, scenarioOf } from './scenarios.ts';

/** A merchant of the run, with what the handlers would read of it. */
export type SeedMerchant = {
  readonly merchant: Merchant;
  readonly fees: FeeDefinitions;
  readonly keyId: string;
  readonly secretKey: string;
};

export type Histories = {
  readonly recorder: Recorder;
  readonly provider: SeedProvider;
  /** Lets the charge with this number happen, from the request to its last refund. */
  play(index: number): Promise<void>;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const REFUND_WITHIN_MS = 20 * DAY_MS;
/** The reconciler asks about an intent after this time; every intent of a history gets its answer before. */
const INTENT_GRACE_MS = 15_000;
/** What waits was made in this time before the end of the run. */
const WAITING_SINCE_MS = 30 * MINUTE_MS;
const PENDING_PIX_SECONDS = 86_400;

/**
 * Charges that happened between `from` and `until`: the command handlers themselves decide, against a store, a
 * provider and a clock in memory. So seeded data keeps whatever rules the gateway keeps.
 */
export const createHistories = (options: {
  readonly merchants: readonly SeedMerchant[];
  readonly charges: number;
  readonly from: Date;
  readonly until: Date;
  /** Numbers that decide about everything but the provider's own references. */
  readonly seed: number;
  readonly run: number;
  readonly newIdAt: (clock: () => Date) => NewId;
}): Histories => {
  const { merchants, charges } = options;
  const faker = new Faker({ locale: [pt_BR], seed: options.seed });
  const start = options.from.getTime();
  const end = options.until.getTime();
  let now = start;
  const clock = (): Date => new Date(now);
  const newId = options.newIdAt(clock);
  const recorder = createRecorder({ clock, newId });
  const { transact } = recorder;
  const provider = createSeedProvider(clock);

  const confirmPayment = createConfirmPayment({
    transact,
    findDelayDays: async () => [],
    clock,
    newId,
    giveBack: async () => undefined,
  });
  const createCharge = createCreateCharge({
    transact,
    providerFor: () => provider,
    findMerchants: async (ids) =>
      merchants.map(({ merchant }) => merchant).filter(({ id }) => ids.includes(id)),
    findFees: async (id) => merchants.find(({ merchant }) => merchant.id === id)?.fees ?? null,
    findDefaultSplit: async () => null,
    findDuplicate: async () => null,
    findDeviceWallet: async () => null,
    confirmPayment: (charge, state, context) => {
      pass(2_000);
      return confirmPayment(charge, state, context);
    },
    clock,
    newId,
    intentGraceMs: INTENT_GRACE_MS,
  });
  const closeRefund = createCloseRefund({
    transact,
    recordAlertRefund: async () => undefined,
    clock,
    newId,
    findJournal: async (_tx, referenceId) => {
      const booked = recorder.appendedTo<Journal>(JOURNALS).find((one) => one.referenceId === referenceId);
      if (!booked) throw new Error(`nothing is booked for ${referenceId}`);
      return booked;
    },
  });
  const refundCharge = createRefundCharge({
    transact,
    findCharge: (id) => transact(nobody(), (tx) => tx.get(CHARGES, id)),
    providerNamed: () => provider,
    closeRefund: (refund, state, context) => {
      pass(2_000);
      return closeRefund(refund, state, context);
    },
    clock,
    newId,
    intentGraceMs: INTENT_GRACE_MS,
  });

  /** Lets up to so much time go by, but never beyond the end of the run. */
  const pass = (atMostMs: number): void => {
    now = Math.min(end, now + faker.number.int({ min: Math.floor(atMostMs / 20), max: atMostMs }));
  };

  /** Charges follow each other evenly and end a day ago; those that wait are of the last half hour. */
  const startOf = (index: number, scenario: Scenario): number =>
    isWaiting(scenario)
      ? end - MINUTE_MS - faker.number.int(WAITING_SINCE_MS)
      : Math.round(start + ((index + faker.number.float()) / charges) * (end - DAY_MS - start));

  const settleParts = createSettleParts({ transact, clock, newId });

  /** Settles each part of a charge on its day, up to now. */
  const settle = async (id: ChargeId, context: CommandContext): Promise<void> => {
    const until = now;
    for (;;) {
      const charge = await transact(context, (tx) => tx.get(CHARGES, id));
      if (!charge || !isSettlementDue(charge, new Date(until))) break;
      now = Date.parse(charge.due?.nextAt ?? charge.updatedAt);
      await settleParts(id, clock(), context);
    }
    now = until;
  };

  const play = async (index: number): Promise<void> => {
    faker.seed([options.seed, options.run, index]);
    const scenario = scenarioOf(faker, index, charges);
    now = startOf(index, scenario);
    const { merchant, keyId } = faker.helpers.arrayElement(merchants);
    const context: CommandContext = { actor: { kind: 'key', id: keyId }, requestId: 'seed', commits: [] };
    const method =
      scenario.cards.length > 0
        ? { card: faker.helpers.arrayElement(scenario.cards), holdsUntil: options.until.getUTCFullYear() + 3 }
        : { pixExpiresIn: isWaiting(scenario) ? PENDING_PIX_SECONDS : 3_600 };
    const request = seedRequest(faker, index + 1, method);
    const { charge } = await createCharge({ merchantId: merchant.id, livemode: false, request }, context);
    if (scenario.end) {
      const { status, withinMs } = scenario.end;
      if (status === 'expired') now = Date.parse(charge.expiresAt ?? charge.createdAt);
      else pass(withinMs);
      const failureReason = status === 'paid' ? null : status === 'expired' ? 'cancelled' : 'declined';
      const state = provider.settle(charge.id, {
        status: status === 'expired' ? 'failed' : status,
        failureReason,
      });
      await confirmPayment(charge, status === 'expired' ? expired(state) : state, context);
    }
    if (!scenario.isRefunded) {
      if (!isWaiting(scenario)) now = end;
      await settle(charge.id, context);
      return;
    }
    pass(isWaiting(scenario) ? 5 * MINUTE_MS : REFUND_WITHIN_MS);
    await settle(charge.id, context);
    const reason = faker.helpers.arrayElement(['desistência', 'produto com defeito', 'cobrança em dobro']);
    await refundCharge({ chargeId: charge.id, reason, principal: principalOf(merchant, keyId) }, context);
  };

  return { recorder, provider, play };
};

const nobody = (): CommandContext => ({
  actor: { kind: 'system', id: 'seed' },
  requestId: 'seed',
  commits: [],
});

const principalOf = (merchant: Merchant, keyId: string): MerchantPrincipal => ({
  kind: 'merchant',
  actor: { kind: 'key', id: keyId },
  credential: 'secret_key',
  merchantId: merchant.id,
  masterId: null,
  livemode: false,
  permissions: MERCHANT_PERMISSIONS,
});
