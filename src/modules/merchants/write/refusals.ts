import { forbidden, refusal } from '../../../kernel/errors.ts';

export const merchantNotActive = forbidden(
  'MERCHANT_NOT_ACTIVE',
  'Only an active merchant can sell and manage sub-merchants',
);

export const connectNotEnabled = forbidden(
  'CONNECT_NOT_ENABLED',
  'The setting `enable_connect` of the merchant is not true',
);

export const merchantEnvironmentMismatch = refusal(
  'MERCHANT_ENVIRONMENT_MISMATCH',
  'The sub-merchant belongs to the other environment',
);

export const apiKeyNotActive = refusal('API_KEY_NOT_ACTIVE', 'The API key was rolled or revoked before');

export const feesNotConfigured = refusal(
  'FEES_NOT_CONFIGURED',
  'The merchant has no fees for this payment method and currency',
);

export const installmentsNotOffered = refusal(
  'INSTALLMENTS_NOT_OFFERED',
  'This number of installments is not offered',
);

export const statusMovedByReview = refusal(
  'TRANSITION_NOT_ALLOWED',
  'The status of a sub-merchant is moved by its review',
);

export const submerchantCannotBeMaster = refusal(
  'SUBMERCHANT_CANNOT_BE_MASTER',
  'A sub-merchant cannot be a master',
);
