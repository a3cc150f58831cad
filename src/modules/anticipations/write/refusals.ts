import { refusal } from '../../../kernel/errors.ts';

export const mayNotAnticipate = refusal('MERCHANT_NOT_ACTIVE', 'Only an active merchant can anticipate');

export const chargeNotAnticipatable = refusal(
  'CHARGE_NOT_ANTICIPATABLE',
  'The charge is not paid, or it was refunded, charged back or is being refunded',
  (status: string) => ({
    message: status === 'paid' ? 'The charge is being refunded' : `The charge is ${status}`,
  }),
);

export const anticipationFeeNotConfigured = refusal(
  'ANTICIPATION_FEE_NOT_CONFIGURED',
  'The merchant has no fee definition of type anticipation for this',
);

export const nothingToAnticipate = refusal(
  'NOTHING_TO_ANTICIPATE',
  'Nothing is reserved that is due soon enough and whose parts fit into the amount',
);

export const anticipationAmountTooLow = refusal(
  'ANTICIPATION_AMOUNT_TOO_LOW',
  'Nothing of the amount is left after the fee',
);
