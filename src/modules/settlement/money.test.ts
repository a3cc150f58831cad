import fc from 'fast-check';
import {
  aCharge,
  aMerchant,
  aMerchantPrincipal,
  aPaymentState,
  aRefundState,
  countingIds,
} from '../../../test/builders.ts';
import { createFakeWriteStore } from '../../../test/fakes/write-store.ts';
import {
  ALERT_FEE,
  ANTICIPATION_FIXED,
  ANTICIPATION_PER_MYRIAD,
  type Answer,
  anyStep,
  DELAY_DAYS,
  type Driver,
  FEE_PER_CENT,
  PAYOUT_FEE,
  walk,
} from '../../../test/support/money-model.ts';
import { volume } from '../../../test/support/volume.ts';
import { DAY_MS } from '../../kernel/durations.ts';
import { GatewayError } from '../../kernel/errors.ts';
import { systemContext } from '../../kernel/event.ts';
import { percentOf } from '../../kernel/money.ts';
import { createAnticipate, createFindReservedFor } from '../anticipations/write/anticipate.ts';
import { ANTICIPATIONS, type Anticipation, hasReserved } from '../anticipations/write/anticipation.ts';
import type { ChargebackAlert } from '../chargebacks/write/alert.ts';
import { CHARGEBACK_ALERTS } from '../chargebacks/write/chargebacks.store.ts';
import { createConfirmChargeback, createRecordChargeback } from '../chargebacks/write/confirm-chargeback.ts';
import { createFollowRefund } from '../chargebacks/write/follow-refund.ts';
import { createRecordAlertRefund } from '../chargebacks/write/record-alert-refund.ts';
import { createRegisterAlert } from '../chargebacks/write/register-alert.ts';
import { createEndChargebackWait, createReportChargeback } from '../chargebacks/write/report-chargeback.ts';
import { CHARGES } from '../charges/write/charge.store.ts';
import type { Charge } from '../charges/write/charge.ts';
import { createRecordPaymentOutcome } from '../charges/write/record-payment-outcome.ts';
import { divide } from '../charges/write/split.ts';
import type { Journal } from '../ledger/write/journal.ts';
import { postJournal } from '../ledger/write/ledger.store.ts';
import { insufficientBalance } from '../ledger/write/refusals.ts';
import { EMPTY_CHAIN, placeLines } from '../ledger/write/statement-line.ts';
import { checkAnticipation } from '../ledger-check/read/check-anticipation.ts';
import { checkPayoutRequest } from '../ledger-check/read/check-bookings.ts';
import { checkCharge } from '../ledger-check/read/check-charge.ts';
import { FEE_DEFINITIONS, type FeeDefinitions } from '../merchants/write/fees.ts';
import { MERCHANTS } from '../merchants/write/merchant.ts';
import { putSetting } from '../merchants/write/setting.ts';
import { openPayoutRequest, PAYOUT_REQUESTS, type PayoutRequest } from '../payouts/write/payout-request.ts';
import { createProcessPayoutRequest } from '../payouts/write/process-payout-request.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { createRecordRefundOutcome } from '../refunds/write/record-refund-outcome.ts';
import { REFUNDS } from '../refunds/write/refund.store.ts';
import type { Refund } from '../refunds/write/refund.ts';
import { createRefundCharge } from '../refunds/write/refund-charge.ts';
import { createSettleParts } from './write/settle-due.ts';

const START = new Date('2026-01-01T00:00:00.000Z');
const PAYOUT_FEES = {
  version: 1,
  definitions: [{ fee_type: 'payout', currency_code: 'BRL', definition: { fixed: PAYOUT_FEE, variable: 0 } }],
} as const;

const anticipationFees = (id: 'mer_1' | 'mer_2'): FeeDefinitions => ({
  id,
  version: 1,
  definitions: [
    {
      fee_type: 'anticipation',
      payment_method: 'credit_card',
      currency_code: 'BRL',
      brand: null,
      definition: {
        fixed: ANTICIPATION_FIXED / 100,
        percentages: ANTICIPATION_PER_MYRIAD.map((hundredths) => hundredths / 100),
      },
    },
  ],
  updatedAt: START.toISOString(),
});

/** Runs the real handlers over a write store in memory, with a clock and a provider that the steps control. */
const createDriver = () => {
  const store = createFakeWriteStore();
  const newId = countingIds();
  const { transact } = store;
  let now = START;
  const clock = (): Date => now;
  const context = systemContext('test');
  const answers = new Map<string, Answer>();
  const principal = aMerchantPrincipal();
  const provider = {
    name: 'fake',
    refund: async ({ paymentReference }: { readonly paymentReference: string }) =>
      aRefundState({ status: answers.get(paymentReference) ?? 'refunded' }),
  } as unknown as PaymentProvider;
  const find = (id: string): Charge => {
    const charge = store.find(CHARGES, id);
    if (!charge) throw new Error(`no charge ${id}`);
    return charge;
  };
  const findCharge = async (id: string): Promise<Charge | null> => store.find(CHARGES, id);
  const alerts = new Map<string, string>();
  const findAlertOf = async (chargeId: string): Promise<ChargebackAlert | null> =>
    store.find(CHARGEBACK_ALERTS, alerts.get(chargeId) ?? '');
  const recordAlertRefund = createRecordAlertRefund({ newId });
  const recordChargeback = createRecordChargeback({ newId });
  const recordRefundOutcome = createRecordRefundOutcome({
    transact,
    findJournal: async (referenceId) => {
      const journal = store.journals().find((booked) => booked.referenceId === referenceId);
      if (!journal) throw new Error(`nothing is booked for ${referenceId}`);
      return journal;
    },
    followers: [
      createFollowRefund({
        recordAlertRefund,
        endChargebackWait: createEndChargebackWait({ recordChargeback, newId }),
      }),
    ],
    clock,
    newId,
  });
  const common = {
    transact,
    findCharge,
    providerNamed: async (name: string) => (name === 'fake' ? provider : null),
    recordRefundOutcome,
    clock,
    newId,
    intentGraceMs: 0,
  };
  const refundCharge = createRefundCharge({ ...common, findRefund: async (id) => store.find(REFUNDS, id) });
  const setting = putSetting(
    null,
    {
      id: 'set_1',
      merchantId: null,
      name: 'chargeback_alert_fee',
      content: { amount: ALERT_FEE / 100, currency: 'BRL' },
    },
    START,
  ).data;
  const registerAlert = createRegisterAlert({
    ...common,
    findAlert: async (id) => store.find(CHARGEBACK_ALERTS, id),
    findAlertOf,
    findSetting: async () => setting,
    recordAlertRefund,
  });
  const confirmChargeback = createConfirmChargeback({ transact, recordChargeback, clock });
  const reportChargeback = createReportChargeback({ transact, recordChargeback, clock, newId });
  const recordPaymentOutcome = createRecordPaymentOutcome({
    transact,
    findDelayDays: async () => [],
    clock,
    newId,
    giveBack: async () => null,
    outcomeFollowers: [],
    lateRules: [],
  });
  const processPayoutRequest = createProcessPayoutRequest({
    transact,
    findPayoutRequest: async (id) => store.find(PAYOUT_REQUESTS, id),
    findPending: async () => [],
    foldOutstanding: async () => fold(),
    debitAvailable: async (tx, merchantId, debit) => {
      const { available } = heads.get(`${merchantId}:test`) ?? EMPTY_CHAIN;
      const amounts = debit.postings.filter((posting) => posting.merchantId === merchantId);
      if (available + amounts.reduce((total, { amount }) => total + amount, 0) < 0)
        throw insufficientBalance();
      await postJournal(tx, debit);
    },
    clock,
    newId,
  });
  for (const id of ['mer_1', 'mer_2'] as const) {
    store.put(MERCHANTS, aMerchant({ id }));
    store.put(FEE_DEFINITIONS, anticipationFees(id));
  }
  const anticipate = createAnticipate({
    transact,
    findReservedFor: createFindReservedFor({
      findCharge,
      findReserved: async ({ merchantId }) => {
        const charges = chargeIds.map(find).filter((charge) => hasReserved(charge, merchantId));
        return { charges, until: null };
      },
    }),
    clock,
    newId,
  });
  const payoutIds: PayoutRequest['id'][] = [];
  const settleParts = createSettleParts({ transact, clock, newId });
  const chargeIds: Charge['id'][] = [];

  const unlessRefused = async (command: Promise<unknown>): Promise<boolean> => {
    try {
      await command;
      return true;
    } catch (error) {
      if (error instanceof GatewayError && error.statusCode === 422) return false;
      throw error;
    }
  };

  /** Adds the journals since the last call to the two statements, which must be right at every line. */
  const heads = new Map([
    ['mer_1:test', EMPTY_CHAIN],
    ['mer_2:test', EMPTY_CHAIN],
  ]);
  let folded = 0;
  const fold = (): void => {
    const journals = store.journals().slice(folded);
    folded += journals.length;
    for (const { postings, _id } of journals)
      if (postings.reduce((sum, { amount }) => sum + amount, 0) !== 0) throw new Error(`${_id} is not zero`);
    for (const [key, head] of heads)
      heads.set(key, placeLines(head, journals, { key, masterId: null }, 'BRL').head);
  };

  const driver: Driver = {
    goTo(day) {
      now = new Date(START.getTime() + day * DAY_MS);
      return day;
    },
    async pay({ amount, installments, share, answer }) {
      const id = newId('chg');
      const spread = Math.min(amount, percentOf(amount, FEE_PER_CENT));
      const charge = aCharge({
        id,
        amount,
        spread,
        settlement: { parts: installments, settled: 0 },
        split: share > 0 ? divide(amount - spread, [{ merchantId: 'mer_2', percentage: share }]) : null,
      });
      store.put(CHARGES, charge);
      answers.set(id, answer);
      chargeIds.push(id);
      await recordPaymentOutcome(charge, aPaymentState({ paidAt: now.toISOString() }), context);
      return id;
    },
    async settle(day) {
      const until = new Date(START.getTime() + (day + 0.5) * DAY_MS);
      for (const id of chargeIds) await settleParts(id, until, context);
    },
    async payout(who, amount, fails) {
      const id = newId('po');
      const merchant = aMerchant({
        id: who === 'merchant' ? 'mer_1' : 'mer_2',
        companyTaxId: '11222333000181',
      });
      store.put(MERCHANTS, merchant);
      const opened = openPayoutRequest({ id, livemode: false, amount }, merchant, PAYOUT_FEES, now);
      store.put(PAYOUT_REQUESTS, { ...opened.data, version: 1 });
      payoutIds.push(id);
      const request = { id, livemode: false };
      const isPaid = await unlessRefused(processPayoutRequest({ ...request, outcome: 'approved' }, context));
      const report = { status: 'failed', reference: null, reason: null } as const;
      if (isPaid && fails) await processPayoutRequest({ ...request, outcome: 'transfer', report }, context);
      return isPaid;
    },
    anticipate(who, request) {
      const of = { ...principal, merchantId: who === 'merchant' ? 'mer_1' : 'mer_2' } as const;
      const asked = 'amount' in request ? { ...request, currency: 'BRL' } : request;
      return unlessRefused(anticipate({ principal: of, request: asked }, context));
    },
    refund: (chargeId) => unlessRefused(refundCharge({ chargeId, reason: 'sent back', principal }, context)),
    alert: (chargeId) =>
      unlessRefused(
        registerAlert(
          { principal, chargeId, reason: null, externalId: null, receivedAt: null },
          context,
        ).then((alert) => alerts.set(chargeId, alert.id)),
      ),
    chargeback: (chargeId) => unlessRefused(confirmChargeback({ principal, chargeId }, context)),
    report: (chargeId) =>
      reportChargeback({ chargeId: find(chargeId).id, pspRefId: `psp_${chargeId}` }, context),
    async finish(chargeId, as) {
      const { refundId } = find(chargeId);
      const refund = refundId === null ? null : store.find(REFUNDS, refundId);
      if (refund?.status !== 'pending') return false;
      await recordRefundOutcome(refund, aRefundState({ status: as }), context);
      return true;
    },
    async balances() {
      fold();
      const of = (key: string) => {
        const { available, reserved } = heads.get(key) ?? EMPTY_CHAIN;
        return { available, reserved };
      };
      return { merchant: of('mer_1:test'), partner: of('mer_2:test') };
    },
    statusOf: async (chargeId) => find(chargeId).status,
  };
  /** The differences that the check of the ledger finds at the end. */
  const differences = (): readonly string[] => {
    const refunds = new Map<string, Refund>();
    const anticipations: Anticipation[] = [];
    for (const { resource, data } of store.events()) {
      if (resource === 'refund') refunds.set(data.id, data as Refund);
      if (resource === ANTICIPATIONS.resource) anticipations.push(data as Anticipation);
    }
    const journalsOf = new Map<string | null, Journal[]>();
    for (const journal of store.journals()) {
      const known = journalsOf.get(journal.chargeId);
      if (known) known.push(journal);
      else journalsOf.set(journal.chargeId, [journal]);
    }
    const ofPayouts = payoutIds.flatMap((id) => {
      const request = store.find(PAYOUT_REQUESTS, id);
      const journals = store.journals().filter(({ referenceId }) => referenceId === id);
      return request ? checkPayoutRequest(request, journals).map(({ message }) => message) : [];
    });
    const ofCharges = chargeIds.flatMap((id) =>
      checkCharge({
        charge: find(id),
        journals: journalsOf.get(id) ?? [],
        refunds: [...refunds.values()].filter(({ chargeId }) => chargeId === id),
        alert: store.find(CHARGEBACK_ALERTS, alerts.get(id) ?? ''),
        anticipations: anticipations.filter(({ charges }) => charges.some(({ chargeId }) => chargeId === id)),
        cycle: null,
      }).map(({ message }) => message),
    );
    const ofAnticipations = anticipations.flatMap((anticipation) =>
      checkAnticipation(
        anticipation,
        store.journals().filter(({ referenceId }) => referenceId === anticipation.id),
      ).map(({ message }) => message),
    );
    return [...ofCharges, ...ofPayouts, ...ofAnticipations];
  };
  return { driver, differences };
};

/** A few runs suffice here; `make proofs` makes many more. */
const RUNS = Number(process.env.FC_RUNS ?? volume({ usual: 150, proof: 1_000 }));

describe('money', () => {
  it(`is where the model says, after each of 50 random commands in ${RUNS} runs`, async () => {
    const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);
    process.stderr.write(`money model: FC_SEED=${seed}\n`);
    expect(DELAY_DAYS).toBe(30);
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 50, maxLength: 50 }), async (steps) => {
        const { driver, differences } = createDriver();
        await walk(driver, steps);
        expect(differences()).toEqual([]);
      }),
      { numRuns: RUNS, seed },
    );
  }, 300_000);
});
