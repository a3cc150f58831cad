import {
  alertFeeJournal,
  alertRefundJournal,
  chargebackJournal,
} from '../../chargebacks/write/alert.journal.ts';
import type { ChargebackAlert } from '../../chargebacks/write/alert.ts';
import { paidJournal, refundJournal, settlementJournal } from '../../charges/write/charge.journal.ts';
import type { Charge, ChargeStatus } from '../../charges/write/charge.ts';
import { type Journal, reversed, type SettlementStage } from '../../ledger/write/journal.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import type { Difference } from '../check.ts';

/** Everything that the write store holds about one charge and its money. */
export type ChargeRecords = {
  readonly charge: Charge;
  readonly journals: readonly Journal[];
  readonly refunds: readonly Refund[];
  readonly alert: ChargebackAlert | null;
};

/** Statuses of charges that were paid at some time. */
const PAID: readonly ChargeStatus[] = ['paid', 'refunded', 'pre_chargeback', 'chargeback'];

/** What is booked for a charge against what should be, posting by posting. */
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
  return differences;
};

/** The journals that the rules would have made. */
const expectedJournals = ({ charge, journals, refunds, alert }: ChargeRecords): readonly Journal[] => {
  if (!PAID.includes(charge.status)) return [];
  return [
    ...paymentJournals(charge),
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

/** Those of its payment and settlement, which follow from the charge alone. */
export const paymentJournals = (charge: Charge): readonly Journal[] =>
  PAID.includes(charge.status)
    ? [
        paidJournal(charge, EPOCH, noId),
        ...Array.from({ length: charge.settlement.settled }, (_, settled) =>
          settlementJournal(at(charge, { ...charge.settlement, settled }), EPOCH, noId),
        ).filter(({ postings }) => postings.length > 0),
      ]
    : [];

/** Whether a journal is of that kind. */
export const isOfPayment = ({ referenceType, chargeId }: Journal): boolean =>
  chargeId !== null && (referenceType === 'charge' || referenceType === 'settlement');

/** What a journal is about and says, in words that compare. */
export const wordsOf = (journal: Journal): string => `${keyOf(journal)}: ${linesOf(journal)}`;

/** A refund that came to nothing is either not booked or booked and taken back, at whatever stage of settlement. */
const ofRefund = (charge: Charge, refund: Refund, journals: readonly Journal[]): readonly Journal[] => {
  if (refund.booked) return [refundJournal(charge, refund.id, EPOCH, noId)];
  const booked = journals.find(({ referenceId }) => referenceId === refund.id);
  if (!booked) return [];
  const taken = refundJournal(at(charge, booked.settlement ?? charge.settlement), refund.id, EPOCH, noId);
  return [taken, reversed(taken, 'refund_reversal', { ...taken }, EPOCH, noId)];
};

const at = (charge: Charge, settlement: SettlementStage): Charge => ({ ...charge, settlement });

const EPOCH = new Date(0);
const noId = <P extends string>(prefix: P): `${P}_${string}` => `${prefix}_`;

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

/** What a journal says, in words that compare. */
export const linesOf = ({ currency, livemode, postings }: Journal): string =>
  postings
    .map(
      ({ merchantId, bucket, movement_type, amount }) =>
        `${merchantId ?? 'gateway'} ${livemode ? 'live' : 'test'} ${bucket} ${movement_type} ${amount} ${currency}`,
    )
    .sort()
    .join('; ');
