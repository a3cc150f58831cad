import { refusal } from '../../../kernel/errors.ts';

export const alertAlreadyRegistered = refusal(
  422,
  'CHARGEBACK_ALERT_ALREADY_REGISTERED',
  'A chargeback alert of this charge is registered already',
);

export const chargeNotPaid = refusal(422, 'CHARGE_NOT_PAID', 'The charge is not paid', (status: string) => ({
  message: `A charge that is ${status} cannot get a chargeback alert`,
}));

export const alertFeeNotConfigured = refusal(
  400,
  'CHARGEBACK_ALERT_FEE_NOT_CONFIGURED',
  'No chargeback alert fee is configured for the merchant or the gateway',
);

export const manualRefundAlreadyResolved = refusal(
  422,
  'MANUAL_REFUND_REQUEST_ALREADY_RESOLVED',
  'The manual refund request is resolved already',
  (by: string, at: string) => ({ message: `The manual refund request was resolved by ${by} at ${at}` }),
);
