import { refusal } from '../../../kernel/errors.ts';

export const mayNotAskForPayouts = refusal(
  422,
  'MERCHANT_NOT_ACTIVE',
  'Only an active merchant can ask for payouts',
);

export const mayNotBePaidOut = refusal(
  422,
  'MERCHANT_NOT_ACTIVE',
  'Only an active merchant can be paid out; the request waits',
);

export const companyTaxIdMissing = refusal(
  422,
  'COMPANY_TAX_ID_MISSING',
  'The merchant has no company tax id to pay out to',
);

export const payoutFeeNotConfigured = refusal(
  422,
  'PAYOUT_FEE_NOT_CONFIGURED',
  'The merchant has no fee definition of type payout',
);

export const payoutAmountTooLow = refusal(
  422,
  'PAYOUT_AMOUNT_TOO_LOW',
  'Nothing of the amount is left after the payout fee',
);

export const payoutRequestAlreadyProcessed = refusal(
  422,
  'PAYOUT_REQUEST_ALREADY_PROCESSED',
  'The payout request is not pending',
  (status: string) => ({ message: `The payout request is ${status} already` }),
);

export const transferStatusNotAllowed = refusal(
  422,
  'TRANSITION_NOT_ALLOWED',
  'The transfer cannot take this status now',
  (message: string) => ({ message }),
);
