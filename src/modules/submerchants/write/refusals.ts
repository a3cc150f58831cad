import { refusal } from '../../../kernel/errors.ts';

export const masterOnly = refusal(403, 'MASTER_ONLY', 'The caller is no `MerchantMaster`');

export const companyTaxIdVerified = refusal(
  422,
  'COMPANY_TAX_ID_VERIFIED',
  'After approval the tax id is set by an operator only',
);

export const documentInfected = refusal(
  422,
  'DOCUMENT_INFECTED',
  'The scanner found malware in the document',
);

export const documentLimitReached = refusal(
  422,
  'DOCUMENT_LIMIT_REACHED',
  'The sub-merchant has the most documents, or bytes of them, that it may have',
  (most: string) => ({ message: `A sub-merchant may have ${most} of them` }),
);

export const documentNotScanned = refusal(
  422,
  'DOCUMENT_NOT_SCANNED',
  'The scanner has not looked at the document yet',
);

export const documentRemoved = refusal(
  422,
  'DOCUMENT_REMOVED',
  'The content of the document is no longer kept',
);

export const submerchantBlocked = refusal(422, 'MERCHANT_NOT_ACTIVE', 'The sub-merchant is blocked');

export const statusMoveNotAllowed = refusal(
  422,
  'TRANSITION_NOT_ALLOWED',
  'The status cannot follow the present one',
  (from: string, to: string) => ({
    message: `A sub-merchant that is ${from} cannot become ${to}`,
  }),
);

export const submerchantChanged = refusal(
  409,
  'VERSION_CHANGED',
  'The sub-merchant has another version by now',
  (version: number) => ({ message: `The sub-merchant is at version ${version} by now` }),
);
