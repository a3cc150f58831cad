import type { Schemas } from '../../../client/client.ts';
import { dayOf, formatFullDay, formatMoney, formatNumber, formatPercent, shownZone } from '../../format.ts';
import { t, tStatus } from '../../words.ts';

type Explained = Schemas['StatementExplanation'];

const money = (amount: number, { currency }: Explained): string => formatMoney(Math.abs(amount), currency);

/** When the money of a charge becomes available, as far as the entry knows. */
const settlementOf = (explained: Explained): readonly string[] => {
  const { installments } = explained;
  if (!installments?.firstDueAt || explained.bucket !== 'reserved') return [];
  const day = formatFullDay(dayOf(new Date(installments.firstDueAt), shownZone()));
  const { parts } = installments;
  return [
    parts === 1
      ? t('It becomes available on {day}.', { day })
      : t('It becomes available in {parts} parts, the first on {day}.', { parts: formatNumber(parts), day }),
  ];
};

const feeOf = (explained: Explained): string => {
  const { amount, fee, charge } = explained;
  const said = money(amount, explained);
  if (!fee || charge?.gross == null) return t('{amount} are the fee of the charge.', { amount: said });
  return t('{amount} are the fee of the charge: {fixed} and {percentage} of {gross}.', {
    amount: said,
    fixed: money(fee.fixed, explained),
    percentage: formatPercent(fee.percentage),
    gross: money(charge.gross, explained),
  });
};

const partOf = (explained: Explained): string => {
  const { amount, split, passedTo, merchantId, movement_type } = explained;
  const isGiven = movement_type === 'split_debit';
  const part = split?.parts.find((one) => one.merchantId === (isGiven ? passedTo : merchantId));
  const values = {
    amount: money(amount, explained),
    percentage: part ? formatPercent(part.percentage) : '',
    net: split ? money(split.net, explained) : '',
  };
  if (!part) return isGiven ? t('{amount} go to a participant.', values) : t('{amount} are a share.', values);
  return isGiven
    ? t('{amount} go to a participant: {percentage} of the {net} that are left after the fee.', values)
    : t('{amount} are a share: {percentage} of the {net} that are left after the fee.', values);
};

const settled = (explained: Explained): string => {
  const { amount, bucket, installments } = explained;
  const values = {
    amount: money(amount, explained),
    part: formatNumber((installments?.settled ?? 0) + 1),
    parts: formatNumber(installments?.parts ?? 1),
  };
  return bucket === 'available'
    ? t('{amount} became available: part {part} of {parts}.', values)
    : t('{amount} no longer wait, because they became available: part {part} of {parts}.', values);
};

/** Movements that take a charge back, in whole or in part. */
const BACK = ['refund', 'refund_split', 'chargeback', 'chargeback_alert_refund'];

const back = (explained: Explained): string => {
  const values = { amount: money(explained.amount, explained) };
  return explained.bucket === 'reserved'
    ? t('{amount} go back to the payer out of what still waited to become available.', values)
    : t('{amount} go back to the payer out of the available balance.', values);
};

const OTHERS = (explained: Explained): Readonly<Record<string, string>> => {
  const values = { amount: money(explained.amount, explained) };
  return {
    charge: t('{amount} were paid by the payer.', values),
    anticipation_fee: t('{amount} are the fee of an anticipation.', values),
    chargeback_alert_fee: t('{amount} are the fee of a chargeback alert.', values),
    payout: t('{amount} left the available balance for a payout.', values),
    payout_fee: t('{amount} are the fee of a payout.', values),
    payout_reversal: t('{amount} came back, because the transfer of a payout failed.', values),
    payout_fee_reversal: t('{amount} of the fee came back, because the transfer of a payout failed.', values),
    adjustment: t('{amount} are a correction that two operators decided on.', values),
    suspense_clearing: t('{amount} come from money that was held in suspense.', values),
    own_collection: t("{amount} went by the merchant's own account at the provider.", values),
    anticipation:
      explained.bucket === 'available'
        ? t('{amount} became available before their day.', values)
        : t('{amount} no longer wait, because they were anticipated.', values),
  };
};

const first = (explained: Explained): string => {
  const { movement_type, reversed, amount } = explained;
  if (reversed) return t('{amount} take back what was booked before.', { amount: money(amount, explained) });
  if (movement_type === 'charge_spread') return feeOf(explained);
  if (movement_type === 'split_credit' || movement_type === 'split_debit') return partOf(explained);
  if (movement_type === 'settlement') return settled(explained);
  if (BACK.includes(movement_type)) return back(explained);
  return OTHERS(explained)[movement_type] ?? `${tStatus(movement_type)}: ${money(amount, explained)}`;
};

/** How an entry of the statement came about, in plain sentences. */
export const sentencesOf = (explained: Explained): readonly string[] => [
  first(explained),
  ...(explained.movement_type === 'settlement' ? [] : settlementOf(explained)),
  t('The {bucket} balance was {balance} afterwards.', {
    bucket: tStatus(explained.bucket),
    balance: formatMoney(explained.balanceAfter, explained.currency),
  }),
];
