import type { Timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { AlertId, ChargeId, Id, RefundId } from '../../../kernel/ids.ts';
import { type Charge, isBeingRefunded } from '../../charges/write/charge.ts';
import { refundAlreadyExists } from '../../charges/write/refusals.ts';
import type { AlertFee } from '../../merchants/write/setting.ts';
import type { Refund, RefundStatus } from '../../refunds/write/refund.ts';
import { alertAlreadyRegistered, chargeNotPaid } from './refusals.ts';

export type ManualRefundRequestId = Id<'mrr'>;

export type ChargebackAlertEvent =
  | 'chargeback_alert.confirmed'
  | 'chargeback_alert.refund_updated'
  | 'chargeback_alert.registered';

/** A chargeback that the acquirer announced. */
export type ChargebackAlert = MerchantRecord & {
  readonly id: AlertId;
  readonly chargeId: ChargeId;
  readonly status: 'registered';
  /** Reference that the announcer uses. */
  readonly externalId: string | null;
  readonly reason: string | null;
  /** When the announcement came, as the operator entered it. */
  readonly receivedAt: Timestamp | null;
  readonly refund: {
    readonly id: RefundId;
    /** `manual` once it is known that the provider does not make the refund. */
    readonly mode: 'automatic' | 'manual';
    readonly status: RefundStatus;
    readonly reason: string | null;
    readonly pspRefundRefId: string | null;
  };
  /**
   * In the currency of the setting, whatever the charge's currency is; `ledgerEntryId` is the fee's entry in the
   * statement.
   */
  readonly fee: AlertFee & { readonly ledgerEntryId: Id<'led'> };
  readonly chargeStatus: 'pre_chargeback' | 'chargeback';
  readonly manualRefundRequestId: ManualRefundRequestId | null;
};

/** Preconditions of an alert that depend on the charge, in the order in which the API answers them. */
export const assertAlertable = (charge: Charge, hasAlert: boolean): void => {
  if (hasAlert) throw alertAlreadyRegistered();
  if (isBeingRefunded(charge)) throw refundAlreadyExists();
  if (charge.status !== 'paid') throw chargeNotPaid(charge.status);
};

export const registerAlert = (
  charge: Charge,
  alert: Pick<ChargebackAlert, 'id' | 'externalId' | 'reason' | 'receivedAt' | 'fee'>,
  refund: Refund,
  now: Date,
): Decision<ChargebackAlert, ChargebackAlertEvent> =>
  created('chargeback_alert.registered', now, {
    ...alert,
    chargeId: charge.id,
    livemode: charge.livemode,
    merchantId: charge.merchantId,
    status: 'registered',
    refund: {
      id: refund.id,
      mode: 'automatic',
      status: refund.status,
      reason: refund.reason,
      pspRefundRefId: refund.pspRefundRefId,
    },
    chargeStatus: 'pre_chargeback',
    manualRefundRequestId: null,
  });

/** Records the outcome of the alert's refund. With a manual refund request, finance pays the payer back. */
export const recordRefund = (
  alert: ChargebackAlert,
  refund: Refund,
  manualRefundRequestId: ManualRefundRequestId | null,
  now: Date,
): Decision<ChargebackAlert, ChargebackAlertEvent> =>
  changed('chargeback_alert.refund_updated', alert, now, {
    refund: {
      ...alert.refund,
      mode: manualRefundRequestId === null ? alert.refund.mode : 'manual',
      status: refund.status,
      reason: refund.reason,
      pspRefundRefId: refund.pspRefundRefId,
    },
    manualRefundRequestId,
  });

/** Records that the acquirer confirmed the announced chargeback. */
export const recordConfirmation = (
  alert: ChargebackAlert,
  now: Date,
): Decision<ChargebackAlert, ChargebackAlertEvent> =>
  changed('chargeback_alert.confirmed', alert, now, { chargeStatus: 'chargeback' });
