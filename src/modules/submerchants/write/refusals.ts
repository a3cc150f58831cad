import { conflict, forbidden, refusal } from '../../../kernel/errors.ts';

export const masterOnly = forbidden('MASTER_ONLY', 'The caller is no `MerchantMaster`');

export const companyTaxIdVerified = refusal(
  'COMPANY_TAX_ID_VERIFIED',
  'After approval the tax id is set by an operator only',
);

export const submerchantBlocked = refusal('MERCHANT_NOT_ACTIVE', 'The sub-merchant is blocked');

export const statusMoveNotAllowed = refusal(
  'TRANSITION_NOT_ALLOWED',
  'The status cannot follow the present one',
  (from: string, to: string) => `A sub-merchant that is ${from} cannot become ${to}`,
);

export const submerchantChanged = conflict(
  'VERSION_CHANGED',
  'The sub-merchant has another version by now',
  (version: number) => `The sub-merchant is at version ${version} by now`,
);
