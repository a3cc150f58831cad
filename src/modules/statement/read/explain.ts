import type { MerchantId } from '../../../kernel/ids.ts';
import {
  exponentOf,
  type Minor,
  PERCENTAGE_DECIMALS,
  scaleDecimal,
  sum,
  toDecimal,
} from '../../../kernel/money.ts';
import { type Charge, grossOf, isCollectedByMerchant } from '../../charges/write/charge.ts';
import type { SettlementStage } from '../../ledger/write/journal.ts';
import type { StatementLine } from '../../ledger/write/statement-line.ts';

/** Where a line's amount comes from besides the charge; a member is null where it plays no part. */
export type Source = {
  /** The line that a reversal reverses. */
  readonly reversed: { readonly id: string; readonly amount: Minor } | null;
  /** The receiver of a share that the line passes on. */
  readonly passedTo: MerchantId | null;
  /** An amount that was not computed from the charge: a fee by a setting, an adjustment, a payout. */
  readonly given: { readonly from: string; readonly amount: Minor; readonly currency: string } | null;
};

const WHOLE = 100n * 10n ** BigInt(PERCENTAGE_DECIMALS);

/**
 * How a line's amount came about, with every number that it takes to compute it again by hand. A merchant that may not
 * see the charge gets only the numbers of its own share.
 */
export const explain = (
  line: StatementLine,
  charge: Charge | null,
  source: Source,
  maySeeCharge: boolean,
) => {
  const money = (amount: Minor): number => toDecimal(amount, line.currency);
  const isOriginator = charge !== null && charge.merchantId === line.merchantId;
  // A fee has its own currency, and no amount of the charge enters into it. An anticipation, in contrast, is of a part
  // of the charge.
  const isOwn = source.given !== null && line.referenceType !== 'anticipation';
  const figures = charge !== null && !isOwn && source.reversed === null ? charge : null;
  const split = figures ? divisionOf(figures) : null;
  const part = isOriginator
    ? split?.originator
    : split?.parts.find((of) => of.merchantId === line.merchantId);
  const share =
    figures && part ? { role: isOriginator ? 'originator' : 'participant', amount: part.amount } : null;
  const installments =
    figures && share && line.settlement ? installmentsOf(share.amount, line.settlement, figures) : null;
  return {
    id: line.id,
    merchantId: line.merchantId,
    movement_type: line.movement_type,
    referenceType: line.referenceType,
    referenceId: line.referenceId,
    chargeId: line.chargeId,
    journalId: line.journalId,
    bucket: line.bucket,
    amount: money(line.amount),
    currency: line.currency,
    balanceAfter: money(line.balanceAfter),
    place: line.seq,
    hash: line.hash,
    previousHash: line.previousHash,
    createdAt: line.createdAt,
    charge: figures
      ? {
          id: figures.id,
          gross: maySeeCharge ? money(grossOf(figures)) : null,
          spread: maySeeCharge ? money(figures.spread) : null,
          net: money(figures.net),
          paymentMethod: figures.paymentMethod.type,
          installments: figures.settlement.parts,
        }
      : null,
    fee:
      figures && maySeeCharge
        ? {
            definitionVersion: figures.fee.version,
            fixed: money(figures.fee.fixed),
            percentage: figures.fee.percentage,
            rounding: 'half_up' as const,
          }
        : null,
    split:
      figures?.split && split
        ? {
            rule: 'largest_remainder' as const,
            net: money(figures.net),
            parts: split.parts
              .filter((of) => maySeeCharge || of.merchantId === line.merchantId)
              .map((of) => ({ ...of, amount: money(of.amount) })),
            originator: maySeeCharge ? { ...split.originator, amount: money(split.originator.amount) } : null,
          }
        : null,
    passedTo: source.passedTo,
    share: share ? { ...share, amount: money(share.amount) } : null,
    installments: installments
      ? { ...installments, first: money(installments.first), each: money(installments.each) }
      : null,
    reversed: source.reversed ? { ...source.reversed, amount: money(source.reversed.amount) } : null,
    given: source.given
      ? { ...source.given, amount: toDecimal(source.given.amount, source.given.currency) }
      : null,
    calculation: calculate(line, figures, isOriginator, share?.amount ?? 0, source),
  };
};
export type Explanation = ReturnType<typeof explain>;

type Part = {
  readonly merchantId: MerchantId;
  readonly percentage: number;
  readonly amount: Minor;
  /** Whether the part got one of the minor units that were left when all parts were rounded down. */
  readonly oddCent: boolean;
};

/** The parts of a charge's net amount, and which of them got the odd cents. */
const divisionOf = (charge: Charge): { readonly parts: readonly Part[]; readonly originator: Part } => {
  const entries = charge.split ?? [];
  const scaled = entries.map(({ percentage }) => BigInt(scaleDecimal(percentage, PERCENTAGE_DECIMALS) ?? 0));
  const rest = WHOLE - scaled.reduce((total, one) => total + one, 0n);
  const isOdd = (amount: Minor, percentage: bigint): boolean =>
    BigInt(amount) > (BigInt(charge.net) * percentage) / WHOLE;
  const remainder = charge.net - sum(entries.map((entry) => entry.amount));
  return {
    parts: entries.map(({ merchantId, percentage, amount }, index) => ({
      merchantId,
      percentage,
      amount,
      oddCent: isOdd(amount, scaled[index] ?? 0n),
    })),
    originator: {
      merchantId: charge.merchantId,
      percentage: Number(rest) / 10 ** PERCENTAGE_DECIMALS,
      amount: remainder,
      oddCent: isOdd(remainder, rest),
    },
  };
};

const installmentsOf = (share: Minor, { parts, settled }: SettlementStage, { due }: Charge) => {
  const each = Math.floor(share / parts);
  return {
    parts,
    /** Parts that were settled before this movement. */
    settled,
    first: share - each * (parts - 1),
    each,
    delayDays: due?.delayDays ?? null,
    firstDueAt: due?.firstAt ?? null,
    daysBetween: 30,
  };
};

/** The computation in words and numbers. */
const calculate = (
  line: StatementLine,
  charge: Charge | null,
  isOriginator: boolean,
  share: Minor,
  { reversed, given }: Source,
): string => {
  const show = (amount: Minor, currency = line.currency): string =>
    `${toDecimal(amount, currency).toFixed(exponentOf(currency))} ${currency}`;
  const result = show(line.amount);
  if (reversed) return `The opposite of ${show(reversed.amount)} of entry ${reversed.id}: ${result}.`;
  if (given) return `${show(given.amount, given.currency)} by ${given.from}: ${result}.`;
  if (!charge) return `${result} as booked by ${line.referenceType} ${line.referenceId}.`;
  const { parts, settled } = line.settlement ?? charge.settlement;
  const each = Math.floor(share / parts);
  const unsettled = settled === 0 ? share : each * (parts - settled);
  switch (line.movement_type) {
    case 'charge':
      return `The gross amount of the charge: ${result}.`;
    case 'charge_spread':
      return (
        `${show(charge.fee.fixed)} + ${charge.fee.percentage} % of ${show(grossOf(charge))}, rounded half up, at most ` +
        `the gross amount, by version ${charge.fee.version} of the fee definitions: ${result}.`
      );
    case 'split_credit':
    case 'split_debit':
      return (
        `A share of ${show(charge.net)} net: each percentage rounded down, the odd cents to the largest ` +
        `remainders, ties in the order of the request and the originator last: ${result}.`
      );
    case 'settlement':
      return (
        `Part ${settled + 1} of ${parts} of a share of ${show(share)}: each ${show(each)}, the odd cents in the ` +
        `first: ${result}.`
      );
    case 'own_collection':
      return `Money that a merchant's own account at the provider took or gave back, so that nothing of it is payable here: ${result}.`;
    default: {
      const owed = isOriginator
        ? `${show(grossOf(charge))} gross less what the participants give back`
        : `the share of ${show(share)}`;
      if (isCollectedByMerchant(charge))
        return `${owed}, which the merchant's own account gives back: ${result}.`;
      return line.bucket === 'reserved'
        ? `Of ${owed}: what is not settled after ${settled} of ${parts} parts, ${show(unsettled)}: ${result}.`
        : `Of ${owed}: all but the ${show(unsettled)} that are not settled after ${settled} of ${parts} parts: ${result}.`;
    }
  }
};
