import { malformed, refusal } from '../../../kernel/errors.ts';

export const alertAlreadyRegistered = refusal(
  'CHARGEBACK_ALERT_ALREADY_REGISTERED',
  'A chargeback alert of this charge is registered already',
);

export const chargeNotPaid = refusal(
  'CHARGE_NOT_PAID',
  'The charge is not paid',
  (status: string) => `A charge that is ${status} cannot get a chargeback alert`,
);

export const alertFeeNotConfigured = malformed(
  'CHARGEBACK_ALERT_FEE_NOT_CONFIGURED',
  'No chargeback alert fee is configured for the merchant or the gateway',
);

export const manualRefundAlreadyResolved = refusal(
  'MANUAL_REFUND_REQUEST_ALREADY_RESOLVED',
  'The manual refund request is resolved already',
  (by: string, at: string) => `The manual refund request was resolved by ${by} at ${at}`,
);
