import { dateOfDay } from '../../../kernel/business-days.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { sum } from '../../../kernel/money.ts';
import { anticipationJournal } from '../../anticipations/write/anticipation.journal.ts';
import type { AnticipatedCharge, Anticipation } from '../../anticipations/write/anticipation.ts';
import { partFeeOf } from '../../anticipations/write/anticipation-fee.ts';
import {
  alertFeeJournal,
  alertRefundJournal,
  chargebackJournal,
} from '../../chargebacks/write/alert.journal.ts';
import type { ChargebackAlert } from '../../chargebacks/write/alert.ts';
import { paidJournal, refundJournal } from '../../charges/write/charge.journal.ts';
import {
  type Charge,
  type ChargeStatus,
  dueTermsOfCharge,
  grossOf,
  isCollectedByMerchant,
} from '../../charges/write/charge.ts';
import { partOf, sharesOf, unsettled } from '../../charges/write/shares.ts';
import { type ChargeStage, type Journal, reversed, stageOf } from '../../ledger/write/journal.ts';
import { amountDueOn, lastPayableDay, pixDayOf } from '../../providers/pix/due-terms.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { settlementJournal } from '../../settlement/write/settlement.journal.ts';
import type { Cycle } from '../../subscriptions/write/cycle.ts';
import type { Difference } from '../check.ts';
import { EPOCH, linesOf, noId } from './expected-journals.ts';

/** Everything that the write store holds about one charge and its money. */
export type ChargeRecords = {
  readonly charge: Charge;
  readonly journals: readonly Journal[];
  readonly refunds: readonly Refund[];
  readonly alert: ChargebackAlert | null;
  /** Anticipations that took parts of the charge. */
  readonly anticipations: readonly Anticipation[];
  /** The cycle of the subscription that the charge names; null where it names none, or one that does not exist. */
  readonly cycle: Cycle | null;
};

/** Statuses of charges that have been paid at some time. */
const PAID: readonly ChargeStatus[] = ['paid', 'refunded', 'pre_chargeback', 'chargeback'];

/** Compares the journals of a charge with the expected ones, posting by posting. */
export const checkCharge = (records: ChargeRecords): readonly Difference[] => {
  const { charge } = records;
  const expected = new Map(expectedJournals(records).map((journal) => [keyOf(journal), journal]));
  const booked = new Map<string, Journal[]>();
  for (const journal of records.journals)
    booked.set(keyOf(journal), [...(booked.get(keyOf(journal)) ?? []), journal]);
  const about = (journal: Journal, fault: string, message: string): Difference => ({
    kind: journal.referenceType,
    subject: journal.referenceId,
    aspect: `${nameOf(journal)} ${fault}`,
    message: `charge ${charge.id} (${charge.status}): ${nameOf(journal)} ${message}`,
  });
  const differences: Difference[] = [];
  for (const [key, journal] of expected)
    if (!booked.has(key)) differences.push(about(journal, 'missing', 'is not booked'));
  for (const [key, journals] of booked) {
    const [first] = journals;
    if (!first) continue;
    const wanted = expected.get(key);
    if (!wanted) differences.push(about(first, 'unexpected', 'is booked and should not be'));
    else if (linesOf(wanted) !== linesOf(first))
      differences.push(
        about(first, 'differs', `is booked as [${linesOf(first)}] and should be [${linesOf(wanted)}]`),
      );
    if (journals.length > 1) differences.push(about(first, 'repeated', `is booked ${journals.length} times`));
  }
  return [...differences, ...checkReserved(records), ...checkCycle(records), ...checkPaidAmount(charge)];
};

/**
 * Compares what the institution took of a charge with a due date with what was due on that day. The amount
 * that was paid is booked all the same; once it is given back nothing is left to look at.
 */
const checkPaidAmount = (charge: Charge): readonly Difference[] => {
  const terms = dueTermsOfCharge(charge);
  if (!terms || charge.status !== 'paid' || charge.paidAt === null) return [];
  const day = pixDayOf(new Date(charge.paidAt));
  const isInTime = day <= lastPayableDay(terms);
  const due = amountDueOn(charge.amount, terms, day).amount;
  if (isInTime && due === grossOf(charge)) return [];
  const rule = isInTime ? `${due} was due` : 'nobody was to pay any more';
  return [
    {
      kind: 'charge',
      subject: charge.id,
      aspect: 'paid amount',
      message: `charge ${charge.id} (${charge.status}): ${grossOf(charge)} was paid on ${dateOfDay(day)}, when ${rule}`,
    },
  ];
};

/** Compares the charge of a cycle with the attempt that made it. */
const checkCycle = ({ charge, cycle }: ChargeRecords): readonly Difference[] => {
  if (!charge.cycle) return [];
  const { subscriptionId, number } = charge.cycle;
  const fault = (message: string): readonly Difference[] => [
    {
      kind: 'charge',
      subject: charge.id,
      aspect: 'cycle',
      message: `charge ${charge.id} (${charge.status}): ${message}`,
    },
  ];
  const attempts = cycle?.attempts.filter(({ chargeId }) => chargeId === charge.id) ?? [];
  const [attempt] = attempts;
  // On a page the customer may try several times, and only the charge that has paid is the attempt.
  if (charge.checkoutSessionId && attempts.length === 0 && !PAID.includes(charge.status)) return [];
  if (!cycle || !attempt || attempts.length > 1)
    return fault(`cycle ${number} of ${subscriptionId} has ${attempts.length} attempts with it`);
  if (charge.amount !== cycle.amount || charge.currency !== cycle.currency)
    return fault(`cycle ${number} of ${subscriptionId} has another price`);
  const isPaid = PAID.includes(charge.status);
  if (isPaid === (attempt.outcome === 'paid') && (!isPaid || cycle.status === 'paid')) return [];
  return fault(`cycle ${number} of ${subscriptionId} is ${cycle.status}, and its attempt ${attempt.outcome}`);
};

/** Compares the reserved amount of each participant with the part of its share that is not settled. */
const checkReserved = ({ charge, journals, refunds }: ChargeRecords): readonly Difference[] => {
  const isNotReserved =
    isCollectedByMerchant(charge) ||
    charge.status !== 'paid' ||
    refunds.some(({ booked, alertId }) => booked && alertId === null);
  const postings = journals.flatMap((booked) => booked.postings);
  return sharesOf(charge).flatMap(({ merchantId, amount }): Difference[] => {
    const reserved = sum(
      postings
        .filter((one) => one.merchantId === merchantId && one.bucket === 'reserved')
        .map((one) => one.amount),
    );
    const left = isNotReserved ? 0 : unsettled(amount, stageOf(charge.settlement, merchantId));
    const message = `charge ${charge.id} (${charge.status}): ${reserved} is reserved for ${merchantId} and should be ${left}`;
    const aspect = `reserved for ${merchantId}`;
    return reserved === left ? [] : [{ kind: 'charge', subject: charge.id, aspect, message }];
  });
};

/** The journals that the charge must have. */
const expectedJournals = (records: ChargeRecords): readonly Journal[] => {
  const { charge, journals, refunds, alert } = records;
  const taken = takenOf(records);
  if (!PAID.includes(charge.status)) return [];
  return [
    ...paymentJournals(charge, taken),
    ...taken.map(({ by, of }) =>
      anticipationJournal(by, figuresOf(charge, by.merchantId, of), charge, EPOCH, noId),
    ),
    ...refunds
      .filter(({ alertId }) => alertId === null)
      .flatMap((refund) => ofRefund(charge, refund, journals)),
    ...(alert
      ? [
          alertRefundJournal(charge, alert.id, EPOCH, noId),
          alertFeeJournal(charge, alert.id, alert.fee, EPOCH, noId),
        ]
      : []),
    ...(charge.status === 'chargeback' && !alert ? [chargebackJournal(charge, EPOCH, noId)] : []),
  ];
};

/** The part of an anticipation that concerns one charge. */
type Taken = { readonly by: Anticipation; readonly of: AnticipatedCharge };

/** The journals that a charge's payment and settlement must have, from the charge and its anticipated parts. */
export const paymentJournals = (charge: Charge, taken: readonly Taken[] = []): readonly Journal[] => {
  if (!PAID.includes(charge.status)) return [];
  const { parts } = charge.settlement;
  const settlements = Array.from({ length: charge.settlement.settled }, (_, settled) => {
    const anticipated = taken
      .filter(({ of }) => of.anticipated.some(({ part }) => part === settled + 1))
      .map(({ by }) => ({ merchantId: by.merchantId, parts: settled + 1 }));
    return settlementJournal(at(charge, { parts, settled, anticipated }), EPOCH, noId);
  });
  return [paidJournal(charge, EPOCH, noId), ...settlements.filter(({ postings }) => postings.length > 0)];
};

const takenOf = ({ charge, anticipations }: ChargeRecords): readonly Taken[] =>
  anticipations.flatMap((by) =>
    by.charges.filter(({ chargeId }) => chargeId === charge.id).map((of) => ({ by, of })),
  );

/** Amount and fee of the anticipated parts, computed anew from the merchant's share. */
const figuresOf = (charge: Charge, merchantId: MerchantId, of: AnticipatedCharge): AnticipatedCharge => {
  const share = sharesOf(charge).find((one) => one.merchantId === merchantId)?.amount ?? 0;
  const parts = of.anticipated.map(({ part, percentage, days }) => {
    const amount = partOf(share, charge.settlement.parts, part);
    return { amount, fee: partFeeOf(amount, percentage, days) };
  });
  return {
    ...of,
    amount: sum(parts.map(({ amount }) => amount)),
    fee: of.fixedFee + sum(parts.map(({ fee }) => fee)),
  };
};

/** Whether a journal is about the payment or settlement of a charge. */
export const isOfPayment = ({ referenceType, chargeId }: Journal): boolean =>
  chargeId !== null && (referenceType === 'charge' || referenceType === 'settlement');

/** The subject and postings of a journal as text that can be compared. */
export const wordsOf = (journal: Journal): string => `${keyOf(journal)}: ${linesOf(journal)}`;

/** A refund that came to nothing is either not booked, or booked and reversed at whatever stage of settlement. */
const ofRefund = (charge: Charge, refund: Refund, journals: readonly Journal[]): readonly Journal[] => {
  if (refund.booked) return [refundJournal(charge, refund.id, EPOCH, noId)];
  const booked = journals.find(({ referenceId }) => referenceId === refund.id);
  if (!booked) return [];
  const taken = refundJournal(at(charge, booked.settlement ?? charge.settlement), refund.id, EPOCH, noId);
  return [taken, reversed(taken, 'refund_reversal', { ...taken }, EPOCH, noId)];
};

const at = (charge: Charge, settlement: ChargeStage): Charge => ({ ...charge, settlement });

/** Tells apart the journals that refer to the same record. */
const keyOf = (journal: Journal): string => {
  const { referenceType, referenceId, settlement } = journal;
  const stage = referenceType === 'settlement' ? (settlement?.settled ?? '') : '';
  return `${referenceType} ${referenceId} ${sideOf(journal)} ${stage}`;
};

const sideOf = ({ postings }: Journal): string =>
  postings.find(({ movement_type }) => ['refund_reversal', 'chargeback_alert_fee'].includes(movement_type))
    ?.movement_type ?? '';

const nameOf = (journal: Journal): string => {
  const { referenceType, settlement } = journal;
  if (referenceType === 'settlement') return `the settlement of part ${(settlement?.settled ?? 0) + 1}`;
  return `the ${sideOf(journal) || referenceType}`;
};
