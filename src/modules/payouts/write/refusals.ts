import { refusal } from '../../../kernel/errors.ts';

export const mayNotAskForPayouts = refusal(
  'MERCHANT_NOT_ACTIVE',
  'Only an active merchant can ask for payouts',
);

export const mayNotBePaidOut = refusal(
  'MERCHANT_NOT_ACTIVE',
  'Only an active merchant can be paid out; the request waits',
);

export const companyTaxIdMissing = refusal(
  'COMPANY_TAX_ID_MISSING',
  'The merchant has no company tax id to pay out to',
);

export const payoutFeeNotConfigured = refusal(
  'PAYOUT_FEE_NOT_CONFIGURED',
  'The merchant has no fee definition of type payout',
);

export const payoutAmountTooLow = refusal(
  'PAYOUT_AMOUNT_TOO_LOW',
  'Nothing of the amount is left after the payout fee',
);

export const payoutRequestAlreadyProcessed = refusal(
  'PAYOUT_REQUEST_ALREADY_PROCESSED',
  'The payout request is not pending',
  (status: string) => `The payout request is ${status} already`,
);

export const transferStatusNotAllowed = refusal(
  'TRANSITION_NOT_ALLOWED',
  'The transfer cannot take this status now',
  (message: string) => ({ message }),
);
