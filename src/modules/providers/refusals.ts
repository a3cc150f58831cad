import { refusal } from '../../kernel/errors.ts';

export const providerNotConfigured = refusal('PROVIDER_NOT_CONFIGURED', 'No payment provider is configured');

export const paymentMethodNotAvailable = refusal(
  'PAYMENT_METHOD_NOT_AVAILABLE',
  'The payment method is not available',
  (method: string, currency: string) => `${method} is not available in ${currency}`,
);

export const dueDateNotAvailable = refusal(
  'DUE_DATE_NOT_AVAILABLE',
  "No provider of the merchant's Pix takes charges with a due date",
);

export const mandateNotAvailable = refusal(
  'PIX_AUTOMATIC_NOT_AVAILABLE',
  "No provider of the merchant's Pix offers Pix Automático",
);
