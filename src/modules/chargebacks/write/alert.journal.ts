import type { AlertId, NewId } from '../../../kernel/ids.ts';
import { about, entriesOfReturn } from '../../charges/write/charge.journal.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { type Journal, journal } from '../../ledger/write/journal.ts';
import type { AlertFee } from '../../merchants/write/setting.ts';

/** The refund of a charge for an alert, which the originator and every participant pay. */
export const alertRefundJournal = (charge: Charge, alertId: AlertId, now: Date, newId: NewId): Journal =>
  journal(
    { ...about(charge), referenceType: 'chargeback_alert', referenceId: alertId },
    entriesOfReturn(charge, { own: 'chargeback_alert_refund', parts: 'chargeback_alert_refund' }),
    now,
    newId,
  );

/** The fee of an alert, which only the charge's merchant pays, from `available`, which may become negative. */
export const alertFeeJournal = (
  charge: Charge,
  alertId: AlertId,
  { amount, currency }: AlertFee,
  now: Date,
  newId: NewId,
): Journal => {
  const movement_type = 'chargeback_alert_fee' as const;
  return journal(
    {
      livemode: charge.livemode,
      currency,
      chargeId: charge.id,
      referenceType: 'chargeback_alert',
      referenceId: alertId,
    },
    [
      { merchantId: charge.merchantId, bucket: 'available', movement_type, amount: -amount },
      { merchantId: null, bucket: 'revenue', movement_type, amount },
    ],
    now,
    newId,
  );
};

/** The chargeback of a charge without an alert. */
export const chargebackJournal = (charge: Charge, now: Date, newId: NewId): Journal =>
  journal(
    { ...about(charge), referenceType: 'chargeback', referenceId: charge.id },
    entriesOfReturn(charge, { own: 'chargeback', parts: 'chargeback' }),
    now,
    newId,
  );
