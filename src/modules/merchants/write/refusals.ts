import { refusal } from '../../../kernel/errors.ts';

export const merchantNotActive = refusal(
  403,
  'MERCHANT_NOT_ACTIVE',
  'Only an active merchant can sell and manage sub-merchants',
);

export const connectNotEnabled = refusal(
  403,
  'CONNECT_NOT_ENABLED',
  'The setting `enable_connect` of the merchant is not true',
);

export const merchantEnvironmentMismatch = refusal(
  422,
  'MERCHANT_ENVIRONMENT_MISMATCH',
  'The sub-merchant belongs to the other environment',
);

export const apiKeyNotActive = refusal(422, 'API_KEY_NOT_ACTIVE', 'The API key was rolled or revoked before');

export const feesNotConfigured = refusal(
  422,
  'FEES_NOT_CONFIGURED',
  'The merchant has no fees for this payment method and currency',
);

export const installmentsNotOffered = refusal(
  422,
  'INSTALLMENTS_NOT_OFFERED',
  'This number of installments is not offered',
);

export const statusMovedByReview = refusal(
  422,
  'TRANSITION_NOT_ALLOWED',
  'The status of a sub-merchant is moved by its review',
);

export const submerchantCannotBeMaster = refusal(
  422,
  'SUBMERCHANT_CANNOT_BE_MASTER',
  'A sub-merchant cannot be a master',
);
